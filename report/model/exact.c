/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which totals of a run may be called exact. */
#include "report/model/exact.h"

#include "core/number.h"
#include "report/say/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SAME_SECONDS = 0.02, SAME_PART = 0.01;
static const double PEAK_PART = 1.05; /* largest factor between the bounds of an exact peak */
/* The bounds of an exact peak may differ by this amount because of shared libraries. The lower bound counts a
 * library once (PSS), and the upper bound counts it once per process (RSS). */
static const double LIBRARIES_MIB = 4;
static const double END_SECONDS_PER_MIB = 0.0001;
/* seconds; if more time passes from the last row to the end of the run, rows are missing */
static const double END_SECONDS = 0.5;

enum sharing { SHARED_BY_NONE = 0, SHARED_BY_UNKNOWN = 2 };

/* Returns whether the CPU time of any row is unknown. */
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

/* Returns whether the CPU time of a process is known. This is the case if the process wrote an exit row, if its
 * zombie was read, or if its parent reaped it and wrote an exit row with the CPU time of its children. */
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

bool exact_cpu(const struct run *run, const struct processes *processes, double seconds, bool *only_end)
{
	double missing = 0;

	*only_end = false;
	if (has_own_group(run))
		return exact_is_little(exact_difference(run, seconds), seconds);
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (!has_account(process))
			return false;
		/* After the last record of a process, the kernel still needs CPU time to free its memory. If the
		 * process that reaps it is not in the run, no record contains this CPU time. */
		if (!run->launched && !process_last_parent(process))
			missing += END_SECONDS_PER_MIB * known_first(process->peak_mib, 0);
	}
	*only_end = run->cgroup_shared != SHARED_BY_UNKNOWN;
	return *only_end && exact_is_little(missing, seconds);
}

bool exact_is_bounded(double least_mib, double most_mib)
{
	return most_mib <= PEAK_PART * least_mib + LIBRARIES_MIB;
}

/* Returns whether the recorded peak is complete and the process's own. For a small process, the kernel may report
 * the peak of the parent. The kernel's peak never includes huge pages. */
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
	return exact_is_bounded(peaks->least_mib, peaks->most_mib + peaks->brief_mib);
}

/* -- in words ---------------------------------------------------------------------------------------- */

/* Returns whether reports should say that the CPU time may be higher. If every process left a record, they say so
 * only if the CPU time may be clearly higher. */
static bool cpu_is_low(const struct totals *totals)
{
	return !totals->exact_cpu && (totals->ended_unseen > 0 || !totals->cpu_lacks_only_end);
}

static bool peak_is_low(const struct totals *totals)
{
	return !totals->exact_memory && (totals->ended_unseen > 0 || !totals_peak_is_bounded(totals) ||
						number_known(totals_tmpfs_files(totals)));
}

/* Returns a phrase that names the figures that may be too low. */
static const char *what_is_low(const struct totals *totals)
{
	if (!peak_is_low(totals))
		return "CPU time may be more";
	return cpu_is_low(totals) ? "CPU time and peak may be more" : "the peak may be more";
}

void exactness_describe_unseen(const struct totals *totals, const struct run *run, char *text, size_t size)
{
	struct figure unseen = terminal_count(totals->ended_unseen);
	struct figure all = terminal_count(totals->processes);
	const char *low = run_ended(run) ? what_is_low(totals) : "all figures may be more";

	if (totals->ended_unseen > 0)
		snprintf(text, size, "%s of %s%s processes left no record: %s", unseen.text,
			run->lacks_rows ? "at least " : "", all.text, low);
	else
		snprintf(text, size, "%s", low);
}

/* If run.json does not state why records are missing, the text lists all possible reasons. Reasons that exist only
 * under rtrack-run are left out if rtrack-run did not start the run. */
const char *exactness_missing_records(const struct run *run)
{
	static char text[320];
	bool unwritten = run->lacks_room || run->lacks_unknown;
	const char *first = "", *second = "", *third = "";

	if (!unwritten && !run->lacks_slow && !run->lacks_ticks && !run->lacks_library)
		return NULL;
	if (run->lacks_library)
		first = "records of processes that did not load the library (static or set-user-ID programs)";
	else if (unwritten)
		first = run->launched && run->lacks_unknown
				? "records that could not be written (disk full or a limit), a process that could not "
				  "be read, or what came after rtrack-run was killed"
				: "records that could not be written (disk full or a limit)";
	if (run->lacks_slow)
		second = "records of processes that waited over 200 ms for the spool";
	if (run->lacks_ticks)
		third = "ticks while the spool answered slowly";
	snprintf(text, sizeof text, "%s%s%s%s%s", first, *first && (*second || *third) ? ", " : "", second,
		*second && *third ? ", " : "", third);
	return text;
}

bool exactness_is_told(const struct totals *totals, const struct run *run)
{
	return run_ended(run) && totals->processes > 0 && totals->whole && (cpu_is_low(totals) || peak_is_low(totals));
}

const char *exactness_describe(const struct totals *totals, const struct run *run)
{
	if (totals->exact && totals->ended_unseen > 0)
		return "all accounted for, if not all seen to their ends";
	if (totals->exact || (totals->whole && !exactness_is_told(totals, run)))
		return totals->processes == 1 ? "followed to its end" : "all followed to their ends";
	if (run_is_running(run))
		return "so far";
	if (run->goes_on)
		return totals->still_running == 1 ? "one of them goes on: figures so far"
						  : "some of them go on: figures so far";
	if (!run_ended(run))
		return "the end of the run is not recorded: figures are a lower bound";
	return exactness_is_told(totals, run) ? "" : "records are missing: figures are a lower bound";
}
