/* What a list and a history need of a run, kept in the run's directory so that it is worked out once.
 *
 * The file .summary holds the job, the status, the start, the totals and the statistics of a run that is over. Its
 * first line has the size and the time of each of the run's files: when one of them differs, or the file is torn or of
 * another version, it counts for nothing and is made anew. It is written by a rename, and only in directories of
 * one's own; where that cannot be done (a spool that may only be read), everything goes on without it. What is
 * shown is always what would be kept, so that both give the same figures. */
#ifndef RTRACK_REPORT_HISTORY_DIGEST_H
#define RTRACK_REPORT_HISTORY_DIGEST_H

#include "report/figures/stats.h"
#include "report/spool/runs.h"

struct digest {
	const char *id;
	const char *job;
	const char *status;
	double start_time;
	const char *problem; /* why run.json could not be read; NULL: it was */
	bool has_rows;       /* process.csv has rows */
	const char *totals;  /* JSON; NULL while `wanted` is asked */
	const char *stats;   /* the same */
	char *text;          /* owned; the texts above are in it */
};

/* Finds what a spool's run `name` used, if `wanted` says so: it sees all but the figures. Returns 1; 0 when it is not
 * wanted or cannot be opened; or -1 after a message. */
typedef bool digest_asks(const void *context, const struct digest *digest);
int digest_find(
	struct digest *digest, const struct runs *runs, const char *name, digest_asks *wanted, const void *context);
void digest_free(struct digest *digest);

/* As totals_write_json writes them. The caller owns the object; NULL: no memory. */
cJSON *digest_totals(const struct digest *digest);
void digest_stats(const struct digest *digest, struct stats *stats);

/* The fields of a summary's text behind its first line, which is changed by that; for its tests. Returns 0, or -1
 * when it is torn. */
int digest_parse(struct digest *digest, char *text);

#endif
