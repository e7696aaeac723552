/* The runs of one script: other commands one after the other, so that no rank, no machine and no mean tells of them;
 * see group_told.h. */
#include "report/model/group_told.h"
#include "report/say/utf8.h"

#include <math.h>
#include <string.h>

enum {
	SCRIPT_NAMES_WIDTH = 40 /* bytes of jobs that are named */,
	SCRIPT_NAME_MOST = 60 /* and of each */,
	SCRIPT_RUNS_SHOWN = 64,
	SCRIPT_RUN_WIDTH = 30,
	SCRIPT_RUN_LEAST = 12,
	SCRIPT_FIGURES_WIDTH = 47
};

static bool script_run_named_before(const struct group *group, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(group->parts[k].run.job, group->parts[i].run.job) == 0)
			return true;
	return false;
}

void group_name_script(const struct group *group, char *text, size_t size)
{
	size_t named = 0, length = 0;

	*text = '\0';
	for (size_t i = 0; i < group->count; i++) {
		const char *job = group->parts[i].run.job;
		if (!script_run_named_before(group, i)) {
			if (length > 0 && length + strlen(job) > SCRIPT_NAMES_WIDTH)
				break;
			struct text cut = utf8_cut(text_of(job), SCRIPT_NAME_MOST);
			snprintf(text + length, size - length, "%s%.*s", length > 0 ? ", " : "", (int)cut.length,
				cut.data);
			length = strlen(text);
		}
		named++;
	}
	if (named < group->count)
		snprintf(text + length, size - length, ", +%zu", group->count - named);
}

double group_script_longest(const struct group *group)
{
	double longest = 0;

	for (size_t i = 0; i < group->count; i++)
		longest = known_larger(longest, group->parts[i].totals.cpu_seconds);
	return longest;
}

/* -- text ------------------------------------------------------------------------------------------ */

/* How wide the names may be, so that a line with the longest end fits; of a terminal that is too narrow for that the
 * lines are too long. */
static int script_name_width(const struct terminal *terminal, const struct group *group)
{
	unsigned longest = 0;

	for (size_t i = 0; i < group->count && i < SCRIPT_RUNS_SHOWN; i++) {
		unsigned end = group->parts[i].unfinished ? 2 + (unsigned)strlen(group_part_end(&group->parts[i])) : 0;
		longest = end > longest ? end : longest;
	}
	return (int)terminal_column_width(terminal, SCRIPT_RUN_WIDTH, SCRIPT_RUN_LEAST, SCRIPT_FIGURES_WIDTH + longest);
}

void group_write_script_text(const struct terminal *terminal, const struct group *group)
{
	int width = script_name_width(terminal, group);

	fprintf(terminal->out, "%-*s%12s%12s%12s%11s\n", width, "Run", "After", "Time", "CPU", "Memory");
	for (size_t i = 0; i < group->count && i < SCRIPT_RUNS_SHOWN; i++) {
		const struct group_part *part = &group->parts[i];
		terminal_text(terminal, part->run.job, (unsigned)width - 1, (unsigned)width);
		fprintf(terminal->out, "%12s%12s%12s%11s",
			terminal_duration(part->run.start_time - group->start_time).text,
			terminal_duration(part->totals.wall_seconds).text,
			terminal_duration(part->totals.cpu_seconds).text,
			terminal_figure(UNIT_mib, part->totals.peak_memory_mib).text);
		if (part->unfinished) {
			fputs("  ", terminal->out);
			terminal_text(terminal, group_part_end(part), terminal->width, 0);
		}
		fputc('\n', terminal->out);
	}
	if (group->count > SCRIPT_RUNS_SHOWN)
		fprintf(terminal->out, "and %zu more: rtrack-report list --group %s\n",
			group->count - SCRIPT_RUNS_SHOWN, group->id);
}
