/* SPDX-License-Identifier: Apache-2.0 */
/* The recommended request and its basis, by the allowance rule (allowance.h) or the classic rule (classic.h).
 *
 * Reasons for doubt are added as notes, one sentence each. */
#ifndef RTRACK_REPORT_ADVICE_RECOMMEND_H
#define RTRACK_REPORT_ADVICE_RECOMMEND_H

#include "report/advice/cpus.h"
#include "report/advice/replay.h"
#include "report/advice/resources.h"
#include "report/advice/rule.h"
#include "report/history/waste.h"
#include "report/model/model.h"
#include "report/spool/run.h"

struct split;

/* A server for rent and its price. Unknown strings are "". */
struct server {
	char vendor[64];
	char id[128];   /* name in the vendor's API */
	char name[128]; /* name for people */
	char architecture[32];
	char region[64]; /* "" if the price is the lowest of all regions */
	double vcpus;
	double memory_mib;
	double gpu; /* number of GPUs */
	double vram_mib;
	char gpu_model[64];
	double price; /* price per hour on demand */
	double spot_price;
	char currency[8];
};

/* Amounts in the currency of the prices. */
struct cost {
	double run;     /* cost of this run's duration on the recommended server */
	double current; /* cost of this run on the server that it used */
	double saving;  /* current − run */
	double saving_percent;
	double spot; /* like `run`, at the spot price */
	char currency[8];
};

enum { RECOMMEND_NOTES_MAX = 16, RECOMMEND_NOTE_SIZE = 640 };

/* Sentences about the basis of a recommendation, or "". */
enum { BASIS_MEMORY, BASIS_REPLAY /* reliability of the memory request */, BASIS_CPUS, BASIS_VRAM, BASIS_COUNT };

struct recommendation {
	struct resources resources;
	size_t runs;      /* number of runs that it is based on, including this one */
	const char *rule; /* the rule as a sentence */
	bool classic;     /* classic rule: the fields from here to `has_server` are unset */
	double failures;  /* one run in this many may get too little */
	bool of_groups;   /* the runs are groups; a group finished if all its runs did */
	bool had_kill;    /* a run finished although one of its processes was killed for lack of memory */
	struct rule_answer memory, time;
	struct replay replay;
	struct cpus cpus;
	char basis[BASIS_COUNT][RECOMMEND_NOTE_SIZE];
	struct waste waste; /* waste of the runs that the recommendation is based on */
	bool has_server;
	struct server server;
	bool has_cost;
	struct cost cost;
	size_t note_count;
	char notes[RECOMMEND_NOTES_MAX][RECOMMEND_NOTE_SIZE];
};

/* The parts of a run's model that a recommendation needs. */
struct model_wish recommend_wish(void);

/* "run" or "group": the unit that the recommendation is based on. */
const char *recommend_unit(const struct recommendation *recommendation);

/* Adds a note on how often a request after few runs is too small, by the rates measured for the default aim. */
void recommend_note_few(struct recommendation *recommendation);

/* Adds a note if page cache brought the job to its control group's limit. */
void recommend_note_cache(struct recommendation *recommendation, const struct model *model);

/* Adds notes on how reliable the run and the runs before it are. */
void recommend_note_basis(struct recommendation *recommendation, const struct model *model);

/* What a separate job for each phase would save, by the rule of the recommendation. */
struct split recommend_split(const struct recommendation *recommendation, const struct phases *phases);

/* Adds a note on what a separate job for each phase would save, if that is worthwhile. */
void recommend_note_phases(struct recommendation *recommendation, const struct model *model);

/* Adds a note; beyond RECOMMEND_NOTES_MAX it is dropped. */
void recommend_note(struct recommendation *recommendation, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns {"resources": …, "basis": …, "server": …, "cost": …, "notes": […]}, owned by the caller. */
cJSON *recommend_json(const struct recommendation *recommendation);

#endif
