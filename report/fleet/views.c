/* SPDX-License-Identifier: Apache-2.0 */
/* Fills in the templates in report/fleet/sql with columns and paths.
 *
 * A template has sections: "@NAME: TEXT", or "@NAME" followed by lines up to the next section. A line that begins with
 * "@ " is a comment. In the text of a section, {NAME} stands for the output of put_word for this name, or otherwise for
 * the section NAME. {each NAME} stands for the section NAME once per column. A section "@NAME VARIANT" replaces "@NAME"
 * for the column, the column type, or the view with the name VARIANT. */
#define _GNU_SOURCE
#include "report/fleet/views.h"

#include "core/spool.h"
#include "report/model/nest.h"
#include "report/model/total.h"
#include "report/say/alloc.h"
#include "report/say/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char special[] = "*?[]{}\\"; /* characters with a special meaning in a file pattern */

enum { VIEW_COLUMNS_MAX = 64, NAME_SIZE = 64 };
/* DuckDB reads the files of one list in a single thread, so long lists are split. */
enum { LISTS_MAX = 16, LIST_FILES_MIN = 64 };

struct engine {
	const char *name;
	const struct text *sql;
	const char *between_keys; /* separator between the keys of a JSON path */
	bool escapes;             /* '\' begins an escape in a string */
};

static const struct engine engines[] = {
	{"duckdb", &sql_duckdb, ".", false}, {"clickhouse", &sql_clickhouse, "', '", true}};

struct view_column {
	const char *name; /* name of the column; for a nested JSON key, its keys separated by '.' */
	const char *type; /* word for the type in the names of sections */
	const char *unit;
	const char *label;
};

struct view {
	FILE *out;
	const struct engine *engine;
	size_t id; /* a value of enum table_id, or VIEW_RUNS, or VIEW_TOTALS */
	struct view_column columns[VIEW_COLUMNS_MAX];
	size_t count;
	const struct run_source *sources;
	size_t source_count;
	/* Placeholders of the current section stand for this column and this source. */
	const struct view_column *column;
	const struct run_source *source;
	/* the runs of the current list: a part of source->chosen, or NULL for all files of the source */
	char *const *chosen;
	size_t chosen_count;
};

static const struct view_column run_columns[] = {
#define RUN_COLUMN(path, type, label) {#path, #type, "", label},
#include "report/fleet/runs.def"
};

_Static_assert(ARRAY_LENGTH(run_columns) <= (size_t)VIEW_COLUMNS_MAX, "VIEW_COLUMNS_MAX is too small");
_Static_assert((int)TOTAL_COUNT + 3 <= (int)VIEW_COLUMNS_MAX, "VIEW_COLUMNS_MAX is too small");
_Static_assert((int)COLUMNS_MAX <= (int)VIEW_COLUMNS_MAX, "VIEW_COLUMNS_MAX is too small");

/* -- engines --------------------------------------------------------------------------------------- */

const struct engine *engine_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LENGTH(engines); i++)
		if (strcmp(engines[i].name, name) == 0)
			return &engines[i];
	return &engines[0];
}

const char *engine_refuses(const struct engine *engine, const char *path)
{
	uint32_t code;

	for (const char *at = path; *at;) {
		size_t length = utf8_decode(at, &code);
		if (length == 0)
			return "SQL needs a path in UTF-8";
		at += length;
	}
	return !engine->escapes && strchr(path, '\\') ? "DuckDB does not read a path with a backslash" : NULL;
}

const char *engine_refuses_run(const struct engine *engine, const char *name)
{
	const char *why = engine_refuses(engine, name);

	/* In a pattern, '?' replaces a special character, and would also match the runs of other users. */
	return why ? why : strpbrk(name, special) ? "SQL needs a name without the characters * ? [ ] { } \\" : NULL;
}

void engine_quote(FILE *out, const struct engine *engine, const char *text, const char *rest)
{
	const char *const parts[] = {text, rest};

	fputc('\'', out);
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
		for (const char *at = parts[i]; *at; at++) {
			if (*at == '\'' || (*at == '\\' && engine->escapes))
				fputc(*at, out);
			fputc(*at, out);
		}
	fputc('\'', out);
}

/* -- columns --------------------------------------------------------------------------------------- */

static struct view_column column_of_table(const struct column *column)
{
	const char *type = column->kind == KIND_TIME   ? "TIME"
			   : column->kind == KIND_TEXT ? "CELL"
			   : column->digits == 0       ? "WHOLE"
						       : "NUMBER";

