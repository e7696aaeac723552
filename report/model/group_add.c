/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what the parts of a group used.
 *
 * Parts are read one at a time, machine by machine, so that at most one part and one machine are in memory besides the
 * sums. */
#include "report/model/exact.h"
#include "report/model/peaks.h"
#include "report/model/runs_peak.h"
#include "report/model/stats.h"
#include "report/model/model.h"
#include "report/model/group.h"
#include "report/model/shortage.h"
#include "report/say/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds. If a part has not ended, the sums contain its rows until this long after the last start of a part. */
static const double LONGEST_UNENDED = 86400;

#define ALL_HOSTS SIZE_MAX /* all machines; used in place of an index into `hosts` */

/* Sums over the parts on one machine. Machines are processed one after another. */
struct machine {
	const struct group_wish *wish;
	struct sum sum;       /* process.csv summed over the machine's parts */
	struct series system; /* system.csv of the part that lasted longest */
	const struct group_part *longest;
	struct totals totals;
	bool finished, died;
};

/* -- a machine ------------------------------------------------------------------------------------- */

/* Returns the index of the machine with the given name. Adds the machine if it is new. */
static size_t host_of(struct group *group, const char *name)
{
	for (size_t i = 0; i < group->host_count; i++)
		if (group->hosts[i].name && strcmp(group->hosts[i].name, name) == 0)
			return i;
	group->hosts[group->host_count] = (struct group_host){.name = name,
		.cpu_seconds = UNKNOWN,
		.peak_memory_mib = UNKNOWN,
		.longest = -1,
		.machine_memory_mib = UNKNOWN,
		.received_bytes = UNKNOWN,
		.sent_bytes = UNKNOWN,
		.start_time = UNKNOWN,
		.stop_time = UNKNOWN,
		.clock_ahead = UNKNOWN};
	return group->host_count++;
}

static double earlier(double a, double b)
{
	return number_known(a) && !(b < a) ? a : b;
}

/* If the part lasted longer than all earlier parts on the machine, moves its system.csv to `machine`. */
static void take_machine(
	struct group_host *host, struct machine *machine, const struct group_part *part, struct series *system)
{
	if (!(part->totals.wall_seconds > host->longest))
		return;
	host->longest = part->totals.wall_seconds;
	host->vcpus = part->run.vcpus;
	host->online = part->run.online;
	host->machine_memory_mib = part->run.machine_memory_mib;
	machine->longest = part;
	series_free(&machine->system);
	machine->system = *system;
	*system = (struct series){.table = system->table};
}

static bool is_of(const struct group_part *part, size_t host)
{
	return !part->within && (host == ALL_HOSTS || part->host == host);
}

/* Sets the memory peaks of one machine or of all machines: the peak of all memory, and the peak of memory that the
 * kernel cannot drop. */
static void set_peaks(
	const struct group *group, size_t host, double cap, const struct series *ticks, struct totals *totals)
{
	const double largest[] = {series_max(ticks, PROCESS_memory_mib), peaks_needed_of_ticks(ticks)};
	struct run_peak *runs = xcalloc(group->count, sizeof *runs);
	size_t count = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		if (is_of(part, host))
			runs[count++] = (struct run_peak){part->run.start_time, part->last_time,
				part->totals.peak_memory_at_least_mib, part->totals.peak_memory_mib,
				part->totals.peak_memory_at_most_mib};
	}
	struct runs_peak all = runs_peak_find(runs, count, &largest[0], cap);
	for (size_t i = 0, k = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		if (is_of(part, host))
			runs[k++] = (struct run_peak){part->run.start_time, part->last_time, part->needed_ticks_mib,
				part->totals.peak_memory_needed_mib, UNKNOWN};
	}
	totals->peak_memory_at_least_mib = all.least_mib;
	totals->peak_memory_at_most_mib = all.most_mib;
	totals->peak_memory_mib = all.peak_mib;
	totals->peak_memory_needed_mib = runs_peak_find(runs, count, &largest[1], all.peak_mib).peak_mib;
	free(runs);
}

/* Computes means and memory peaks from the sums. Means are weighted by the duration of each part. Means over ticks
 * would be wrong, because a part that lived for an instant would be counted for a whole tick. */
