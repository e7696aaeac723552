/* The whole page of one run, written to a stream. */
#ifndef RTRACK_REPORT_PAGE_WRITE_H
#define RTRACK_REPORT_PAGE_WRITE_H

#include "report/page/model.h"

/* Writes the page. Returns 0, or -1 with errno, of memory or of the stream; the stream stays open. */
int page_write(FILE *out, const struct page_model *model);

#endif
