/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what the totals of a run may lack. */
#include "report/model/exactness.h"

#include "report/say/terminal.h"

#include <stdio.h>
#include <string.h>

/* Names the figures that may be too low. */
static const char *what_is_low(const struct totals *totals)
{
	if (totals->exact_memory)
		return "CPU time may be more";
	return totals->exact_cpu ? "the peak may be more" : "CPU time and peak may be more";
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

/* run.json has one flag for all causes, but a table records itself that rows are missing. Causes that only rtrack-run
 * can meet are not mentioned for a run that it did not start. */
const char *exactness_missing_records(const struct run *run)
{
	static char text[320];
	bool unwritten = run->lacks_room || run->lacks_unknown;
	const char *first = "", *second = "", *third = "";

	if (!unwritten && !run->lacks_slow && !run->lacks_ticks)
		return NULL;
	if (unwritten)
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
	return run_ended(run) && totals->processes > 0 && !totals->exact && totals->whole;
}

const char *exactness_describe(const struct totals *totals, const struct run *run)
{
	if (totals->exact && totals->ended_unseen > 0)
		return "all accounted for, if not all seen to their ends";
	if (totals->exact)
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
