/* A group; see group.h. */
#include "report/group/group.h"

#include "report/figures/stats.h"
#include "report/figures/summary.h"
#include "report/say/message.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SLOW = 1.25, SLOW_SECONDS = 1;
enum { RANKS_MAX = 1 << 20 };

/* -- runs ------------------------------------------------------------------------------------------ */

static int add_part(struct group *group, const struct run *run)
{
	if ((group->count & (group->count - 1)) == 0) {
		size_t capacity = group->count == 0 ? 1 : group->count * 2;
		struct part *parts = realloc(group->parts, capacity * sizeof *parts);
		if (!parts)
			return -1;
		group->parts = parts;
	}
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(run->json, "member");
	group->parts[group->count++] = (struct part){.run = *run,
		.rank = json_double(member, "rank"),
		.unfinished = strcmp(run->status, "finished") != 0 && strcmp(run->status, "running") != 0};
	group->of = known_larger(group->of, json_double(member, "of"));
	return 0;
}

static int find_parts(struct group *group, const char *spool)
{
	const struct choice choice = {.group = group->id, .labels = "", .since = UNKNOWN};
	struct runs runs;
	struct run run;
	int result = 0;

	if (runs_list(&runs, spool) != 0) {
		message_cannot_read(spool, errno);
		return -1;
	}
	while (result == 0 && runs_next(&runs, &run)) {
		if (!choice_has(&choice, &run)) {
			run_close(&run);
		} else if ((result = add_part(group, &run)) != 0) {
			run_close(&run);
			message_print("no memory");
		}
	}
	runs_free(&runs);
	return result;
}

static int by_rank(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	if (number_known(x->rank) != number_known(y->rank))
		return number_known(x->rank) ? -1 : 1;
	if (x->rank != y->rank && number_known(x->rank))
		return x->rank < y->rank ? -1 : 1;
	return (x->run.start_time > y->run.start_time) - (x->run.start_time < y->run.start_time);
}

struct named {
	const char *id;
	struct part *part;
};

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->id, ((const struct named *)b)->id);
}

/* Marks the parts in which others run. The same run may be in two spools, or in one that was named twice: once is
 * enough. */
static int mark_around(struct group *group)
{
	struct named *sorted = calloc(group->count, sizeof *sorted);

	if (!sorted)
		return -1;
	for (size_t i = 0; i < group->count; i++)
		sorted[i] = (struct named){group->parts[i].run.id, &group->parts[i]};
	qsort(sorted, group->count, sizeof *sorted, by_id);
	for (size_t i = 1; i < group->count; i++)
		if (strcmp(sorted[i - 1].id, sorted[i].id) == 0)
			sorted[i].part->around = true;
	for (size_t i = 0; i < group->count; i++) {
		struct named wanted = {.id = json_string(group->parts[i].run.json, "parent")};
		struct named *found = bsearch(&wanted, sorted, group->count, sizeof *sorted, by_id);
		if (found)
			found->part->around = true;
	}
	free(sorted);
	return 0;
}

/* -- what they used -------------------------------------------------------------------------------- */

/* The first machine of that name, or a new one. */
static size_t host_of(struct group *group, const char *name)
{
	for (size_t i = 0; i < group->host_count; i++)
		if (group->hosts[i].name && strcmp(group->hosts[i].name, name) == 0)
			return i;
	group->hosts[group->host_count] =
		(struct group_host){.name = name, .cpu_seconds = UNKNOWN, .peak_memory_mib = UNKNOWN, .longest = -1};
	return group->host_count++;
}

static void add_to_host(struct group *group, const struct part *part, const struct summary *summary)
{
	struct group_host *host = &group->hosts[part->host];

	host->parts++;
	known_add(&host->cpu_seconds, part->totals.cpu_seconds);
	if (!(part->totals.wall_seconds > host->longest))
		return;
	host->longest = part->totals.wall_seconds;
	host->vcpus = part->run.vcpus;
	host->machine_memory_mib = part->run.machine_memory_mib;
	host->received_bytes = series_sum(&summary->system, SYSTEM_net_recv_bytes);
	host->sent_bytes = series_sum(&summary->system, SYSTEM_net_sent_bytes);
}

