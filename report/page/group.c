/* What there is to say of a group, as a section of a page; see group.h. */
#include "report/page/group.h"

#include "report/model/group_told.h"
#include "report/page/more.h"
#include "report/say/markup.h"

#include <math.h>

enum { ROWS_MAX = 256 };

static void write_page_bar(FILE *out, double value, double largest)
{
	double share = largest > 0 && value > 0 ? fmin(100 * value / largest, 100) : 0;

	markup_write(out,
		"<td><svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"%.0f %% of the largest\"><rect width=\"%.1f\" height=\"8\"/></svg></td>",
		share, share);
}

static void begin_table(FILE *out, const char *label, const char *head)
{
	markup_write(out,
		"<section class=\"scroll\" tabindex=\"0\" "
		"aria-label=\"%s\"><table>\n<thead><tr>%s</tr></thead>\n"
		"<tbody>\n",
		label, head);
}

static void write_page_hosts(FILE *out, const struct group *group)
{
	double largest = 0;

	for (size_t i = 0; i < group->host_count; i++)
		largest = known_larger(largest, group->hosts[i].cpu_seconds);
	begin_table(out, "Machines",
		"<th scope=\"col\">Machine</th><th scope=\"col\" class=\"number\">Runs</th><th scope=\"col\" "
		"class=\"number\">CPU time</th><th scope=\"col\" class=\"shares\">Of the most</th><th scope=\"col\" "
		"class=\"number\">Peak memory</th><th scope=\"col\" class=\"number\">Clock ahead</th>");
	for (size_t i = 0; i < group->host_count && i < ROWS_MAX; i++) {
		const struct group_host *host = &group->hosts[i];
		markup_write(out, "<tr><th scope=\"row\">");
		markup_write_text(out, text_of(*host->name ? host->name : "unknown"));
		markup_write(out, "</th><td class=\"number\">%zu</td>", host->parts);
		markup_write_cell(out, units_duration(host->cpu_seconds).text);
		write_page_bar(out, host->cpu_seconds, largest);
		markup_write_cell(out, units_figure(UNIT_mib, host->peak_memory_mib).text);
		if (number_known(host->clock_ahead))
			markup_write(out, "<td class=\"number\">%.1f s</td></tr>\n", host->clock_ahead);
		else
			markup_write(out, "<td class=\"number\">–</td></tr>\n");
	}
	markup_write(out, "</tbody></table></section>\n");
}

/* A rank and its machine; of a script the job of a run, and when it began. */
static void write_page_part(FILE *out, const struct group *group, const struct group_part *part, double largest)
{
	char rank[GROUP_RANK_SIZE];
	const char *finished = group->script ? "finished" : "";

	group_rank_name(group, part, rank);
	markup_write(out, "<tr><th scope=\"row\" title=\"");
	markup_write_text(out, text_of(part->run.id));
	markup_write(out, "\">");
	markup_write_text(out, text_of(group->script ? part->run.job : *rank ? rank : "–"));
	markup_write(out, "</th>");
	if (group->script) {
		markup_write_cell(out, units_duration(part->run.start_time - group->start_time).text);
	} else {
		markup_write(out, "<td>");
		markup_write_text(out, text_of(*part->run.host ? part->run.host : "unknown"));
		markup_write(out, "</td>");
	}
	markup_write_cell(out, units_duration(part->totals.wall_seconds).text);
	markup_write_cell(out, units_duration(part->totals.cpu_seconds).text);
	write_page_bar(out, part->totals.cpu_seconds, largest);
	markup_write_cell(out, units_figure(UNIT_mib, part->totals.peak_memory_mib).text);
	markup_write(out, "<td>%s%s", part->slow ? "slow" : "", part->slow && part->unfinished ? ", " : "");
	markup_write_text(out, text_of(part->unfinished ? group_part_end(part) : finished));
	markup_write(out, "</td></tr>\n");
}

/* All of a small group; of a large one those that stand out. */
static void write_page_parts(FILE *out, const struct group *group)
{
	size_t left_out = 0, written = 0;
	double largest = 0;
	char head[600];

	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].around)
			largest = known_larger(largest, group->parts[i].totals.cpu_seconds);
	snprintf(head, sizeof head,
		"%s<th scope=\"col\" class=\"number\">Time</th><th scope=\"col\" class=\"number\">CPU time</th>"
		"<th scope=\"col\" class=\"shares\">Of the most</th><th scope=\"col\" class=\"number\">Peak memory</th>"
		"<th scope=\"col\">%s</th>",
		group->script ? "<th scope=\"col\">Run</th><th scope=\"col\" class=\"number\">Started after</th>"
			      : "<th scope=\"col\">Rank</th><th scope=\"col\">Machine</th>",
		group->script ? "Ended" : "Stands out");
	begin_table(out, group->script ? "Runs" : "Ranks", head);
	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		bool shown = group->counted <= ROWS_MAX || ((part->slow || part->unfinished) && written < ROWS_MAX);
		if (part->around)
			continue;
		if (shown)
			write_page_part(out, group, part, largest);
		written += shown;
		left_out += !shown;
	}
	markup_write(out, "</tbody></table></section>\n");
	if (left_out > 0)
		markup_write(out, "<p class=\"note\">%zu more are not listed.</p>\n", left_out);
}

static void write_page_ratio(FILE *out, const char *separator, double ratio, const char *of)
{
	if (number_known(ratio))
		markup_write(out, "%s %.2f times in %s", separator, ratio, of);
}

void group_write_html(FILE *out, const struct group *group)
{
	char text[1000];

	if (group->script) {
		markup_write(out, "<section class=\"listing members\" aria-labelledby=\"members\">"
				  "<h3 id=\"members\">Runs of the script</h3>\n"
				  "<p class=\"note\">One and the same process started them. The figures of this page "
				  "are the sums "
				  "over all of them at each tick.");
		markup_more(out, "start.md#a-batch-script");
		write_page_parts(out, group);
		markup_write(out, "</section>\n");
		return;
	}
	group_describe(group, text, sizeof text);
	markup_write(out,
		"<section class=\"listing members\" aria-labelledby=\"members\"><h3 id=\"members\">Machines and "
		"ranks</h3>\n<p>");
	markup_write_text(out, text_of(text));
	markup_write(out, ".</p>\n<p class=\"note\">The figures of this page are the sums over all runs at each tick, "
			  "the machine's counted once for each machine, its pressure that of the machine where it was "
			  "most. The largest is");
	write_page_ratio(out, "", group->imbalance.cpu, "CPU time");
	write_page_ratio(out, ",", group->imbalance.memory, "peak memory");
	write_page_ratio(out, ",", group->imbalance.time, "time");
	markup_write(out, " the mean.");
	if (number_known(group->clock_skew))
		markup_write(out, " By their starts and ends the clocks may differ by %s.",
			units_duration(group->clock_skew).text);
	markup_more(out, "fleet.md#a-job-on-several-nodes");
	write_page_hosts(out, group);
	write_page_parts(out, group);
	markup_write(out, "</section>\n");
}
