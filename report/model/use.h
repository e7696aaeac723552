/* SPDX-License-Identifier: Apache-2.0 */
/* The usage of one run that requests for later runs of the same job are based on: a few figures, so that a hundred runs
 * can be read quickly.
 *
 * It is stored in the run's digest (report/history/digest.h) as one line of JSON. */
#ifndef RTRACK_REPORT_MODEL_USE_H
#define RTRACK_REPORT_MODEL_USE_H

#include "report/model/outcome.h"
#include "report/model/model.h"
#include "report/spool/run.h"

enum use_end {
	USE_FINISHED,
	USE_FAILED, /* the run failed for another reason, or has not ended */
	USE_DIED,   /* the run failed for lack of memory */
	USE_PART    /* rtrack-run --attach tracked only a part of the run */
};

/* Seconds by the number of CPUs that would have sufficed: one bin per CPU up to 64, then one per 8 CPUs up to 1024. */
enum { USE_CPUS_SINGLE = 64, USE_CPUS_STEP = 8, USE_CPU_BINS = USE_CPUS_SINGLE + 1 + 120 };

struct use {
	enum use_end end;
	enum outcome outcome; /* the run's outcome, as all commands show it */
	double seconds;
	double peak_mib; /* lower bound of the needed memory */
	/* upper bound of the needed memory: at most the limit under which the run finished, and the machine's memory */
	double peak_most_mib;
	double limit_mib;  /* memory limit of the control group, else the requested memory, or UNKNOWN */
	double asked_mib;  /* requested.memory_mib of run.json, else the limit, or UNKNOWN */
	double asked_cpus; /* CPUs in requested of run.json, or UNKNOWN */
	double asked_gpus;
	double cpu_used;    /* CPU seconds of the whole run */
	double vcpus;       /* CPUs of the machine */
	double written_mib; /* MiB written to storage */
	double input_bytes;
	double gpus; /* most GPUs in use at once; 0 if none or unknown */
	double vram_mib;
	double throttled; /* seconds during which the CPU limit throttled the run */
	double waited;    /* % of the time during which tasks of the machine waited for a CPU */
	double cpu_seconds[USE_CPU_BINS];
};

/* Usage of several runs. */
struct uses {
	size_t count;
	struct use *items; /* usage of each run, oldest first; owned */
};

/* Columns that use_make needs of a table. */
uint64_t use_columns(enum table_id table);

void use_make(struct use *use, const struct model *model);

/* Whether a run finished, even if a process was killed for lack of memory. `end` is USE_DIED for such a run, because
 * the next one needs more memory. */
bool use_finished(const struct use *use);

/* use_cpus returns the number of CPUs of a bin, use_bin the bin for a usage in CPUs. */
double use_cpus(size_t bin);
size_t use_bin(double usage);

/* Upper bound of a run's peak, given the sum of its processes' peaks. A run that finished did not exceed its limit or
 * the machine's memory. */
double use_peak_at_most(const struct use *use, double machine_mib, double sum_of_peaks);

/* Adds a run that overlapped with this one on the same machine. Timelines are not stored, so the busiest times of both
 * are assumed to coincide. The memory peak becomes the larger of both; the caller computes combined peaks of all runs.
 * Figures that cannot be summed, such as the limit, come from the longer run. */
void use_add(struct use *use, const struct use *other);
/* Adds a run that began after this one had ended. */
void use_follow(struct use *use, const struct use *other);

/* Raises `most` to the figures of another machine that are larger: a request is the same for each machine. */
void use_take_most(struct use *most, const struct use *use);

/* The caller owns the object. Unknown figures are omitted. */
cJSON *use_json(const struct use *use);
/* Reads the result of use_json. Missing figures are UNKNOWN; GPUs and CPUs are 0. */
void use_read_json(struct use *use, const cJSON *object);

void uses_free(struct uses *uses);

#endif
