/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and replaces run.json of an existing run.
 *
 * The process that replaces the file may know only the directory, for example a root after an exec. The new file is
 * therefore a copy of the old one in which single lines are replaced. This works because core/json.h writes one key per
 * line. */
#ifndef RTRACK_SAMPLER_RUN_FILE_H
#define RTRACK_SAMPLER_RUN_FILE_H

#include "core/base.h"

#define RAY_NO_JOB "ffffffff" /* RAY_JOB_ID of a Ray worker that has no job yet */

enum { RUN_TEXT_MAX = 65536 /* maximum size of run.json */ };

/* Returns the value of a line ` "key": value,`, or an empty text. */
struct text run_value(struct text line, const char *key);

/* Replaces run.json in the directory `at` atomically. `change` gets the old text and writes the new text to `out`.
 * Returns 0, or a negative os_error, which may come from `change`. Returns OS_ERROR_TOO_LONG if `out` is too small. */
int run_rewrite(int at, int (*change)(struct buffer *out, struct text file, const void *how), const void *how);

/* Facts from run.json: interval (s), start_time (s since the epoch), baselines (ns) and the root's start.
 * run_read_facts returns 0 or a negative os_error. */
struct run_facts {
	double interval;
	double start_time;
	int64_t baseline_ns[2];
	uint64_t root_start; /* as in struct process_id; 0 if unknown */
	bool launched;       /* rtrack-run has started the run */
	bool lacks_ray_job;  /* the root is a Ray worker whose job was unknown when it started */
};
int run_facts(const char *directory, struct run_facts *facts);

#endif
