/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the machines and ranks of a group, or the runs of a script. */
#include "report/text/show.h"

#include "core/number.h"
#include "report/model/group.h"
#include "report/text/table.h"

#include <string.h>

enum {
	LABEL_WIDTH = 26,
	FIGURE_WIDTH = 27,
	BAR_WIDTH = 24,
	BARS_MAX = 64,
	PART_FIGURES_WIDTH = 61,
	JOB_WIDTH = 30, /* width of the job's name, for a run of a script */
	JOB_LEAST = 12,
	JOB_FIGURES_WIDTH = 50,
	NOTE_SIZE = 40
};

static void write_figure(const struct terminal *terminal, const char *label, struct figure figure)
{
	fprintf(terminal->out, "%-*s%*s\n", LABEL_WIDTH, label, FIGURE_WIDTH, figure.text);
}

static void write_ratio(const struct terminal *terminal, const char *label, double ratio)
{
	if (number_known(ratio))
		fprintf(terminal->out, "%-*s%*.2f\n", LABEL_WIDTH, label, FIGURE_WIDTH, ratio);
}

static void write_balance(const struct terminal *terminal, const struct group *group)
{
	write_figure(terminal, "Starts differ by", terminal_duration(group->start_spread));
	write_figure(terminal, "Ends differ by", terminal_duration(group->stop_spread));
	if (number_known(group->clock_skew))
		write_figure(terminal, "Clocks may differ by", terminal_duration(group->clock_skew));
	fputs("\nLargest over mean\n", terminal->out);
	write_ratio(terminal, "  CPU time", group->imbalance.cpu);
	write_ratio(terminal, "  peak memory", group->imbalance.memory);
	write_ratio(terminal, "  time", group->imbalance.time);
}

struct bar {
	char text[3 * BAR_WIDTH + NOTE_SIZE + 3];
};

/* Makes a bar followed by `note`. The bar for `largest` is `width` columns wide. */
static struct bar make_bar(
	const struct terminal *terminal, double value, double largest, unsigned width, const char *note)
{
	struct bar bar;
	struct buffer out = BUFFER(bar.text);
	int blocks = value > 0 && largest > 0 ? (int)(value / largest * width + 0.5) : 0;

	for (int i = 0; i < blocks; i++)
		buffer_string(&out, terminal->utf8 ? "█" : "#");
	buffer_string(&out, *note && width > 0 ? "  " : "");
	buffer_string(&out, note);
	buffer_terminate(&out);
	return bar;
}

static void write_hosts(const struct terminal *terminal, const struct group *group)
{
	const struct text_table table = TABLE(terminal, {"Machine", TABLE_TEXT, 17, 0}, {"Runs", TABLE_FIGURE, 6, 0},
		{"CPU", TABLE_FIGURE, 12, 0}, {"Memory", TABLE_FIGURE, 10, 0}, {"", TABLE_REST, 0, 0});
	double largest = 0;

	for (size_t i = 0; i < group->host_count; i++)
		largest = known_larger(largest, group->hosts[i].cpu_seconds);
	fputc('\n', terminal->out);
	table_heading(&table);
	for (size_t i = 0; i < group->host_count && i < BARS_MAX; i++) {
		const struct group_host *host = &group->hosts[i];
		table_row(&table, *host->name ? host->name : "unknown", terminal_count((double)host->parts).text,
			terminal_duration(host->cpu_seconds).text,
			terminal_figure(UNIT_mib, host->peak_memory_mib).text,
			make_bar(terminal, host->cpu_seconds, largest, BAR_WIDTH, "").text);
	}
}

/* Formats the reasons why a part stands out, such as "slow, failed", or "" if there are none. */
static void describe_part(const struct group_part *part, char text[NOTE_SIZE])
{
	snprintf(text, NOTE_SIZE, "%s%s%s%s", part->slow ? "slow" : "", part->slow && part->unfinished ? ", " : "",
		part->unfinished ? group_part_end(part) : "", part->retried ? ", retried" : "");
}

