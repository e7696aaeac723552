/* SPDX-License-Identifier: Apache-2.0 */
/* The digest of a run: the figures that lists and histories need. It is stored in the run's directory (file .summary),
 * so that it is computed only once.
 *
 * A digest contains the run's identity, status, start, totals, statistics and the basis of the next request (struct
 * use). Only ended runs have one. The first line of the file has the size and time of each of the run's files. If one
 * of them differs, or if the digest is truncated or of another version, it is computed again. In a spool that cannot be
 * written, it is computed each time. */
#ifndef RTRACK_REPORT_HISTORY_DIGEST_H
#define RTRACK_REPORT_HISTORY_DIGEST_H

#include "report/model/stats.h"
#include "report/model/use.h"
#include "report/spool/runs.h"

struct model;

struct digest {
	const char *id;
	const char *job;
	const char *key;    /* result of job_key: equal for runs of one job */
	const char *parent; /* result of nest_parent, or "" */
	const char *group;  /* group of the run, or "" */
	const char *host;
	const char *user;
	const char *unit;       /* result of unit_of, or "" */
	const char *allocation; /* result of unit_allocation, or "" */
	const char *account;    /* Slurm account, or "" */
	const char *cluster;    /* result of unit_cluster, or "" */
	const char *status;
	const char *script; /* result of script_of, or "" */
	double script_time;
	double start_time;
	const char *problem;          /* why run.json could not be read, or NULL */
	bool has_rows;                /* process.csv has rows */
	const char *totals;           /* totals as JSON; NULL until `wanted` (digest_find) has accepted the run */
	const char *stats;            /* statistics as JSON; NULL until `wanted` has accepted the run */
	const char *use_text;         /* usage as JSON; NULL until `wanted` has accepted the run */
	struct use use;               /* usage; set only in a digest that digest_find returned */
	char *text;                   /* text that contains the strings above; owned */
	struct run_identity identity; /* set only in a digest that digest_find returned */
};

/* Callback of digest_find. Returns false to reject the run. */
typedef bool digest_asks(const void *context, const struct digest *digest);
/* Reads or computes the digest of the run `name`. `wanted` is called before the parent and the figures are known, and
 * may reject the run. If `wanted` is NULL, no run is rejected. Returns false if the run was rejected or cannot be
 * opened. */
bool digest_find(
	struct digest *digest, const struct runs *runs, const char *name, digest_asks *wanted, const void *context);
/* Makes the digest of a run from its model, without reading the run's files again. The model must have the section
 * MODEL_STATS and the columns of use_columns. Does not store the digest. Returns false if it cannot be made. */
bool digest_of_model(struct digest *digest, const struct model *model);
void digest_free(struct digest *digest);

/* Stores the digests of all ended runs of a spool, so that other programs can read them. If `only` is not NULL, stores
 * only the digest of that run. */
void digest_keep(const char *spool, const char *only);

/* A run and the job_key of its job. */
struct digest_run {
	const struct run *run;
	char *key;
};
/* Returns whether the digest belongs to an earlier run of the same job. */
bool digest_is_before(const struct digest *digest, const struct digest_run *later);

struct totals digest_totals(const struct digest *digest);
void digest_stats(const struct digest *digest, struct stats *stats);
/* Returns whether the run has this status, which may be a word of `list`, a key in JSON output, or a status in
 * run.json. NULL matches any run. */
bool digest_ended(const struct digest *digest, const char *status);
/* Returns whether the run finished and its records are complete. Only such runs are used for comparison. */
bool digest_is_typical(const struct digest *digest);

/* Parses the text of a stored digest after its first line, and modifies the text. Returns 0, or -1 if the text is
 * truncated. Only public for tests. */
int digest_parse(struct digest *digest, char *text);

#endif
