/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says of what the next one of its job needs: a few figures, so that a hundred runs are read quickly.
 *
 * It is kept with the run's digest (report/history/digest.h), as JSON on one line. */
#ifndef RTRACK_REPORT_MODEL_USE_H
#define RTRACK_REPORT_MODEL_USE_H

#include "report/model/outcome.h"
#include "report/model/model.h"
#include "report/spool/run.h"

enum use_end {
	USE_FINISHED,
	USE_FAILED, /* of something else, or it has not ended */
	USE_DIED,   /* for lack of memory */
	USE_PART    /* not its own end: rtrack-run --attach followed a part of a run */
};

/* Seconds by the number of CPUs that would just have done: 0 to 64 one by one, above that in eights to 1024. */
enum { USE_CPUS_SINGLE = 64, USE_CPUS_STEP = 8, USE_CPU_BINS = USE_CPUS_SINGLE + 1 + 120 };

struct use {
	enum use_end end;
	enum outcome outcome; /* what end tells, in the words that all commands have */
	double seconds;
	double peak_mib;      /* at least; of shortage.h */
	double peak_most_mib; /* at most, and no more than the limit under which it finished, nor than the machine has
			       */
	double limit_mib;     /* of memory: the control group's, else what was asked for; UNKNOWN */
	double asked_mib;     /* requested.memory_mib of run.json, else the limit; UNKNOWN */
	double asked_cpus;    /* of run.json's requested, as the next; UNKNOWN */
	double asked_gpus;
	double cpu_used;    /* CPU seconds in all */
	double vcpus;       /* of the machine */
	double written_mib; /* to storage */
	double input_bytes;
	double gpus; /* the most in use at once; 0: none, or unknown */
	double vram_mib;
	double throttled; /* s in which the CPU limit held it back */
	double waited;    /* %, of the time in which tasks of the machine waited for a CPU */
	double cpu_seconds[USE_CPU_BINS];
};

/* Those of several runs. */
struct uses {
	size_t count;
	struct use *items; /* the oldest first; owned */
};

/* The columns that use_make needs of a table. */
uint64_t use_columns(enum table_id table);

void use_make(struct use *use, const struct model *model);

/* Whether a run finished, be it without a process that was killed for lack of memory: `end` has that one as died, since
 * the next run needs more. */
bool use_finished(const struct use *use);

/* The CPUs of a bin, and the bin of what was in use. */
double use_cpus(size_t bin);
size_t use_bin(double usage);

/* What a run had at most, given the sum of the peaks of its processes. A run that finished had no more than its limit
 * or the machine. */
double use_peak_at_most(const struct use *use, double machine_mib, double sum_of_peaks);

/* Adds what another run used on the same machine at the same time. When either used how much is not kept, so it is as
 * if the busiest times of both fell together. Of the peaks of the memory it is the larger: what they add up to is of
 * all runs of the machine (report/model/at_once.h). What has no sum, such as the limit, is of the longer run. */
void use_add(struct use *use, const struct use *other);
/* The same where the other run began when the first had ended. */
void use_follow(struct use *use, const struct use *other);

/* Takes of another machine what it had more of: a request is for each machine the same. */
void use_take_most(struct use *most, const struct use *use);

/* The caller owns the object. What is not known is left out. */
cJSON *use_json(const struct use *use);
/* The same figures again; what is not there is UNKNOWN, of GPUs and CPUs 0. */
void use_read_json(struct use *use, const cJSON *object);

void uses_free(struct uses *uses);

#endif
