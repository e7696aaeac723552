/* SPDX-License-Identifier: Apache-2.0 */
/* The task of a process in an orchestrator (core/orchestrators.def): whether the process begins the task, and the
 * task's names. */
#ifndef RTRACK_SAMPLER_RUN_TASK_H
#define RTRACK_SAMPLER_RUN_TASK_H

#include "core/json.h"
#include "sampler/run/source.h"

struct task {
	struct invocation of;
	int row;        /* row of the innermost orchestrator in core/orchestrators.def; -1 if none */
	bool begins;    /* the process is the first of its task */
	bool is_helper; /* the process is a helper of the orchestrator, which begins no run */
	uint64_t key;   /* number that differs between tasks; 0 if unknown */
};

/* Determines whether a process with this command line and environment belongs to a task, and whether it begins the
 * task. `pid`: the calling process. `around`: directory of the enclosing run, or NULL. A process that continues its own
 * run after an exec begins no task. */
void task_find(struct task *task, const char *around, int pid);

/* The functions below are called once per run. task_find is called in each process. */

/* Appends the orchestrator's name of the job, if it has one. */
void task_write_job(const struct task *task, struct buffer *out);

/* Writes "labels": first `tags` (KEY=VALUE, separated by newlines or commas), then the orchestrator and its labels.
 * Each key is written once. */
void task_write_labels(const struct task *task, struct json *json, struct text tags);

/* Writes "group" and "member". If `wish`, from RTRACK_GROUP, is set, it takes precedence over the orchestrator's
 * group. */
void task_write_group(const struct task *task, struct json *json, struct text wish);

#endif
