/* rtrack-report list: the runs of a spool, a line each, the newest first. Runs of one script share a line, except with
 * --all and in JSON and CSV.
 *
 * A run is named by the second of its start in UTC, with which its id begins; if several runs began in one second, also
 * by the last part of the id. runs_select takes both. */
#include "report/commands/commands.h"

#include "report/model/outcome.h"
#include "report/fleet/rows_out.h"
#include "report/model/model.h"
#include "report/history/digest.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/commands/many.h"
#include "report/spool/unit.h"
#include "report/text/list.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LISTED_JOB_LEAST = 9,
	NAMES_LEAST = 3,  /* of the names in a line of several runs, behind "12 runs: " */
	STATUS_WIDTH = 13 /* "out of memory"; a line of several runs may have "10 out of memory" */
};

/* Widths of the columns behind the job, each except the status with the gap before it. */
struct list_widths {
	unsigned duration;
	unsigned status;
	unsigned cpu;
	unsigned memory;
	bool brief; /* durations have one unit */
};
static const struct list_widths list_roomy = {12, STATUS_WIDTH, 12, 9, false};

struct list {
	const struct options *options;
	struct list_columns columns; /* of --columns; none for the usual table */
	struct terminal terminal;
	unsigned id_width;
	struct list_widths widths;
	struct list_row *rows;
	size_t count;
	size_t lines;  /* of the rows */
	double last;   /* the start of the last row */
	double oldest; /* s since the epoch: the start of the oldest script of the rows, or INFINITY */
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
		.job = xstrdup(digest->job),
		.status = xstrdup(status),
		.outcome = outcome_key(outcome),
		.totals = digest_totals(digest),
		.script = xstrdup(digest->script),
		.whole = xstrdup(*digest->unit ? digest->unit : digest->script),
		.script_time = *digest->unit ? digest->start_time : digest->script_time,
		.died = died,
		.runs = 1,
		.start = digest->start_time,
	};
	row->names = row->job;
}

static void free_rows(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		list_row_free(&list->rows[i]);
	free(list->rows);
}

/* Descending order; unknown figures are last. */
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

/* Whether the runs of a script share a line. */
static bool folds(const struct list *list)
{
	const struct options *options = list->options;

	return !options->json && !options->csv && !options->text[OPTION_group] && !options_given(options, OPTION_all);
}

/* Counts the line of the last row, unless its script has a line already. */
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

