/* Columns of a view; see view.h. */
#define _GNU_SOURCE
#include "report/fleet/view.h"

#include "core/columns.h"
#include "report/fleet/place.h"
#include "report/model/nest.h"
#include "report/model/total.h"

#include <stdlib.h>
#include <string.h>

static const struct view_column run_columns[] = {
#define RUN_COLUMN(path, type, label) {#path, SQL_##type, "", label},
#include "report/fleet/runs.def"
};

_Static_assert(ARRAY_LENGTH(run_columns) <= (size_t)RUN_COLUMNS_MAX, "RUN_COLUMNS_MAX is too small");
_Static_assert((int)TOTAL_COUNT < (int)RUN_COLUMNS_MAX, "RUN_COLUMNS_MAX is too small");
_Static_assert((int)COLUMNS_MAX <= (int)RUN_COLUMNS_MAX, "RUN_COLUMNS_MAX is too small");

static const char *const id_names[] = {"run", "date"};
static const char *const id_labels[] = {"the run's id, the name of its directory", "of its start, UTC"};
static const enum sql_type id_types[] = {SQL_TEXT, SQL_DATE};

static enum sql_type type_of(const struct column *column)
{
	return column->kind == KIND_TIME   ? SQL_TIME
	       : column->kind == KIND_TEXT ? SQL_TEXT
	       : column->digits == 0       ? SQL_WHOLE
					   : SQL_NUMBER;
}

struct view view_of(FILE *out, const struct engine *engine, size_t table)
{
	struct view view = {.out = out, .engine = engine, .table = table};

	if (table == PLACE_RUNS) {
		memcpy(view.columns, run_columns, sizeof run_columns);
		view.count = ARRAY_LENGTH(run_columns);
		return view;
	}
	for (size_t i = 0; table == PLACE_TOTALS && i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		enum sql_type type = total->unit == UNIT_yes_no ? SQL_YES_NO
				     : total->digits == 0       ? SQL_WHOLE
								: SQL_NUMBER;
		view.columns[view.count++] =
			(struct view_column){total->name, type, unit_names[total->unit], total->meaning};
	}
	if (table == PLACE_TOTALS) {
		view.columns[view.count++] = (struct view_column){
			COUNTED_IN, SQL_TEXT, "", "the run that has the figures of this one as well"};
		view.columns[view.count++] =
			(struct view_column){"unit", SQL_TEXT, "", "what it is of, as a RUN of rtrack-report: slurm:7"};
		view.columns[view.count++] = (struct view_column){"allocation", SQL_TEXT, "",
			"runs of one host with the same share one request: of a Slurm job, of a group"};
	}
	for (size_t i = 0; table < TABLE_COUNT && i < tables[table].count; i++) {
		const struct column *column = &table_columns(&tables[table])[i];
		const char *unit = column->kind == KIND_TIME ? "UTC" : column_unit(column);
		view.columns[view.count++] =
			(struct view_column){column_name(column), type_of(column), unit, column_label(column)};
		view.quoted |= column->kind == KIND_TEXT;
	}
	return view;
}

/* -- columns --------------------------------------------------------------------------------------- */

void view_write_name(FILE *out, const char *name)
{
	fputc('"', out);
	for (; *name; name++)
		fputc(*name == '.' ? '_' : *name, out);
	fputc('"', out);
}

void view_write_names(const struct view *view)
{
	for (size_t i = 0; i < ARRAY_LENGTH(id_names); i++) {
		fputs(i > 0 ? ", " : "", view->out);
		view_write_name(view->out, id_names[i]);
	}
	for (size_t i = 0; i < view->count; i++) {
		fputs(", ", view->out);
		view_write_name(view->out, view->columns[i].name);
	}
}

static void declare(const struct view *view, const struct view_column *column, bool last)
{
	const struct engine *engine = view->engine;

	fputc('\t', view->out);
	engine_write(
		view->out, column->type == SQL_MAP ? engine->empty_map : engine->nothing, engine->types[column->type]);
	fputs(" as ", view->out);
	view_write_name(view->out, column->name);
	fprintf(view->out, "%s -- %s%s%s\n", last ? "" : ",", column->unit, *column->unit ? ": " : "", column->label);
}

void view_declare(const struct view *view)
{
	fputs("select\n", view->out);
	for (size_t i = 0; i < ARRAY_LENGTH(id_names); i++)
		declare(view, &(struct view_column){id_names[i], id_types[i], "", id_labels[i]}, false);
	for (size_t i = 0; i < view->count; i++)
		declare(view, &view->columns[i], i + 1 == view->count);
	fputs("where false\n", view->out);
}

char *view_parquet_columns(const struct view *view)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("run String", out);
	for (size_t i = 0; i < view->count; i++) {
		fputs(", ", out);
		view_write_name(out, view->columns[i].name);
		fputc(' ', out);
		/* It stands in a text itself. */
		for (const char *at = view->engine->types[view->columns[i].type]; *at; at++)
			fputs(*at == '\'' ? "''" : (const char[]){*at, '\0'}, out);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* -- values ---------------------------------------------------------------------------------------- */

static void write_key(FILE *out, const struct engine *engine, const char *name)
{
	fputs(engine->key, out);
	for (; *name; name++)
		fputs(*name == '.' ? engine->key_separator : (const char[]){*name, '\0'}, out);
	fputs(engine->key_end, out);
}

/* A column's key of run.json as text, or its cell. The caller frees it; NULL: no memory. */
static char *raw_value(const struct view *view, size_t column)
{
	const struct engine *engine = view->engine;
	const char *name = view->columns[column].name;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (view->of_rows)
		view_write_name(out, name);
	else if (view->table < TABLE_COUNT)
		engine_write(out, engine->cell, name);
	else if (engine->keys)
		fprintf(out, "object[%zu]", column + 1);
	else
		write_key(out, engine, name);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

void view_write_objects(const struct view *view)
{
	char *keys = NULL;
	size_t size;
	FILE *out = view->engine->keys ? open_memstream(&keys, &size) : NULL;

	for (size_t i = 0; out && i < view->count; i++) {
		fputs(i > 0 ? ", " : "", out);
		write_key(out, view->engine, view->columns[i].name);
	}
	if (out)
		fclose(out);
	fputs("from (select run, ", view->out);
	engine_write(view->out, view->engine->keys ? view->engine->keys : "content", keys ? keys : "");
	fputs(" as object from (\n", view->out);
	if (view->table == PLACE_TOTALS)
		fprintf(view->out, "select run, %s as content from (\n", view->engine->totals);
	free(keys);
}

void view_write_values(const struct view *view)
{
	fprintf(view->out, "select run, %s as \"date\"", view->engine->date);
	for (size_t i = 0; i < view->count; i++) {
		const struct view_column *column = &view->columns[i];
		bool of_cell = view->table < TABLE_COUNT && !view->of_rows && column->type == SQL_TEXT;
		char *raw = raw_value(view, i);
		fputs(",\n\t", view->out);
		engine_write(view->out, of_cell ? view->engine->unquote : view->engine->reads[column->type],
			raw ? raw : "null");
		fputs(" as ", view->out);
		view_write_name(view->out, column->name);
		free(raw);
	}
	fputc('\n', view->out);
}
