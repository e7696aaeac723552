/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report list: lists the runs of a spool, newest first, one per line.
 *
 * With --fold, all runs of a script or batch job share a line, except in JSON and CSV. The table names a run by its
 * start time in UTC, which is the beginning of its id. If several runs began in the same second, the last part of the
 * id is added. runs_select accepts both forms. */
#include "report/commands/commands.h"

#include "report/model/outcome.h"
#include "report/fleet/rows_out.h"
#include "report/history/digest.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/commands/many.h"
#include "report/spool/unit.h"
#include "report/text/list.h"
#include "report/text/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LISTED_JOB_LEAST = 9,
	NAMES_LEAST = 3,  /* minimum width of the names in a line of several runs, after the text "12 runs: " */
	STATUS_WIDTH = 13 /* width of "out of memory"; a line of several runs may need more, as in "10 out of memory" */
};

struct list {
	const struct options *options;
	struct list_columns columns; /* columns of --columns; empty for the default table */
	struct terminal terminal;
	unsigned id_width;
	int further[3]; /* columns beside the default columns */
	size_t further_count;
	struct list_row *rows;
	size_t count;
	size_t lines; /* number of lines that the rows occupy */
	double last;  /* start time of the last row */
	/* start of the oldest script in the rows in seconds since the epoch, or INFINITY if there is none */
	double oldest;
};

/* -- rows ------------------------------------------------------------------------------------------ */

static void add_listed(struct list *list, const struct digest *digest, const char *name, const char *id)
{
	bool died = digest->use.end == USE_DIED;
	enum outcome outcome = digest->use.outcome;
	const char *status = died && outcome == OUTCOME_FINISHED ? "finished, oom" : outcome_word(outcome);

	array_grow(&list->rows, list->count, sizeof *list->rows);
	struct list_row *row = &list->rows[list->count++];
	*row = (struct list_row){
		.id = xstrdup(id),
		.name = name,
		.parent = xstrdup(digest->parent),
		.identity = digest->identity,
		.job = xstrdup(digest->job),
		.status = xstrdup(status),
		.outcome = outcome_key(outcome),
		.totals = digest_totals(digest),
		.script = xstrdup(digest->script),
		.whole = xstrdup(*digest->unit ? digest->unit : digest->script),
		.cluster = xstrdup(digest->cluster),
		/* The start of a batch job is known only after all its runs have been read. */
		.script_time = *digest->unit ? -INFINITY : digest->script_time,
		.died = died,
		.runs = 1,
		.start = digest->start_time,
		/* Outside of a batch job, a request that equals the limit may be only the limit. */
		.asked_mib = *digest->unit || digest->use.asked_mib != digest->use.limit_mib ? digest->use.asked_mib
											     : UNKNOWN,
	};
	row->names = row->job;
}

/* Compares figures for a descending order, with unknown figures last. */
static int by_figure(double a, double b)
{
	if (!number_known(a) || !number_known(b))
		return number_known(b) - number_known(a);
	return a < b ? 1 : a > b ? -1 : 0;
}

static enum total_id sorted_by;

static int by_total(const void *a, const void *b)
{
	const struct list_row *x = a, *y = b;
	return by_figure(total_value(&x->totals, sorted_by), total_value(&y->totals, sorted_by));
}

static int by_job(const void *a, const void *b)
{
	int order = strcmp(((const struct list_row *)a)->names, ((const struct list_row *)b)->names);
	return order ? order : by_figure(((const struct list_row *)a)->start, ((const struct list_row *)b)->start);
}

/* Returns whether all runs of a script share one line. */
static bool folds(const struct list *list)
{
	const struct options *options = list->options;

	return !options->json && !options->csv && !options->text[OPTION_group] && options_given(options, OPTION_fold);
}

