/* SPDX-License-Identifier: Apache-2.0 */
/* A run in a simulated operating system: its start, the actions of its processes and of the launcher, and the content
 * of its files. */
#ifndef RTRACK_TESTS_FAKE_RUN_H
#define RTRACK_TESTS_FAKE_RUN_H

#include "core/columns.h"
#include "sampler/sampler.h"
#include "tests/unit/lib/fake_os.h"

#define FAKE_RUN "/spool/20261121T020000Z-host-100-abcd" /* the root is process 100, the first fork */

/* Starts a run whose root has the first free pid. `place` decides whether the root is a child of the launcher, or a
 * child of init that contains the sampler's thread. `setting` is a variable such as "RTRACK_MEMORY=rss", or NULL.
 * Returns NULL if the sampler could not be opened. */
struct sampler *fake_run_begin(enum sampler_place place, const char *setting);

/* Opens another sampler for the same run. */
struct sampler *fake_run_open(enum sampler_place place);

enum { FAKE_ROOT = 100 };

/* Lets one second pass, and makes a tick. */
void fake_tick(struct sampler *sampler);

/* These write the records that the library writes in a process: at the start of a program, and at its end, with its
 * figures so far. Before an end, rows for the children that it leaves behind are written. */
void fake_says_start(int pid);
void fake_says_exit(int pid, int exit_code);
void fake_says_image(int pid); /* the record before an exec */

/* Does what the launcher does when its child has ended. */
void fake_launcher_reaps(struct sampler *sampler, int pid);

/* -- reading what the sampler wrote -- */

enum { FAKE_LAST = -1 };

int fake_rows(enum table_id table);
bool fake_is_whole(enum table_id table, int row);
double fake_cell(enum table_id table, int row, int column);      /* the first row is 0; UNKNOWN if the cell is empty */
const char *fake_text(enum table_id table, int row, int column); /* valid until the next call */
double fake_sum(enum table_id table, int column);
int fake_row_of(enum table_id table, int pid); /* the last row of that process, or -1 */
int fake_rows_of(enum table_id table, int pid);
bool fake_run_says(const char *line); /* whether run.json has that line, such as "\"status\": \"finished\"" */

#endif
