/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lib/fake_objects.h"

#include "tests/unit/lib/fake_os.h"

#include <stdlib.h>
#include <string.h>

static uint8_t memory[16384];
static size_t used;
static unsigned left;
static void (*next_change)(void);

void fake_objects(const char *path, size_t reserved)
{
	memset(memory, 0, sizeof memory);
	used = reserved;
	fake_memory = (struct fake_memory){
		.pid = FAKE_INTERPRETER, .path = path, .at = FAKE_OBJECTS, .data = memory, .size = sizeof memory};
}

uint64_t fake_room(size_t size)
{
	uint64_t at = FAKE_OBJECTS + used;
	used += (size + 7) / 8 * 8;
	if (used > sizeof memory)
		abort();
	return at;
}

uint8_t *fake_bytes(uint64_t at)
{
	return memory + (at - FAKE_OBJECTS);
}

void fake_put(uint64_t at, uint64_t value)
{
	memcpy(fake_bytes(at), &value, sizeof value);
}

uint64_t fake_word(uint64_t at)
{
	uint64_t value;
	memcpy(&value, fake_bytes(at), sizeof value);
	return value;
}

static void count_down(void)
{
	if (left > 0 && --left == 0)
		next_change();
}

void fake_change_after(unsigned ranges, void (*change)(void))
{
	left = ranges;
	next_change = change;
	fake_memory.after_read = count_down;
}
