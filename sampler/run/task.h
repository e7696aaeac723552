/* What a process is to the system that starts jobs (core/orchestrators.def): whether it begins a task, and how that is
 * called. */
#ifndef RTRACK_SAMPLER_RUN_TASK_H
#define RTRACK_SAMPLER_RUN_TASK_H

#include "core/json.h"
#include "sampler/run/source.h"

struct task {
	struct invocation of;
	int row;        /* of the innermost orchestrator; -1: none is known */
	bool begins;    /* the process is the first of its task */
	bool is_helper; /* … or it is none of the job's: it begins no run */
	uint64_t key;   /* tells one task from the next; 0: it cannot be told */
};

/* Looks whether a process with this command line and environment belongs to a task, and begins it. `pid` is the
 * process' own, `around` the directory of the run around it (NULL: there is none). A process that runs in its own run
 * after an exec begins nothing. */
void task_find(struct task *task, const char *around, int pid);

/* The next are asked once a run, and task_find in each process. */

/* Appends the name that the orchestrator gives the job; nothing if it gives none. */
void task_write_job(const struct task *task, struct buffer *out);

/* Writes "labels": `tags` first (KEY=VALUE, separated by newlines or commas), then the orchestrator and what its rows
 * say, each key once. */
void task_write_labels(const struct task *task, struct json *json, struct text tags);

/* Writes "group" (`wish`, RTRACK_GROUP, before the orchestrator's) and "member". */
void task_write_group(const struct task *task, struct json *json, struct text wish);

#endif