static void add_totals(struct group *group, const struct totals *part)
{
	struct totals *all = &group->totals;

	known_add(&all->cpu_seconds, part->cpu_seconds);
	known_add(&all->user_seconds, part->user_seconds);
	known_add(&all->system_seconds, part->system_seconds);
	known_add(&all->disk_read_bytes, part->disk_read_bytes);
	known_add(&all->disk_write_bytes, part->disk_write_bytes);
	known_add(&all->processes, part->processes);
	known_add(&group->peak_sum_mib, part->peak_memory_mib);
	all->peak_memory_bound_mib += part->peak_memory_bound_mib;
	all->missing_seconds += part->missing_seconds;
	all->largest_process_mib = known_larger(all->largest_process_mib, part->largest_process_mib);
	all->peak_memory_mib = known_larger(all->peak_memory_mib, part->peak_memory_mib);
	all->unseen += part->unseen;
	all->whole &= part->whole;
	all->exact_cpu &= part->exact_cpu;
}

static int read_part(struct group *group, struct part *part, struct sum *of_host)
{
	struct summary summary;
	uint64_t machine = SERIES_COLUMN(SYSTEM_net_recv_bytes) | SERIES_COLUMN(SYSTEM_net_sent_bytes);

	if (summary_read(&summary, &part->run, stats_columns(TABLE_process), machine) != 0)
		return -1;
	part->totals = summary.totals;
	add_to_host(group, part, &summary);
	add_totals(group, &part->totals);
	sum_add(&group->sum, &summary.process, part->run.start_time);
	sum_add(of_host, &summary.process, part->run.start_time);
	summary_free(&summary);
	return 0;
}

/* Reads the parts of one machine after another, so that one sum for a machine is enough. */
static int read_host(struct group *group, size_t host)
{
	struct sum sum;
	int result = sum_begin(
		&sum, group->start_time, group->stop_time, group->sum.interval, SERIES_COLUMN(PROCESS_memory_mib));

	if (result != 0) {
		message_print("no memory");
		return -1;
	}
	for (size_t i = 0; result == 0 && i < group->count; i++)
		if (!group->parts[i].around && group->parts[i].host == host)
			result = read_part(group, &group->parts[i], &sum);
	group->hosts[host].peak_memory_mib = series_max(&sum.series, PROCESS_memory_mib);
	sum_free(&sum);
	return result;
}

/* The time in which all of it lies, and the coarsest interval. */
static int begin_sum(struct group *group)
{
	double first[2] = {UNKNOWN, UNKNOWN}, last[2] = {UNKNOWN, UNKNOWN}, interval = UNKNOWN;

	for (size_t i = 0; i < group->count; i++) {
		const struct run *run = &group->parts[i].run;
		if (group->parts[i].around)
			continue;
		group->counted++;
		double times[] = {run->start_time, run->stop_time};
		for (int at = 0; at < 2; at++) {
			first[at] = number_known(times[at]) ? fmin(known_first(first[at], times[at]), times[at])
							    : first[at];
			last[at] = known_larger(last[at], times[at]);
		}
		interval = known_larger(interval, run->interval);
	}
	group->start_time = first[0];
	group->start_spread = last[0] - first[0];
	group->stop_spread = last[1] - first[1];
	/* Of those that go on nobody knows an end: their rows are counted up to the last of those that have one. */
	group->stop_time = known_first(last[1], last[0] + 86400);
	if (sum_begin(&group->sum, group->start_time, group->stop_time, interval, stats_columns(TABLE_process)) == 0)
		return 0;
	message_print("cannot add up '%s': %s", group->id, strerror(errno));
	return -1;
}

/* -- how they compare ------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Returns the largest over the mean, and the median in *median; `values` is sorted. */
static double compare_values(double *values, size_t count, double *median)
{
	double sum = 0;

	*median = UNKNOWN;
	if (count == 0)
		return UNKNOWN;
	qsort(values, count, sizeof *values, by_value);
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	*median = (values[count / 2] + values[(count - 1) / 2]) / 2;
	return sum > 0 ? values[count - 1] / (sum / (double)count) : UNKNOWN;
}

static bool is_slow(double value, double median)
{
	return value > median * SLOW && value > median + SLOW_SECONDS;
}

