/* SPDX-License-Identifier: Apache-2.0 */
/* run.json of an existing run: reading and replacing it.
 *
 * The file may be replaced by a process that knows only the directory, such as a later image of the root. Therefore the
 * new file is a copy of the old one with single lines replaced. This works because core/json.h writes one key per
 * line. */
#ifndef RTRACK_SAMPLER_RUN_FILE_H
#define RTRACK_SAMPLER_RUN_FILE_H

#include "core/base.h"

enum { RUN_TEXT_MAX = 65536 /* maximum size of run.json */ };

/* Returns the value of a line ` "key": value,`, or an empty text. */
struct text run_value(struct text line, const char *key);

/* Replaces run.json in the directory `at` atomically with the text that `change` writes to `out`, given the old text.
 * Returns 0 or a negative os_error, possibly from `change`; OS_ERROR_TOO_LONG if `out` is too small. */
int run_rewrite(int at, int (*change)(struct buffer *out, struct text file, const void *how), const void *how);

/* Reads the interval (s), start_time (s since the epoch), the baselines (ns) and the root's start from run.json.
 * Returns 0 or a negative os_error. */
struct run_facts {
	double interval;
	double start_time;
	int64_t baseline_ns[2];
	uint64_t root_start; /* as in struct process_id; 0 if unknown */
	bool launched;       /* run by rtrack-run */
};
int run_facts(const char *directory, struct run_facts *facts);

#endif
