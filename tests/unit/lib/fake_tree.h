/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated processes that act at random. They fork, use CPU time, write, end with or without a record, and are reaped.
 * The launcher adopts orphans. Each amount of CPU time is a multiple of 10 ms, which rows represent exactly. */
#ifndef RTRACK_TESTS_FAKE_TREE_H
#define RTRACK_TESTS_FAKE_TREE_H

#include "tests/unit/lib/fake_run.h"

/* Usage of all processes since fake_tree_begin, in seconds and bytes. The simulation itself counts it. */
struct fake_tree_used {
	double cpu;
	double written;
};

/* Starts a tree of processes below the root of the run. The same seed gives the same tree. */
void fake_tree_begin(unsigned seed);
unsigned fake_tree_chance(unsigned below);

/* Performs one random action of a process or of the launcher. */
void fake_tree_step(struct sampler *sampler);

/* Ends and reaps all processes. The root ends last. */
void fake_tree_end(struct sampler *sampler);

struct fake_tree_used fake_tree_used(void);

#endif
