/* SPDX-License-Identifier: Apache-2.0 */
/* A run in the system in memory: its beginning, what its members and the launcher do for it, and what its files say. */
#ifndef RTRACK_TESTS_FAKE_RUN_H
#define RTRACK_TESTS_FAKE_RUN_H

#include "core/columns.h"
#include "sampler/sampler.h"
#include "tests/unit/lib/fake_os.h"

#define FAKE_RUN "/spool/20261121T020000Z-host-100-abcd" /* its root is process 100, the first that is forked */

/* Makes the run of a root with the first free pid, in the manner of `place`: the launcher's child, or init's with the
 * sampler's thread in it. `setting` is a variable of the environment such as "RTRACK_MEMORY=rss", or NULL. NULL: the
 * sampler could not be opened. */
struct sampler *fake_run_begin(enum sampler_place place, const char *setting);

/* One more sampler of the same run. */
struct sampler *fake_run_open(enum sampler_place place);

enum { FAKE_ROOT = 100 };

/* A second later. */
void fake_tick(struct sampler *sampler);

/* What the library writes in a process: at the start of an image, and at its end, with its figures by then and, before
 * that, the names of the children that it leaves. */
void fake_says_start(int pid);
void fake_says_exit(int pid, int exit_code);
void fake_says_image(int pid); /* before it becomes another program */

/* What the launcher does when its child has ended. */
void fake_launcher_reaps(struct sampler *sampler, int pid);

/* -- what is written -- */

enum { FAKE_LAST = -1 };

int fake_rows(enum table_id table);
bool fake_is_whole(enum table_id table, int row);
double fake_cell(enum table_id table, int row, int column);      /* the first is row 0; UNKNOWN if it is empty */
const char *fake_text(enum table_id table, int row, int column); /* valid until the next call */
double fake_sum(enum table_id table, int column);
int fake_row_of(enum table_id table, int pid); /* the last of that process, or -1 */
int fake_rows_of(enum table_id table, int pid);
bool fake_run_says(const char *line); /* of run.json, such as "\"status\": \"finished\"" */

#endif
