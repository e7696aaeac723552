/* The whole page of one run, written to a stream; and the head of the pages that have no script. */
#ifndef RTRACK_REPORT_PAGE_WRITE_H
#define RTRACK_REPORT_PAGE_WRITE_H

#include "report/page/page.h"

/* Writes the page. Returns 0, or -1 with errno, of memory or of the stream; the stream stays open. */
int page_write(FILE *out, const struct page *page);

/* The beginning of a page in the same style without a script: up to its title, and from behind that to its body.
 * `assets` as in struct page. */
void page_begin_head(FILE *out, const char *assets);
void page_end_head(FILE *out, const char *assets);

/* What the pages of a site share as files. The name has a hash of the content: a page of another version keeps the file
 * that it was written for. */
enum page_asset { PAGE_STYLE, PAGE_SCRIPT, PAGE_ASSETS };
const char *page_asset_name(enum page_asset asset);
int page_asset_write(FILE *out, const void *asset); /* of an enum page_asset; 0, or -1 with errno */

#endif
