/* SPDX-License-Identifier: Apache-2.0 */
/* The processes that belong to the run: those in start.csv and their descendants. */
#ifndef RTRACK_GPU_JOB_H
#define RTRACK_GPU_JOB_H

#include "core/base.h"

/* Opens start.csv. `at`: descriptor of the run's directory. */
void job_open(int at);

/* Reads new rows of start.csv. */
void job_read(void);

/* Returns whether the process that has this pid at the moment belongs to the run. */
bool job_has(int pid);

#endif
