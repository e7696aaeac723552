/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated processes that act at random. They fork, work, end with or without a record, and are reaped. A launcher
 * adopts orphans. Each amount of CPU time is a multiple of 10 ms, so that rows can represent it exactly. */
#ifndef RTRACK_TESTS_FAKE_TREE_H
#define RTRACK_TESTS_FAKE_TREE_H

#include "tests/unit/lib/fake_run.h"

/* Usage of all processes since fake_tree_begin, by the tree's own account, in seconds and bytes. */
struct fake_tree_used {
	double cpu;
	double written;
};

/* Starts a tree below the launcher's root. The same seed gives the same tree. */
void fake_tree_begin(unsigned seed);
unsigned fake_tree_chance(unsigned below);

/* Performs one random action, possibly by the launcher. */
void fake_tree_step(struct sampler *sampler);

/* Ends and reaps all processes, the root last. */
void fake_tree_end(struct sampler *sampler);

struct fake_tree_used fake_tree_used(void);

#endif