	return (struct view_column){column_name(column), type, column->kind == KIND_TIME ? "UTC" : column_unit(column),
		column_label(column)};
}

static void add_totals(struct view *view)
{
	static const struct view_column others[] = {
		{COUNTED_IN, "TEXT", "", "run whose figures include those of this run"},
		{"unit", "TEXT", "", "unit of the run, as a RUN of rtrack-report: slurm:7"},
		{"allocation", "TEXT", "",
			"runs of one host with the same value share one request, of a Slurm job or a group"}};

	for (size_t i = 0; i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		const char *type = total->unit == UNIT_yes_no ? "YES_NO" : total->digits == 0 ? "WHOLE" : "NUMBER";
		view->columns[view->count++] =
			(struct view_column){total->name, type, unit_names[total->unit], total->meaning};
	}
	for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
		view->columns[view->count++] = others[i];
}

static struct view make_view(
	FILE *out, const struct engine *engine, const struct run_source *sources, size_t count, size_t id)
{
	struct view view = {.out = out, .engine = engine, .id = id, .sources = sources, .source_count = count};

	for (size_t i = 0; id == VIEW_RUNS && i < ARRAY_LENGTH(run_columns); i++)
		view.columns[view.count++] = run_columns[i];
	if (id == VIEW_TOTALS)
		add_totals(&view);
	for (size_t i = 0; id < TABLE_COUNT && i < tables[id].count; i++) {
		const struct column *column = &table_columns(&tables[id])[i];
		view.columns[view.count++] = column_of_table(column);
	}
	return view;
}

/* -- templates ------------------------------------------------------------------------------------- */

static void put_word(struct view *view, const char *word);

/* Finds the section "NAME VARIANT", or "NAME" for the variant "". */
static bool find_section(const struct view *view, const char *name, const char *variant, struct text *section)
{
	struct text sql = *view->engine->sql;
	const char *end = sql.data + sql.length, *at = sql.data, *stop;
	char mark[NAME_SIZE];
	size_t length = (size_t)snprintf(mark, sizeof mark, "\n@%s%s%s", name, *variant ? " " : "", variant);

	do {
		at = memmem(at, (size_t)(end - at), mark, length);
		if (!at)
			return false;
		at += length;
	} while (*at != ':' && *at != '\n');
	if (*at == ':') {
		at += 2;
		stop = memchr(at, '\n', (size_t)(end - at));
	} else {
		at++;
		stop = memmem(at, (size_t)(end - at), "\n@", 2);
		stop = stop ? stop + 1 : end;
		while (stop[-2] == '\n')
			stop--;
	}
	*section = (struct text){at, (size_t)(stop - at)};
	return true;
}

/* Returns the length of a word of letters, '_', ',' and blanks if '}' follows it; otherwise 0. */
static size_t word_length(struct text text)
{
	size_t i = 0;

	while (i < text.length && (isalpha((unsigned char)text.data[i]) || strchr("_, ", text.data[i])))
		i++;
	return i < text.length && text.data[i] == '}' ? i : 0;
}

/* NOLINTBEGIN(misc-no-recursion): sections of a template may contain other sections, but no section contains itself. */

static void fill(struct view *view, const char *name)
{
	const struct view_column *column = view->column;
	char word[NAME_SIZE];
	struct text text = {0};
	const char *variants[] = {column ? column->name : "-", column ? column->type : "-", view_name(view->id), ""};
	bool found = false;

	for (size_t i = 0; !found && i < ARRAY_LENGTH(variants); i++)
		found = find_section(view, name, variants[i], &text);
	for (size_t i = 0; i < text.length; i++) {
		size_t length = 0;
		if (text.data[i] == '{')
			length = word_length((struct text){text.data + i + 1, text.length - i - 1});
		if (length == 0) {
			fputc(text.data[i], view->out);
			continue;
		}
		(void)snprintf(word, sizeof word, "%.*s", (int)length, text.data + i + 1);
		put_word(view, word);
		i += length + 1;
	}
}

/* -- words: files ---------------------------------------------------------------------------------- */

/* Writes a pattern for directory/name, with '?' instead of each special character. `rest`, which may be a pattern, is
 * appended. */
static void put_pattern(const struct view *view, const char *directory, const char *name, const char *rest)
{
	char *plain = xasprintf("%s%s%s", directory, *name ? "/" : "", name);

	for (char *at = plain; (at = strpbrk(at, special));)
		*at++ = '?';
	engine_quote(view->out, view->engine, plain, rest);
	free(plain);
}