/* Counts a line for the last row, unless another row of the same script already has the line. */
static void count_line(struct list *list)
{
	const struct list_row *row = &list->rows[list->count - 1];

	if (!number_known(list->options->number[OPTION_limit]))
		return;
	if (folds(list) && *row->whole) {
		list->oldest = fmin(list->oldest, known_first(row->script_time, INFINITY));
		for (size_t i = list->count - 1; i-- > 0;)
			if (strcmp(list->rows[i].whole, row->whole) == 0)
				return;
	}
	list->lines++;
}

/* Sorts the rows by --sort, and keeps the first --limit rows. Rows are added in the order of their start. */
static void sort_rows(struct list *list)
{
	static const struct {
		const char *name;
		enum total_id total;
	} orders[] = {{"duration", TOTAL_wall_seconds}, {"cpu", TOTAL_cpu_seconds}, {"memory", TOTAL_peak_memory_mib}};

	if (options_is(list->options, OPTION_sort, "job"))
		array_sort(list->rows, list->count, by_job);
	for (size_t i = 0; i < ARRAY_LENGTH(orders); i++)
		if (options_is(list->options, OPTION_sort, orders[i].name)) {
			sorted_by = orders[i].total;
			array_sort(list->rows, list->count, by_total);
		}
	if (list->options->number[OPTION_limit] < (double)list->count) {
		size_t limit = (size_t)list->options->number[OPTION_limit];
		for (size_t i = limit; i < list->count; i++)
			list_row_free(&list->rows[i]);
		list->count = limit;
	}
}

/* -- as text --------------------------------------------------------------------------------------- */

static enum colour status_colour(const char *status)
{
	return strcmp(status, "finished") == 0                                        ? COLOUR_good
	       : strcmp(status, "running") == 0                                       ? COLOUR_line
	       : strcmp(status, "unknown") == 0 || strcmp(status, "interrupted") == 0 ? COLOUR_warn
										      : COLOUR_bad;
}

/* The columns of the default table, and further columns that are shown if there is room. */
enum { RUN, JOB, DURATION, STATUS, CPU, MEMORY, COLUMNS, REQUESTED = COLUMNS, STARTED, BATCH_JOB, COLUMNS_MOST };
enum { JOB_SHOWN = 24 /* A wider job name does not hide a further column. */ };

static const struct {
	const char *heading;
	enum table_kind kind;
} further_columns[COLUMNS_MOST] = {[REQUESTED] = {"Requested", TABLE_FIGURE},
	[STARTED] = {"Started", TABLE_TEXT},
	[BATCH_JOB] = {"Batch job", TABLE_TEXT}};

/* The layouts of the table, widest first. Each has the minimum width of the columns, and the width that is added to
 * gaps of one space. */
static const struct style {
	bool brief; /* whether durations have only one unit */
	unsigned duration, status, cpu, memory, time_gap, memory_gap;
} styles[] = {{false, 11, STATUS_WIDTH, 11, 7, 0, 1}, {false, 8, 6, 3, 6, 1, 1}, {true, 8, 6, 3, 6, 1, 1},
	{true, 8, 6, 3, 6, 0, 0}};

struct cells {
	struct figure duration, cpu, memory, requested, started;
	const char *texts[COLUMNS_MOST];
};

/* Returns the cell of a further column, or "" if the row has none. */
static const char *further_cell(struct cells *cells, const struct list_row *row, int column)
{
	bool one = row->runs == 1;

	if (column == REQUESTED) {
		cells->requested = terminal_figure(UNIT_mib, one ? row->asked_mib : UNKNOWN);
		return number_known(row->asked_mib) && one ? cells->requested.text : "";
	}
	if (column == STARTED) {
		static const size_t year = sizeof "2026-" - 1, seconds = sizeof "2026-11-21 02:00" - 1;
		cells->started = terminal_time(row->start);
		bool known = strlen(cells->started.text) > seconds;
		cells->started.text[seconds] = '\0';
		return known ? cells->started.text + year : "";
	}
	return unit_is_name(row->whole) && strcmp(row->whole, row->id) != 0 ? row->whole : "";
}

