/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report compare: prints what changed between two runs, and whether a condition of --fail-if holds. */
#include "report/commands/commands.h"

#include "core/number.h"
#include "report/compare/compare.h"
#include "report/history/history.h"
#include "report/model/outcome.h"
#include "report/model/model.h"
#include "report/page/page_file.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/commands/groups.h"
#include "report/commands/many.h"
#include "report/spool/unit.h"

#include <stdlib.h>
#include <string.h>

enum {
	MEASURE_WIDTH = 24,
	SIDE_WIDTH = 14,
	PERCENT_WIDTH = 9,
	SIDES_WIDE = 75,
	PROGRAMS_SHOWN = 5,
	CODE_SHOWN = 10,
	SIDE_TEXT_MAX = 64
};

/* -- text ------------------------------------------------------------------------------------------ */

static void write_side(const struct terminal *terminal, const char *name, const struct side *side)
{
	char end[200], *labels;

	unsigned used = (unsigned)terminal_put(terminal, COLOUR_strong, "%s  ", name);
	used += terminal_text_in(terminal, COLOUR_strong, side->run.job, 24, 0);
	if (side->runs > 1)
		snprintf(end, sizeof end, "  median of %zu runs up to %s", side->runs, side->run.id);
	else
		snprintf(end, sizeof end, "  %s  %s", side->run.id, outcome_word(side->model.outcome));
	terminal_text_line(terminal, end, used);
	labels = run_labels_line(&side->run);
	if (*side->run.host || *labels) {
		snprintf(end, sizeof end, "%s%s%s%s", *side->run.host ? "on " : "", side->run.host,
			*side->run.host && *labels ? "; " : "", labels);
		fputs("   ", terminal->out);
		terminal_text_line(terminal, end, 3);
	}
	free(labels);
}

/* Writes a row of the table. `colour` is the colour of the percentage. */
static void write_sides(const struct terminal *terminal, const char *label, const char *a, const char *b,
	const char *change, const char *percent, enum colour colour)
{
	bool narrow = terminal->width < TERMINAL_NARROW + 3, wide = terminal->width >= SIDES_WIDE;

	/* If the label is long or the terminal is narrow, the label gets a line of its own. */
	if (narrow || terminal_columns(terminal, label) > MEASURE_WIDTH) {
		terminal_text_line(terminal, label, 0);
		label = "";
	}
	terminal_text(terminal, label, MEASURE_WIDTH, narrow ? 0 : MEASURE_WIDTH);
	fprintf(terminal->out, "%*s%*s", wide ? SIDE_WIDTH : SIDE_WIDTH - 4, a, wide ? SIDE_WIDTH : SIDE_WIDTH - 4, b);
	if (wide && (*change || *percent))
		fprintf(terminal->out, "%*s", SIDE_WIDTH, change);
	if (*percent)
		terminal_put(terminal, colour, "%*s", PERCENT_WIDTH, percent);
	fputc('\n', terminal->out);
}

static void write_side_names(const struct terminal *terminal, const char *label)
{
	fputc('\n', terminal->out);
	terminal_colour(terminal, COLOUR_dim);
	write_sides(terminal, label, "A", "B", "Change", "", COLOUR_dim);
}

/* Returns the colour of a measure, which shows whether a --fail-if condition on the measure holds. */
static enum colour colour_of(const struct comparison *comparison, enum measure_id measure)
{
	enum colour colour = COLOUR_plain;
	for (size_t i = 0; i < comparison->conditions->count; i++)
		if (comparison->conditions->items[i].measure == measure && comparison->holds[i] != 0)
			colour = comparison->holds[i] > 0 ? COLOUR_bad : COLOUR_warn;
	return colour;
}

/* Returns whether the number of processes is a lower bound, because some processes may have left no trace. */
static bool is_lower_bound(const struct side *side)
{
	return side->runs == 1 && !side->model.totals.exact_processes;
}

/* Formats a figure of one side. A number of processes that is a lower bound is formatted as "9 or more". */
static const char *side_text(const struct side *side, enum measure_id measure, char text[SIDE_TEXT_MAX])
{
	bool least = measure == MEASURE_processes && is_lower_bound(side);

	snprintf(text, SIDE_TEXT_MAX, "%s%s", compare_figure(measure, side->figures[measure]).text,
		least ? " or more" : "");
	return text;
}

