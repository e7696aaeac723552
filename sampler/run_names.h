/* Names around a run's directory that its making, finding and ending share. Private to them. */
#ifndef RTRACK_SAMPLER_RUN_NAMES_H
#define RTRACK_SAMPLER_RUN_NAMES_H

#include "os/process.h"
#include "sampler/run.h"

enum { RUN_TEXT_MAX = 65536 /* of run.json */ };

/* Puts in the place of run.json in the directory `at` what `change` writes to `out` of the text that it has, whole or
 * not at all: 0 or a negative os_error, which may be that of `change`. What is longer than `out` is OS_ERROR_TOO_LONG.
 */
int run_rewrite(int at, int (*change)(struct buffer *out, struct text file, const void *how), const void *how);

/* Appends the spool's directory, absolute. */
void run_spool(struct buffer *out, const struct run_start *start);

/* Notes that process `root` roots the run in `directory`, or takes the note away again. */
void run_announce(const char *directory, struct process_id root);
void run_unannounce(const char *directory);

/* The run id in its directory's path. */
struct text run_id(const char *directory);

#endif