static void make_cells(struct cells *cells, const struct list *list, const struct list_row *row, bool brief)
{
	const struct totals *totals = &row->totals;

	cells->duration = brief ? terminal_brief(totals->wall_seconds) : terminal_duration(totals->wall_seconds);
	cells->cpu = brief ? terminal_brief(totals->cpu_seconds) : terminal_duration(totals->cpu_seconds);
	cells->memory = list_peak(&list->terminal, row);
	cells->texts[RUN] = row->id;
	cells->texts[JOB] = row->job;
	cells->texts[DURATION] = cells->duration.text;
	cells->texts[STATUS] = row->status;
	cells->texts[CPU] = cells->cpu.text;
	cells->texts[MEMORY] = cells->memory.text;
	for (size_t i = 0; i < list->further_count; i++)
		cells->texts[COLUMNS + i] = further_cell(cells, row, list->further[i]);
}

/* Makes the table, with columns as wide as their longest cells. */
static struct text_table lay_out(const struct list *list, const struct style *style)
{
	struct text_table table = TABLE(&list->terminal, {"Run (UTC)", TABLE_TEXT, list->id_width, 0},
		{"Job", TABLE_NAME, LISTED_JOB_LEAST, 0}, {"Duration", TABLE_FIGURE, style->duration, 0},
		{"Status", TABLE_TEXT, style->status, 0}, {"CPU", TABLE_FIGURE, style->cpu, 0},
		{"Memory", TABLE_FIGURE, style->memory, 0});
	struct cells cells;

	table.gaps[JOB] = table.gaps[STATUS] = 1;
	table.gaps[DURATION] = table.gaps[CPU] = style->time_gap;
	table.gaps[MEMORY] = style->memory_gap;
	for (size_t i = 0; i < list->further_count; i++) {
		const char *heading = further_columns[list->further[i]].heading;
		table.gaps[table.count] = 1;
		table.columns[table.count++] = (struct table_column){
			heading, further_columns[list->further[i]].kind, (unsigned)strlen(heading), 0};
	}
	if (table.columns[table.count - 1].kind == TABLE_TEXT)
		table.columns[table.count - 1].kind = TABLE_REST;
	for (size_t i = 0; i < list->count; i++) {
		make_cells(&cells, list, &list->rows[i], style->brief);
		for (size_t column = 0; column < table.count; column++)
			table_see(&table, column, cells.texts[column]);
	}
	return table;
}

/* Chooses the further columns that some row has, as far as there is room for them. In a pipe there are none, so that
 * scripts find the same columns. The id of a run shows its start if the reader's time zone is UTC. */
static void choose_further(struct list *list)
{
	struct cells cells;

	for (int column = COLUMNS; column < COLUMNS_MOST && !list->terminal.whole; column++) {
		bool any = false;
		for (size_t i = 0; i < list->count && !(column == STARTED && terminal_is_utc()); i++)
			any |= *further_cell(&cells, &list->rows[i], column) != '\0';
		if (!any)
			continue;
		list->further[list->further_count++] = column;
		const struct text_table table = lay_out(list, &styles[0]);
		unsigned job = table.columns[JOB].width < JOB_SHOWN ? table.columns[JOB].width : JOB_SHOWN;
		if (table_width_without(&table, JOB) + job > list->terminal.width)
			list->further_count--;
	}
}

/* Returns the minimum width of the job column, at which a part of each name is visible. */
static unsigned least_for_job(const struct list *list)
{
	unsigned least = LISTED_JOB_LEAST;

	for (size_t i = 0; i < list->count; i++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): `rows` has `count` elements. */
		unsigned before = (unsigned)(list->rows[i].names - list->rows[i].job);
		if (before > 0 && before + NAMES_LEAST > least)
			least = before + NAMES_LEAST;
	}
	return least;
}

