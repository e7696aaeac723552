/* SPDX-License-Identifier: Apache-2.0 */
/* The table of distinct call stacks. */
#include "sampler/stacks.h"

/* 64-bit FNV-1a. A byte 0 ends each text, so that "ab", "c" and "a", "bc" have different hashes. */
static uint64_t add_byte(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static uint64_t add_text(uint64_t hash, struct text text)
{
	for (size_t i = 0; i < text.length; i++)
		hash = add_byte(hash, (uint8_t)text.data[i]);
	return add_byte(hash, 0);
}

uint64_t stack_hash(uint64_t hash, const struct place_frame *frame)
{
	uint32_t line = (uint32_t)frame->line;

	hash = add_text(hash == STACK_NONE ? UINT64_C(0xcbf29ce484222325) : hash, frame->file);
	hash = add_text(hash, frame->function);
	for (int shift = 0; shift < 32; shift += 8)
		hash = add_byte(hash, (uint8_t)(line >> shift));
	return add_byte(hash, frame->own);
}

bool stack_choose(const bool *own, bool *kept, size_t count)
{
	size_t left = count > STACK_FRAMES_MAX ? STACK_FRAMES_MAX - 1 : count;

	for (size_t i = 0; i < count; i++) {
		kept[i] = own[i] && left > 0;
		left -= kept[i];
	}
	for (size_t i = 0; i < count && left > 0; i++) {
		left -= !kept[i];
		kept[i] = true;
	}
	return count > STACK_FRAMES_MAX;
}

uint64_t stacks_add(struct stacks *stacks, uint64_t hash, bool *is_new)
{
	uint64_t id = (hash ^ hash >> 48) & ((UINT64_C(1) << 48) - 1);

	id = id > STACK_OTHER ? id : STACK_OTHER + 1;
	*is_new = false;
	for (size_t i = 0; i < stacks->count; i++)
		if (stacks->ids[i] == id)
			return id;
	if (stacks->count + 1 < STACKS_MAX) {
		stacks->ids[stacks->count++] = id;
		*is_new = true;
		return id;
	}
	*is_new = stacks->count < STACKS_MAX;
	stacks->count = STACKS_MAX;
	stacks->ids[STACKS_MAX - 1] = STACK_OTHER;
	return STACK_OTHER;
}
