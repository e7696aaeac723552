/* The runs of one script: other commands one after the other, so that no rank, no machine and no mean tells of them;
 * see told.h. */
#include "report/group/told.h"
#include "report/markup/more.h"
#include "report/markup/text.h"
#include "report/say/utf8.h"

#include <math.h>
#include <string.h>

enum {
	SCRIPT_NAMES_WIDTH = 40 /* bytes of jobs that are named */,
	SCRIPT_NAME_MOST = 60 /* and of each */,
	SCRIPT_RUNS_MAX = 256,
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

static double script_run_longest(const struct group *group)
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

/* -- the page -------------------------------------------------------------------------------------- */

static void write_script_run(FILE *out, const struct group *group, const struct group_part *part, double longest)
{
	double share = longest > 0 ? fmin(100 * part->totals.cpu_seconds / longest, 100) : 0;

	markup_write(out, "<tr><th scope=\"row\" title=\"");
	markup_write_text(out, text_of(part->run.id));
	markup_write(out, "\">");
	markup_write_text(out, text_of(part->run.job));
	markup_write(out, "</th><td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td>",
		units_duration(part->run.start_time - group->start_time).text,
		units_duration(part->totals.wall_seconds).text, units_duration(part->totals.cpu_seconds).text);
	markup_write(out,
		"<td><svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"%.0f %% of the largest\"><rect width=\"%.1f\" height=\"8\"/></svg></td>"
		"<td class=\"number\">%s</td><td>",
		share, share, units_figure(UNIT_mib, part->totals.peak_memory_mib).text);
	markup_write_text(out, text_of(part->unfinished ? group_part_end(part) : "finished"));
	markup_write(out, "</td></tr>\n");
}

void group_write_script_html(FILE *out, const struct group *group)
{
	double longest = script_run_longest(group);

	markup_write(out,
		"<section class=\"listing members\" aria-labelledby=\"members\">"
		"<h3 id=\"members\">Runs of the script</h3>\n"
		"<p class=\"note\">One and the same process started them. The figures of this page are the sums over "
		"all of them at each tick.");
	markup_more(out, "start.md#a-batch-script");
	markup_write(out,
		"<section class=\"scroll\" tabindex=\"0\" aria-label=\"Runs\"><table>\n<thead><tr>"
		"<th scope=\"col\">Run</th><th scope=\"col\" class=\"number\">Started after</th>"
		"<th scope=\"col\" class=\"number\">Time</th><th scope=\"col\" class=\"number\">CPU time</th>"
		"<th scope=\"col\" class=\"shares\">Of the most</th><th scope=\"col\" class=\"number\">Peak memory</th>"
		"<th scope=\"col\">Ended</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < group->count && i < SCRIPT_RUNS_MAX; i++)
		write_script_run(out, group, &group->parts[i], longest);
	markup_write(out, "</tbody></table></section>\n");
	if (group->count > SCRIPT_RUNS_MAX)
		markup_write(out, "<p class=\"note\">%zu more are not listed.</p>\n", group->count - SCRIPT_RUNS_MAX);
	markup_write(out, "</section>\n");
}
