/* SPDX-License-Identifier: Apache-2.0 */
/* A source from which an SQL engine reads runs: a spool, a directory of Parquet files, or a bucket. */
#ifndef RTRACK_REPORT_FLEET_RUN_SOURCE_H
#define RTRACK_REPORT_FLEET_RUN_SOURCE_H

#include "core/columns.h"

enum source_kind {
	SOURCE_SPOOL,
	SOURCE_RUN,     /* the directory of one run */
	SOURCE_PARQUET, /* a directory that `export --to parquet` wrote */
	SOURCE_BUCKET   /* URL of the objects that `ship` uploaded, or of a copy of a directory of Parquet files */
};

/* A view shows a table of the runs, or one of two JSON files: run.json, and the totals in the run's digest. */
enum { VIEW_RUNS = TABLE_COUNT, VIEW_TOTALS, VIEW_COUNT };

/* The user to whom a run belongs, or NULL if the run belongs to root or to the caller. */
struct run_owner {
	char *run;
	const char *user;
};

#define TOTALS_OBJECT "totals.json.gz" /* the file of VIEW_TOTALS in a bucket */

struct run_source {
	enum source_kind kind;
	char *path;           /* absolute path, or a URL; owned */
	bool has[VIEW_COUNT]; /* for each view, whether the source has files; always true for a bucket */
	char *const *chosen;  /* names of the selected runs of a spool, or NULL for all; not owned */
	size_t chosen_count;
	const char *rows; /* directory to which rows_write wrote its files, or NULL; not owned */
	const char *user; /* the directory belongs to this user, so all runs do; or NULL */
	/* The owner of each run, sorted by user, if `user` is NULL and runs may belong to several users. The array and
	 * the names of runs are owned. */
	struct run_owner *owners;
	size_t owner_count;
};

/* Makes a source from a directory or a URL. A directory is examined; a URL is not. Returns 0, or -1 with errno. */
int source_find(struct run_source *source, const char *name);
/* Makes a source from the `count` selected runs of a spool. `chosen` must outlive `source`. Returns 0, or -1 with
 * errno. */
int source_of_runs(struct run_source *source, const char *spool, char *const *chosen, size_t count);

void source_free(struct run_source *source);

/* Returns the name of a view's directory in Parquet and in a bucket: "runs", "process", … */
const char *view_name(size_t view);

/* view_file returns the name of a view's file in the directory of a run. source_has_file returns whether a run has this
 * file. */
const char *view_file(size_t view);
bool source_has_file(const struct run_source *source, const char *run, size_t view);

/* Appends the rows of the selected runs to a file in `directory`, without a header. The engine then reads no file of
 * another user, and follows no link. The name of the file is ROWS_PREFIX, followed by the name of the view. Each line
 * has the name of the run, then the columns in the order of the table, or the JSON text of VIEW_RUNS or VIEW_TOTALS.
 * Cells are copied, but cells with stray quotes are quoted, so that each row remains one line. If a file has bytes that
 * are not UTF-8, each non-ASCII byte becomes \xNN. Returns 0, or -1 with errno. */
int rows_write(const struct run_source *source, size_t view, const char *directory);

/* prefix of the file names; engines ignore names that begin with a dot */
#define ROWS_PREFIX ".rows-"

#endif