/* Returns the width of the longest note, including the gap before the note. */
static unsigned longest_note(const struct group *group)
{
	unsigned longest = 0;
	char note[NOTE_SIZE];

	for (size_t i = 0; i < group->count; i++) {
		describe_part(&group->parts[i], note);
		unsigned length = *note ? 2 + (unsigned)strlen(note) : 0;
		longest = length > longest && !group->parts[i].again ? length : longest;
	}
	return longest;
}

static void write_part(const struct text_table *table, const struct group *group, const struct group_part *part,
	double largest, unsigned width)
{
	char rank[GROUP_RANK_SIZE], note[NOTE_SIZE];
	const char *host = *part->run.host ? part->run.host : "unknown";

	describe_part(part, note);
	group_rank_name(group, part, rank);
	table_row(table,
		group->script ? part->run.job
		: *rank       ? rank
			      : "-",
		group->script ? terminal_duration(part->run.start_time - group->start_time).text : host,
		terminal_duration(part->totals.wall_seconds).text, terminal_duration(part->totals.cpu_seconds).text,
		terminal_figure(UNIT_mib, part->totals.peak_memory_mib).text,
		make_bar(table->terminal, part->totals.cpu_seconds, largest, width, note).text);
}

/* Writes all parts of a small group. For a large group, writes only the parts that stand out. */
static void write_parts(const struct terminal *terminal, const struct group *group)
{
	unsigned used = PART_FIGURES_WIDTH + 2 + longest_note(group);
	unsigned left = terminal->width > used && !group->script ? terminal->width - used : 0;
	unsigned job = terminal_column_width(terminal, JOB_WIDTH, JOB_LEAST, JOB_FIGURES_WIDTH + longest_note(group));
	const struct text_table ranks = TABLE(terminal, {"Rank", TABLE_TEXT, 6, 0}, {"Machine", TABLE_TEXT, 16, 0},
		{"Time", TABLE_FIGURE, 13, 0}, {"CPU", TABLE_FIGURE, 12, 0}, {"Memory", TABLE_FIGURE, 10, 0},
		{"", TABLE_REST, 0, 0});
	const struct text_table runs = TABLE(terminal, {"Run", TABLE_TEXT, job - 1, 0}, {"After", TABLE_FIGURE, 13, 0},
		{"Time", TABLE_FIGURE, 12, 0}, {"CPU", TABLE_FIGURE, 12, 0}, {"Memory", TABLE_FIGURE, 10, 0},
		{"", TABLE_REST, 0, 0});
	const struct text_table *table = group->script ? &runs : &ranks;
	size_t left_out = 0;
	double largest = 0;

	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].again)
			largest = known_larger(largest, group->parts[i].totals.cpu_seconds);
	fputs(group->script ? "" : "\n", terminal->out);
	table_heading(table);
	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		if (part->again)
			continue;
		if (group->runs > BARS_MAX && !part->slow && !part->unfinished)
			left_out++;
		else
			write_part(table, group, part, largest, left < BAR_WIDTH ? left : BAR_WIDTH);
	}
	if (left_out > 0)
		fprintf(terminal->out, "%zu more, neither slow nor failed\n", left_out);
}

static void write_missing(const struct terminal *terminal, const struct group *group)
{
	if (group->missing_count == 0)
		return;
	terminal_colour(terminal, COLOUR_bad);
	fprintf(terminal->out, "\nOf %.0f ranks %zu left no run:", group->of, group->missing_count);
	for (size_t i = 0; i < group->missing_count && i < BARS_MAX; i++)
		fprintf(terminal->out, " %.0f", group->missing[i]);
	fputs(group->missing_count > BARS_MAX ? " ...\n" : "\n", terminal->out);
	terminal_colour(terminal, COLOUR_plain);
}

void group_write_text(const struct terminal *terminal, const struct group *group)
{
	if (!group->script) {
		write_balance(terminal, group);
		write_hosts(terminal, group);
	}
	write_parts(terminal, group);
	write_missing(terminal, group);
}
