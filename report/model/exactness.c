/* What totals may lack; see exactness.h. */
#include "report/model/exactness.h"

#include "core/number.h"
#include "report/say/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What may be missing where CPU time is not. */
static const char *lower_bound(const struct totals *totals)
{
	return totals->exact_memory ? "bytes are a lower bound" : "peaks are a lower bound";
}

/* No less than it is, in two digits before 100 and in whole ones from there on. */
static double rounded_up(double value)
{
	double unit = value < 99.5 ? pow(10, floor(log10(fmax(value, 1e-3))) - 1) : 1;
	return ceil(value / unit - 1e-6) * unit;
}

static void describe_missing(const struct totals *totals, char *text, size_t size)
{
	if (totals->exact_cpu)
		snprintf(text, size, "none of their CPU time is missing, %s", lower_bound(totals));
	else if (number_known(totals->missing_cpu_seconds_at_most))
		snprintf(text, size, "at most %.9g CPU-seconds missing",
			rounded_up(totals->missing_cpu_seconds_at_most));
	else
		snprintf(text, size, "figures are a lower bound");
}

void exactness_describe_unseen(const struct totals *totals, const struct run *run, char *text, size_t size)
{
	struct figure unseen = terminal_count(totals->ended_unseen);
	struct figure all = terminal_count(totals->processes);
	char missing[100] = "figures are a lower bound";

	if (run_ended(run))
		describe_missing(totals, missing, sizeof missing);
	if (totals->ended_unseen == 0) {
		snprintf(text, size, "%s", totals->exact_cpu ? lower_bound(totals) : missing);
		return;
	}
	snprintf(text, size, "%s of %s%s processes ended unseen: %s", unseen.text, run->lacks_rows ? "at least " : "",
		all.text, missing);
}

/* run.json has one word for all of these, but a table tells itself that it lacks rows; what only rtrack-run can meet is
 * left out of a run that it did not start. */
const char *exactness_missing_records(const struct run *run)
{
	if (!run->lacks_rows)
		return NULL;
	return run->launched && run->lacks_unknown
		       ? "records that could not be written (disk full or a limit), a process that could not be "
			 "read, or what came after rtrack-run was killed"
		       : "records that could not be written (disk full or a limit)";
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
	if (strcmp(run->status, "running") == 0)
		return "so far";
	if (run->goes_on)
		return totals->still_running == 1 ? "one of them goes on: figures so far"
						  : "some of them go on: figures so far";
	if (!run_ended(run))
		return "the end of the run is not recorded: figures are a lower bound";
	return exactness_is_told(totals, run) ? "" : "records are missing: figures are a lower bound";
}