static void put_files(const struct view *view)
{
	const struct run_source *source = view->source;
	char rest[NAME_SIZE];

	if (source->kind == SOURCE_BUCKET)
		(void)snprintf(rest, sizeof rest, "/%s/date=*/run=*/%s", view_name(view->id),
			view->id == VIEW_RUNS     ? SPOOL_RUN_FILE ".gz"
			: view->id == VIEW_TOTALS ? TOTALS_OBJECT
						  : "*.csv.gz");
	else
		(void)snprintf(rest, sizeof rest, "%s/%s", source->kind == SOURCE_SPOOL && !view->chosen ? "/*" : "",
			view_file(view->id));
	if (!view->chosen)
		put_pattern(view, source->path, "", rest);
	for (size_t i = 0; view->chosen && i < view->chosen_count; i++) {
		fputs(i == 0 ? "[\n" : ",\n", view->out);
		put_pattern(view, source->path, view->chosen[i], rest);
	}
	fputs(view->chosen ? "]" : "", view->out);
}

/* Writes a condition on the beginning of the path. It is needed if the patterns also match files in other directories.
 */
static void put_beginning(struct view *view)
{
	bool inexact = strpbrk(view->source->path, special) != NULL;

	for (size_t i = 0; i < view->chosen_count && !inexact; i++)
		inexact = strpbrk(view->chosen[i], special) != NULL;
	if (inexact)
		fill(view, "path begins");
}

/* Writes the section of the file of a source. */
static void put_source_file(struct view *view)
{
	fill(view, view->source->rows ? "json rows" : view->source->kind == SOURCE_BUCKET ? "object" : "file");
}

/* Writes the owner of a run as an expression: null for a run of root or of the caller, and '' for a run whose owner is
 * unknown, because it is newer than the views. Files that rows_write wrote have the owner as the user. */
static void put_owner(const struct view *view)
{
	const struct run_source *source = view->source;
	const struct run_owner *owners = source->owners;

	if (source->rows || (!source->user && source->owner_count == 0)) {
		fputs("null", view->out);
		return;
	}
	if (source->user) {
		engine_quote(view->out, view->engine, source->user, "");
		return;
	}
	fputs("case", view->out);
	for (size_t i = 0; i < source->owner_count; i++) {
		bool first = i == 0 || owners[i].user != owners[i - 1].user;
		fputs(first ? "\n\twhen run in (" : ", ", view->out);
		engine_quote(view->out, view->engine, owners[i].run, "");
		if (i + 1 < source->owner_count && owners[i + 1].user == owners[i].user)
			continue;
		fputs(") then ", view->out);
		if (owners[i].user)
			engine_quote(view->out, view->engine, owners[i].user, "");
		else
			fputs("null", view->out);
	}
	fputs("\n\telse '' end", view->out);
}

/* Writes the section "source" for a source. If the runs were selected, writes it for each list of selected runs,
 * otherwise once. */
static void put_file(struct view *view, const char *between)
{
	const struct run_source *source = view->source;
	char **names = xcalloc(source->chosen_count + 1, sizeof *names);
	size_t count = 0, most = source->chosen_count / LISTS_MAX + 1;

	most = most > LIST_FILES_MIN ? most : LIST_FILES_MIN;
	for (size_t i = 0; i < source->chosen_count; i++)
		if (source_has_file(source, source->chosen[i], view->id))
			names[count++] = source->chosen[i];
	for (size_t at = 0; at == 0 || at < count; at += most) {
		view->chosen = source->chosen ? names + at : NULL;
		view->chosen_count = count - at < most ? count - at : most;
		fputs(between, view->out);
		fill(view, "source");
		between = "union all\n";
	}
	view->chosen = NULL;
	view->chosen_count = 0;
	free(names);
}

static bool has_files(const struct view *view, const struct run_source *source)
{
	return source->kind != SOURCE_PARQUET && source->has[view->id];
}

static void put_each_file(struct view *view)
{
	const char *between = "";

	for (size_t i = 0; i < view->source_count; i++) {
		view->source = &view->sources[i];
		if (!has_files(view, view->source))
			continue;
		if (view->source->rows)
			fill(view, "source");
		else
			put_file(view, between);
		between = "union all\n";
	}
	view->source = NULL;
}

/* -- words: all ------------------------------------------------------------------------------------ */