/* Returns by how many characters the table is too wide for the terminal if the job column has the width `job`. */
static unsigned lacking_width(const struct text_table *table, unsigned job)
{
	unsigned needed = table_width_without(table, JOB) + job, width = table->terminal->width;
	return needed > width && !table->terminal->whole ? needed - width : 0;
}

/* Finds the first layout that fits on the terminal, and the width of the job column. Returns false if no layout fits;
 * each row then takes two lines. A status is never truncated, so a row with a long status may take two lines in any
 * layout. */
static bool find_table(const struct list *list, struct text_table *table, bool *brief)
{
	unsigned least = least_for_job(list);
	size_t style = 0;

	*table = lay_out(list, &styles[0]);
	unsigned job = table->columns[JOB].width;
	if (lacking_width(table, job) > 0)
		do
			*table = lay_out(list, &styles[++style]);
		while (lacking_width(table, least) > 0 && style + 1 < ARRAY_LENGTH(styles));
	*brief = styles[style].brief;
	unsigned lacking = lacking_width(table, least), *status = &table->columns[STATUS].width;
	unsigned spare = *status > STATUS_WIDTH ? *status - STATUS_WIDTH : 0;
	*status -= lacking < spare ? lacking : spare;
	table->columns[JOB].width =
		terminal_column_width(table->terminal, job, LISTED_JOB_LEAST, table_width_without(table, JOB));
	return lacking_width(table, table->columns[JOB].width) == 0;
}

/* Writes a run on two lines. Used if the table or this row is too wide for the terminal. */
static void write_narrow(const struct list *list, const struct list_row *row)
{
	const struct terminal *terminal = &list->terminal;
	char line[200];
	unsigned used = terminal_text(terminal, row->id, terminal->width, 0);

	if (used + 2 < terminal->width) {
		fputc(' ', terminal->out);
		terminal_text_in(terminal, COLOUR_strong, row->job, terminal->width - used - 1, 0);
	}
	snprintf(line, sizeof line, "%s, %s, CPU %s, %s", row->status, terminal_duration(row->totals.wall_seconds).text,
		terminal_duration(row->totals.cpu_seconds).text, list_peak(terminal, row).text);
	fputs("\n  ", terminal->out);
	terminal_wrap(terminal, line, 2, 2);
}

/* Writes the command that lists the runs of a script whose runs share a line. */
static void write_scripts(const struct list *list)
{
	const struct terminal *terminal = &list->terminal;
	const struct list_row *folded = NULL;
	size_t scripts = 0;
	char command[120] = "";

	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].runs > 1 && scripts++ == 0)
			folded = &list->rows[i];
	if (!folded)
		return;
	bool unit = unit_is_name(folded->whole);
	snprintf(command, sizeof command, "%s total: rtrack-report %s", scripts > 1 ? "The first one's" : "Their",
		unit ? "show " : "stats --group ");
	terminal_colour(terminal, COLOUR_dim);
	terminal_wrap(terminal,
		unit ? "Runs of one job are one line; list without --fold has each."
		     : "Runs that one script started are one line; list without --fold has each.",
		0, 0);
	terminal_text(terminal, command, terminal->width, 0);
	terminal_text(terminal, folded->whole, terminal->width, 0);
	terminal_colour(terminal, COLOUR_plain);
	fputc('\n', terminal->out);
}

static void write_table(struct list *list)
{
	const struct terminal *terminal = &list->terminal;

	if (list->columns.count > 0) {
		list_columns_write(terminal, &list->columns, list->rows, list->count);
		return;
	}
	if (list->count == 0)
		return;
	struct text_table table;
	struct cells cells;
	choose_further(list);
	bool brief, fits = find_table(list, &table, &brief);
	if (fits)
		table_heading(&table);
	for (size_t i = 0; i < list->count; i++) {
		const struct list_row *row = &list->rows[i];
		if (!fits || strlen(row->status) > table.columns[STATUS].width) {
			write_narrow(list, row);
			continue;
		}
		make_cells(&cells, list, row, brief);
		table.colours[STATUS] = status_colour(row->status);
		table_write(&table, COLOUR_plain, cells.texts);
	}
	write_scripts(list);
}

