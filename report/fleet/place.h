/* Where runs lie that an engine is to read: spools, directories of Parquet, buckets. */
#ifndef RTRACK_REPORT_FLEET_PLACE_H
#define RTRACK_REPORT_FLEET_PLACE_H

#include "core/columns.h"

#include <stdbool.h>
#include <stddef.h>

enum place_kind {
	PLACE_SPOOL,
	PLACE_RUN,     /* one directory of a spool */
	PLACE_PARQUET, /* what `export --to parquet` wrote */
	PLACE_BUCKET   /* the same, behind a URL, or what `ship` put there */
};

/* run.json beside the tables, as another one, and the totals that the digest of a run keeps. Both are JSON. */
enum { PLACE_RUNS = TABLE_COUNT, PLACE_TOTALS, PLACE_TABLES };

#define PLACE_TOTALS_FILE "totals.json.gz" /* what `ship` puts into a bucket of them */

struct place {
	enum place_kind kind;
	char *path;             /* absolute, or a URL; owned */
	bool has[PLACE_TABLES]; /* whether anything is there of it; of a bucket always */
	char *const *chosen;    /* of a spool: only these runs, by name; NULL: all; not owned */
	size_t chosen_count;
	const char *rows; /* of chosen ones: where rows_write put their tables; NULL: nowhere; not owned */
};

/* Looks at a directory, or takes a URL as it is. Returns 0, or -1 with errno. */
int place_find(struct place *place, const char *name);
/* A spool of which only these runs are meant; `chosen` must outlive it. The same. */
int place_of_runs(struct place *place, const char *spool, char *const *chosen, size_t count);

void place_free(struct place *place);

/* The name of a table's directory in a directory of Parquet, and of its view: "runs", "process", …; the view of
 * PLACE_TOTALS is "told". */
const char *place_table_name(size_t table);

/* The file of a table in a run's directory; whether the run of a spool has it. */
const char *place_file_name(size_t table);
bool place_has_file(const struct place *place, const char *run, size_t table);

#endif
