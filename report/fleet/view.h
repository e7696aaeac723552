/* A view of one table: its columns, as an engine's SQL declares, names and reads them. */
#ifndef RTRACK_REPORT_FLEET_VIEW_H
#define RTRACK_REPORT_FLEET_VIEW_H

#include "report/fleet/engine.h"

#include <stdbool.h>
#include <stdio.h>

enum { RUN_COLUMNS_MAX = 64 };

/* One column of a view, as the table of columns or runs.def has it. */
struct view_column {
	const char *name; /* in run.json with a '.' where it is in an object */
	enum sql_type type;
	const char *unit;
	const char *label;
};

struct view {
	FILE *out;
	const struct engine *engine;
	size_t table;
	struct view_column columns[RUN_COLUMNS_MAX];
	size_t count;
	bool quoted;  /* cells of its lines may be */
	bool of_rows; /* its values are columns, not cells of lines */
};

/* Of a table, or of PLACE_RUNS. */
struct view view_of(FILE *out, const struct engine *engine, size_t table);
/* The name of a column, and all names: run, date and those of the table. */
void view_write_name(FILE *out, const char *name);
void view_write_names(const struct view *view);

/* A selection without rows, by which the columns have their types. */
void view_declare(const struct view *view);

/* Names and types as an engine wants them that is told what is in Parquet. The caller frees it; NULL: no memory. */
char *view_parquet_columns(const struct view *view);

/* Begins the selection of each run's `object`, made of the content of run.json. */
void view_write_objects(const struct view *view);

/* Begins a selection of all columns, out of the cells of a line, of an `object`, or of columns. */
void view_write_values(const struct view *view);

#endif