static void end_totals(
	const struct group *group, size_t host, double cap, const struct series *ticks, struct totals *totals)
{
	double start = host == ALL_HOSTS ? group->start_time : group->hosts[host].start_time;
	double stop = host == ALL_HOSTS ? group->stop_time : group->hosts[host].stop_time;

	double cpus = 0;

	for (size_t i = 0; i < group->host_count; i++)
		if (host == ALL_HOSTS || host == i)
			cpus += group->hosts[i].online;
	totals_set_wall(totals, start, stop, cpus);
	totals_end(totals);
	set_peaks(group, host, cap, ticks, totals);
	/* The difference of each part may be negligible although the sum of all differences is not. */
	totals->exact_cpu &= exact_is_little(totals->cpu_difference, totals->cpu_seconds);
	totals->exact_memory &= exact_is_bounded(totals->peak_memory_at_least_mib, totals->peak_memory_at_most_mib);
	totals->exact = totals->exact_cpu && totals->exact_memory;
	totals->missing_cpu_seconds_at_most = totals->exact_cpu ? 0 : UNKNOWN;
}

/* -- a part ---------------------------------------------------------------------------------------- */

/* Moves the processes of a part to the group. They must not be searched by pid, because processes on different
 * machines may have the same pid. */
static void take_processes(struct group *group, struct group_part *part, struct model *model)
{
	struct processes *all = &group->processes, *from = &model->processes;

	all->items = xreallocarray(all->items, all->count + from->count, sizeof *all->items);
	for (size_t i = 0; i < from->count; i++) {
		struct process *process = &all->items[all->count + i];
		*process = from->items[i];
		/* If the bytes of a run are unknown, the totals of the group exclude them. The usage by program must
		 * exclude them too. */
		if (!number_known(part->totals.disk_read_bytes))
			process->last.read_bytes = process->sampled.read_bytes = UNKNOWN;
		if (!number_known(part->totals.disk_write_bytes))
			process->last.write_bytes = process->sampled.write_bytes = UNKNOWN;
	}
	part->first_process = all->count;
	part->process_count = from->count;
	all->count += from->count;
	all->unseen += from->unseen;
	all->members_read = all->samples_added = true;
	from->count = 0;
}

/* Returns the time when all processes of the part had ended, or INFINITY if some are still running. Sampling
 * continues while any process is alive, so the last row may be later than the end of the root. */
static double last_time(const struct run *run, const struct series *process)
{
	if (run->goes_on || !number_known(run->stop_time))
		return INFINITY;
	return known_larger(run->stop_time, series_last(process, PROCESS_timestamp));
}

/* Sets the figures of one run of a group. The caller frees the model. */
static void read_figures(struct group_part *part, struct model *model, const struct model_wish *wish)
{
	model_read(model, &part->run, wish);
	part->totals = model->totals;
	part->needed_ticks_mib = peaks_needed_of_ticks(&model->process);
	part->gpu_seconds = efficiency_gpu_seconds(&part->totals, &part->run, &model->process);
	part->last_time = last_time(&part->run, &model->process);
	part->limit_mib = series_max(&model->system, SYSTEM_cgroup_memory_limit_mib);
	if (part->unfinished) {
		part->outcome = model->outcome;
		part->died = shortage_is_death(&model->shortage);
	}
}

/* Reads the parts that others include, so that they can be compared with each other. */
static void read_within(struct group *group)
{
	const struct model_wish wish = {.process_columns = 0};
	struct model model;

	for (size_t i = 0; i < group->count; i++) {
		struct group_part *part = &group->parts[i];
		if (!part->within || part->again)
			continue;
		read_figures(part, &model, &wish);
		model_free(&model);
	}
}

