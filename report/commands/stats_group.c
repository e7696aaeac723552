/* rtrack-report stats --group ID: what the runs of one job on several nodes used together. */
#include "report/commands/many.h"

#include "report/model/group_told.h"
#include "report/say/terminal.h"

#include <string.h>

enum { LABEL_WIDTH = 26, FIGURE_WIDTH = 27 };

static int print_group_json(const struct model *model)
{
	const struct group *group = model->group;
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "group", group->id);
	cJSON_AddStringToObject(json, "job", group->parts[0].run.job);
	cJSON_AddItemToObject(json, "stats", stats_json(&model->stats));
	cJSON *totals = cJSON_AddObjectToObject(json, "totals");
	totals_write_json(&model->totals, totals);
	json_add_number(totals, "sum_of_peaks_mib", group->peak_sum_mib, 3);
	group_write_json(group, json);
	return json_print(json);
}

static void write_figure(const struct terminal *terminal, const char *label, struct figure figure)
{
	fprintf(terminal->out, "%-*s%*s\n", LABEL_WIDTH, label, FIGURE_WIDTH, figure.text);
}

static void print_group(const struct model *model)
{
	const struct group *group = model->group;
	const struct totals *totals = &model->totals;
	struct terminal terminal = terminal_of(stdout);
	char text[1000];

	terminal_colour(&terminal, COLOUR_strong);
	(void)terminal_text(&terminal, group->id, terminal.width, 0);
	terminal_colour(&terminal, COLOUR_plain);
	group_describe(group, text, sizeof text);
	fputs(": ", terminal.out);
	terminal_wrap(&terminal, text, (unsigned)strlen(group->id) + 2, 2);
	fputc('\n', terminal.out);
	write_figure(&terminal, "Duration", terminal_duration(totals->wall_seconds));
	write_figure(&terminal, "CPU time", terminal_duration(totals->cpu_seconds));
	write_figure(&terminal, "CPUs used on average", terminal_figure(UNIT_cpus, totals->mean_cpu_usage));
	write_figure(&terminal, "Peak memory at one time", terminal_figure(UNIT_mib, totals->peak_memory_mib));
	write_figure(&terminal, "Sum of all peaks", terminal_figure(UNIT_mib, group->peak_sum_mib));
	write_figure(&terminal, "Read from disk", terminal_figure(UNIT_bytes, totals->disk_read_bytes));
	write_figure(&terminal, "Written to disk", terminal_figure(UNIT_bytes, totals->disk_write_bytes));
	if (group->script)
		fputc('\n', terminal.out);
	group_write_text(&terminal, group);
}

int stats_group(const struct options *options, const struct model *model)
{
	if (options->json)
		return exit_of(print_group_json(model));
	print_group(model);
	return EXIT_DONE;
}
