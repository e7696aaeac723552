/* SPDX-License-Identifier: Apache-2.0 */
/* The totals of a run: what the run used overall. Each total is a row of total.def.
 *
 * The functions in this file read, write and add totals. The functions in totals.h compute them from the records of
 * a run. */
#ifndef RTRACK_REPORT_MODEL_TOTAL_H
#define RTRACK_REPORT_MODEL_TOTAL_H

#include "core/number.h"
#include "report/say/json.h"
#include "report/say/units.h"

#define TOTAL_TYPE_seconds double
#define TOTAL_TYPE_cpus double
#define TOTAL_TYPE_mib double
#define TOTAL_TYPE_count double
#define TOTAL_TYPE_bytes double
#define TOTAL_TYPE_wh double
#define TOTAL_TYPE_share double
#define TOTAL_TYPE_yes_no bool

struct totals {
#define TOTAL(name, unit, digits, runs, better, shown, label, meaning) TOTAL_TYPE_##unit name;
#include "report/model/total.def"
	/* The following fields are not totals. */
	double tracker_seconds; /* the tracker's own CPU time, which no total includes */
	double cpu_difference;  /* result of exact_difference, or the sum over several runs */
	bool whole;             /* the run has ended and no table lacks rows */
	/* result of exact_cpu: only the CPU time for freeing the root's memory may be missing */
	bool cpu_lacks_only_end;
};

enum total_id {
#define TOTAL(name, unit, digits, runs, better, shown, label, meaning) TOTAL_##name,
#include "report/model/total.def"
	TOTAL_COUNT
};

/* How the total of several runs is computed; total.def explains the values. */
enum total_runs {
	TOTAL_RUNS_SUM,
	TOTAL_RUNS_SUM_OF_ALL,
	TOTAL_RUNS_LARGEST,
	TOTAL_RUNS_WEIGHTED,
	TOTAL_RUNS_ALL,
	TOTAL_RUNS_SPAN,
	TOTAL_RUNS_AT_ONCE
};

enum total_shown { TOTAL_ALWAYS, TOTAL_COMPARED, TOTAL_IF_KNOWN, TOTAL_EFFICIENCY };

struct total {
	const char *name;
	enum unit unit;
	int digits;
	enum total_runs runs;
	enum total_shown shown;
	const char *label;
	const char *meaning;
	size_t field; /* offset in struct totals */
};

extern const struct total total_table[TOTAL_COUNT];

/* Returns the value of a total, rounded as in JSON. A bool is returned as 1 or 0. */
double total_value(const struct totals *totals, enum total_id id);

/* Returns totals in which all numbers are UNKNOWN and all bools are false. */
struct totals totals_unknown(void);

/* Compute the totals of several runs. Call totals_begin, then totals_add for each run, then set wall_seconds and
 * call totals_end. The caller must set the other SPAN totals. Each AT_ONCE total becomes the largest value of any
 * run; the caller may raise it. */
struct totals totals_begin(void);
void totals_add(struct totals *all, const struct totals *run);
void totals_end(struct totals *all);
/* Sets the AT_ONCE totals to UNKNOWN. */
void totals_forget_moments(struct totals *all);

/* Return the CPU time divided by the duration, without and with the time waiting for a CPU, or UNKNOWN. */
double totals_mean_cpu(const struct totals *totals);
double totals_cpus_wanted(const struct totals *totals);

/* Adds all totals to a JSON object. */
void totals_write_json(const struct totals *totals, cJSON *object);
/* Reads totals from a JSON object. Missing totals become UNKNOWN or false. */
struct totals totals_read_json(const cJSON *object);

/* Returns the MiB of file pages in the peak that the kernel can drop, or UNKNOWN if they are less than a tenth of
 * the needed peak. */
double totals_file_pages(const struct totals *totals);
/* Returns the MiB of files on tmpfs, or UNKNOWN if they are less than a tenth of the needed peak. */
double totals_tmpfs_files(const struct totals *totals);
/* Returns true if the upper bound of the peak is unknown or at most 1 % above the peak. */
bool totals_peak_is_bounded(const struct totals *totals);

#endif