static void read_part(struct group *group, struct group_part *part, struct machine *machine)
{
	const struct model_wish wish = {
		.process_columns = machine->wish->process_columns | stats_columns(TABLE_process),
		.system_columns =
			machine->wish->system_columns | stats_columns(TABLE_system) | use_columns(TABLE_system),
	};
	struct model model;

	read_figures(part, &model, &wish);
	machine->finished &= part->retried || strcmp(part->run.status, "finished") == 0;
	machine->died |= part->died;
	totals_add(&group->totals, &part->totals);
	totals_add(&machine->totals, &part->totals);
	known_add(&group->peak_sum_mib, part->totals.peak_memory_mib);
	struct group_host *host = &group->hosts[part->host];
	host->parts++;
	known_add(&host->cpu_seconds, part->totals.cpu_seconds);
	host->start_time = earlier(host->start_time, part->run.start_time);
	host->stop_time = known_larger(host->stop_time, part->run.stop_time);
	sum_add(&group->sum, &model.process, part->run.start_time, part->last_time);
	sum_add(&machine->sum, &model.process, part->run.start_time, part->last_time);
	if (part->of_machine) {
		sum_add(&group->machine, &model.system, part->run.start_time, part->last_time);
		known_add(&host->received_bytes, series_sum(&model.system, SYSTEM_net_recv_bytes));
		known_add(&host->sent_bytes, series_sum(&model.system, SYSTEM_net_sent_bytes));
	}
	if (machine->wish->as_run)
		take_processes(group, part, &model);
	take_machine(host, machine, part, &model.system);
	model_free(&model);
}

/* -- usage for the next request ---------------------------------------------------------------------- */

/* Raises each figure of the group's usage to the figure of this machine if it is larger. */
static void take_use(struct group *group, const struct machine *machine, const struct group_host *host)
{
	struct run run = machine->longest->run;
	struct model model = {
		.run = &run, .process = machine->sum.series, .system = machine->system, .totals = machine->totals};
	struct use use, *most = &group->use;

	run.start_time = group->start_time;
	run.stop_time = host->stop_time;
	run.interval = group->sum.interval;
	model_of_many(&model, 0);
	use_make(&use, &model);
	use.end = machine->died ? USE_DIED : machine->finished ? USE_FINISHED : USE_FAILED;
	if (!number_known(most->peak_mib)) {
		*most = use;
		return;
	}
	use_take_most(most, &use);
}

/* -- all ------------------------------------------------------------------------------------------- */

static int read_host(struct group *group, size_t host, const struct group_wish *wish)
{
	struct machine machine = {.wish = wish, .totals = totals_begin(), .finished = true};
	uint64_t columns = PEAKS_NEEDED_COLUMNS | (wish->as_run ? use_columns(TABLE_process) : 0);

	if (sum_begin(&machine.sum, TABLE_process, group->start_time, group->stop_time, group->sum.interval, columns) !=
		0)
		return -1;
	machine.system.table = &tables[TABLE_system];
	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].within && group->parts[i].host == host)
			read_part(group, &group->parts[i], &machine);
	struct group_host *of = &group->hosts[host];
	end_totals(group, host, of->machine_memory_mib, &machine.sum.series, &machine.totals);
	of->peak_memory_mib = machine.totals.peak_memory_mib;
	of->peak_bound_mib = machine.totals.peak_memory_at_most_mib;
	if (machine.longest && wish->as_run)
		take_use(group, &machine, of);
	series_free(&machine.system);
	sum_free(&machine.sum);
	return 0;
}

static double length_of(const struct run *run)
{
	return known_first(run->stop_time, INFINITY) - run->start_time;
}

static int by_length(const void *a, const void *b)
{
	double x = length_of(&(*(struct group_part *const *)a)->run),
	       y = length_of(&(*(struct group_part *const *)b)->run);
	return ORDER(y, x);
}

static bool are_together(const struct group_part *a, const struct group_part *b)
{
	return a->host == b->host && a->run.start_time < known_first(b->run.stop_time, INFINITY) &&
	       b->run.start_time < known_first(a->run.stop_time, INFINITY);
}

/* Chooses the parts whose system.csv is used for their machine: the longest part, then each part that overlaps no
 * chosen part. */
static void choose_speakers(struct group *group)
{
	struct group_part **parts = xcalloc(group->count, sizeof(struct group_part *));
	size_t count = 0, chosen = 0;

	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].within)
			parts[count++] = &group->parts[i];
	array_sort_pointers(parts, count, by_length);
	for (size_t i = 0; i < count; i++) {
		size_t other = 0;
		while (other < chosen && !are_together(parts[other], parts[i]))
			other++;
		parts[i]->of_machine = other == chosen;
		if (other == chosen)
			parts[chosen++] = parts[i];
	}
	free(parts);
}

/* Returns the end of the group. If a part is still running, returns an upper bound, and group_add_up later removes
 * the ticks without data. */
static double find_stop(const struct group *group, double last_start, double last_stop)
{
	for (size_t i = 0; i < group->count; i++)
		if (!group->parts[i].within && !number_known(group->parts[i].run.stop_time))
			return known_larger(last_stop, fmin(last_start + LONGEST_UNENDED, (double)time(NULL) + 1));
	return last_stop;
}

