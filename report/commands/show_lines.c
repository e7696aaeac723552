/* rtrack-report show --by line or function: the lines of code of a run, as a table or as JSON. */
#include "report/commands/show_lines.h"

#include "report/commands/commands.h"
#include "report/say/terminal.h"

#include <string.h>

enum { LINES_SHOWN = 20 };

static bool is_by(const struct options *options, const char *word)
{
	return options_given(options, OPTION_by) && strcmp(options->text[OPTION_by], word) == 0;
}

bool show_lines_wanted(const struct options *options)
{
	return is_by(options, "line") || is_by(options, "function");
}

static struct figure share_of(const struct code_list *list, const struct code_line *line)
{
	struct figure figure = {""};
	double share = code_share(list, line);

	if (number_known(share))
		snprintf(figure.text, sizeof figure.text, "%.0f %%", 100 * share);
	return figure;
}

static struct figure growth_of(const struct code_line *line)
{
	struct figure none = {""};
	double growth = code_growth(line);
	return number_known(growth) ? terminal_figure(UNIT_mib, growth) : none;
}

static void print_table(const struct code *code, const struct code_list *lines, double limit)
{
	struct terminal terminal = terminal_of(stdout);
	size_t shown = limit < (double)lines->count ? (size_t)limit : lines->count;
	char text[CODE_NAME_SIZE], peak[CODE_DESCRIBED_SIZE];

	terminal_put(&terminal, COLOUR_dim, "%9s %5s %9s %9s %6s  %s\n", "CPU", "", "Grew", "Time", "Looks",
		lines == &code->lines ? "Line" : "Function");
	for (size_t i = 0; i < shown; i++) {
		const struct code_line *line = &lines->items[i];
		int used = fprintf(terminal.out, "%9s %5s %9s %9s %6s  ", terminal_duration(line->cpu_seconds).text,
			share_of(lines, line).text, growth_of(line).text, terminal_duration(line->seconds).text,
			terminal_count(line->samples).text);
		unsigned left = used > 0 && terminal.width > (unsigned)used ? terminal.width - (unsigned)used : 1;
		terminal_text(&terminal, code_name(line, text), left, 0);
		fputc('\n', terminal.out);
	}
	if (shown < lines->count)
		fprintf(terminal.out, "(%s more)\n", terminal_count((double)(lines->count - shown)).text);
	fprintf(terminal.out, "%s looks in all\n", terminal_count(lines->samples).text);
	code_describe(&code->peak, "at the peak", peak, sizeof peak);
	if (*peak)
		terminal_wrap(&terminal, peak, 0, 0);
}

int show_lines(const struct options *options, const struct model *model)
{
	double limit = options->number[OPTION_limit];
	const struct code *code = &model->code;
	bool functions = is_by(options, "function");

	if (!model->usable)
		return exit_of(model_check(model));
	if (options->json) {
		cJSON *json = cJSON_CreateObject();
		cJSON_AddStringToObject(json, "id", model->run->id);
		cJSON_AddStringToObject(json, "by", options->text[OPTION_by]);
		if (functions)
			code_write_functions_json(code, json);
		else
			code_write_json(code, json);
		totals_write_json(&model->totals, cJSON_AddObjectToObject(json, "totals"));
		return exit_of(json_print(json));
	}
	if (code->lines.count > 0)
		print_table(
			code, functions ? &code->functions : &code->lines, number_known(limit) ? limit : LINES_SHOWN);
	else
		puts("No lines: no Python of a known version ran for longer than a tick, or RTRACK_LINES was off.");
	return EXIT_DONE;
}
