/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which processes belong to the run: those in start.csv and their descendants. */
#ifndef RTRACK_GPU_JOB_H
#define RTRACK_GPU_JOB_H

#include "core/base.h"

/* Opens start.csv. `at` is a descriptor of the run's directory. */
void job_open(int at);

/* Reads the rows that were added to start.csv since the previous call. */
void job_read(void);

/* Returns whether the process that currently has this pid belongs to the run. */
bool job_has(int pid);

#endif