static void write_measures(const struct terminal *terminal, const struct comparison *comparison)
{
	char of_a[SIDE_TEXT_MAX], of_b[SIDE_TEXT_MAX];

	write_side_names(terminal, "");
	for (int i = 0; i < MEASURE_COUNT; i++) {
		double a = comparison->a.figures[i];
		double b = comparison->b.figures[i];
		if (!number_known(a) && !number_known(b))
			continue;
		bool noise = compare_is_noise(comparison, (enum measure_id)i);
		write_sides(terminal, compare_label((enum measure_id)i),
			side_text(&comparison->a, (enum measure_id)i, of_a),
			side_text(&comparison->b, (enum measure_id)i, of_b),
			noise ? "in the spread" : compare_change((enum measure_id)i, a, b).text,
			noise ? "" : compare_percent(a, b).text, colour_of(comparison, (enum measure_id)i));
	}
}

/* Writes why a difference may be due to chance. */
static void write_noise(const struct terminal *terminal, const struct comparison *comparison)
{
	char why[200], line[300];
	bool first = true;

	for (int i = 0; i < MEASURE_COUNT; i++) {
		if (!compare_explain(comparison, (enum measure_id)i, why, sizeof why))
			continue;
		if (first)
			fputc('\n', terminal->out);
		first = false;
		snprintf(line, sizeof line, "%s may be unchanged: %s.", compare_label((enum measure_id)i), why);
		terminal_colour(terminal, COLOUR_dim);
		terminal_wrap(terminal, line, 0, 2);
		terminal_colour(terminal, COLOUR_plain);
	}
}

static void write_row(void *context, const struct compare_row *row)
{
	write_sides(context, row->name, compare_figure(row->measure, row->a).text,
		compare_figure(row->measure, row->b).text,
		row->instead ? row->instead : compare_change(row->measure, 0, row->change).text,
		row->instead || row->few ? "" : compare_percent(row->a, row->b).text, COLOUR_plain);
}

static double cpu_of(const struct bill_row *program)
{
	return program ? program->cpu_seconds : UNKNOWN;
}

static void write_programs(const struct terminal *terminal, const struct comparison *comparison)
{
	size_t count = comparison->program_count < PROGRAMS_SHOWN ? comparison->program_count : PROGRAMS_SHOWN;

	if (count > 0)
		write_side_names(terminal, "CPU time by program");
	for (size_t i = 0; i < count; i++) {
		const struct program_change *change = &comparison->programs[i];
		write_sides(terminal, compare_program_label(change).text, terminal_duration(cpu_of(change->a)).text,
			terminal_duration(cpu_of(change->b)).text,
			compare_change(MEASURE_cpu_seconds, 0, change->cpu_seconds).text,
			compare_percent(cpu_of(change->a), cpu_of(change->b)).text, COLOUR_plain);
	}
}

/* Writes the CPU time of each code line, and the memory growth at this line if memory grew in one of the runs. */
static void write_code(struct terminal *terminal, const struct comparison *comparison)
{
	const struct code_changes *code = &comparison->code;
	char label[40];

	if (!comparison->by)
		return;
	snprintf(label, sizeof label, "CPU time by %s", comparison->by);
	write_side_names(terminal, label);
	if (code->count == 0)
		fputs("no lines of code in either run\n", terminal->out);
	compare_each_code(comparison, CODE_SHOWN, write_row, terminal);
	if (code->count > CODE_SHOWN)
		fprintf(terminal->out, "(%s more)\n", terminal_count((double)(code->count - CODE_SHOWN)).text);
}

static void write_conditions(const struct terminal *terminal, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->conditions->count; i++) {
		const struct condition *condition = &comparison->conditions->items[i];
		if (comparison->holds[i] < 0)
			continue;
		fputs(i == 0 ? "\n" : "", terminal->out);
		terminal_colour(terminal, comparison->holds[i] > 0 ? COLOUR_bad : COLOUR_good);
		bool noise = comparison->holds[i] > 0 && compare_is_noise(comparison, condition->measure);
		fprintf(terminal->out, "%.*s: %s%s\n", (int)condition->text.length, condition->text.data,
			comparison->holds[i] > 0 ? "yes, so the exit status is 3" : "no",
			noise ? ", although the change is in the spread of the runs" : "");
		terminal_colour(terminal, COLOUR_plain);
	}
}

