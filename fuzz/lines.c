/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the readers of an interpreter's memory on any content. They must stay inside their buffers, and must
 * terminate. */
#include "fuzz/fuzz.h"
#include "os/error.h"
#include "sampler/lines/python.h"
#include "sampler/lines/r.h"
#include "sampler/lines/table.h"

/* AT is the address at which the simulated memory of the process begins. The fuzzer's bytes are the content of that
 * memory. */
enum { AT = 0x1000, READS_MAX = 2000 };
static struct text memory;
static unsigned reads;

/* Replaces peek_read of os/linux/peek.c. */
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
	return take(context, TEXT("/usr/bin/python3.8"), AT) || take(context, TEXT("/usr/lib/R/lib/libR.so"), AT);
}

int64_t peek_file(int pid, struct text path, char *data, size_t capacity)
{
	static const char version[] = "Package: base\nVersion: 4.2.2\n";

	(void)pid, (void)path;
	size_t length = sizeof version - 1 < capacity ? sizeof version - 1 : capacity;
	memcpy(data, version, length);
	return (int64_t)length;
}

int peek_list(int pid, struct text path, void (*take)(void *context, const char *name), void *context)
{
	(void)pid, (void)path, (void)take, (void)context;
	return OS_ERROR_OTHER;
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
	struct place place;
	size_t count = python_threads(python, threads);

	REQUIRE(count <= PYTHON_THREADS_MAX);
	struct python_thread thread = count > 0 ? threads[count - 1] : (struct python_thread){.frame = AT};
	if (python_read(python, &thread, &room, &place) != PLACE_READ)
		return;
	REQUIRE(place.depth > 0 && place.depth <= PYTHON_FRAMES_MAX && place.line >= 0);
	for (size_t i = 0; i < place.frames; i++) {
		struct place_frame frame;
		if (python_frame(python, &room, i, &frame))
			REQUIRE(frame.line >= 0);
	}
}

static void read_r(const char *data, size_t size)
{
	static struct r_room room;
	static char script_of[4096], path[R_PATH_SIZE];
	struct r r = {.pid = 1};
	struct r_script script = {.data = script_of, .length = size < sizeof script_of ? size : sizeof script_of};
	struct buffer out = BUFFER(path);
	struct place place;
	struct place_frame frame;

	memcpy(script_of, data, script.length);
	(void)r_script_path((struct text){data, size}, &out);
	for (size_t half = size / 2; half < size && half < size / 2 + 8; half++)
		REQUIRE(r_script_line(&script, (struct text){data + half, (size - half) % R_PARSED_SIZE}, half & 1) >=
			0);
	reads = 0;
	(void)r_find(&r, 1, &room);
	reads = 0;
	r = (struct r){.pid = 1, .context = AT, .environment = AT + 8, .parsed = AT + 16, .parsed_last = AT + 24};
	if (r_read(&r, &script, &room, &place) != PLACE_READ)
		return;
	REQUIRE(place.depth > 0 && place.depth <= R_CONTEXTS_MAX + 1 && place.line >= 0);
	for (size_t i = 0; i < room.same; i++)
		if (r_frame(&script, &room, i, &frame))
			REQUIRE(frame.function.length > 0 && frame.line >= 0);
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
		python = (struct python){.pid = 1,
			.layout = layouts[i],
			.runtime = AT,
			.code_type = AT + 1,
			.text_type = AT + 2,
			.bytes_type = AT + 3};
		read_stack(&python);
	}
	read_r(copy, size);
	free(copy);
	return 0;
}
