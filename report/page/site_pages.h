/* The pages of a site except those of its runs: the index, and one for each job. */
#ifndef RTRACK_REPORT_PAGE_SITE_PAGES_H
#define RTRACK_REPORT_PAGE_SITE_PAGES_H

#include "report/page/site.h"

#include <stdio.h>

/* Each returns 0, or -1 with errno. Links go to jobs/NAME.html and runs/ID.html, named by trend_file_name. */
int site_write_index(FILE *out, const void *site);
int site_write_job(FILE *out, const void *job);
/* The page of a run without records, by its id. */
int site_write_nothing(FILE *out, const void *id);

#endif
