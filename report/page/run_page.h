/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run, and the head of pages without a script. */
#ifndef RTRACK_REPORT_PAGE_RUN_PAGE_H
#define RTRACK_REPORT_PAGE_RUN_PAGE_H

#include "report/page/page.h"

/* Writes the page. Returns 0, or -1 with errno if the stream failed; the stream stays open. */
int page_write(FILE *out, const struct page *page);

/* The beginning of a page in the same style without a script, up to its <body>. `assets` as in struct page. */
void page_write_head(FILE *out, const char *assets, const char *title);

/* Files that the pages of a site share. Their names have a hash of the content, so that the pages of another version
 * keep their own. */
enum page_asset { PAGE_STYLE, PAGE_SCRIPT, PAGE_ASSETS };
const char *page_asset_name(enum page_asset asset);
int page_asset_write(FILE *out, const void *asset); /* of an enum page_asset; 0, or -1 with errno */

#endif