/* -- output for programs --------------------------------------------------------------------------- */

static void put_number(gzFile out, double value, int decimals)
{
	gzputc(out, ',');
	if (number_known(value))
		gzprintf(out, "%.*f", decimals, value);
}

/* Writes the labels of a run as the last cell of its line. The labels are read from run.json, because the digest lacks
 * them. */
static void put_labels(gzFile out, const struct runs *runs, const char *name)
{
	struct run run;
	char *labels = NULL;

	gzputc(out, ',');
	if (runs_open(&run, runs, name) == 0) {
		labels = run_labels_line(&run);
		run_close(&run);
	}
	rows_out_csv_text(out, text_of(labels ? labels : ""));
	free(labels);
}

static const enum total_id csv_totals[] = {TOTAL_wall_seconds, TOTAL_cpu_seconds, TOTAL_peak_memory_mib};

static int print_csv(const struct list *list, const struct runs *runs)
{
	int file = dup(STDOUT_FILENO);
	gzFile out = file >= 0 ? gzdopen(file, "wT") : NULL;

	if (!out) {
		message_print("stdout cannot be written: %s", strerror(file < 0 ? errno : ENOMEM));
		return EXIT_NO_DATA;
	}
	gzputs(out, "\"id\",\"job\",\"status\",\"start_time\"");
	for (size_t i = 0; i < ARRAY_LENGTH(csv_totals); i++)
		gzprintf(out, ",\"%s\"", total_table[csv_totals[i]].name);
	gzputs(out, ",\"script\",\"labels\"\n");
	for (size_t i = 0; i < list->count; i++) {
		const struct list_row *row = &list->rows[i];
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): `rows` has `count` elements. */
		rows_out_csv_text(out, text_of(row->name));
		gzputc(out, ',');
		rows_out_csv_text(out, text_of(row->job));
		gzputc(out, ',');
		rows_out_csv_text(out, text_of(row->status));
		put_number(out, row->start, 3);
		for (size_t k = 0; k < ARRAY_LENGTH(csv_totals); k++)
			put_number(out, total_value(&row->totals, csv_totals[k]), total_table[csv_totals[k]].digits);
		gzputc(out, ',');
		rows_out_csv_text(out, text_of(row->script));
		put_labels(out, runs, row->name);
		gzputc(out, '\n');
	}
	if (gzclose(out) == Z_OK)
		return EXIT_DONE;
	message_print("stdout cannot be written: %s", strerror(errno));
	return EXIT_NO_DATA;
}

/* Writes the content of run.json with additional keys. The digest does not contain run.json, so the file is read. */
static void write_listed_json(struct json_list *json, const struct runs *runs, const struct list_row *row)
{
	char unit[UNIT_NAME_SIZE];
	struct run run;

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller always passes a row. */
	if (runs_open(&run, runs, row->name) != 0)
		return;
	cJSON *object = run.json;
	if (!cJSON_HasObjectItem(object, "id"))
		cJSON_AddStringToObject(object, "id", row->name);
	cJSON_AddStringToObject(object, "outcome", row->outcome);
	cJSON_AddBoolToObject(object, "out_of_memory", row->died);
	unit_of(&run, unit);
	json_add_string(object, "unit", unit);
	json_add_string(object, "script", row->script);
	totals_write_json(&row->totals, cJSON_AddObjectToObject(object, "totals"));
	run.json = NULL;
	json_list_add(json, object);
	run_close(&run);
}

static bool is_listed(const void *choice, const struct digest *digest)
{
	return choice_wants(choice, digest->job, digest->user, digest->start_time);
}

