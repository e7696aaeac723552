/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the page. scripts/embed writes their definitions into build/page.c. */
#ifndef RTRACK_REPORT_PAGE_ASSETS_H
#define RTRACK_REPORT_PAGE_ASSETS_H

#include "core/base.h"

extern const struct text page_template; /* report/page/assets/page.html */
extern const struct text page_style;    /* style sheet of the chart library, followed by rtrack's */
extern const struct text page_script;   /* script of the chart library, followed by rtrack's */
extern const struct text page_license;  /* licence of the chart library, which each copy must include */

#endif
