/* Views of all tables; see views.h.
 *
 * A view begins with a selection without rows that declares its columns, so it has them all whatever the places hold,
 * and its types are those of the column table and not a guess. The other selections fill it, one for all spools and one
 * for each place of Parquet. */
#define _GNU_SOURCE
#include "report/fleet/views.h"

#include "core/columns.h"
#include "core/spool.h"
#include "report/fleet/rows.h"
#include "report/fleet/view.h"
#include "report/model/nest.h"
#include "report/model/total.h"

#include <stdlib.h>

enum { LISTS_MOST = 16, LIST_LEAST = 64 /* files */ };

/* -- places ---------------------------------------------------------------------------------------- */

/* What a pattern could not say: that the path begins as the place's does. */
static void write_condition(const struct view *view, const struct place *place, bool needed, const char *begin_with)
{
	if (needed) {
		fputs(begin_with, view->out);
		engine_quote(view->out, view->engine, place->path, "/");
		fputc(')', view->out);
	}
	fputc('\n', view->out);
}

static void end_files(const struct view *view, const struct place *place, bool more)
{
	fputs(view->engine->files_end, view->out);
	write_condition(view, place, more, view->engine->files_begin_with);
}

/* Each chosen run's file by its name: others are not opened. DuckDB has one thread for all that one list leads to, so
 * there are several. */
static void write_chosen(const struct view *view, const struct place *place)
{
	size_t most = place->chosen_count / LISTS_MOST + 1, listed = 0, lists = 0;
	bool more = false;

	most = most > LIST_LEAST ? most : LIST_LEAST;
	for (size_t i = 0; i < place->chosen_count; i++) {
		char *run, file[64];
		if (!place_has_file(place, place->chosen[i], view->table) ||
			asprintf(&run, "%s/%s", place->path, place->chosen[i]) < 0)
			continue;
		if (listed == most) {
			fputc(']', view->out);
			end_files(view, place, more);
			listed = 0;
		}
		if (listed == 0)
			fprintf(view->out, "%s%s[\n", lists++ > 0 ? "union all\n" : "", view->engine->files);
		else
			fputs(",\n", view->out);
		snprintf(file, sizeof file, "/%s", place_file_name(view->table));
		more |= engine_quote_files(view->out, view->engine, run, file);
		listed++;
		free(run);
	}
	fputc(']', view->out);
	end_files(view, place, more);
}

static void write_files(const struct view *view, const struct place *place)
{
	char pattern[64];

	if (place->chosen) {
		write_chosen(view, place);
		return;
	}
	snprintf(
		pattern, sizeof pattern, "%s/%s", place->kind == PLACE_SPOOL ? "/*" : "", place_file_name(view->table));
	fputs(view->engine->files, view->out);
	end_files(view, place, engine_quote_files(view->out, view->engine, place->path, pattern));
}

/* -- buckets --------------------------------------------------------------------------------------- */

enum { PATTERN_SIZE = 64 };

/* What of the table stands behind a URL: what `ship` put there, or Parquet. */
static void bucket_pattern(const struct view *view, bool parquet, char pattern[PATTERN_SIZE])
{
	const char *file = parquet                       ? "*.parquet"
			   : view->table == PLACE_RUNS   ? SPOOL_RUN_FILE ".gz"
			   : view->table == PLACE_TOTALS ? PLACE_TOTALS_FILE
							 : "*.csv.gz";

	snprintf(
		pattern, PATTERN_SIZE, "/%s/date=*/%s%s", place_table_name(view->table), parquet ? "" : "run=*/", file);
}

static void write_bucket(FILE *out, const struct view *view, const struct place *place, bool parquet)
{
	const struct engine *engine = view->engine;
	char pattern[PATTERN_SIZE];
	struct view to = *view;

	to.out = out;
	bucket_pattern(view, parquet, pattern);
	fputs(parquet ? engine->bucket : engine->bucket_files, out);
	bool more = engine_quote_files(out, engine, place->path, pattern);
	if (parquet) {
		char *columns = view_parquet_columns(view);
		engine_write(out, engine->parquet_end, columns ? columns : "");
		free(columns);
	} else {
		fputs(engine->bucket_files_end, out);
	}
	write_condition(&to, place, more, parquet ? engine->parquet_begin_with : engine->files_begin_with);
	fputs(parquet ? "" : engine->bucket_files_group, out);
}

