/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a run: all figures that any command shows, made once, in one order, and only read from then on.
 *
 * model_read has the stages from top to bottom; docs/design.md says which file makes what. Many runs as one (a group, a
 * script) are the same struct, made of the models of their runs: model_of_many. What reads a model does not know the
 * difference. */
#ifndef RTRACK_REPORT_MODEL_MODEL_H
#define RTRACK_REPORT_MODEL_MODEL_H

#include "report/model/bill.h"
#include "report/model/code.h"
#include "report/model/cpu_use.h"
#include "report/model/efficiency.h"
#include "report/model/failure.h"
#include "report/model/kills.h"
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

/* Sections that cost time, and that not every command needs. */
enum model_section {
	MODEL_PROGRAMS = 1 << 0,  /* usage by program */
	MODEL_PROCESSES = 1 << 1, /* usage by process */
	MODEL_COURSE = 1 << 2,    /* marks, parts, phases, waits for CPUs */
	MODEL_STATS = 1 << 3,     /* the predecessor's statistics */
	MODEL_LINES = 1 << 4,     /* lines of code */
};

/* What a command wants besides the totals and the end, which are always there. */
struct group;

struct model_wish {
	unsigned sections;
	uint64_t process_columns, system_columns; /* at which the command itself looks */
};

struct model {
	const struct run *run;     /* must stay; of many runs their whole (group_whole.h) */
	const struct group *group; /* the runs, of many as one; NULL: it is one run */
	struct series process;     /* process.csv */
	struct series system;      /* system.csv */
	struct gpus gpus;          /* gpu.csv, added up by GPU */
	struct processes processes;
	struct totals totals;
	struct efficiency efficiency;
	struct asked asked; /* what was asked for on its behalf */
	double peak_cpu;    /* CPUs, of the largest tick */
	bool memory_is_rss; /* the job's memory is RSS, and not PSS */
	bool usable;        /* false when there is only a run.json, or less */

	/* The end. */
	struct kills kills;
	struct ulimit ulimit;
	struct shortage shortage;
	struct postmortem postmortem;
	enum outcome outcome;
	double end_seconds; /* when the root ended; where that is unknown, or about the end of all, totals.wall_seconds
			     */
	const struct process *failed; /* that made the run fail (failure.h), or NULL */
	struct memory_limit limit;    /* by which the peak of memory is judged */

	/* Sections; empty where the wish has not named them. */
	struct bill programs;   /* MODEL_PROGRAMS */
	struct bill by_process; /* MODEL_PROCESSES */
	struct marks marks;     /* MODEL_COURSE, as the next */
	struct parts parts;
	struct phases phases;
	struct cpu_prices cpu_prices;
	char cpu_waits[CPU_USE_SIZE]; /* "": nothing slowed it */
	struct stats stats;           /* MODEL_STATS */
	struct code code;             /* MODEL_LINES */
};

/* The columns that the sections of a wish need of a table, and those that are always needed. */
uint64_t model_columns(enum table_id table, unsigned sections);

/* Reads the model of a run, which must stay. */
void model_read(struct model *model, const struct run *run, const struct model_wish *wish);

/* Makes the rest of the model of many runs. The caller has filled its run, tables, processes, totals and lines. What
 * only a run's own files tell is unknown of many. */
void model_of_many(struct model *model, unsigned sections);

/* Mean, peak or total of a statistic as a person is shown it. Those of the CPUs and the memory of the job are the
 * totals: means over time, and the peak that is the run's. JSON has the predecessor's, which count rows, as `stats`. */
struct statistic model_statistic(const struct model *model, enum stat_id id);

/* The totals as one line of JSON, with COUNTED_IN (nest.h) and the unit (unit.h), as SQL reads them. The caller frees
 * it. */
char *model_totals_text(const struct model *model);

void model_free(struct model *model);

/* 0 if it is usable, else -1 after a message. */
int model_check(const struct model *model);

#endif
