/* The runs of one script as a section of a page; see group.h. */
#include "report/page/group.h"

#include "report/model/group_told.h"
#include "report/page/more.h"
#include "report/say/markup.h"

#include <math.h>

enum { SCRIPT_RUNS_MAX = 256 };

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
	double longest = group_script_longest(group);

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
