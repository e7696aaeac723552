/* rtrack-report show --by line: the lines of code of a run, as a table or as JSON. */
#include "report/commands/show_lines.h"

#include "report/commands/commands.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/spool/code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_SHOWN = 20 };

bool show_lines_wanted(const struct options *options)
{
	return options_given(options, OPTION_by) && strcmp(options->text[OPTION_by], "line") == 0;
}

static struct figure share_of(const struct code *code, const struct code_line *line)
{
	struct figure figure = {""};

	if (line->samples >= CODE_SAMPLES_LEAST && code->cpu_seconds > 0)
		snprintf(figure.text, sizeof figure.text, "%.0f %%", 100 * line->cpu_seconds / code->cpu_seconds);
	return figure;
}

/* Memory that was given back is no growth. */
static struct figure growth_of(const struct code_line *line)
{
	struct figure none = {""};
	return line->growth_mib >= 1 ? terminal_figure(UNIT_mib, line->growth_mib) : none;
}

/* The line of a script is known by its name; the folder is in JSON. */
static void write_place(const struct terminal *terminal, const struct code_line *line, unsigned used)
{
	const char *slash = strrchr(line->file, '/');
	char text[512], number[32] = "";

	if (number_known(line->line))
		snprintf(number, sizeof number, ":%.0f", line->line);
	if (*line->file == '\0')
		snprintf(text, sizeof text, "(%s)", line->function);
	else
		snprintf(text, sizeof text, "%.256s%s in %.200s", slash ? slash + 1 : line->file, number,
			line->function);
	terminal_text(terminal, text, terminal->width > used ? terminal->width - used : 1, 0);
	fputc('\n', terminal->out);
}

static void print_table(const struct code *code, double limit)
{
	struct terminal terminal = terminal_of(stdout);
	size_t shown = limit < (double)code->count ? (size_t)limit : code->count;

	terminal_colour(&terminal, COLOUR_dim);
	fprintf(terminal.out, "%9s %5s %9s %9s  Line\n", "CPU", "", "Grew", "Time");
	terminal_colour(&terminal, COLOUR_plain);
	for (size_t i = 0; i < shown; i++) {
		const struct code_line *line = &code->lines[i];
		int used = fprintf(terminal.out, "%9s %5s %9s %9s  ", terminal_duration(line->cpu_seconds).text,
			share_of(code, line).text, growth_of(line).text, terminal_duration(line->seconds).text);
		write_place(&terminal, line, used > 0 ? (unsigned)used : 0);
	}
	if (shown < code->count)
		fprintf(terminal.out, "(%s more)\n", terminal_count((double)(code->count - shown)).text);
	fprintf(terminal.out, "%s looks in all\n", terminal_count(code->samples).text);
}

int show_lines(const struct options *options, const struct model *model)
{
	double limit = options->number[OPTION_limit];
	struct code code;
	int status = EXIT_DONE;

	if (!model->usable)
		return exit_of(model_check(model));
	if (code_load(&code, model->run->directory) != 0) {
		message_print("no memory");
		return exit_of(-1);
	}
	if (options->json) {
		cJSON *json = cJSON_CreateObject();
		cJSON_AddStringToObject(json, "id", model->run->id);
		cJSON_AddStringToObject(json, "by", "line");
		cJSON_AddItemToObject(json, "lines", code_json(&code));
		totals_write_json(&model->totals, cJSON_AddObjectToObject(json, "totals"));
		status = exit_of(json_print(json));
	} else if (code.count > 0) {
		print_table(&code, number_known(limit) ? limit : LINES_SHOWN);
	} else {
		puts("No lines: no Python of a known version ran for longer than a tick, or RTRACK_LINES was off.");
	}
	code_free(&code);
	return status;
}
