/* SPDX-License-Identifier: Apache-2.0 */
/* Where an engine finds runs: spools, directories of Parquet, buckets. */
#ifndef RTRACK_REPORT_FLEET_RUN_SOURCE_H
#define RTRACK_REPORT_FLEET_RUN_SOURCE_H

#include "core/columns.h"

enum source_kind {
	SOURCE_SPOOL,
	SOURCE_RUN,     /* the directory of one run */
	SOURCE_PARQUET, /* a directory that `export --to parquet` wrote */
	SOURCE_BUCKET   /* a URL: objects that `ship` put there, or a copy of such a directory */
};

/* A view has a table of the run, or one of two JSON files: run.json, and the totals that the run's digest keeps. */
enum { VIEW_RUNS = TABLE_COUNT, VIEW_TOTALS, VIEW_COUNT };

#define TOTALS_OBJECT "totals.json.gz" /* the file of VIEW_TOTALS in a bucket */

struct run_source {
	enum source_kind kind;
	char *path;           /* absolute, or a URL; owned */
	bool has[VIEW_COUNT]; /* whether it has files for the view; always true for a bucket */
	char *const *chosen;  /* names of the only runs to read of a spool, or NULL for all; not owned */
	size_t chosen_count;
	const char *rows; /* directory to which rows_write wrote the tables of the chosen runs, or NULL; not owned */
};

/* Examines a directory, or takes a URL as it is. Returns 0, or -1 with errno. */
int source_find(struct run_source *source, const char *name);
/* The same for these runs of a spool; `chosen` must outlive `source`. */
int source_of_runs(struct run_source *source, const char *spool, char *const *chosen, size_t count);

void source_free(struct run_source *source);

/* The name of a view's directory in Parquet and in a bucket: "runs", "process", … */
const char *view_name(size_t view);

/* The file of a view in a run's directory, and whether the run of a spool has it. */
const char *view_file(size_t view);
bool source_has_file(const struct run_source *source, const char *run, size_t view);

/* Writes `directory`/ROWS_PREFIX TABLE, without a header, with a line for each row of the chosen runs: the run, then
 * the columns in the order of the table. Cells are copied, quoted only as far as each line is then one row. In a file
 * with bytes that are not UTF-8, each byte beyond ASCII becomes \xNN. Returns 0, or -1 with errno. */
int rows_write(const struct run_source *source, size_t table, const char *directory);

/* Before the name of a table. Engines ignore names that begin with a dot. */
#define ROWS_PREFIX ".rows-"

#endif
