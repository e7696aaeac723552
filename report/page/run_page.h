/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of a run, and the head of all other pages. */
#ifndef RTRACK_REPORT_PAGE_RUN_PAGE_H
#define RTRACK_REPORT_PAGE_RUN_PAGE_H

#include "report/page/page.h"

/* Writes the page of a run. `page` points to a struct page. Returns 0, or -1 with errno if the stream failed. The
 * stream stays open. */
int page_write(FILE *out, const void *page);

/* Writes the beginning of a page up to its <body>, in the style of the report. `assets` is the folder with a site's
 * style and script, or NULL if the page includes the style and has no script. */
void page_write_head(FILE *out, const char *assets, const char *title);

/* Files that the pages of a site share. The name of a file contains a hash of its content, so pages that another
 * version wrote keep their own files. */
enum page_asset { PAGE_STYLE, PAGE_SCRIPT, PAGE_FLAME_SCRIPT, PAGE_SITE_SCRIPT, PAGE_ASSETS };
const char *page_asset_name(enum page_asset asset);
/* Writes a script into a page, or the name of its file if the page is part of a site. */
void page_write_script(FILE *out, const struct page *page, enum page_asset script);
/* `asset` points to an enum page_asset; returns 0, or -1 with errno */
int page_asset_write(FILE *out, const void *asset);

#endif
