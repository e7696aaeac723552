/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the totals of a run. */
#include "report/model/totals.h"

#include "core/number.h"
#include "report/model/exact.h"
#include "report/model/own_bytes.h"
#include "report/model/peaks.h"

#include <string.h>

/* The CPU time of the records may exceed the CPU time of the rows by this much, because a process writes its exit
 * record after the last row. */
static const double LATE_SECONDS = 0.02, LATE_PART = 0.01;
static const double TICK_SECONDS = 0.25; /* seconds; longest time that the sampler needs for one tick */
enum { LITTLE_ROWS = 100 };

/* Returns the last timestamp in any table, which is the end of a run without stop_time. */
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

/* Returns whether a process ended clearly after the last row of process.csv. Exit rows are normally written shortly
 * after that row. */
static bool has_later_end(const struct processes *processes, double last_row)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->items[i].end_time > last_row + TICK_SECONDS)
			return true;
	return false;
}

/* Returns the number of processes that are still running although the root has ended. */
static size_t count_living(const struct run *run, const struct processes *processes)
{
	size_t count = 0;

	for (size_t i = 0; run->goes_on && i < processes->count; i++)
		count += process_lives_on(&processes->items[i]);
	return count;
}

/* Returns the number of processes that ended without an exit record. While the run is running, a process without an
 * exit record is still alive, and so is a process that wrote its exit record too early. */
static size_t count_unseen(const struct run *run, const struct processes *processes, size_t living)
{
	size_t count = 0;

	if (!run_is_running(run))
		return processes->unseen - living;
	for (size_t i = 0; i < processes->count; i++)
		count += !processes->items[i].exact && number_known(processes->items[i].end_time) &&
			 processes->items[i].source != SOURCE_SELF;
	return count;
}

void totals_take_ticks(struct totals *totals, const struct series *process)
{
	totals->peak_memory_at_least_mib =
		known_larger(totals->peak_memory_at_least_mib, series_max(process, PROCESS_memory_mib));
	totals->peak_swap_mib = known_larger(totals->peak_swap_mib, series_max(process, PROCESS_swap_mib));
	totals->peak_tmpfs_mib = known_larger(totals->peak_tmpfs_mib, series_max(process, PROCESS_tmpfs_mib));
}

/* Returns the CPU time of the root and of all children that it reaped, including children without a record. Sets
 * *ours to the tracker's own CPU time in earlier programs of the root, which the result may include. */
static struct process_figures root_account(const struct run *run, const struct processes *processes, double *ours)
{
	struct process_figures told = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *root = &processes->items[i];
		if ((double)root->id.pid != json_double(run->json, "pid") || !root->exact)
			continue;
		told.user_seconds =
			root->last.user_seconds + root->children_user_seconds - root->before_children_user_seconds;
		told.system_seconds = root->last.system_seconds + root->children_system_seconds -
				      root->before_children_system_seconds;
		*ours = known_first(root->image_tracker, 0);
	}
	return told;
}

static struct process_figures sum_of_records(const struct processes *processes)
{
	struct process_figures all = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};

	for (size_t i = 0; i < processes->count; i++) {
		struct process_figures own = process_best_usage(&processes->items[i]);
		known_add(&all.user_seconds, own.user_seconds);
		known_add(&all.system_seconds, own.system_seconds);
		known_add(&all.read_bytes, own.read_bytes);
		known_add(&all.write_bytes, own.write_bytes);
	}
	return all;
}

/* Raises the bytes of the run to the sum over its programs, because a program cannot read or write more than its
 * run. If there are rows but none has the column, the bytes remain unknown. */
static void raise_bytes(struct totals *sums, struct process_figures told, bool no_rows)
{
	if (no_rows || number_known(sums->disk_read_bytes))
		sums->disk_read_bytes = known_larger(sums->disk_read_bytes, told.read_bytes);
	if (no_rows || number_known(sums->disk_write_bytes))
		sums->disk_write_bytes = known_larger(sums->disk_write_bytes, told.write_bytes);
}

/* If the CPU time of the records exceeds the CPU time of the rows by more than `late` seconds, replaces the totals
 * by those of the records and returns true. */
static bool raise_to(struct totals *sums, struct process_figures told, double late)
{
	double rows = known_first(sums->user_seconds, 0) + known_first(sums->system_seconds, 0);

	if (!(told.user_seconds + told.system_seconds > rows + late))
		return false;
	sums->user_seconds = told.user_seconds;
	sums->system_seconds = told.system_seconds;
	sums->disk_read_bytes = known_larger(sums->disk_read_bytes, told.read_bytes);
	sums->disk_write_bytes = known_larger(sums->disk_write_bytes, told.write_bytes);
	return true;
}

