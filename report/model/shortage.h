/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a run had too little memory, as far as its records tell; how much it needed, and how much it could have. */
#ifndef RTRACK_REPORT_MODEL_SHORTAGE_H
#define RTRACK_REPORT_MODEL_SHORTAGE_H

#include "report/model/kills.h"
#include "report/model/ulimit.h"
#include "report/spool/run.h"

enum shortage_kind {
	SHORTAGE_NONE,
	SHORTAGE_LIMIT,  /* rtrack-run ended it at --max-memory */
	SHORTAGE_ULIMIT, /* a process of it failed at a limit of its own (ulimit -v, -d) */
	SHORTAGE_OOM,    /* the kernel killed a process of it for lack of memory */
	SHORTAGE_KILLED, /* it, or a process of it, died of SIGKILL near the limit: memory can grow quicker than ticks
			  */
	SHORTAGE_SILENT, /* it ended without a word near the limit: its sampler went with it */
	SHORTAGE_FILLED  /* it came so near to the limit that it may have wanted more */
};

/* Sizes are UNKNOWN where there is none, and a limit that is no less than the machine's memory is none. */
struct shortage {
	enum shortage_kind kind;
	bool ended_run; /* the run died of it: it did not finish all the same, nor end of something else later */
	/* The most memory that the job needed: the peak of its processes, or what its control group held that is no
	 * file's on disk, if that is more: files in tmpfs are no process' memory, and the group's limit counts them. A
	 * group that others are in, too, or that has no limit of its own, may be another's. */
	double needed_mib;
	double group_limit_mib;   /* of its control group */
	double charged_limit_mib; /* the same, where what was charged to the group, page cache and all, was nearly that
				   */
	/* The least of the limit of its control group, rtrack-run's --max-memory, and the limit of a process at which
	 * the run ended. */
	double own_limit_mib;
	double wanted_mib; /* what was asked for */
	double limit_mib;  /* own_limit_mib; where there is none, wanted_mib */
};

/* `peak_mib`: the most that all processes needed. Needs shortage_columns of system.csv. */
struct shortage shortage_find(const struct run *run, const struct series *system, const struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, double peak_mib);

/* Whether some process of the run died of it. */
bool shortage_is_death(const struct shortage *shortage);

/* As the beginning of a sentence that goes on with the limit; NULL: there was none. */
const char *shortage_describe(const struct shortage *shortage);

uint64_t shortage_columns(enum table_id table);

#endif
