/* The totals of a run; see totals.h. */
#include "report/figures/totals.h"

#include "core/number.h"
#include "report/figures/tree_peak.h"

#include <math.h>

/* The last timestamp in any table of a run that has no stop_time. */
static double last_time(const struct series *process, const struct series *system, const struct processes *processes)
{
	double last = known_larger(series_last(process, PROCESS_timestamp), series_last(system, SYSTEM_timestamp));
	for (size_t i = 0; i < processes->count; i++) {
		last = known_larger(last, processes->items[i].start_time);
		last = known_larger(last, processes->items[i].end_time);
	}
	return last;
}

static double first_time(const struct series *process, const struct processes *processes)
{
	double first = process->rows > 0 ? series_value(process, PROCESS_timestamp, 0) : UNKNOWN;
	for (size_t i = 0; i < processes->count; i++)
		if (!(processes->items[i].start_time >= first))
			first = processes->items[i].start_time;
	return first;
}

/* What the process used after its last row of member.csv; at least 0, as the two figures are rounded differently. */
static double beyond(double last, double sampled)
{
	if (!number_known(sampled))
		return last;
	return last > sampled ? last - sampled : number_known(last) ? 0 : UNKNOWN;
}

static void add_later_exits(struct totals *totals, const struct processes *processes, double last_row)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (!(process->end_time > last_row))
			continue;
		known_add(&totals->user_seconds, beyond(process->last.user_seconds, process->sampled.user_seconds));
		known_add(
			&totals->system_seconds, beyond(process->last.system_seconds, process->sampled.system_seconds));
		known_add(&totals->disk_read_bytes, beyond(process->last.read_bytes, process->sampled.read_bytes));
		known_add(&totals->disk_write_bytes, beyond(process->last.write_bytes, process->sampled.write_bytes));
	}
}

/* The largest process by its own record or by the kernel's figure for reaped children, which also counts those without
 * a record. That figure may be the memory with which a child was forked; then the process that forked it was as
 * large. */
static double largest_process(const struct run *run, const struct processes *processes)
{
	double largest = run->reaped_peak_mib;
	for (size_t i = 0; i < processes->count; i++) {
		largest = known_larger(largest, process_best_usage(&processes->items[i]).peak_memory_mib);
		largest = known_larger(largest, processes->items[i].children_peak_mib);
	}
	return largest;
}

/* What a process whose end is not exact may have used beyond its last figures: what its exit row tells, or all CPUs
 * from when it was last seen to its end. */
static double missing_of(const struct process *process, const struct run *run, double stop)
{
	double seen = known_first(process->seen_time, process->start_time);
	double end = known_first(process->end_time, stop);

	if (process->exact)
		return 0;
	return known_first(process->missing_seconds, fmax(end - seen, 0) * run->vcpus);
}

/* The sum over all such processes, but no more than the whole machine can have given. */
static double missing_at_most(
	const struct processes *processes, const struct run *run, const struct totals *totals, double stop)
{
	double after = run_is_lost(run) ? 2 * run->interval : 0;
	double sum = 0;
	for (size_t i = 0; i < processes->count; i++)
		sum += missing_of(&processes->items[i], run, stop + after);
	double left = (totals->wall_seconds + after) * run->vcpus - totals->cpu_seconds;
	return left < sum ? fmax(left, 0) : sum;
}

/* Whether the sampler missed the end of some process, so that nothing bounds what is missing. */
static bool lacks_bound(const struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		if (!processes->items[i].exact && !number_known(processes->items[i].missing_seconds))
			return true;
	return false;
}

int totals_make(struct totals *totals, const struct run *run, const struct series *process, const struct series *system,
	struct processes *processes)
{
	struct totals sums = {
		.user_seconds = series_sum(process, PROCESS_utime),
		.system_seconds = series_sum(process, PROCESS_stime),
		.disk_read_bytes = series_sum(process, PROCESS_disk_read_bytes),
		.disk_write_bytes = series_sum(process, PROCESS_disk_write_bytes),
		.tracker_seconds = series_sum(system, SYSTEM_tracker_cpu),
		.unseen = processes->unseen,
		.exact = run_ended(run) && processes->unseen == 0 && processes->count > 0 && process->rows > 0 &&
			 process->left_out == 0,
		.cpu_seconds = UNKNOWN,
	};
	bool living = run->status[0] == 'r';

	bool cut_off = process->rows == 0 || (!living && !run_ended(run)) || run_is_lost(run);

	if ((cut_off || (!living && lacks_bound(processes))) && processes_add_members(processes, run->directory) != 0)
		return -1;
	if (cut_off) {
		double last_row = series_last(process, PROCESS_timestamp);
		add_later_exits(&sums, processes, number_known(last_row) ? last_row : -INFINITY);
	}
	known_add(&sums.cpu_seconds, sums.user_seconds);
	known_add(&sums.cpu_seconds, sums.system_seconds);
	double start = number_known(run->start_time) ? run->start_time : first_time(process, processes);
	double stop = number_known(run->stop_time) ? run->stop_time : last_time(process, system, processes);
	sums.wall_seconds = stop >= start ? stop - start : number_known(stop - start) ? 0 : UNKNOWN;
	sums.mean_cpu_usage = sums.wall_seconds > 0 ? sums.cpu_seconds / sums.wall_seconds : UNKNOWN;
	sums.largest_process_mib = largest_process(run, processes);
	sums.peak_memory_mib = known_larger(series_max(process, PROCESS_memory_mib), sums.largest_process_mib);
	sums.processes = known_larger((double)processes->count, series_max(process, PROCESS_members));
	sums.missing_seconds = missing_at_most(processes, run, &sums, stop);
	if (tree_peak_bound(processes, stop, sums.largest_process_mib, &sums.peak_memory_bound_mib) != 0)
		return -1;
	sums.peak_memory_bound_mib = known_larger(sums.peak_memory_bound_mib, sums.peak_memory_mib);
	*totals = sums;
	return 0;
}

void totals_write_json(const struct totals *totals, cJSON *object)
{
	json_add_number(object, "wall_seconds", totals->wall_seconds, 3);
	json_add_number(object, "cpu_seconds", totals->cpu_seconds, 6);
	json_add_number(object, "user_seconds", totals->user_seconds, 6);
	json_add_number(object, "system_seconds", totals->system_seconds, 6);
	json_add_number(object, "mean_cpu_usage", totals->mean_cpu_usage, 4);
	json_add_number(object, "peak_memory_mib", totals->peak_memory_mib, 3);
	json_add_number(object, "peak_memory_at_least_mib", totals->peak_memory_mib, 3);
	json_add_number(object, "peak_memory_at_most_mib", totals->peak_memory_bound_mib, 3);
	json_add_number(object, "peak_process_memory_mib", totals->largest_process_mib, 3);
	json_add_number(object, "processes", totals->processes, 0);
	json_add_number(object, "disk_read_bytes", totals->disk_read_bytes, 0);
	json_add_number(object, "disk_write_bytes", totals->disk_write_bytes, 0);
	cJSON_AddBoolToObject(object, "exact", totals->exact);
	json_add_number(object, "ended_unseen", (double)totals->unseen, 0);
	json_add_number(object, "missing_cpu_seconds_at_most", totals->missing_seconds, 3);
}
