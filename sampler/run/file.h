/* run.json of a run that was made: what it says, and how it is replaced.
 *
 * The file may be replaced by another image of the root process than the one that made the run, which knows nothing but
 * the directory. So it is a copy of the file in which single lines are replaced, which works because core/json.h writes
 * one key a line. */
#ifndef RTRACK_SAMPLER_RUN_FILE_H
#define RTRACK_SAMPLER_RUN_FILE_H

#include "core/base.h"

enum { RUN_TEXT_MAX = 65536 /* of run.json */ };

/* The value on a line `  "key": value,`, or an empty text. */
struct text run_value(struct text line, const char *key);

/* Puts in the place of run.json in the directory `at` what `change` writes to `out` of the text that it has, whole or
 * not at all: 0 or a negative os_error, which may be that of `change`. What is longer than `out` is OS_ERROR_TOO_LONG.
 */
int run_rewrite(int at, int (*change)(struct buffer *out, struct text file, const void *how), const void *how);

/* The interval (s) and start_time (s since the epoch), baselines (ns) and start of the root that run.json holds; 0 or a
 * negative os_error. */
struct run_facts {
	double interval;
	double start_time;
	int64_t baseline_ns[2];
	uint64_t root_start; /* as struct process_id has it; 0: unknown */
};
int run_facts(const char *directory, struct run_facts *facts);

#endif