static int print_comparison_text(const struct comparison *comparison)
{
	struct terminal terminal = terminal_of(stdout);
	char verdict[COMPARE_VERDICT_SIZE];

	terminal_wrap(&terminal, compare_verdict(comparison, verdict), 0, 0);
	fputc('\n', terminal.out);
	write_side(&terminal, "A", &comparison->a);
	write_side(&terminal, "B", &comparison->b);
	write_measures(&terminal, comparison);
	write_noise(&terminal, comparison);
	if (compare_has_parts(comparison))
		write_side_names(&terminal, "By part");
	compare_each_part(comparison, write_row, &terminal);
	if (comparison->by_phase) {
		write_side_names(&terminal, "By phase");
		compare_each_phase(comparison, write_row, &terminal);
	}
	write_programs(&terminal, comparison);
	write_code(&terminal, comparison);
	write_conditions(&terminal, comparison);
	return EXIT_DONE;
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static cJSON *side_json(const struct side *side)
{
	cJSON *object = cJSON_CreateObject();
	cJSON_AddStringToObject(object, "id", side->run.id);
	cJSON_AddStringToObject(object, "job", side->run.job);
	cJSON_AddStringToObject(object, "status", side->run.status);
	cJSON_AddStringToObject(object, "outcome", outcome_key(side->model.outcome));
	cJSON_AddNumberToObject(object, "runs", (double)side->runs);
	cJSON_AddBoolToObject(object, "exact_processes", !is_lower_bound(side));
	cJSON_AddStringToObject(object, "host", side->run.host);
	cJSON_AddItemToObject(
		object, "labels", cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(side->run.json, "labels"), true));
	return object;
}

/* Adds an object with a figure of A, the same figure of B, and the change. Returns the object. */
static cJSON *add_change(cJSON *parent, const char *name, double a, double b, int digits)
{
	cJSON *object = cJSON_AddObjectToObject(parent, name);

	json_add_number(object, "a", a, digits);
	json_add_number(object, "b", b, digits);
	json_add_number(object, "change", b - a, digits);
	json_add_number(object, "change_percent", condition_percent(a, b), 2);
	return object;
}

static cJSON *add_item(cJSON *array)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddItemToArray(array, object);
	return object;
}

static cJSON *measures_json(const struct comparison *comparison)
{
	cJSON *object = cJSON_CreateObject();
	char why[200];

	for (int i = 0; i < MEASURE_COUNT; i++) {
		cJSON *measure =
			add_change(object, measure_names[i], comparison->a.figures[i], comparison->b.figures[i], 6);
		if (comparison->a.runs > 1 && comparison->b.runs > 1)
			cJSON_AddBoolToObject(
				measure, "within_spread", compare_is_noise(comparison, (enum measure_id)i));
		if (compare_explain(comparison, (enum measure_id)i, why, sizeof why))
			cJSON_AddStringToObject(measure, "may_be_unchanged", why);
		if (i != MEASURE_processes)
			continue;
		cJSON_AddBoolToObject(measure, "a_at_least", is_lower_bound(&comparison->a));
		cJSON_AddBoolToObject(measure, "b_at_least", is_lower_bound(&comparison->b));
	}
	return object;
}

static double peak_of(const struct bill_row *program)
{
	return program ? program->peak_memory_mib : UNKNOWN;
}

static cJSON *program_changes_json(const struct comparison *comparison)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < comparison->program_count; i++) {
		const struct program_change *change = &comparison->programs[i];
		cJSON *object = add_item(array);
		cJSON_AddStringToObject(object, "program", (change->a ? change->a : change->b)->program);
		add_change(object, "cpu_seconds", cpu_of(change->a), cpu_of(change->b), 6);
		add_change(object, "peak_memory_mib", peak_of(change->a), peak_of(change->b), 3);
	}
	return array;
}

static cJSON *code_changes_json(const struct code_changes *changes)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < changes->count; i++) {
		const struct code_change *change = &changes->items[i];
		cJSON *object = add_item(array);
		cJSON_AddStringToObject(object, "name", change->name);
		add_change(object, "cpu_seconds", code_changes_cpu(change, 0), code_changes_cpu(change, 1), 6);
		add_change(
			object, "memory_growth_mib", code_changes_growth(change, 0), code_changes_growth(change, 1), 3);
		add_change(object, "samples", change->of[0].samples, change->of[1].samples, 0);
	}
	return array;
}

static cJSON *phases_json(const struct pairs *pairs)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < pairs->count; i++) {
		const struct phase_pair *pair = &pairs->items[i];
		size_t a = pairs_number(&pairs->a, pair->a), b = pairs_number(&pairs->b, pair->b);
		cJSON *object = add_item(array);
		json_add_number(object, "a", a > 0 ? (double)a : UNKNOWN, 0);
		json_add_number(object, "b", b > 0 ? (double)b : UNKNOWN, 0);
		cJSON *figures = cJSON_AddObjectToObject(object, "figures");
		struct pair_figures of_a = pairs_figures(pair->a), of_b = pairs_figures(pair->b);
		for (size_t j = 0; j < PAIR_MEASURES; j++)
			add_change(figures, measure_names[pair_measures[j]], of_a.of[j], of_b.of[j], 6);
	}
	return array;
}

