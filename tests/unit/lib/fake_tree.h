/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that do as chance has it: they fork, work, end and are reaped, told or untold, and a launcher gets what
 * they leave. Every amount of CPU time is a multiple of 10 ms, so that rows hold it to the digit. */
#ifndef RTRACK_TESTS_FAKE_TREE_H
#define RTRACK_TESTS_FAKE_TREE_H

#include "tests/unit/lib/fake_run.h"

/* What all members have used since fake_tree_begin, by the tree's own account, in seconds and bytes. */
struct fake_tree_used {
	double cpu;
	double written;
};

/* A tree below the launcher's root; the same for the same seed. */
void fake_tree_begin(unsigned seed);
unsigned fake_tree_chance(unsigned below);

/* One thing happens, perhaps with the launcher's help. */
void fake_tree_step(struct sampler *sampler);

/* All processes end and are reaped, the root last. */
void fake_tree_end(struct sampler *sampler);

struct fake_tree_used fake_tree_used(void);

#endif
