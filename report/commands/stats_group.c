/* rtrack-report stats --group ID: what the runs of one job on several nodes used together. */
#include "report/commands/commands.h"

#include "report/figures/stats.h"
#include "report/group/group.h"
#include "report/say/terminal.h"

#include <string.h>

enum { LABEL_WIDTH = 26, FIGURE_WIDTH = 27, BAR_WIDTH = 24, BARS_MAX = 64 };

/* -- JSON ------------------------------------------------------------------------------------------ */

static cJSON *parts_json(const struct group *group)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < group->count; i++) {
		const struct part *part = &group->parts[i];
		cJSON *object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "id", part->run.id);
		json_add_number(object, "rank", part->rank, 0);
		cJSON_AddStringToObject(object, "host", part->run.host);
		cJSON_AddStringToObject(object, "status", part->run.status);
		cJSON_AddBoolToObject(object, "counted", !part->around);
		cJSON_AddBoolToObject(object, "slow", part->slow);
		if (!part->around)
			totals_write_json(&part->totals, cJSON_AddObjectToObject(object, "totals"));
		cJSON_AddItemToArray(list, object);
	}
	return list;
}

static cJSON *hosts_json(const struct group *group)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < group->host_count; i++) {
		const struct group_host *host = &group->hosts[i];
		cJSON *object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "host", host->name);
		cJSON_AddNumberToObject(object, "members", (double)host->parts);
		json_add_number(object, "cpu_seconds", host->cpu_seconds, 6);
		json_add_number(object, "peak_memory_mib", host->peak_memory_mib, 3);
		json_add_number(object, "vcpus", host->vcpus, 2);
		json_add_number(object, "memory_mib", host->machine_memory_mib, 3);
		json_add_number(object, "net_recv_bytes", host->received_bytes, 0);
		json_add_number(object, "net_sent_bytes", host->sent_bytes, 0);
		cJSON_AddItemToArray(list, object);
	}
	return list;
}

static int print_json(const struct group *group, const struct stats *stats)
{
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "group", group->id);
	cJSON_AddStringToObject(json, "job", group->parts[0].run.job);
	cJSON_AddItemToObject(json, "stats", stats_json(stats));
	cJSON *totals = cJSON_AddObjectToObject(json, "totals");
	totals_write_json(&group->totals, totals);
	json_add_number(totals, "sum_of_peaks_mib", group->peak_sum_mib, 3);
	json_add_number(json, "start_time", group->start_time, 3);
	json_add_number(json, "stop_time", group->stop_time, 3);
	json_add_number(json, "start_spread_seconds", group->start_spread, 3);
	json_add_number(json, "stop_spread_seconds", group->stop_spread, 3);
	cJSON *imbalance = cJSON_AddObjectToObject(json, "imbalance");
	json_add_number(imbalance, "cpu_seconds", group->imbalance.cpu, 4);
	json_add_number(imbalance, "peak_memory_mib", group->imbalance.memory, 4);
	json_add_number(imbalance, "wall_seconds", group->imbalance.time, 4);
	json_add_number(json, "of", group->of, 0);
	cJSON_AddItemToObject(
		json, "missing_ranks", cJSON_CreateDoubleArray(group->missing, (int)group->missing_count));
	cJSON_AddItemToObject(json, "hosts", hosts_json(group));
	cJSON_AddItemToObject(json, "members", parts_json(group));
	return json_print(json);
}

/* -- text ------------------------------------------------------------------------------------------ */

static void write_figure(const struct terminal *terminal, const char *label, struct figure figure)
{
	fprintf(terminal->out, "%-*s%*s\n", LABEL_WIDTH, label, FIGURE_WIDTH, figure.text);
}

static void write_ratio(const struct terminal *terminal, const char *label, double ratio)
{
	if (number_known(ratio))
		fprintf(terminal->out, "%-*s%*.2f\n", LABEL_WIDTH, label, FIGURE_WIDTH, ratio);
}

static void write_totals(const struct terminal *terminal, const struct group *group)
{
	const struct totals *totals = &group->totals;

	terminal_colour(terminal, COLOUR_strong);
	(void)terminal_text(terminal, group->id, terminal->width, 0);
	terminal_colour(terminal, COLOUR_plain);
	fprintf(terminal->out, ": %zu runs on %zu machines\n\n", group->counted, group->host_count);
	write_figure(terminal, "Time from start to end", terminal_duration(totals->wall_seconds));
	write_figure(terminal, "CPU time", terminal_duration(totals->cpu_seconds));
	write_figure(terminal, "CPUs used on average", terminal_figure(UNIT_cpus, totals->mean_cpu_usage));
	write_figure(terminal, "Peak memory at one time", terminal_figure(UNIT_mib, totals->peak_memory_mib));
	write_figure(terminal, "Sum of all peaks", terminal_figure(UNIT_mib, group->peak_sum_mib));
	write_figure(terminal, "Read from disk", terminal_figure(UNIT_bytes, totals->disk_read_bytes));
	write_figure(terminal, "Written to disk", terminal_figure(UNIT_bytes, totals->disk_write_bytes));
	write_figure(terminal, "Starts differ by", terminal_duration(group->start_spread));
	write_figure(terminal, "Ends differ by", terminal_duration(group->stop_spread));
	fputs("\nLargest over mean\n", terminal->out);
	write_ratio(terminal, "  CPU time", group->imbalance.cpu);
	write_ratio(terminal, "  peak memory", group->imbalance.memory);
	write_ratio(terminal, "  time", group->imbalance.time);
}

