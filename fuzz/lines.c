/* The readers of an interpreter's memory stay within their room and end, whatever is in that memory. */
#include "fuzz/fuzz.h"
#include "os/error.h"
#include "sampler/lines/python.h"
#include "sampler/lines/table.h"

/* The process' memory: the bytes of the fuzzer from here on. */
enum { AT = 0x1000, READS_MAX = 2000 };
static struct text memory;
static unsigned reads;

/* In place of os/linux/peek.c. */
int64_t peek_read(int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count)
{
	int64_t copied = 0;

	(void)pid;
	REQUIRE(++reads < READS_MAX && count <= PEEK_RANGES_MAX);
	for (size_t i = 0; i < count; i++) {
		if (theirs[i].size == 0)
			continue;
		uint64_t from = theirs[i].at - AT;
		if (theirs[i].size > memory.length || from > memory.length - theirs[i].size)
			return copied > 0 ? copied : OS_ERROR_OTHER;
		memcpy((void *)(uintptr_t)ours[i].at, memory.data + from, (size_t)theirs[i].size);
		copied += (int64_t)theirs[i].size;
	}
	return copied;
}

int peek_images(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context)
{
	(void)pid, (void)data;
	return take(context, TEXT("/usr/bin/python3.8"), AT);
}

uint64_t peek_thread_cpu_ns(int pid, uint64_t thread)
{
	(void)pid, (void)thread;
	return 0;
}

static void read_stack(struct python *python)
{
	static struct python_room room;
	struct python_thread threads[PYTHON_THREADS_MAX];
	struct python_place place;
	size_t count = python_threads(python, threads);

	REQUIRE(count <= PYTHON_THREADS_MAX);
	struct python_thread thread = count > 0 ? threads[count - 1] : (struct python_thread){.frame = AT};
	if (python_read(python, &thread, &room, &place) == PYTHON_READ)
		REQUIRE(place.depth > 0 && place.depth <= PYTHON_FRAMES_MAX && place.line >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct python_room room;
	static const struct python_layout layouts[] = {
		{8, 32, 8, 8, UINT16_MAX, UINT16_MAX, 24, 24, 32, 104, UINT16_MAX, 104, 112, 120, 40, UINT16_MAX, 48},
		{12, 40, 72, 8, 144, 56, 0, 8, 0, 56, 70, 112, 128, 136, 68, 192, 40}};
	struct python python;
	char *copy = fuzz_copy(data, size, false);

	for (int i = 0; i < 3; i++)
		REQUIRE(line_table_find(
				(enum line_table)i, (const uint8_t *)copy, size, 1, size > 0 ? data[0] * 4 : 0) >= 0);
	memory = (struct text){copy, size};
	reads = 0;
	if (python_find(&python, 1, &room) == 0)
		read_stack(&python);
	for (size_t i = 0; i < ARRAY_LENGTH(layouts); i++) {
		reads = 0;
		python = (struct python){1, layouts[i], AT, AT + 1, AT + 2, AT + 3};
		read_stack(&python);
	}
	free(copy);
	return 0;
}