/* Sorts the rows by --sort, and cuts them at --limit. They come sorted by start. */
static void sort_rows(struct list *list)
{
	static const struct {
		const char *name;
		enum total_id total;
	} orders[] = {{"duration", TOTAL_wall_seconds}, {"cpu", TOTAL_cpu_seconds}, {"memory", TOTAL_peak_memory_mib}};
	const char *sort = list->options->text[OPTION_sort];

	if (sort && strcmp(sort, "job") == 0)
		array_sort(list->rows, list->count, by_job);
	for (size_t i = 0; sort && i < ARRAY_LENGTH(orders); i++)
		if (strcmp(sort, orders[i].name) == 0) {
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

static unsigned wider(unsigned width, const char *text, unsigned before)
{
	unsigned columns = (unsigned)strlen(text) + before;
	return columns > width ? columns : width;
}

static unsigned wider_peak(const struct list *list, unsigned width, const struct list_row *row, unsigned before)
{
	unsigned columns = terminal_columns(&list->terminal, list_peak(&list->terminal, row).text) + before;
	return columns > width ? columns : width;
}

static struct figure listed_duration(const struct list_widths *widths, double seconds)
{
	return widths->brief ? terminal_brief(seconds) : terminal_duration(seconds);
}

/* The widths of the longest cells, with `gap` before each column. */
static struct list_widths tight_widths(const struct list *list, bool brief, unsigned gap)
{
	struct list_widths widths = {
		wider(0, "Duration", gap), wider(0, "Status", 0), wider(0, "CPU", gap), wider(0, "Memory", gap), brief};

	for (size_t i = 0; i < list->count; i++) {
		const struct list_row *row = &list->rows[i];
		widths.duration = wider(widths.duration, listed_duration(&widths, row->totals.wall_seconds).text, gap);
		widths.status = wider(widths.status, row->status, 0);
		widths.cpu = wider(widths.cpu, listed_duration(&widths, row->totals.cpu_seconds).text, gap);
		widths.memory = wider_peak(list, widths.memory, row, gap);
	}
	return widths;
}

/* The columns of a line without the job. */
static unsigned rest_width(const struct list *list, const struct list_widths *widths)
{
	return list->id_width + 2 + widths->duration + 2 + widths->status + widths->cpu + widths->memory;
}

static unsigned most_for_job(const struct list *list)
{
	unsigned used = rest_width(list, &list->widths);

	if (list->terminal.whole)
		return TERMINAL_COLUMN_WHOLE;
	return list->terminal.width > used ? list->terminal.width - used : 0;
}

/* The least width of the jobs: a part of each name must be left. */
static unsigned least_for_job(const struct list *list)
{
	unsigned least = LISTED_JOB_LEAST;

	for (size_t i = 0; i < list->count; i++) {
		unsigned before = (unsigned)(list->rows[i].names - list->rows[i].job);
		if (before > 0 && before + NAMES_LEAST > least)
			least = before + NAMES_LEAST;
	}
	return least;
}

/* By how much the table is too wide when the jobs have their least width. */
static unsigned lacking_width(const struct list *list)
{
	unsigned needed = rest_width(list, &list->widths) + least_for_job(list), width = list->terminal.width;
	return needed > width ? needed - width : 0;
}

/* Makes the columns narrower, first without a loss. A status that is still too long is not cut: its row has two lines.
 */
static void draw_together(struct list *list)
{
	list->widths = tight_widths(list, false, 2);
	if (lacking_width(list) > 0)
		list->widths = tight_widths(list, true, 2);
	if (lacking_width(list) > 0)
		list->widths = tight_widths(list, true, 1);
	unsigned lacking = lacking_width(list), *status = &list->widths.status;
	unsigned spare = *status > STATUS_WIDTH ? *status - STATUS_WIDTH : 0;
	*status -= lacking < spare ? lacking : spare;
}

/* Finds the widths of all columns; returns the width of the job. If the longest job has no room, the other columns are
 * made narrower before the table is given up. */
static unsigned find_widths(struct list *list)
{
	const struct terminal *terminal = &list->terminal;
	unsigned width = LISTED_JOB_LEAST;

	list->widths = list_roomy;
	for (size_t i = 0; i < list->count; i++) {
		unsigned columns = terminal_columns(terminal, list->rows[i].job);
		width = columns > width ? columns : width;
		list->widths.status = wider(list->widths.status, list->rows[i].status, 0);
		list->widths.memory = wider_peak(list, list->widths.memory, &list->rows[i], 2);
	}
	if (width > most_for_job(list) && !terminal->whole)
		draw_together(list);
	unsigned most = most_for_job(list);
	return width <= most ? width : most > LISTED_JOB_LEAST ? most : LISTED_JOB_LEAST;
}

static void write_listed(const struct list *list, const struct list_row *row, unsigned width)
{
	const struct terminal *terminal = &list->terminal;
	const struct list_widths *widths = &list->widths;

	terminal_text(terminal, row->id, list->id_width, list->id_width + 2);
	terminal_colour(terminal, COLOUR_strong);
	terminal_text(terminal, row->job, width, width);
	terminal_colour(terminal, COLOUR_plain);
	fprintf(terminal->out, "%*s  ", (int)widths->duration, listed_duration(widths, row->totals.wall_seconds).text);
	terminal_colour(terminal, status_colour(row->status));
	terminal_text(terminal, row->status, widths->status, widths->status);
	terminal_colour(terminal, COLOUR_plain);
	struct figure peak = list_peak(terminal, row);
	unsigned columns = terminal_columns(terminal, peak.text), pad = widths->memory - columns;
	fprintf(terminal->out, "%*s%*s%s\n", (int)widths->cpu, listed_duration(widths, row->totals.cpu_seconds).text,
		(int)pad, "", peak.text);
}

/* Writes a run in two lines, if the table or this row of it is too wide. */
static void write_narrow(const struct list *list, const struct list_row *row)
{
	const struct terminal *terminal = &list->terminal;
	char line[200];
	unsigned used = terminal_text(terminal, row->id, terminal->width, 0);

	if (used + 2 < terminal->width) {
		fputc(' ', terminal->out);
		terminal_colour(terminal, COLOUR_strong);
		terminal_text(terminal, row->job, terminal->width - used - 1, 0);
		terminal_colour(terminal, COLOUR_plain);
	}
	snprintf(line, sizeof line, "%s, %s, CPU %s, %s", row->status, terminal_duration(row->totals.wall_seconds).text,
		terminal_duration(row->totals.cpu_seconds).text, list_peak(terminal, row).text);
	fputs("\n  ", terminal->out);
	terminal_wrap(terminal, line, 2, 2);
}

/* Says how to see the runs of a line of several. */
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
		unit ? "Runs of one job are one line; list --all has each."
		     : "Runs that one script started are one line; list --all has each.",
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
	unsigned width = find_widths(list);
	const struct list_widths *widths = &list->widths;
	bool narrow = width > most_for_job(list) && !terminal->whole;

	if (list->count == 0)
		return;
	if (!narrow) {
		terminal_put(terminal, COLOUR_dim, "%-*s  %-*s%*s  %-*s%*s%*s\n", (int)list->id_width, "Run (UTC)",
			(int)width, "Job", (int)widths->duration, "Duration", (int)widths->status, "Status",
			(int)widths->cpu, "CPU", (int)widths->memory, "Memory");
	}
	for (size_t i = 0; i < list->count; i++)
		if (narrow || strlen(list->rows[i].status) > widths->status)
			write_narrow(list, &list->rows[i]);
		else
			write_listed(list, &list->rows[i], width);
	write_scripts(list);
}

/* -- for programs ---------------------------------------------------------------------------------- */

static void put_number(gzFile out, double value, int decimals)
{
	gzputc(out, ',');
	if (number_known(value))
		gzprintf(out, "%.*f", decimals, value);
}

/* Writes the labels of a run, which the digest does not have, as the last cell of its line. */
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

/* Writes run.json, which the digest does not have, with more keys. */
static void write_listed_json(struct json_list *json, const struct runs *runs, const struct list_row *row)
{
	char unit[UNIT_NAME_SIZE];
	struct run run;

	if (runs_open(&run, runs, row->name) != 0)
		return;
	cJSON *object = run.json;
	if (!cJSON_HasObjectItem(object, "id"))
		cJSON_AddStringToObject(object, "id", row->name);
	cJSON_AddStringToObject(object, "outcome", row->outcome);
	cJSON_AddBoolToObject(object, "out_of_memory", row->died);
	unit_of(&run, unit);
	cJSON_AddItemToObject(object, "unit", *unit ? cJSON_CreateString(unit) : cJSON_CreateNull());
	cJSON_AddItemToObject(object, "script", *row->script ? cJSON_CreateString(row->script) : cJSON_CreateNull());
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
	return exit_of(json_list_end(&json));
}

/* -- the command ----------------------------------------------------------------------------------- */

static void take_run(struct list *list, const struct runs *runs, const char *name, const char *id)
{
	const struct choice choice = options_choice(list->options);
	struct digest digest;

	if (!choice_takes(&choice, runs, name) || digest_find(&digest, runs, name, is_listed, &choice) != 1)
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

/* Reads the newest runs up to --limit, or all runs if they are to be sorted. */
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
		if (list.count == 0)
			status = runs_say_none_listed(spools.items[0], runs.count, NULL);
	}
	free_rows(&list);
	spools_free(&spools);
	runs_free(&runs);
	return status;
}