static int print_json(const struct list *list, const struct runs *runs)
{
	struct json_list json = {.count = 0};

	for (size_t i = 0; i < list->count; i++)
		write_listed_json(&json, runs, &list->rows[i]);
	json_list_end(&json);
	return EXIT_DONE;
}

/* -- the command ----------------------------------------------------------------------------------- */

/* Prints that the job has no run. Also prints the names of other jobs. */
static void say_no_job(const struct options *options, const char *spool, const char *job)
{
	enum { NAMED = 5 };
	struct options all = *options;
	struct jobs jobs;
	char names[400] = "";

	all.text[OPTION_job] = NULL;
	if (options_list_jobs(&jobs, &all, spool) != 0)
		return;
	for (size_t i = 0; i < jobs.count && i < NAMED; i++)
		units_append(names, sizeof names, "%s%s", i > 0 ? ", " : "", jobs.items[i].name);
	message_print("no run of the job '%s' in '%s'%s%s%s", job, spool, *names ? "; jobs here: " : "", names,
		jobs.count > NAMED ? ", ..." : "");
	jobs_free(&jobs);
}

static void take_run(struct list *list, const struct runs *runs, const char *name, const char *id)
{
	const struct choice choice = options_choice(list->options);
	struct digest digest;

	if (!choice_takes(&choice, runs, name) || !digest_find(&digest, runs, name, is_listed, &choice))
		return;
	if (digest.problem)
		message_print("'%s/%s/%s' cannot be read: %s", runs_spool_of(runs, name), name, SPOOL_RUN_FILE,
			digest.problem);
	list->last = digest.start_time;
	if (digest_ended(&digest, choice.status)) {
		add_listed(list, &digest, name, id);
		count_line(list);
	}
	digest_free(&digest);
}

/* Reads the newest runs up to --limit, or all runs if they must be sorted. */
static void take_runs(struct list *list, struct runs *runs)
{
	bool sorted = options_given(list->options, OPTION_sort);
	double limit = list->options->number[OPTION_limit];
	char id[RUNS_SHORT_ID_SIZE];
	const char *name;

	for (size_t i = 0; i < runs->count; i++) {
		runs_short_id(runs, i, id);
		if (strlen(id) > list->id_width)
			list->id_width = (unsigned)strlen(id);
	}
	while ((sorted || !((double)list->lines >= limit) || list->last > list->oldest) &&
		(name = runs_next_name(runs))) {
		runs_short_id(runs, runs->next - 1, id);
		take_run(list, runs, name, id);
	}
	if (folds(list))
		list->count = list_fold(list->rows, list->count);
	sort_rows(list);
}

int list_command(const struct options *options, const char *spool)
{
	struct list list = {
		.options = options, .terminal = terminal_of(stdout), .id_width = RUNS_STAMP_LENGTH, .oldest = INFINITY};
	struct spools spools;
	struct runs runs;
	const char *columns = options->text[OPTION_columns];
	int status = EXIT_DONE;

	if (columns && list_columns_read(&list.columns, columns) != 0)
		return EXIT_USAGE;
	spools_find(&spools, options->spools, options->spool_count, spool);
	if (runs_list_several(&runs, &spools) != 0) {
		runs_say_unlisted(spools.items[0], errno);
		spools_free(&spools);
		return EXIT_NO_DATA;
	}
	take_runs(&list, &runs);
	if (options->json) {
		status = print_json(&list, &runs);
	} else if (options->csv) {
		status = print_csv(&list, &runs);
	} else {
		write_table(&list);
		if (list.count == 0 && runs.count > 0 && options->text[OPTION_job]) {
			say_no_job(options, spools.items[0], options->text[OPTION_job]);
			status = EXIT_NO_DATA;
		} else if (list.count == 0) {
			status = runs_say_none_listed(spools.items[0], runs.count, NULL);
		}
	}
	for (size_t i = 0; i < list.count; i++)
		list_row_free(&list.rows[i]);
	free(list.rows);
	spools_free(&spools);
	runs_free(&runs);
	return status;
}
