/* SPDX-License-Identifier: Apache-2.0 */
/* The table of totals: what a run used in all, one row each (total.def).
 *
 * How totals are made of the records of a run is in totals.h. Here is what goes by the rows alone. */
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
	/* What follows is no total of its own. */
	double tracker_seconds; /* the tracker's own CPU time, which no total includes */
	double cpu_difference;  /* between the CPU time and that of a control group of the run's own */
	bool whole;             /* the run ended, and its tables are there */
};

enum total_id {
#define TOTAL(name, unit, digits, runs, better, shown, label, meaning) TOTAL_##name,
#include "report/model/total.def"
	TOTAL_COUNT
};

/* How the total of several runs follows from theirs; see total.def. */
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
	size_t field; /* its place in struct totals */
};

extern const struct total total_table[TOTAL_COUNT];

/* The value of a total with the decimals that it has wherever it is written for programs; of a bool 1 or 0. */
double total_value(const struct totals *totals, enum total_id id);

/* Totals of which each number is UNKNOWN and each bool is false. */
struct totals totals_unknown(void);

/* The totals of several runs: begun, each run's added, and ended once wall_seconds has been set. Totals of a SPAN are
 * left to the caller. Those AT_ONCE are the largest of any run, which the caller may raise. */
struct totals totals_begin(void);
void totals_add(struct totals *all, const struct totals *run);
void totals_end(struct totals *all);
/* Makes those AT_ONCE unknown. */
void totals_forget_moments(struct totals *all);

/* CPU time divided by the duration. */
double totals_mean_cpu(const struct totals *totals);

/* Adds the keys of "totals" to an object. */
void totals_write_json(const struct totals *totals, cJSON *object);
/* The totals that such an object has; what it lacks is UNKNOWN or false. */
struct totals totals_read_json(const cJSON *object);

#endif
