/* SPDX-License-Identifier: Apache-2.0 */
/* The digest of a run, what a list and a history need of it, kept in the run's directory so that it is computed once.
 *
 * The file .summary holds the job, the parent, the group, the host, the user, the unit, the allocation, the status, the
 * start, the totals, the statistics and what the next run's request rests on (use.h) of a run that is over. Its first
 * line has the size and the time of each of the run's files. When one of them differs, or the file is torn or of
 * another version, it is ignored and made anew. It is written by a rename, and only in directories of the own user;
 * where it cannot be written (a read-only spool), everything works without it. A digest that was not kept has the same
 * figures, since it is made the same way.
 */
#ifndef RTRACK_REPORT_HISTORY_DIGEST_H
#define RTRACK_REPORT_HISTORY_DIGEST_H

#include "report/model/stats.h"
#include "report/model/use.h"
#include "report/spool/runs.h"

struct digest {
	const char *id;
	const char *job;
	const char *parent; /* report/model/nest.h; "": none */
	const char *group;  /* "": of none */
	const char *host;
	const char *user;
	const char *unit;       /* unit.h; "": of none */
	const char *allocation; /* unit.h; "": of its own */
	const char *account;    /* of Slurm; "": none */
	const char *status;
	const char *script; /* choice.h; "": none */
	double script_time;
	double start_time;
	const char *problem;  /* why run.json could not be read; NULL: it was */
	bool has_rows;        /* process.csv has rows */
	const char *totals;   /* JSON; NULL while `wanted` is called */
	const char *stats;    /* the same */
	const char *use_text; /* the same */
	struct use use;       /* the same; of a digest that digest_find found */
	char *text;           /* owned; the texts above are in it */
};

/* Finds the digest of the run `name` of a spool, if `wanted`, which sees all fields but the figures and the parent,
 * says so (NULL: it does of all). Returns false when it is not wanted or cannot be opened. */
typedef bool digest_asks(const void *context, const struct digest *digest);
bool digest_find(
	struct digest *digest, const struct runs *runs, const char *name, digest_asks *wanted, const void *context);
void digest_free(struct digest *digest);

/* Makes the digests of the runs of a spool that are over, or of the run `only`, for others to read. */
void digest_keep(const char *spool, const char *only);

struct totals digest_totals(const struct digest *digest);
void digest_stats(const struct digest *digest, struct stats *stats);
/* Whether the run ended so: a word of `list`, a key of JSON, or a status of run.json. NULL: whatever its end. */
bool digest_ended(const struct digest *digest, const char *status);
/* Whether it is whole and finished: a run that others are compared with. */
bool digest_is_typical(const struct digest *digest);

/* Reads the fields from a digest's text behind its first line; the text is written to. Public for its tests. Returns 0,
 * or -1 when it is torn. */
int digest_parse(struct digest *digest, char *text);

#endif
