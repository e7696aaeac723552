/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a run: all figures that any command shows, computed once and only read afterwards.
 *
 * model_read lists the stages in order; docs/design.md names the file of each. Several runs presented as one (a group,
 * a script) use the same struct, built by model_of_many. Code that reads a model need not know the difference. */
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
#include "report/spool/marks.h"
#include "report/spool/processes.h"

/* Optional sections, which take time and which not every command needs. */
enum model_section {
	MODEL_PROGRAMS = 1 << 0,  /* usage by program */
	MODEL_PROCESSES = 1 << 1, /* usage by process */
	MODEL_COURSE = 1 << 2,    /* marks, parts, phases, waits for CPUs */
	MODEL_STATS = 1 << 3,     /* the predecessor's statistics */
	MODEL_LINES = 1 << 4,     /* lines of code */
};

struct group;

/* What a command needs besides the totals and the outcome, which are always made. */
struct model_wish {
	unsigned sections;
	uint64_t process_columns, system_columns; /* columns that the command reads itself */
};

struct model {
	const struct run *run;     /* must outlive the model; for several runs, the run of struct whole */
	const struct group *group; /* the runs if the model presents several as one, or NULL */
	struct series process;     /* columns of process.csv */
	struct series system;      /* columns of system.csv */
	struct gpus gpus;          /* gpu.csv, summed by GPU */
	struct processes processes;
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
	double end_seconds; /* duration until the root ended; totals.wall_seconds if unknown or about the same */
	const struct process *failed; /* the process that made the run fail, or NULL */
	struct memory_limit limit;    /* limit against which the memory peak is judged */

	/* Sections; empty unless the wish named them. */
	struct bill programs;   /* section MODEL_PROGRAMS */
	struct bill by_process; /* section MODEL_PROCESSES */
	struct marks marks;     /* section MODEL_COURSE, as are parts, phases and CPU waits */
	struct parts parts;
	struct phases phases;
	struct cpu_prices cpu_prices;
	char cpu_waits[CPU_USE_SIZE]; /* text on waits for CPUs, or "" if CPUs were not short */
	struct stats stats;           /* section MODEL_STATS */
	struct code code;             /* section MODEL_LINES */
};

/* Columns of a table that are always needed, and those that the sections need. */
uint64_t model_columns(enum table_id table, unsigned sections);

/* Reads the model of `run`, which must outlive the model. */
void model_read(struct model *model, const struct run *run, const struct model_wish *wish);

/* Completes the model of several runs. The caller has set its run, tables, processes, totals and lines. Figures that
 * need a single run's files remain unknown. */
void model_of_many(struct model *model, unsigned sections);

/* Mean, peak or total of a statistic as shown to a person. For the job's CPUs and memory these are the totals:
 * time-weighted means and the run's peak. JSON's `stats` keeps the predecessor's figures, which count rows. */
struct statistic model_statistic(const struct model *model, enum stat_id id);

/* Returns the totals as one line of JSON for SQL, with COUNTED_IN and the workflow unit. The caller frees it. */
char *model_totals_text(const struct model *model);

void model_free(struct model *model);

/* Returns 0 if the model is usable, or -1 after a message. */
int model_check(const struct model *model);

#endif