static cJSON *exact_peak_json(const struct part *part)
{
	return part ? cJSON_CreateBool(part->exact_peak) : cJSON_CreateNull();
}

static cJSON *parts_json(const struct comparison *comparison)
{
	struct part_pair pairs[PART_PAIRS_MAX];
	size_t count = compare_parts(comparison, pairs);
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++) {
		const struct part *part = pairs[i].a ? pairs[i].a : pairs[i].b;
		cJSON *object = add_item(array);
		cJSON_AddStringToObject(object, "name", part->name);
		cJSON_AddItemToObject(object, "a_exact_peak", exact_peak_json(pairs[i].a));
		cJSON_AddItemToObject(object, "b_exact_peak", exact_peak_json(pairs[i].b));
		cJSON *figures = cJSON_AddObjectToObject(object, "figures");
		struct pair_figures a = compare_part_figures(pairs[i].a), b = compare_part_figures(pairs[i].b);
		for (size_t j = 0; j < PAIR_MEASURES; j++)
			if (number_known(a.of[j]) || number_known(b.of[j]))
				add_change(figures, measure_names[pair_measures[j]], a.of[j], b.of[j], 6);
	}
	return array;
}

static cJSON *conditions_json(const struct comparison *comparison)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < comparison->conditions->count; i++) {
		struct text text = comparison->conditions->items[i].text;
		cJSON *object = add_item(array);
		char copy[256];
		snprintf(copy, sizeof copy, "%.*s", (int)text.length, text.data);
		cJSON_AddStringToObject(object, "condition", copy);
		cJSON_AddItemToObject(object, "holds",
			comparison->holds[i] < 0 ? cJSON_CreateNull() : cJSON_CreateBool(comparison->holds[i]));
	}
	return array;
}

static int print_comparison_json(const struct comparison *comparison)
{
	cJSON *json = cJSON_CreateObject();
	char verdict[COMPARE_VERDICT_SIZE];

	cJSON_AddStringToObject(json, "verdict", compare_verdict(comparison, verdict));
	cJSON_AddItemToObject(json, "a", side_json(&comparison->a));
	cJSON_AddItemToObject(json, "b", side_json(&comparison->b));
	cJSON_AddItemToObject(json, "figures", measures_json(comparison));
	if (comparison->by_phase)
		cJSON_AddItemToObject(json, "phases", phases_json(&comparison->pairs));
	cJSON_AddItemToObject(json, "parts", parts_json(comparison));
	cJSON_AddItemToObject(json, "programs", program_changes_json(comparison));
	if (comparison->by)
		cJSON_AddItemToObject(json, strcmp(comparison->by, "line") == 0 ? "lines" : "functions",
			code_changes_json(&comparison->code));
	cJSON_AddItemToObject(json, "fail_if", conditions_json(comparison));
	return json_print(json);
}

/* -- the command ----------------------------------------------------------------------------------- */

/* Prints the comparison. If "-o -" is given, stdout contains only the page. */
static int print_comparison(const struct comparison *comparison, const struct options *options)
{
	const char *page = options->text[OPTION_output];
	int status = EXIT_DONE;

	if (!page || strcmp(page, "-") != 0)
		status = options->json ? print_comparison_json(comparison) : print_comparison_text(comparison);
	return status == EXIT_DONE && page ? exit_of(page_write_comparison(comparison, page)) : status;
}

static int judge(const struct comparison *comparison)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < comparison->conditions->count; i++) {
		struct text text = comparison->conditions->items[i].text;
		if (comparison->holds[i] > 0)
			status = EXIT_CHANGED;
		if (comparison->holds[i] < 0)
			message_print(
				"--fail-if '%.*s': one of the runs has no such figure", (int)text.length, text.data);
		if (comparison->holds[i] < 0 && status == EXIT_DONE)
			status = EXIT_NO_DATA;
	}
	return status;
}

/* Returns the parts of the model that compare needs. */
static unsigned sections_of(const struct options *options)
{
	return SIDE_SECTIONS | (options->text[OPTION_by] ? MODEL_LINES : 0u);
}