static void write_bar(const struct terminal *terminal, double value, double largest)
{
	int width = value > 0 && largest > 0 ? (int)(value / largest * BAR_WIDTH + 0.5) : 0;

	fputs("  ", terminal->out);
	for (int i = 0; i < width; i++)
		fputs(terminal->utf8 ? "█" : "#", terminal->out);
}

static void write_hosts(const struct terminal *terminal, const struct group *group)
{
	double largest = 0;

	for (size_t i = 0; i < group->host_count; i++)
		largest = known_larger(largest, group->hosts[i].cpu_seconds);
	fprintf(terminal->out, "\n%-18s%6s%13s%11s\n", "Machine", "Runs", "CPU", "Memory");
	for (size_t i = 0; i < group->host_count && i < BARS_MAX; i++) {
		const struct group_host *host = &group->hosts[i];
		terminal_text(terminal, *host->name ? host->name : "unknown", 17, 18);
		fprintf(terminal->out, "%6zu%13s%11s", host->parts, terminal_duration(host->cpu_seconds).text,
			terminal_figure(UNIT_mib, host->peak_memory_mib).text);
		write_bar(terminal, host->cpu_seconds, largest);
		fputc('\n', terminal->out);
	}
}

static void write_part(const struct terminal *terminal, const struct part *part, double largest)
{
	char rank[32] = "-";

	if (number_known(part->rank))
		snprintf(rank, sizeof rank, "%.0f", part->rank);
	fprintf(terminal->out, "%-7s", rank);
	terminal_text(terminal, *part->run.host ? part->run.host : "unknown", 16, 17);
	fprintf(terminal->out, "%13s%13s%11s", terminal_duration(part->totals.wall_seconds).text,
		terminal_duration(part->totals.cpu_seconds).text,
		terminal_figure(UNIT_mib, part->totals.peak_memory_mib).text);
	write_bar(terminal, part->totals.cpu_seconds, largest);
	if (part->slow || part->unfinished)
		fprintf(terminal->out, "  %s%s%s", part->slow ? "slow" : "", part->slow && part->unfinished ? ", " : "",
			part->unfinished ? part->run.status : "");
	fputc('\n', terminal->out);
}

/* All of a small group; of a large one those that stand out. */
static void write_parts(const struct terminal *terminal, const struct group *group)
{
	size_t left_out = 0;
	double largest = 0;

	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].around)
			largest = known_larger(largest, group->parts[i].totals.cpu_seconds);
	fprintf(terminal->out, "\n%-7s%-17s%13s%13s%11s\n", "Rank", "Machine", "Time", "CPU", "Memory");
	for (size_t i = 0; i < group->count; i++) {
		const struct part *part = &group->parts[i];
		if (part->around)
			continue;
		if (group->counted > BARS_MAX && !part->slow && !part->unfinished)
			left_out++;
		else
			write_part(terminal, part, largest);
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
	fputs(group->missing_count > BARS_MAX ? " …\n" : "\n", terminal->out);
	terminal_colour(terminal, COLOUR_plain);
}

static void print_text(const struct group *group)
{
	struct terminal terminal = terminal_of(stdout);

	write_totals(&terminal, group);
	write_hosts(&terminal, group);
	write_parts(&terminal, group);
	write_missing(&terminal, group);
}

int stats_group_command(const struct options *options, const char *spool)
{
	const char *const *spools = options->spool_count > 0 ? options->spools : &spool;
	struct group group;
	struct stats stats;
	int status = EXIT_DONE;

	if (group_read(&group, options->text[OPTION_group], spools,
		    options->spool_count > 0 ? options->spool_count : 1) != 0)
		return EXIT_NO_DATA;
	if (options->json) {
		stats_make(&stats, &group.sum.series, &(struct series){.table = &tables[TABLE_system]},
			group.sum.interval);
		status = exit_of(print_json(&group, &stats));
	} else {
		print_text(&group);
	}
	group_free(&group);
	return status;
}
