/* Whether a run had too little memory, as far as its records tell. */
#ifndef RTRACK_REPORT_MODEL_SHORTAGE_H
#define RTRACK_REPORT_MODEL_SHORTAGE_H

#include "report/model/postmortem.h"
#include "report/model/model.h"
#include "report/spool/run.h"

enum shortage {
	SHORTAGE_NONE,
	SHORTAGE_LIMIT,  /* rtrack-run ended it at --max-memory */
	SHORTAGE_ULIMIT, /* a process of it failed at a limit of its own (ulimit -v, -d) */
	SHORTAGE_OOM,    /* the kernel killed a process of it for lack of memory */
	SHORTAGE_KILLED, /* it, or a process of it, died of SIGKILL near the limit: memory can grow quicker than ticks
			  */
	SHORTAGE_SILENT, /* it ended without a word near the limit: its sampler went with it */
	SHORTAGE_FILLED  /* it came so near to the limit that it may have wanted more */
};

/* `limit_mib` is what the job could have, UNKNOWN: no limit is known, and only the kernel's word counts. Needs
 * shortage_columns of system.csv. */
enum shortage shortage_of(const struct run *run, const struct model *model, double limit_mib);

/* Whether some process of the run died of it. */
bool shortage_is_death(enum shortage shortage);
/* … and the run with it: it did not finish all the same, nor end of something else later. */
bool shortage_ended(const struct run *run, const struct model *model, enum shortage shortage);

/* What a post-mortem of the run goes by (report/model/postmortem.h). A run that finished all the same has none. */
struct postmortem_question shortage_question(const struct run *run, const struct model *model);

/* As the beginning of a sentence that goes on with the limit; NULL: there was none. */
const char *shortage_describe(enum shortage shortage);

/* The memory limit of the job, that of its control group, of rtrack-run's --max-memory, or of the process at whose
 * limit it ended, whichever is least; UNKNOWN where it has none, or one that is no less than the machine's memory. */
double shortage_own_limit(const struct run *run, const struct model *model);

/* The limit of the job's control group, where what was charged to that group, page cache and all, came so near to it
 * that it was at it; else UNKNOWN. */
double shortage_charged_limit(const struct run *run, const struct model *model);

/* The most memory that the job needed: the peak of its processes, or what its control group held that is no file's on
 * disk, if that is more: files in tmpfs are no process' memory, and the group's limit counts them. A group that others
 * are in, too, or that has no limit of its own, may be another's. */
double shortage_needed(const struct run *run, const struct model *model);

uint64_t shortage_columns(enum table_id table);

#endif
