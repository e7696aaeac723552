/* SPDX-License-Identifier: Apache-2.0 */
/* Writes SQL views of all tables of many runs. */
#ifndef RTRACK_REPORT_FLEET_VIEWS_H
#define RTRACK_REPORT_FLEET_VIEWS_H

#include "report/fleet/run_source.h"

#include <stdio.h>

struct engine;

/* Templates that scripts/embed makes: the text of sql/ENGINE.sql, followed by that of sql/views.sql. */
extern const struct text sql_duckdb, sql_clickhouse;

/* Returns the engine with this name, or the first engine if the name is NULL. */
const struct engine *engine_find(const char *name);

/* Returns why the engine cannot read a path, or NULL if it can. */
const char *engine_refuses(const struct engine *engine, const char *path);

/* Returns why the engine cannot read a run with this name from a list of runs, or NULL if it can. */
const char *engine_refuses_run(const struct engine *engine, const char *name);

/* Writes the concatenation of `text` and `rest` as a quoted SQL string. */
void engine_quote(FILE *out, const struct engine *engine, const char *text, const char *rest);

/* Writes the views `runs` and `totals`, and one view for each table. Each view contains the runs of all sources. */
void views_write(FILE *out, const struct engine *engine, const struct run_source *sources, size_t count);

/* Writes the SELECT statement of one view. The engine must be one whose statements need no variables for the source. */
void views_write_selection(FILE *out, const struct engine *engine, const struct run_source *source, size_t view);

#endif
