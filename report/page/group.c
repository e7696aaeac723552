/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Runs" of a group's page: the machines and ranks of the group, or the runs of a script. */
#include "report/page/page.h"

#include "report/model/group.h"
#include "report/page/elements.h"

#include <math.h>

enum { ROWS_MAX = 256 };

static void write_bar_cell(FILE *out, double value, double largest)
{
	markup_write(out, "<td>");
	bar_write(out, largest > 0 && value > 0 ? fmin(100 * value / largest, 100) : 0, "of the largest");
	markup_write(out, "</td>");
}

static void write_hosts(FILE *out, const struct group *group)
{
	double largest = 0;

	for (size_t i = 0; i < group->host_count; i++)
		largest = known_larger(largest, group->hosts[i].cpu_seconds);
	table_begin(out, "Machines", "Machine|#Runs|#CPU time|=Of the most|#Peak memory|#Clock ahead");
	for (size_t i = 0; i < group->host_count && i < ROWS_MAX; i++) {
		const struct group_host *host = &group->hosts[i];
		markup_write(out, "<tr><th scope=\"row\">%-s</th><td class=\"number\">%zu</td>",
			*host->name ? host->name : "unknown", host->parts);
		cell_figure(out, UNIT_seconds, host->cpu_seconds);
		write_bar_cell(out, host->cpu_seconds, largest);
		cell_figure(out, UNIT_mib, host->peak_memory_mib);
		if (number_known(host->clock_ahead))
			markup_write(out, "<td class=\"number\">%.1f s</td></tr>\n", host->clock_ahead);
		else
			markup_write(out, "<td class=\"number\">–</td></tr>\n");
	}
	table_end(out, "Machines");
	markup_write(out, "\n");
}

/* Writes a table row: for a rank, its name and its machine; for a run of a script, its job and the time since the
 * script's start. */
static void write_part(FILE *out, const struct group *group, const struct group_part *part, double largest)
{
	char rank[GROUP_RANK_SIZE];
	const char *finished = group->script ? "finished" : "";

	group_rank_name(group, part, rank);
	markup_write(out, "<tr><th scope=\"row\" title=\"%-s\">%-s</th>", part->run.id,
		group->script ? part->run.job
		: *rank       ? rank
			      : "–");
	if (group->script)
		cell_figure(out, UNIT_seconds, part->run.start_time - group->start_time);
	else
		markup_write(out, "<td>%-s</td>", *part->run.host ? part->run.host : "unknown");
	cell_figure(out, UNIT_seconds, part->totals.wall_seconds);
	cell_figure(out, UNIT_seconds, part->totals.cpu_seconds);
	write_bar_cell(out, part->totals.cpu_seconds, largest);
	cell_figure(out, UNIT_mib, part->totals.peak_memory_mib);
	markup_write(out, "<td>%s%s%-s%s</td></tr>\n", part->slow ? "slow" : "",
		part->slow && part->unfinished ? ", " : "", part->unfinished ? group_part_end(part) : finished,
		part->retried ? ", retried" : "");
}

/* Writes all parts of a small group. For a large group, writes only the parts that stand out. */
static void write_parts(FILE *out, const struct group *group)
{
	const char *label = group->script ? "Runs" : "Ranks";
	size_t left_out = 0, written = 0;
	double largest = 0;

	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].again)
			largest = known_larger(largest, group->parts[i].totals.cpu_seconds);
	table_begin(out, label,
		group->script ? "Run|#Started after|#Time|#CPU time|=Of the most|#Peak memory|Ended"
			      : "Rank|Machine|#Time|#CPU time|=Of the most|#Peak memory|Stands out");
	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		bool shown = group->runs <= ROWS_MAX || ((part->slow || part->unfinished) && written < ROWS_MAX);
		if (part->again)
			continue;
		if (shown)
			write_part(out, group, part, largest);
		written += shown;
		left_out += !shown;
	}
	table_end(out, label);
	markup_write(out, "\n");
	if (left_out > 0)
		markup_write(out, "<p class=\"note\">%zu more are not listed.</p>\n", left_out);
}

static void write_ratio(FILE *out, const char *separator, double ratio, const char *of)
{
	if (number_known(ratio))
		markup_write(out, "%s %.2f times in %s", separator, ratio, of);
}

static void write_script(FILE *out, const struct group *group)
{
	section_begin(out, "listing members", "members", "Runs of the script",
		"One and the same process started them. The figures of this page are the sums over all of them at each "
		"tick.",
		"start.md#a-batch-script");
	write_parts(out, group);
	markup_write(out, "</section>\n");
}

void page_write_group(FILE *out, const struct page *page)
{
	const struct group *group = page->model->group;
	char text[1000];

	if (group && group->script)
		write_script(out, group);
	if (!group || group->script)
		return;
	group_describe(group, text, sizeof text);
	section_begin(out, "listing members", "members", "Machines and ranks", NULL, NULL);
	markup_write(out,
		"<p>%-s.</p>\n<p class=\"note\">The figures of this page are the sums over all runs at each tick, the "
		"machine's counted once for each machine, its pressure that of the machine where it was most. The "
		"largest is",
		text);
	write_ratio(out, "", group->imbalance.cpu, "CPU time");
	write_ratio(out, ",", group->imbalance.memory, "peak memory");
	write_ratio(out, ",", group->imbalance.time, "time");
	markup_write(out, " the mean.");
	if (number_known(group->clock_skew))
		markup_write(out, " By their starts and ends the clocks may differ by %s.",
			units_duration(group->clock_skew).text);
	markup_more(out, "fleet.md#a-job-on-several-nodes");
	write_hosts(out, group);
	write_parts(out, group);
	markup_write(out, "</section>\n");
}
