/* The pages of a site beside those of its runs: the index, and one for each job. */
#ifndef RTRACK_REPORT_PAGE_PAGES_H
#define RTRACK_REPORT_PAGE_PAGES_H

#include "report/page/site.h"

#include <stdio.h>

/* Each returns 0, or -1 with errno. Links go to jobs/NAME.html and runs/ID.html, as trend_file_name has them. */
int site_write_index(FILE *out, const void *site);
int site_write_job(FILE *out, const void *job);
/* The page of a run of which nothing was recorded, by its id. */
int site_write_nothing(FILE *out, const void *id);

#endif
