/* SPDX-License-Identifier: Apache-2.0 */
/* The recommended request and its basis.
 *
 * The request is made by the allowance rule (allowance.h) or the classic rule (classic.h). Each reason to doubt the
 * request is added as a note of one sentence. */
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

/* A cloud server and its price. Unknown strings are "". */
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

/* Costs of a run. All amounts are in the same currency as the prices. */
struct cost {
	double run;     /* cost of the recommended server for the duration of this run */
	double current; /* cost of the server that this run used */
	double saving;  /* current − run */
	double saving_percent;
	double spot; /* like `run`, at the spot price */
	char currency[8];
};

enum { RECOMMEND_NOTES_MAX = 16, RECOMMEND_NOTE_SIZE = 768 };

/* Indices of `basis`: sentences that explain the recommendation. A sentence may be "". */
enum { BASIS_MEMORY, BASIS_REPLAY /* reliability of the memory request */, BASIS_CPUS, BASIS_VRAM, BASIS_COUNT };

struct recommendation {
	struct resources resources;
	size_t runs;      /* number of runs that the recommendation is based on, including this run */
	const char *rule; /* the rule as a sentence */
	bool classic;     /* whether the classic rule was used; the fields from here to `has_server` are then unset */
	double failures;  /* One run in `failures` may get less than it needs. */
	bool of_groups;   /* whether the runs are groups; a group finished if all of its runs finished */
	bool had_kill;    /* whether a run finished although one of its processes was killed for lack of memory */
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

/* Returns the parts of a run's model that a recommendation needs. */
struct model_wish recommend_wish(void);

/* Returns the memory of the run's machine or of the largest machine of a group, or UNKNOWN. */
double recommend_machine_mib(const struct model *model);

/* Returns "group" if the recommendation is based on groups of runs, otherwise "run". */
const char *recommend_unit(const struct recommendation *recommendation);

/* If the recommendation is based on few runs, adds a note on how often such a request is too small. */
void recommend_note_few(struct recommendation *recommendation);

/* Adds a note if page cache brought the job to its control group's limit. */
void recommend_note_cache(struct recommendation *recommendation, const struct model *model);

/* Adds notes on facts that make this run or the earlier runs an unreliable basis. */
void recommend_note_basis(struct recommendation *recommendation, const struct model *model);

/* Computes what a separate job for each phase would save, with the rule of the recommendation. */
struct split recommend_split(const struct recommendation *recommendation, const struct phases *phases);

/* Adds a note on what a separate job for each phase would save, if that is worthwhile. */
void recommend_note_phases(struct recommendation *recommendation, const struct model *model);

/* Adds a note. If there are already RECOMMEND_NOTES_MAX notes, the note is dropped. */
void recommend_note(struct recommendation *recommendation, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns {"resources": …, "basis": …, "server": …, "cost": …, "notes": […]}, owned by the caller. */
cJSON *recommend_json(const struct recommendation *recommendation);

#endif