/* The engine's variable that has what reads a table of the place at that position. */
static void write_variable(FILE *out, const struct view *view, size_t position, bool parquet)
{
	fprintf(out, "rtrack_%s_%zu%s", place_table_name(view->table), position, parquet ? "_parquet" : "");
}

static void set_variable(const struct view *view, const struct place *place, size_t position, bool parquet)
{
	const struct engine *engine = view->engine;
	char *text = NULL, *quoted = NULL, pattern[PATTERN_SIZE];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		write_bucket(out, view, place, parquet);
		fclose(out);
		out = open_memstream(&quoted, &size);
	}
	if (out) {
		engine_quote(out, engine, text, "");
		fclose(out);
	}
	bucket_pattern(view, parquet, pattern);
	fputs("set variable ", view->out);
	write_variable(view->out, view, position, parquet);
	fputs(" = (", view->out);
	engine_write(view->out, engine->if_there, quoted ? quoted : "''");
	(void)engine_quote_files(view->out, engine, place->path, pattern);
	fputs("));\n", view->out);
	free(quoted);
	free(text);
}

/* What is in a bucket is looked at when the views are made. */
static void set_variables(const struct view *view, const struct place *places, size_t count)
{
	for (size_t i = 0; view->engine->if_there && i < count; i++) {
		if (places[i].kind != PLACE_BUCKET)
			continue;
		set_variable(view, &places[i], i, false);
		set_variable(view, &places[i], i, true);
	}
}

static void read_bucket(const struct view *view, const struct place *place, size_t position, bool parquet)
{
	if (!view->engine->if_there) {
		write_bucket(view->out, view, place, parquet);
		return;
	}
	fprintf(view->out, "select %s from query(getvariable('", parquet ? "*" : "run, content");
	write_variable(view->out, view, position, parquet);
	fputs("'))\n", view->out);
}

static bool is_of_files(const struct view *view, const struct place *place)
{
	return place->kind != PLACE_PARQUET && place->has[view->table];
}

static void select_files(const struct view *view, const struct place *places, size_t count)
{
	const struct engine *engine = view->engine;
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!is_of_files(view, &places[i]))
			continue;
		if (!any) {
			fprintf(view->out, "%s\n", engine->union_all);
			view_write_values(view);
			if (view->table >= TABLE_COUNT)
				view_write_objects(view);
			else
				fprintf(view->out, "from (select run, head, %s as cells from (\nwith files as (\n",
					view->quoted ? engine->split_quoted : engine->split);
		} else {
			fputs("union all\n", view->out);
		}
		any = true;
		if (places[i].kind == PLACE_BUCKET)
			read_bucket(view, &places[i], i, false);
		else
			write_files(view, &places[i]);
	}
	if (any && view->table == PLACE_TOTALS)
		fputs(") as digests\n", view->out);
	if (any && view->table >= TABLE_COUNT)
		fprintf(view->out, ") as files where %s) as objects\n", engine->is_object);
	else if (any)
		fprintf(view->out, ")\n%s\n) as rows) as parts\n", engine->lines);
}

/* What rows_write has written of the place. */
static void select_rows(const struct view *view, const struct place *place)
{
	const struct engine *engine = view->engine;
	char *name;

	if (asprintf(&name, "/" ROWS_PREFIX "%s", place_table_name(view->table)) < 0)
		return;
	fprintf(view->out, "%s\n", engine->union_all);
	view_write_values(view);
	fputs(engine->rows, view->out);
	engine_quote(view->out, engine, place->rows, name);
	free(name);
	fputs(", columns = {'run': 'VARCHAR'", view->out);
	for (size_t i = 0; i < view->count; i++)
		engine_write(view->out, engine->rows_column, view->columns[i].name);
	fprintf(view->out, "%s\n", engine->rows_end);
}

static void select_parquet(const struct view *view, const struct place *place, size_t position)
{
	const struct engine *engine = view->engine;
	char *columns = view_parquet_columns(view);
	char pattern[64];

	if (!place->has[view->table] || !columns) {
		free(columns);
		return;
	}
	snprintf(pattern, sizeof pattern, "/%s/date=*/*.parquet", place_table_name(view->table));
	fprintf(view->out, "%s\n", engine->union_all);
	if (engine->parquet_typed) {
		fprintf(view->out, "select run, %s as \"date\"", engine->date);
		for (size_t i = 0; i < view->count; i++) {
			fputs(", ", view->out);
			view_write_name(view->out, view->columns[i].name);
		}
		fputs(" from ", view->out);
	}
	if (place->kind == PLACE_BUCKET) {
		read_bucket(view, place, position, true);
		free(columns);
		return;
	}
	fputs(engine->parquet, view->out);
	bool more = engine_quote_files(view->out, engine, place->path, pattern);
	engine_write(view->out, engine->parquet_end, columns);
	write_condition(view, place, more, engine->parquet_begin_with);
	free(columns);
}

