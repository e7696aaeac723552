/* run.json of an existing run: what it says, and how it is replaced.
 *
 * The process that replaces the file may be another image of the root than the one that made the run, and know nothing
 * but the directory. So the new file is a copy of the old one in which single lines are replaced. That works because
 * core/json.h writes one key a line. */
#ifndef RTRACK_SAMPLER_RUN_FILE_H
#define RTRACK_SAMPLER_RUN_FILE_H

#include "core/base.h"

enum { RUN_TEXT_MAX = 65536 /* of run.json */ };

/* The value on a line `  "key": value,`, or an empty text. */
struct text run_value(struct text line, const char *key);

/* Replaces run.json in the directory `at`, whole or not at all, by what `change` writes to `out` when given the old
 * text. Returns 0 or a negative os_error, perhaps that of `change`; OS_ERROR_TOO_LONG: more than `out` holds. */
int run_rewrite(int at, int (*change)(struct buffer *out, struct text file, const void *how), const void *how);

/* What run.json holds of the interval (s), start_time (s since the epoch), the baselines (ns) and the start of the
 * root. Returns 0 or a negative os_error. */
struct run_facts {
	double interval;
	double start_time;
	int64_t baseline_ns[2];
	uint64_t root_start; /* as struct process_id has it; 0: unknown */
	bool launched;       /* by rtrack-run */
};
int run_facts(const char *directory, struct run_facts *facts);

#endif
