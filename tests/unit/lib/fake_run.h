/* SPDX-License-Identifier: Apache-2.0 */
/* A run in a simulated operating system. Functions start the run, act as its processes and its launcher, and read its
 * files. */
#ifndef RTRACK_TESTS_FAKE_RUN_H
#define RTRACK_TESTS_FAKE_RUN_H

#include "core/columns.h"
#include "sampler/sampler.h"
#include "tests/unit/lib/fake_os.h"

#define FAKE_RUN "/spool/20261121T020000Z-host-100-abcd" /* the root is process 100, the first fork */

/* Starts a run whose root has the first free pid. `place` decides whether the root is a child of the launcher, or a
 * child of init that contains the sampler's thread. `setting` is an environment variable such as "RTRACK_MEMORY=rss",
 * or NULL. Returns NULL if the sampler could not be opened. */
struct sampler *fake_run_begin(enum sampler_place place, const char *setting);

/* Opens a second sampler for the same run. */
struct sampler *fake_run_open(enum sampler_place place);

enum { FAKE_ROOT = 100 };

/* Advances the clock by one second, and then makes a tick. */
void fake_tick(struct sampler *sampler);

/* These functions write the records that the library writes: at the start of a program, at its end, and before an exec.
 * An end record has the figures of the process so far. Before it, a row is written for each child that the process
 * leaves behind. */
void fake_says_start(int pid);
void fake_says_exit(int pid, int exit_code);
void fake_says_image(int pid); /* record before an exec */

/* Acts as the launcher does after its child has ended. */
void fake_launcher_reaps(struct sampler *sampler, int pid);

/* -- reading what the sampler wrote -- */

enum { FAKE_LAST = -1 };

int fake_rows(enum table_id table);
bool fake_is_whole(enum table_id table, int row);
double fake_cell(enum table_id table, int row, int column); /* rows are counted from 0; UNKNOWN if the cell is empty */
const char *fake_text(enum table_id table, int row, int column); /* the result is valid until the next call */
double fake_sum(enum table_id table, int column);
int fake_row_of(enum table_id table, int pid); /* returns the number of the process's last row, or -1 */
int fake_rows_of(enum table_id table, int pid);
bool fake_run_says(const char *line); /* returns true if run.json has this line, such as "\"status\": \"finished\"" */

#endif
