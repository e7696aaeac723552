/* SPDX-License-Identifier: Apache-2.0 */
/* Views of all tables of many runs, in the SQL of an engine. */
#ifndef RTRACK_REPORT_FLEET_VIEWS_H
#define RTRACK_REPORT_FLEET_VIEWS_H

#include "report/fleet/run_source.h"

#include <stdio.h>

struct engine;

/* Templates that scripts/embed puts into the program: sql/ENGINE.sql, then sql/views.sql. */
extern const struct text sql_duckdb, sql_clickhouse;

/* The engine of that name, or the first for NULL. */
const struct engine *engine_find(const char *name);

/* Why the engine cannot read a path, or NULL. */
const char *engine_refuses(const struct engine *engine, const char *path);

/* Writes `text` and `rest` as one string of SQL. */
void engine_quote(FILE *out, const struct engine *engine, const char *text, const char *rest);

/* Writes the views runs, totals, and one for each table of a run, over all sources together. */
void views_write(FILE *out, const struct engine *engine, const struct run_source *sources, size_t count);

/* Writes the selection of one view, for an engine that needs no variables for the source. */
void views_write_selection(FILE *out, const struct engine *engine, const struct run_source *source, size_t view);

#endif
