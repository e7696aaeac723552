/* All runs of some spools by their jobs, for a site of pages. */
#ifndef RTRACK_REPORT_PAGE_SITE_H
#define RTRACK_REPORT_PAGE_SITE_H

#include "report/history/uses.h"
#include "report/history/waste.h"
#include "report/page/trend.h"
#include "report/spool/choice.h"

/* What is kept of a run, so that the pages of later ones need not read it again. */
struct site_item {
	struct digest digest;
	struct waste waste; /* as far as it counts: of runs beside each other (beside.h) the first has that of all */
};

struct site_job {
	char *name;         /* owned */
	struct trend trend; /* its `position` is one of `items` */
	struct site_item *items;
	size_t count;
	struct waste waste;
	size_t failed; /* runs that are over and did not finish */
};

struct site {
	struct site_job *jobs; /* the one that ran last first */
	size_t count;
	char *const *spools;
	size_t run_count; /* runs of the spools, chosen or not */
};

/* Reads the runs of the choice. Its job is a glob. A run that lies in two of the spools counts once. Returns 0, or -1
 * after a message. */
int site_read(struct site *site, char *const *spools, size_t spool_count, const struct choice *choice);
void site_free(struct site *site);

/* The earlier runs of a run at that place of its job's trend, as uses_read would take them. Returns 0, or -1 when there
 * is no memory. */
int site_earlier(struct uses *uses, const struct site_job *job, size_t place, size_t limit);
/* The latest finished of them, as history_read has them; the count. */
size_t site_history(const struct digest **digests, const struct site_job *job, size_t place, size_t limit);

#endif
