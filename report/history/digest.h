/* SPDX-License-Identifier: Apache-2.0 */
/* The digest of a run: the figures that lists and histories need, stored in the run's directory so that they are
 * computed once.
 *
 * The file .summary has one run's identity (job, parent, group, host, user, unit, allocation), status, start, totals,
 * statistics and the basis of the next request (struct use). Only ended runs have one. Its first line has the size and
 * time of each of the run's files. If a file differs, or the digest is truncated or of another version, it is ignored
 * and rewritten. It is written by a rename, and only in directories of the same user. In a read-only spool the digest
 * is computed each time, with the same result. */
#ifndef RTRACK_REPORT_HISTORY_DIGEST_H
#define RTRACK_REPORT_HISTORY_DIGEST_H

#include "report/model/stats.h"
#include "report/model/use.h"
#include "report/spool/runs.h"

struct digest {
	const char *id;
	const char *job;
	const char *key;    /* result of job_key: equal for runs of one job */
	const char *parent; /* result of nest_parent, or "" */
	const char *group;  /* group of the run, or "" */
	const char *host;
	const char *user;
	const char *unit;       /* result of unit_of, or "" */
	const char *allocation; /* result of unit_allocation; "" if the run has its own */
	const char *account;    /* Slurm account, or "" */
	const char *status;
	const char *script; /* result of script_of, or "" */
	double script_time;
	double start_time;
	const char *problem;          /* why run.json could not be read, or NULL */
	bool has_rows;                /* process.csv has rows */
	const char *totals;           /* totals as JSON; NULL while `wanted` is called */
	const char *stats;            /* statistics as JSON; NULL while `wanted` is called */
	const char *use_text;         /* usage as JSON; NULL while `wanted` is called */
	struct use use;               /* usage; set only in a digest that digest_find returned */
	char *text;                   /* owned; the strings above point into it */
	struct run_identity identity; /* set only in a digest that digest_find returned */
};

/* Finds or computes the digest of the run `name`. `wanted` is called with all fields except parent and figures, and may
 * reject the run; NULL accepts all. Returns false if the run is rejected or cannot be opened. */
typedef bool digest_asks(const void *context, const struct digest *digest);
bool digest_find(
	struct digest *digest, const struct runs *runs, const char *name, digest_asks *wanted, const void *context);
void digest_free(struct digest *digest);

/* Stores the digests of all ended runs of a spool, or of the run `only`, for other programs to read. */
void digest_keep(const char *spool, const char *only);

/* A run, and the key of its job. */
struct digest_run {
	const struct run *run;
	char *key;
};
/* Returns whether a digest is of an earlier run of the same job. */
bool digest_is_before(const struct digest *digest, const struct digest_run *later);

struct totals digest_totals(const struct digest *digest);
void digest_stats(const struct digest *digest, struct stats *stats);
/* Whether the run ended in this way: a word of `list`, a key of JSON, or a status of run.json. NULL matches any end. */
bool digest_ended(const struct digest *digest, const char *status);
/* Whether the run is complete and finished, so that other runs can be compared with it. */
bool digest_is_typical(const struct digest *digest);

/* Parses a digest's text after its first line; modifies the text. Public for tests. Returns 0, or -1 if the text is
 * truncated. */
int digest_parse(struct digest *digest, char *text);

#endif