static int compare_parts(struct group *group)
{
	double *values[3], median[3];
	size_t counts[3] = {0};
	double *space = calloc(3 * group->count, sizeof *space);

	if (!space)
		return -1;
	for (int i = 0; i < 3; i++)
		values[i] = space + (size_t)i * group->count;
	for (size_t i = 0; i < group->count; i++) {
		const struct totals *totals = &group->parts[i].totals;
		double of[] = {totals->cpu_seconds, totals->peak_memory_mib, totals->wall_seconds};
		for (int kind = 0; kind < 3 && !group->parts[i].around; kind++)
			if (number_known(of[kind]))
				values[kind][counts[kind]++] = of[kind];
	}
	group->imbalance.cpu = compare_values(values[0], counts[0], &median[0]);
	group->imbalance.memory = compare_values(values[1], counts[1], &median[1]);
	group->imbalance.time = compare_values(values[2], counts[2], &median[2]);
	for (size_t i = 0; i < group->count; i++)
		group->parts[i].slow =
			!group->parts[i].around && (is_slow(group->parts[i].totals.cpu_seconds, median[0]) ||
							   is_slow(group->parts[i].totals.wall_seconds, median[2]));
	free(space);
	return 0;
}

/* Parts are in the order of their ranks. */
static int find_missing(struct group *group)
{
	size_t at = 0;

	if (!(group->of >= 1 && group->of <= RANKS_MAX))
		return 0;
	group->missing = calloc((size_t)group->of, sizeof *group->missing);
	if (!group->missing)
		return -1;
	for (int rank = 0; rank < (int)group->of; rank++) {
		while (at < group->count && group->parts[at].rank < rank)
			at++;
		if (at == group->count || group->parts[at].rank != rank)
			group->missing[group->missing_count++] = rank;
	}
	return 0;
}

static int add_up(struct group *group)
{
	struct totals *all = &group->totals;

	*all = (struct totals){.cpu_seconds = UNKNOWN,
		.user_seconds = UNKNOWN,
		.system_seconds = UNKNOWN,
		.peak_memory_mib = UNKNOWN,
		.largest_process_mib = UNKNOWN,
		.processes = UNKNOWN,
		.disk_read_bytes = UNKNOWN,
		.disk_write_bytes = UNKNOWN,
		.whole = true,
		.exact_cpu = true};
	group->peak_sum_mib = UNKNOWN;
	group->hosts = calloc(group->count, sizeof *group->hosts);
	if (!group->hosts)
		return -1;
	for (size_t i = 0; i < group->count; i++)
		group->parts[i].host = group->parts[i].around ? SIZE_MAX : host_of(group, group->parts[i].run.host);
	for (size_t host = 0; host < group->host_count; host++)
		if (read_host(group, host) != 0)
			return -1;
	all->wall_seconds = group->stop_time - group->start_time;
	all->mean_cpu_usage = all->wall_seconds > 0 ? all->cpu_seconds / all->wall_seconds : UNKNOWN;
	all->peak_memory_mib = known_larger(all->peak_memory_mib, series_max(&group->sum.series, PROCESS_memory_mib));
	/* Of the moment between two ticks nobody tells, unless the bound of all is no larger. */
	all->exact_memory = all->whole && all->peak_memory_bound_mib <= all->peak_memory_mib;
	all->exact = all->exact_cpu && all->exact_memory;
	return 0;
}

int group_read(struct group *group, const char *id, const char *const *spools, size_t spool_count)
{
	*group = (struct group){.id = id, .of = UNKNOWN};
	for (size_t i = 0; i < spool_count; i++)
		if (find_parts(group, spools[i]) != 0) {
			group_free(group);
			return -1;
		}
	if (group->count == 0) {
		message_print("no run of the group '%s' in '%s'%s", id, spools[0],
			spool_count > 1 ? " and the other spools" : "");
		group_free(group);
		return -1;
	}
	qsort(group->parts, group->count, sizeof *group->parts, by_rank);
	if (mark_around(group) != 0 || begin_sum(group) != 0 || add_up(group) != 0 || compare_parts(group) != 0 ||
		find_missing(group) != 0) {
		group_free(group);
		return -1;
	}
	return 0;
}

void group_free(struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		run_close(&group->parts[i].run);
	free(group->parts);
	free(group->hosts);
	free(group->missing);
	sum_free(&group->sum);
	*group = (struct group){0};
}
