/* What every command reads of a run: its tables, its processes and its totals. */
#ifndef RTRACK_REPORT_MODEL_MODEL_H
#define RTRACK_REPORT_MODEL_MODEL_H

#include "report/model/totals.h"
#include "report/spool/gpus.h"
#include "report/spool/processes.h"

struct model {
	struct series process;
	struct series system;
	struct processes processes;
	struct gpus gpus;
	struct totals totals;
	bool usable; /* some file tells what the job used; false when there is only a run.json, or less */
};

/* Reads the columns of the masks and those that the totals need. Returns 0; or -1 after a message. */
int model_read(struct model *model, const struct run *run, uint64_t process_columns, uint64_t system_columns);
void model_free(struct model *model);

/* 0 if it is usable, else -1 after a message. */
int model_check(const struct model *model, const struct run *run);

#endif