static void write_selection(const struct view *view, const struct place *places, size_t count)
{
	fputs("select ", view->out);
	view_write_names(view);
	fputs(" from (\n", view->out);
	view_declare(view);
	if (view->of_rows)
		select_rows(view, places);
	else
		select_files(view, places, count);
	for (size_t i = 0; i < count; i++)
		if (places[i].kind == PLACE_PARQUET || places[i].kind == PLACE_BUCKET)
			select_parquet(view, &places[i], i);
	fputs(") as every", view->out);
}

static void write_view(const struct view *view, const struct place *places, size_t count)
{
	set_variables(view, places, count);
	fprintf(view->out, "create or replace view %s as\n",
		view->table == PLACE_TOTALS ? "told" : place_table_name(view->table));
	write_selection(view, places, count);
	fputs(";\n\n", view->out);
}

void views_write_selection(FILE *out, const struct engine *engine, const struct place *place, size_t table)
{
	struct view view = view_of(out, engine, table);

	view.of_rows = place->rows && engine->rows && table < TABLE_COUNT;
	write_selection(&view, place, 1);
}

/* What the columns of tables sum to, of runs of which no totals are told. Of their peaks tables tell a lower bound
 * only. */
static const char sums[] =
	"from (select \"run\", min(\"date\") as \"date\", sum(ticks) as ticks, max(wall) as wall_seconds,\n"
	"\tsum(utime) + sum(stime) as cpu_seconds, sum(utime) as user_seconds, sum(stime) as system_seconds,\n"
	"\tsum(disk_read) as disk_read_bytes, sum(disk_write) as disk_write_bytes, max(parent) as parent\n"
	"from (\n"
	"select \"run\", \"date\", 1 as ticks, null as wall, utime, stime, disk_read_bytes as disk_read, "
	"disk_write_bytes as disk_write, null as parent from process\n"
	"union all select \"run\", \"date\", 0, @, null, null, null, null, parent from runs\n"
	") as parts group by \"run\") as sums left join told on sums.\"run\" = told.\"run\";\n";

static bool is_summed(enum total_id id)
{
	return id == TOTAL_wall_seconds || id == TOTAL_cpu_seconds || id == TOTAL_user_seconds ||
	       id == TOTAL_system_seconds || id == TOTAL_disk_read_bytes || id == TOTAL_disk_write_bytes;
}

static void write_totals(FILE *out, const struct engine *engine)
{
	fputs("-- what each run used in all: what rtrack-report stats calls totals, as far as it has kept them\n"
	      "create or replace view totals as\n"
	      "select sums.\"run\" as \"run\", sums.\"date\" as \"date\", sums.ticks as ticks",
		out);
	for (int i = 0; i < TOTAL_COUNT; i++) {
		const char *name = total_table[i].name;
		if (is_summed((enum total_id)i))
			fprintf(out, ",\n\tcase when told.exact is null then sums.%s else told.%s end as %s", name,
				name, name);
		else
			fprintf(out, ",\n\ttold.%s as %s", name, name);
	}
	fputs(",\n\tcase when told.exact is null then sums.parent else told." COUNTED_IN " end as " COUNTED_IN
	      ",\n\ttold.unit as unit,\n\ttold.allocation as allocation\n",
		out);
	engine_write(out, sums, engine->wall_seconds);
}

void views_write(FILE *out, const struct engine *engine, const struct place *places, size_t count)
{
	fprintf(out, "-- Views of runs that rtrack followed, for %s; made by `rtrack-report sql`.\n\n", engine->name);
	for (size_t i = 0; i < PLACE_TABLES; i++) {
		/* The runs come first. */
		struct view view = view_of(out, engine, i == 0 ? PLACE_RUNS : i <= TABLE_COUNT ? i - 1 : i);
		write_view(&view, places, count);
	}
	write_totals(out, engine);
}
