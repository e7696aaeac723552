/* The whole page of one run, written to a stream; and the head of the pages that have no script. */
#ifndef RTRACK_REPORT_PAGE_WRITE_H
#define RTRACK_REPORT_PAGE_WRITE_H

#include "report/page/page.h"

/* Writes the page. Returns 0, or -1 with errno, of memory or of the stream; the stream stays open. */
int page_write(FILE *out, const struct page *page);

/* The beginning of a page in the same style without a script: up to its title, and from behind that to its body. */
void page_begin_head(FILE *out);
void page_end_head(FILE *out);

#endif