static void put_sources(struct view *view)
{
	bool any = false;

	for (size_t i = 0; i < view->source_count; i++)
		any |= has_files(view, &view->sources[i]);
	if (view->id < TABLE_COUNT && view->sources->rows) {
		view->source = view->sources;
		fill(view, "from rows");
	} else if (any) {
		fill(view, view->id < TABLE_COUNT ? "from table" : "from json");
	}
	for (size_t i = 0; i < view->source_count; i++) {
		view->source = &view->sources[i];
		if (view->source->kind == SOURCE_PARQUET && view->source->has[view->id])
			fill(view, "from parquet");
		if (view->source->kind == SOURCE_BUCKET)
			fill(view, "from parquet objects");
	}
	view->source = NULL;
}

/* Writes a section as a quoted SQL string. */
static void put_quoted(const struct view *view, const char *name)
{
	struct view inner = *view;
	char *text;
	size_t size;

	inner.out = xopen_memstream(&text, &size);
	fill(&inner, name);
	xclose_memstream(inner.out);
	engine_quote(view->out, view->engine, text, "");
	free(text);
}

static void put_name(const struct view *view, const char *between)
{
	for (const char *at = view->column->name; *at; at++)
		fputs(*at == '.' ? between : (const char[]){*at, '\0'}, view->out);
}

static void put_word(struct view *view, const char *word)
{
	const struct view_column *column = view->column;
	char rest[NAME_SIZE];

	if (strcmp(word, "each file") == 0)
		put_each_file(view);
	else if (strncmp(word, "each ", 5) == 0) {
		for (size_t i = 0; i < view->count; i++) {
			view->column = &view->columns[i];
			fill(view, word + 5);
		}
		view->column = NULL;
	} else if (strncmp(word, "quoted ", 7) == 0)
		put_quoted(view, word + 7);
	else if (*word == ',' && column)
		fputs(column == &view->columns[view->count - 1] ? "" : word, view->out);
	else if (strcmp(word, "column") == 0 && column)
		put_name(view, "_");
	else if (strcmp(word, "text") == 0 && view->source)
		fill(view, "row");
	else if (strcmp(word, "path") == 0 && column)
		put_name(view, view->engine->between_keys);
	else if (strcmp(word, "position") == 0 && column)
		fprintf(view->out, "%td", column - view->columns + 1);
	else if (strcmp(word, "label") == 0 && column)
		fprintf(view->out, "%s%s%s", column->unit, *column->unit ? ": " : "", column->label);
	else if (strcmp(word, "engine") == 0)
		fputs(view->engine->name, view->out);
	else if (strcmp(word, "table") == 0)
		fputs(view_name(view->id), view->out);
	else if (strcmp(word, "sources") == 0)
		put_sources(view);
	else if (strcmp(word, "index") == 0 && view->source)
		fprintf(view->out, "%td", view->source - view->sources);
	else if (strcmp(word, "files") == 0 && view->source)
		put_files(view);
	else if (strcmp(word, "source file") == 0 && view->source)
		put_source_file(view);
	else if (strcmp(word, "owner") == 0 && view->source)
		put_owner(view);
	else if (strcmp(word, "beginning") == 0 && view->source)
		put_beginning(view);
	else if (strcmp(word, "directory") == 0 && view->source)
		engine_quote(view->out, view->engine, view->source->path, "/");
	else if (strcmp(word, "parquet files") == 0 && view->source &&
		 snprintf(rest, sizeof rest, "/%s/date=*/*.parquet", view_name(view->id)) > 0)
		put_pattern(view, view->source->path, "", rest);
	else if (strcmp(word, "rows file") == 0 && view->source &&
		 snprintf(rest, sizeof rest, "/" ROWS_PREFIX "%s", view_name(view->id)) > 0)
		engine_quote(view->out, view->engine, view->source->rows, rest);
	else
		fill(view, word);
}

/* NOLINTEND(misc-no-recursion) */

/* -- all of them ----------------------------------------------------------------------------------- */

void views_write_selection(FILE *out, const struct engine *engine, const struct run_source *source, size_t id)
{
	struct view view = make_view(out, engine, source, 1, id);

	fill(&view, "selection");
	put_sources(&view);
	fputs(") as every\n", out);
}

void views_write(FILE *out, const struct engine *engine, const struct run_source *sources, size_t count)
{
	for (size_t i = 0; i < VIEW_COUNT; i++) {
		size_t id = i == 0 ? VIEW_RUNS : i <= TABLE_COUNT ? i - 1 : i;
		struct view view = make_view(out, engine, sources, count, id);
		if (i == 0)
			fill(&view, "head");
		fputc('\n', out);
		for (size_t j = 0; j < count; j++) {
			view.source = &sources[j];
			if (view.source->kind == SOURCE_BUCKET)
				fill(&view, "variables");
		}
		view.source = NULL;
		fill(&view, "view");
	}
}