/* Finds the time range of all parts and the coarsest interval, and creates empty sums. */
static int begin_sums(struct group *group, const struct group_wish *wish)
{
	double first[2] = {UNKNOWN, UNKNOWN}, last[2] = {UNKNOWN, UNKNOWN}, interval = UNKNOWN;

	for (size_t i = 0; i < group->count; i++) {
		const struct run *run = &group->parts[i].run;
		if (group->parts[i].within)
			continue;
		group->counted++;
		double times[] = {run->start_time, run->stop_time};
		for (int at = 0; at < 2; at++) {
			first[at] = number_known(times[at]) ? earlier(first[at], times[at]) : first[at];
			last[at] = known_larger(last[at], times[at]);
		}
		interval = known_larger(interval, run->interval);
	}
	group->start_time = first[0];
	group->start_spread = last[0] - first[0];
	group->stop_spread = last[1] - first[1];
	group->stop_time = find_stop(group, last[0], last[1]);
	if (sum_begin(&group->sum, TABLE_process, group->start_time, group->stop_time, interval,
		    stats_columns(TABLE_process) | PEAKS_NEEDED_COLUMNS | wish->process_columns) != 0)
		return -1;
	return sum_begin(&group->machine, TABLE_system, group->start_time, group->stop_time, interval,
		stats_columns(TABLE_system) | wish->system_columns);
}

/* Removes ticks at the end in which the column is unknown. */
static void cut(struct sum *sum, int column)
{
	const double *values = sum->series.columns[column];

	while (values && sum->series.rows > 1 && !number_known(values[sum->series.rows - 1]))
		sum->series.rows--;
}

/* Returns whether the sum of the machines' control group limits is a limit for all parts together. This is the case
 * if all parts have the same limit and the parts of each machine share one control group. */
static bool have_common_limit(const struct group *group)
{
	double limit = UNKNOWN;

	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		if (part->within)
			continue;
		bool alone = part->run.cgroup_shared == 0 && group->hosts[part->host].parts > 1;
		limit = known_first(limit, part->limit_mib);
		if (alone || part->limit_mib != limit)
			return false;
	}
	return true;
}

/* Removes the limits, because limits of single parts do not limit all parts together. */
static void forget_limit(struct series *machine)
{
	double *limits = machine->columns[SYSTEM_cgroup_memory_limit_mib];

	for (size_t row = 0; limits && row < machine->rows; row++)
		limits[row] = UNKNOWN;
}

int group_add_up(struct group *group, const struct group_wish *wish)
{
	group->totals = totals_begin();
	group->peak_sum_mib = UNKNOWN;
	group->use.peak_mib = UNKNOWN;
	if (begin_sums(group, wish) != 0)
		return -1;
	group->hosts = xcalloc(group->count, sizeof *group->hosts);
	for (size_t i = 0; i < group->count; i++)
		group->parts[i].host = group->parts[i].within ? SIZE_MAX : host_of(group, group->parts[i].run.host);
	choose_speakers(group);
	read_within(group);
	for (size_t host = 0; host < group->host_count; host++)
		if (read_host(group, host, wish) != 0)
			return -1;
	cut(&group->sum, PROCESS_memory_mib);
	sum_fill_gaps(&group->sum);
	if (group->machine.series.rows > group->sum.series.rows)
		group->machine.series.rows = group->sum.series.rows;
	if (!have_common_limit(group))
		forget_limit(&group->machine.series);
	double last = series_value(&group->sum.series, PROCESS_timestamp, group->sum.series.rows - 1);
	double known = UNKNOWN;
	for (size_t host = 0; host < group->host_count; host++)
		known = known_larger(known, group->hosts[host].stop_time);
	if (!(group->stop_time <= known))
		group->stop_time = known_larger(known, fmin(group->stop_time, last));
	double cap = 0;
	for (size_t host = 0; host < group->host_count; host++)
		cap += group->hosts[host].peak_bound_mib;
	totals_take_ticks(&group->totals, &group->sum.series);
	end_totals(group, ALL_HOSTS, cap, &group->sum.series, &group->totals);
	sum_cap(&group->sum, PROCESS_memory_mib, group->totals.peak_memory_mib);
	return 0;
}