/* Returns whether the sampler could not read the root in /proc. */
static bool root_is_unread(const struct run *run)
{
	return json_double(cJSON_GetObjectItemCaseSensitive(run->json, "tracker"), "start_ticks") == 0;
}

/* Replaces the totals of the rows by those of the records if the records clearly exceed the rows, or if the sampler was
 * killed (`cut_off`) and they exceed the rows at all. Rows are then missing, or the sampler could not read the
 * processes. Returns whether CPU time was missing from the rows. */
static bool raise_to_records(
	struct totals *sums, const struct run *run, const struct processes *processes, bool cut_off)
{
	double rows = known_first(sums->user_seconds, 0) + known_first(sums->system_seconds, 0);
	double late = LATE_SECONDS + LATE_PART * rows + known_first(sums->tracker_seconds, 0);
	double ours = 0;
	struct process_figures account = root_account(run, processes, &ours);
	bool no_rows = !number_known(sums->user_seconds);
	bool missed = raise_to(sums, account, late + ours);
	struct process_figures told = sum_of_records(processes);
	bool clearly = told.user_seconds + told.system_seconds > rows + late;

	raise_bytes(sums, told, no_rows);
	if (!cut_off && !clearly)
		return missed;
	return (raise_to(sums, told, 0) && clearly) || missed;
}

/* Returns the time-weighted mean of memory. If the root was not started by rtrack-run, the last row may be read
 * after the root has freed its memory. If the row before has more memory, it replaces the last row. */
static double mean_memory(const struct series *process, double start)
{
	double mean = series_time_mean(process, PROCESS_memory_mib, start);
	size_t last = process->rows - 1;

	if (process->rows < 2)
		return mean;
	double freed =
		series_value(process, PROCESS_memory_mib, last - 1) - series_value(process, PROCESS_memory_mib, last);
	double stop = series_value(process, PROCESS_timestamp, last);
	double lasted = stop - series_value(process, PROCESS_timestamp, last - 1);
	return freed > 0 && lasted > 0 && stop > start ? mean + freed * lasted / (stop - start) : mean;
}

void totals_set_wall(struct totals *totals, double start, double stop, double cpus)
{
	double late = LATE_SECONDS + LATE_PART * totals->cpu_seconds;
	bool set_back = stop < start || totals->cpu_seconds > cpus * (stop - start) + late;

	totals->wall_seconds = set_back ? UNKNOWN : stop - start; /* UNKNOWN if `start` or `stop` is UNKNOWN */
	totals->mean_cpu_usage = totals_mean_cpu(totals);
	totals->cpus_wanted = totals_cpus_wanted(totals);
}

/* Sets the duration and the means over time. A run lasts from the start of its root to the end of its last process. */
static void set_times(struct totals *sums, const struct run *run, const struct series *process,
	const struct processes *processes, double stop, bool cut_off)
{
	double start = known_first(run->start_time, first_time(process, processes));

	/* If the root was killed, its end is recorded immediately, but other processes may continue. */
	for (size_t i = 0; cut_off && i < processes->count; i++)
		stop = known_larger(stop, processes->items[i].end_time);

	totals_set_wall(sums, start, stop, run->online);
	/* Every process has some memory. If all rows have 0, they were written after all processes had ended. */
	if (series_max(process, PROCESS_memory_mib) > 0)
		sums->mean_memory_mib = mean_memory(process, start);
}

static void set_peaks(struct totals *sums, const struct peaks *peaks)
{
	sums->peak_memory_mib = peaks->peak_mib;
	sums->peak_memory_needed_mib = peaks->needed_mib;
	sums->peak_memory_at_least_mib = peaks->least_mib;
	sums->peak_memory_at_most_mib = peaks->most_mib;
	sums->peak_process_memory_mib = peaks->process_mib;
}

/* Returns an upper bound of the run's memory: the machine's memory or, if it is smaller, the limit of the control
 * group plus file pages, which may be charged to other groups. The limit is used only if every row has one. */
static double held_to(const struct run *run, const struct series *process, const struct series *system)
{
	double machine = run->machine_memory_mib, limit = series_max(system, SYSTEM_cgroup_memory_limit_mib);

	for (size_t row = 0; row < system->rows; row++)
		if (!number_known(series_value(system, SYSTEM_cgroup_memory_limit_mib, row)))
			return machine;
	limit += known_first(series_max(process, PROCESS_memory_file_mib), 0);
	return limit >= machine || !number_known(limit) ? machine : limit;
}

