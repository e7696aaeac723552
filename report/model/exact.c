/* SPDX-License-Identifier: Apache-2.0 */
/* What of a run's totals may be called exact; see exact.h. */
#include "report/model/exact.h"

#include "core/number.h"

#include <math.h>

static const double SAME_SECONDS = 0.02, SAME_PART = 0.01;
static const double PEAK_PART = 1.05; /* from what was surely there to the most that there can have been */
/* Ticks count what programs share once (PSS), and their own peaks count it in each (RSS). */
static const double LIBRARIES_MIB = 4;
static const double END_SECONDS_PER_MIB = 0.0001;
static const double END_SECONDS = 0.5; /* from the last row to the end of its run, at most */

enum sharing { SHARED_BY_NONE = 0, SHARED_BY_UNKNOWN = 2 };

/* A row lacks its CPU time. */
static bool lacks_cpu(const struct series *process)
{
	for (size_t row = 0; row < process->rows; row++)
		if (!number_known(
			    series_value(process, PROCESS_utime, row) + series_value(process, PROCESS_stime, row)))
			return true;
	return false;
}

bool exact_is_whole(const struct run *run, const struct series *process, const struct processes *processes)
{
	double late = run->stop_time - series_last(process, PROCESS_timestamp);

	return run_ended(run) && !run->goes_on && !run_is_lost(run) && !run->lacks_rows && processes->count > 0 &&
	       process->rows > 0 && process->left_out == 0 && !lacks_cpu(process) &&
	       !(late > fmax(run->interval / 2, END_SECONDS));
}

/* The CPU time of a process is known if it told its end, or if its zombie was read. Else it is in the account of the
 * parent that reaped it, if that one told its own. */
static bool has_account(const struct process *process)
{
	const struct process *parent = process_last_parent(process);

	if (process->exact)
		return process->children_ignored != 1;
	if (process->goes_on || process->children_ignored == 1 || !parent || !parent->exact)
		return false;
	return process->missing_seconds <= 0 || parent->children_left <= 0;
}

static bool has_own_group(const struct run *run)
{
	return run->cgroup_shared == SHARED_BY_NONE && number_known(run->cgroup_seconds);
}

double exact_difference(const struct run *run, double seconds)
{
	return has_own_group(run) ? fabs(run->cgroup_seconds - seconds) : 0;
}

bool exact_is_little(double difference, double seconds)
{
	return difference <= SAME_SECONDS + SAME_PART * seconds;
}

bool exact_cpu(const struct run *run, const struct processes *processes, double seconds)
{
	double missing = 0;

	if (has_own_group(run))
		return exact_is_little(exact_difference(run, seconds), seconds);
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (!has_account(process))
			return false;
		/* The kernel takes its memory down after its last word, and outside of the run that is in no account.
		 */
		if (!run->launched && !process_last_parent(process))
			missing += END_SECONDS_PER_MIB * known_first(process->peak_mib, 0);
	}
	return run->cgroup_shared != SHARED_BY_UNKNOWN && exact_is_little(missing, seconds);
}

bool exact_is_bounded(double least_mib, double most_mib)
{
	return most_mib <= PEAK_PART * least_mib + LIBRARIES_MIB;
}

/* A process tells its own peak at its end. The kernel may have counted that of its parent for a small one, and counts
 * no huge pages. */
static bool is_peak_told(const struct process *process)
{
	bool told = process->source == SOURCE_SELF && process->exact;

	return (process->exact_peak || told) && !process->peak_is_before && !(process->sampled_hugetlb_mib > 0);
}

bool exact_memory(const struct processes *processes, const struct peaks *peaks)
{
	for (size_t i = 0; i < processes->count; i++)
		if (!is_peak_told(&processes->items[i]))
			return false;
	return exact_is_bounded(peaks->least_mib, peaks->most_mib);
}
