/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a run: all figures that any command shows. They are computed once and only read afterwards.
 *
 * model_read calls the stages in order, and docs/design.md names the file of each stage. model_of_many builds the
 * same struct for several runs that are presented as one run. Code that reads a model does not need to distinguish
 * the two cases. */
#ifndef RTRACK_REPORT_MODEL_MODEL_H
#define RTRACK_REPORT_MODEL_MODEL_H

#include "report/model/bill.h"
#include "report/model/code.h"
#include "report/model/cpu_use.h"
#include "report/model/efficiency.h"
#include "report/model/failure.h"
#include "report/model/outcome.h"
#include "report/model/parts.h"
#include "report/model/phases.h"
#include "report/model/postmortem.h"
#include "report/model/shortage.h"
#include "report/model/stats.h"
#include "report/model/totals.h"
#include "report/spool/gpus.h"
#include "report/spool/inner.h"
#include "report/spool/marks.h"
#include "report/spool/processes.h"

/* Optional sections of a model. They take time to compute, and not every command needs them. */
enum model_section {
	MODEL_PROGRAMS = 1 << 0,  /* usage by program */
	MODEL_PROCESSES = 1 << 1, /* usage by process */
	MODEL_COURSE = 1 << 2,    /* marks, parts, phases, waits for CPUs */
	MODEL_STATS = 1 << 3,     /* statistics in the format of resource-tracker */
	MODEL_LINES = 1 << 4,     /* lines of code */
};

struct group;

/* What a command needs besides the totals and the outcome, which are always computed. */
struct model_wish {
	unsigned sections;
	uint64_t process_columns, system_columns; /* columns that the command itself reads */
};

struct model {
	/* The run, or the run of struct whole if the model presents several runs. Must outlive the model. */
	const struct run *run;
	const struct group *group; /* the group if the model presents several runs as one, or NULL */
	struct series process;     /* columns of process.csv */
	struct series system;      /* columns of system.csv */
	struct gpus gpus;          /* gpu.csv, summed by GPU */
	struct processes processes;
	struct inner_runs inner; /* the runs directly inside the run */
	struct totals totals;
	struct efficiency efficiency;
	struct asked asked; /* resources requested for the run */
	double peak_cpu;    /* CPUs used in the busiest tick */
	bool memory_is_rss; /* the job's memory is RSS instead of PSS */
	bool usable;        /* false if the run has no tables */

	/* How the run ended. */
	struct kills kills;
	struct ulimit ulimit;
	struct shortage shortage;
	struct postmortem postmortem;
	enum outcome outcome;
	/* duration until the root ended; totals.wall_seconds if unknown or nearly the same */
	double end_seconds;
	const struct process *failed; /* the process that made the run fail, or NULL */
	struct memory_limit limit;    /* the limit to which reports compare the memory peak */

	/* Sections. A section is empty if struct model_wish did not request it. */
	struct bill programs;   /* section MODEL_PROGRAMS */
	struct bill by_process; /* section MODEL_PROCESSES */
	struct marks marks;     /* section MODEL_COURSE, like the next four fields */
	struct parts parts;
	struct phases phases;
	struct cpu_prices cpu_prices;
	char cpu_waits[CPU_USE_SIZE]; /* result of cpu_waits_describe */
	struct stats stats;           /* section MODEL_STATS */
	struct code code;             /* section MODEL_LINES */
};

/* Returns the columns of a table that a model with these sections needs. */
uint64_t model_columns(enum table_id table, unsigned sections);

/* Reads the files of `run` and computes its model. `run` must outlive the model. */
void model_read(struct model *model, const struct run *run, const struct model_wish *wish);

/* Completes the model of several runs. The caller must have set `run`, the tables, `processes`, `totals` and `code`.
 * Figures that need the files of a single run remain unknown. */
void model_of_many(struct model *model, unsigned sections);

/* Returns a statistic for display. For the job's CPUs and memory, its mean and maximum come from the totals, where
 * the mean is weighted by time. The "stats" of JSON have means over rows instead, like resource-tracker. */
struct statistic model_statistic(const struct model *model, enum stat_id id);

/* Returns the totals as one line of JSON for SQL, with COUNTED_IN and the workflow unit. The caller must free the
 * string. */
char *model_totals_text(const struct model *model);

void model_free(struct model *model);

/* Returns 0 if the model is usable. Otherwise prints a message and returns -1. */
int model_check(const struct model *model);

#endif
