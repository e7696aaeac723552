/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a run had too little memory according to its records, how much it needed, and how much was available. */
#ifndef RTRACK_REPORT_MODEL_SHORTAGE_H
#define RTRACK_REPORT_MODEL_SHORTAGE_H

#include "report/model/kills.h"
#include "report/model/ulimit.h"
#include "report/spool/run.h"

enum shortage_kind {
	SHORTAGE_NONE,
	SHORTAGE_LIMIT,  /* rtrack-run ended it at --max-memory */
	SHORTAGE_ULIMIT, /* a process failed at its own limit (ulimit -v, -d) */
	SHORTAGE_OOM,    /* the kernel killed a process for lack of memory */
	SHORTAGE_KILLED, /* a process died of SIGKILL near the limit: memory can grow faster than ticks */
	SHORTAGE_SILENT, /* the run ended without a record near the limit: its sampler was killed with it */
	SHORTAGE_FILLED  /* the run came so near to the limit that it may have needed more */
};

/* Sizes are UNKNOWN if there is none. A limit at or above the machine's memory does not count as a limit. */
struct shortage {
	enum shortage_kind kind;
	/* the run ended because of the shortage, instead of finishing anyway or ending later for another reason */
	bool ended_run;
	/* Memory that the job needed: the peak of its processes, or what its control group held apart from files on
	 * disk, if that is more. The group's limit counts files in tmpfs, which belong to no process. A group that is
	 * shared, or that has no limit of its own, is ignored. */
	double needed_mib;
	double group_limit_mib; /* limit of the run's control group */
	/* limit of the control group, if its charged memory, including page cache, came near to it */
	double charged_limit_mib;
	/* Smallest of the control group's limit, rtrack-run's --max-memory, and the per-process limit at which the run
	 * ended. */
	double own_limit_mib;
	double wanted_mib; /* requested memory */
	double limit_mib;  /* own_limit_mib, or wanted_mib if there is no own limit */
};

/* `peak_mib` is the peak of needed memory of all processes. Needs shortage_columns of system.csv. */
struct shortage shortage_find(const struct run *run, const struct series *system, const struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, double peak_mib);

/* Whether a process of the run died of the shortage. */
bool shortage_is_death(const struct shortage *shortage);

/* Beginning of a sentence that continues with the limit, or NULL if there was no shortage. */
const char *shortage_describe(const struct shortage *shortage);

uint64_t shortage_columns(enum table_id table);

#endif
