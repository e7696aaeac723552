/* SPDX-License-Identifier: Apache-2.0 */
/* What to ask for the next time, and what that rests on: by the allowance rule (allowance.h) or by the classic one
 * (classic.h).
 *
 * What makes an advice less certain stands in its notes, one sentence each. */
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

/* A server that can be rented, and its price. A text that is not known is "". */
struct server {
	char vendor[64];
	char id[128];   /* as the vendor's interfaces call it */
	char name[128]; /* as people do */
	char architecture[32];
	char region[64]; /* "": the price is the lowest of all regions */
	double vcpus;
	double memory_mib;
	double gpu; /* how many */
	double vram_mib;
	char gpu_model[64];
	double price; /* on demand, an hour */
	double spot_price;
	char currency[8];
};

/* In the currency of the prices. */
struct cost {
	double run;     /* the recommended server for as long as this run took */
	double current; /* this run on the server that it had */
	double saving;  /* current − run */
	double saving_percent;
	double spot; /* as `run`, at the spot price */
	char currency[8];
};

enum { RECOMMEND_NOTES_MAX = 16, RECOMMEND_NOTE_SIZE = 640 };

/* What a recommendation rests on: a sentence each, or "". */
enum { BASIS_MEMORY, BASIS_REPLAY /* how sure the memory is */, BASIS_CPUS, BASIS_VRAM, BASIS_COUNT };

struct recommendation {
	struct resources resources;
	size_t runs;      /* how many it rests on, this one included */
	const char *rule; /* in a sentence */
	bool classic;     /* and then nothing of what follows, up to the server */
	double failures;  /* the aim: one in so many runs gets too little */
	bool of_groups;   /* each of what it rests on is a group, and finished if all of its runs did */
	bool had_kill;    /* some run finished though a process of it was killed for lack of memory */
	struct rule_answer memory, time;
	struct replay replay;
	struct cpus cpus;
	char basis[BASIS_COUNT][RECOMMEND_NOTE_SIZE];
	struct waste waste; /* of the same runs */
	bool has_server;
	struct server server;
	bool has_cost;
	struct cost cost;
	size_t note_count;
	char notes[RECOMMEND_NOTES_MAX][RECOMMEND_NOTE_SIZE];
};

/* What a recommendation needs of the model of a run. */
struct model_wish recommend_wish(void);

/* "run" or "group": what one of those is that it rests on. */
const char *recommend_unit(const struct recommendation *recommendation);

/* Adds how often such a request is too small after few runs, by the rates of the rule at its own aim. */
void recommend_note_few(struct recommendation *recommendation);

/* Adds that the job was at its control group's limit by its page cache, where it was. */
void recommend_note_cache(struct recommendation *recommendation, const struct model *model);

/* Adds how far the run and those before it can be relied on. */
void recommend_note_basis(struct recommendation *recommendation, const struct model *model);

/* What a job for each phase would save, by the rule of the recommendation. */
struct split recommend_split(const struct recommendation *recommendation, const struct phases *phases);

/* Adds what a job for each phase would save, if that is worth it. */
void recommend_note_phases(struct recommendation *recommendation, const struct model *model);

/* Adds a sentence; past RECOMMEND_NOTES_MAX it is dropped. */
void recommend_note(struct recommendation *recommendation, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* {"resources": …, "basis": …, "server": …, "cost": …, "notes": […]}. The caller owns the object. */
cJSON *recommend_json(const struct recommendation *recommendation);

#endif
