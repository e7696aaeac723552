/* Which processes belong to the run: those that start.csv names, with all their ancestors. */
#ifndef RTRACK_GPU_JOB_H
#define RTRACK_GPU_JOB_H

#include "core/base.h"

/* `at`: the run's directory. */
void job_open(int at);

/* Reads what start.csv has got since. */
void job_read(void);

/* Whether the process that has this pid now belongs to the run. */
bool job_has(int pid);

#endif
