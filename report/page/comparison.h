/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a comparison as a page: one file without JavaScript, in the style of the report. */
#ifndef RTRACK_REPORT_PAGE_COMPARISON_H
#define RTRACK_REPORT_PAGE_COMPARISON_H

#include "report/compare/compare.h"

/* `path` may be "-" for stdout. Returns 0, or -1 after a message. */
int page_write_comparison(const struct comparison *comparison, const char *path);

#endif
