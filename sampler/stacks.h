/* SPDX-License-Identifier: Apache-2.0 */
/* The distinct call stacks of a run, which stack.csv lists.
 *
 * The id of a stack is a hash of its frames. Therefore all samplers, of this run and of other runs, give a stack the
 * same id. */
#ifndef RTRACK_SAMPLER_STACKS_H
#define RTRACK_SAMPLER_STACKS_H

#include "sampler/lines/place.h"

enum {
	STACKS_MAX = 4096,     /* maximum number of stacks; further ones share the id STACK_OTHER */
	STACK_FRAMES_MAX = 64, /* maximum number of rows of a stack, including the row "cut" */
	STACK_NONE = 0,
	STACK_OTHER = 1
};

struct stacks {
	uint64_t ids[STACKS_MAX];
	size_t count;
};

/* Chooses which frames of a stack are written. If it has more than STACK_FRAMES_MAX frames, these are the innermost
 * frames of the user's code, and then the innermost other frames, one frame fewer than STACK_FRAMES_MAX in all, because
 * the row "cut" is written as well. `own` and `kept` have `count` items, innermost first. Returns whether frames were
 * left out. */
bool stack_choose(const bool *own, bool *kept, size_t count);

/* Returns the hash of a stack to which a frame has been added. `hash` is the hash without this frame, or STACK_NONE for
 * the first frame. */
uint64_t stack_hash(uint64_t hash, const struct place_frame *frame);

/* Returns the id of the stack with this hash: at most 48 bits, so that a double holds it exactly. If the stack is new,
 * adds it and sets *is_new. If there is no room for it, returns STACK_OTHER, and sets *is_new the first time. */
uint64_t stacks_add(struct stacks *stacks, uint64_t hash, bool *is_new);

#endif