/* Reads a group as a side. */
static int read_group(struct side *side, const struct options *options, const char *id, const char *spool)
{
	const struct model_wish wish = {.sections = sections_of(options)};
	struct group group;
	struct whole whole;

	*side = (struct side){0};
	if (groups_read(&group, options, id, spool, &wish) != 0)
		return -1;
	whole_make(&whole, &group, wish.sections);
	side_take(side, &whole.run, &whole.model);
	side->run.limit = "";
	group_free(&group);
	return 0;
}

/* Reads the run or group at `position`. Positions first count the arguments, then the --group options. */
static int read_side(
	struct side *side, const struct options *options, size_t position, const struct spools *spools, size_t limit)
{
	bool word = position < options->word_count;

	if (word && unit_is_name(options->words[position]))
		return read_group(side, options, options->words[position], spools->items[0]);
	if (word)
		return side_read(side, spools, options_choice(options).labels, options->words[position], limit,
			sections_of(options));
	return read_group(side, options, options->groups[position - options->word_count], spools->items[0]);
}

/* Returns whether the argument at `position` is "-", which selects the last finished run before the runs of the other
 * argument, of the same job. */
static bool is_before(const struct options *options, size_t position)
{
	return position < options->word_count && strcmp(options->words[position], "-") == 0;
}

/* Returns whether A is the run before B: the first argument is "-", or B is the only argument. */
static bool is_a_before(const struct options *options)
{
	return is_before(options, 0) || options->word_count + options->group_count == 1;
}

static int read_before(struct side *side, const struct options *options, const struct side *other,
	const struct spools *spools, size_t limit)
{
	struct history history;
	int result = -1;

	*side = (struct side){0};
	history_read(&history, &other->run, other->runs);
	if (history.count == other->runs)
		result = side_read(side, spools, "", history.directories[other->runs - 1], limit, sections_of(options));
	else
		message_print("no finished run of '%s' is older than %s%s", other->run.job,
			other->runs > 1 ? "the earliest of the runs up to " : "", other->run.id);
	history_free(&history);
	return result;
}

/* If the runs of the newer side include the latest run of the older side, reads the newer side again without that run
 * and all earlier ones, so that no run is on both sides. */
static int keep_apart(struct side *a, struct side *b, const struct options *options, const struct spools *spools)
{
	struct side *newer = a->run.start_time > b->run.start_time ? a : b, *older = newer == a ? b : a;
	struct text name = text_basename(text_of(older->run.directory));
	size_t apart = 1;

	while (apart < newer->runs && !text_is(text_basename(text_of(newer->directories[apart - 1])), name.data))
		apart++;
	if (apart >= newer->runs)
		return 0;
	char *directory = xstrdup(newer->run.directory);
	side_free(newer);
	int result = side_read(newer, spools, "", directory, apart, sections_of(options));
	free(directory);
	return result;
}

static int compare_in(const struct options *options, const struct spools *spools)
{
	double runs = options->number[OPTION_runs];
	size_t limit = runs >= 1 ? (size_t)runs : 1;
	const char *align = options->text[OPTION_align];
	struct comparison comparison = {
		.by_phase = align && strcmp(align, "phase") == 0, .by = options->text[OPTION_by]};

	if (options->json && options_given(options, OPTION_output) && strcmp(options->text[OPTION_output], "-") == 0) {
		message_print("--format json and -o - both write to stdout: give -o a file");
		return EXIT_USAGE;
	}
	if (comparison.by_phase && options->group_count > 0) {
		message_print("--align phase does not work with --group: a group has no phases");
		return EXIT_USAGE;
	}
	bool from_before = is_a_before(options);
	struct side *first = from_before ? &comparison.b : &comparison.a;
	struct side *second = from_before ? &comparison.a : &comparison.b;
	if (read_side(first, options, is_before(options, 0), spools, limit) != 0)
		return EXIT_NO_DATA;
	int result = from_before || is_before(options, 1) ? read_before(second, options, first, spools, limit)
							  : read_side(second, options, 1, spools, limit);
	if (result != 0) {
		side_free(first);
		return EXIT_NO_DATA;
	}
	if (keep_apart(first, second, options, spools) != 0)
		return EXIT_NO_DATA;
	comparison_make(&comparison, &options->conditions);
	int status = print_comparison(&comparison, options);
	if (status == EXIT_DONE)
		status = judge(&comparison);
	comparison_free(&comparison);
	return status;
}

int compare_command(const struct options *options, const char *spool)
{
	struct spools spools;

	spools_find(&spools, options->spools, options->spool_count, spool);
	int status = compare_in(options, &spools);
	spools_free(&spools);
	return status;
}
