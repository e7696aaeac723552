/* SPDX-License-Identifier: Apache-2.0 */
/* The usage of a run, on which requests for later runs of the same job are based. It has few figures, so that the usage
 * of a hundred runs can be read quickly.
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

/* Bins of a histogram of the CPUs that a run used or waited for: one bin per CPU up to 64, then one bin per 8 CPUs up
 * to 1024. */
enum { USE_CPUS_SINGLE = 64, USE_CPUS_STEP = 8, USE_CPU_BINS = USE_CPUS_SINGLE + 1 + 120 };

struct use {
	enum use_end end;
	enum outcome outcome; /* the run's outcome, as all commands show it */
	double seconds;
	double peak_mib; /* lower bound of the needed memory */
	/* Upper bound of the needed memory. If the run finished, the bound is at most its memory limit and at most
	 * the machine's memory. */
	double peak_most_mib;
	double limit_mib; /* memory limit of the run, else the requested memory, or UNKNOWN */
	double doubt_mib; /* limit_mib if the run may have been killed for memory (SHORTAGE_MAYBE), otherwise UNKNOWN */
	double asked_mib; /* requested memory, else limit_mib, or UNKNOWN */
	double asked_cpus; /* requested CPUs, or UNKNOWN */
	double asked_gpus;
	double cpu_used;    /* CPU seconds of the whole run */
	double cpu_wait;    /* seconds that its threads waited for a CPU, or UNKNOWN */
	double vcpus;       /* CPUs of the machine that the run could use */
	double online;      /* CPUs of the machine */
	double fan_out;     /* hash that the tasks of one fan-out have in common (unit_fan_out), or UNKNOWN */
	double written_mib; /* MiB written to storage */
	double input_bytes;
	double gpus; /* largest number of GPUs in use at the same time; 0 if none or unknown */
	double vram_mib;
	double throttled;                 /* seconds during which the CPU limit throttled the run */
	double cpu_seconds[USE_CPU_BINS]; /* for each bin, seconds in which the run wanted that number of CPUs */
};

/* Usage of several runs. */
struct uses {
	size_t count;
	size_t finished, unfinished; /* set by uses_add; the finished tasks of one fan-out count once */
	struct use *items;           /* usage of each run, oldest first; owned */
};

/* Returns the columns of a table that use_make needs, as a mask for series_load. */
uint64_t use_columns(enum table_id table);

void use_make(struct use *use, const struct model *model);

/* Returns whether a run finished. A run may finish although one of its processes was killed for lack of memory. Its
 * `end` is then USE_DIED, because the next run needs more memory. */
bool use_finished(const struct use *use);

/* use_cpus returns the number of CPUs of a bin. use_bin returns the bin of a CPU usage. */
double use_cpus(size_t bin);
size_t use_bin(double usage);

/* Returns an upper bound of a run's peak: the sum of the peaks of its processes. If the run finished, the bound is
 * not above its limit or the machine's memory. */
double use_peak_at_most(const struct use *use, double machine_mib, double sum_of_peaks);

/* Adds a run that overlapped with this run on the same machine. Timelines are not stored, so the busiest times of
 * both runs are assumed to coincide. The memory peak becomes the larger of the two, and the caller must compute the
 * combined peak. Figures that cannot be summed, such as the limit, come from the longer run. */
void use_add(struct use *use, const struct use *other);
/* Adds a run that began after this run had ended. */
void use_follow(struct use *use, const struct use *other);

/* Raises each figure of `most` to the figure of another machine if it is larger. A request is the same for all
 * machines, so it must suffice for each of them. */
void use_take_most(struct use *most, const struct use *use);

/* Returns whether both runs finished and are tasks of one fan-out. */
bool use_is_sibling(const struct use *a, const struct use *b);
/* Raises each figure of `largest` to the figure of a sibling if it is larger. The input is the input of the run with
 * the largest peak. */
void use_take_sibling(struct use *largest, const struct use *sibling);

/* Returns the usage as a JSON object without unknown figures. The caller owns the object. */
cJSON *use_json(const struct use *use);
/* Reads the result of use_json. Missing figures become UNKNOWN, except GPUs and CPU bins, which become 0. */
void use_read_json(struct use *use, const cJSON *object);

void uses_free(struct uses *uses);

#endif