static void set_exact(struct totals *sums, const struct run *run, const struct processes *processes,
	const struct peaks *peaks, bool whole)
{
	double seconds = sums->cpu_seconds + known_first(sums->tracker_seconds, 0);

	sums->whole = whole;
	sums->cpu_difference = exact_difference(run, seconds);
	sums->exact_cpu = whole && exact_cpu(run, processes, seconds, &sums->cpu_lacks_only_end);
	/* If there are many files on tmpfs, exact_memory is false, because the size of these files is an estimate. */
	sums->exact_memory = whole && exact_memory(processes, peaks) && !number_known(totals_tmpfs_files(sums));
	sums->exact = sums->exact_cpu && sums->exact_memory;
	sums->exact_processes = processes->count > 0 && !run->lacks_rows && !processes->lacks_some;
	sums->missing_cpu_seconds_at_most = sums->exact_cpu ? 0 : UNKNOWN;
}

void totals_make(struct totals *totals, const struct run *run, const struct series *process,
	const struct series *system, struct processes *processes)
{
	struct totals sums = totals_unknown();
	size_t going_on = count_living(run, processes);
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");
	struct peaks peaks;

	sums.user_seconds = series_sum(process, PROCESS_utime);
	sums.system_seconds = series_sum(process, PROCESS_stime);
	sums.cpu_wait_seconds = series_sum(process, PROCESS_cpu_wait);
	sums.disk_read_bytes = series_sum(process, PROCESS_disk_read_bytes);
	sums.disk_write_bytes = series_sum(process, PROCESS_disk_write_bytes);
	sums.tracker_seconds = series_sum(system, SYSTEM_tracker_cpu);
	sums.processes = known_larger((double)processes->count, series_max(process, PROCESS_members));
	sums.ended_unseen = (double)count_unseen(run, processes, going_on);
	if (going_on > 0)
		sums.still_running = (double)going_on;
	bool before = processes_begin_root(processes, json_double(run->json, "pid"),
		json_double(tracker, "baseline_utime"), json_double(tracker, "baseline_stime"));
	bool whole = exact_is_whole(run, process, processes);
	bool unknown = !whole || processes_lack_figures(processes);
	/* A single process that many ticks saw does not need member.csv. */
	bool little = process->rows < LITTLE_ROWS || series_max(process, PROCESS_hugetlb_mib) > 0;
	if (before || unknown || little || processes->count > 1)
		processes_add_members(processes, &run->files);
	/* If the root was killed, its sampler was killed too. Other processes may have continued without being
	 * sampled, and written exit records. */
	bool killed = !run->launched && strcmp(run->status, "killed") == 0;
	bool cut_off = !whole || killed || has_later_end(processes, series_last(process, PROCESS_timestamp));
	bool raised = raise_to_records(&sums, run, processes, cut_off);
	known_add(&sums.cpu_seconds, sums.user_seconds);
	known_add(&sums.cpu_seconds, sums.system_seconds);
	double stop = known_first(run->stop_time, last_time(process, system, processes));
	set_times(&sums, run, process, processes, stop, cut_off);
	own_bytes_find(processes, run);
	peaks_find(&peaks, run, process, processes, stop, held_to(run, process, system));
	set_peaks(&sums, &peaks);
	totals_take_ticks(&sums, process);
	set_exact(&sums, run, processes, &peaks, whole && !raised && !root_is_unread(run));
	*totals = sums;
}

bool totals_bound_tells(const struct totals *totals, const struct run *run)
{
	return totals->peak_memory_at_most_mib < run->machine_memory_mib && !totals_peak_is_bounded(totals);
}

struct figure totals_peak_range(const struct totals *totals, const struct run *run, double request_mib)
{
	static const double WIDE = 1.1, NEAR_REQUEST = 0.5;
	double least = totals->peak_memory_mib, most = totals->peak_memory_at_most_mib;

	if (!totals_bound_tells(totals, run) || most <= least * WIDE || most <= request_mib * NEAR_REQUEST)
		return units_figure(UNIT_mib, least);
	return units_range(UNIT_mib, least, most);
}

bool totals_is_told(const struct totals *totals, const struct run *run, enum total_id id)
{
	double value = total_value(totals, id);

	if (id == TOTAL_peak_memory_at_most_mib)
		return totals_bound_tells(totals, run);
	if (id == TOTAL_peak_memory_at_least_mib || id == TOTAL_exact || total_table[id].runs == TOTAL_RUNS_WEIGHTED)
		return false;
	return number_known(value) &&
	       (value != 0 || total_table[id].shown == TOTAL_COMPARED || total_table[id].unit == UNIT_yes_no);
}
