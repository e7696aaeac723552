/* At which line a CPython of another process is: 3.8 to 3.14, read without stopping it.
 *
 * What is read may change meanwhile. So the frames and their code objects are read twice, the outermost first, and the
 * inner ones that differ are left out. Each object that is followed must be of the type that CPython itself gives for
 * it. An interpreter of another version, of a debug or a free-threaded build does not pass, and gives no lines. */
#ifndef RTRACK_SAMPLER_LINES_PYTHON_H
#define RTRACK_SAMPLER_LINES_PYTHON_H

#include "core/base.h"
#include "os/peek.h"
#include "sampler/lines/place.h"

/* Offsets, as in python.def. */
struct python_layout {
	uint16_t minor, head, threads, next, native, cframe, frame, back, code, instruction, owner, file, name, table,
		first, start, text;
};

struct python {
	int pid;
	struct python_layout layout;
	uint64_t runtime; /* _PyRuntime; 0: there is no interpreter */
	uint64_t code_type;
	uint64_t text_type;
	uint64_t bytes_type;
};

struct python_thread {
	uint64_t at;
	uint64_t frame;  /* what has its innermost frame: the thread, or a part of it */
	uint64_t native; /* its number in the kernel; 0: unknown */
};

enum {
	PYTHON_FRAMES_MAX = 128, /* the innermost ones of a deeper stack */
	PYTHON_THREADS_MAX = 64,
	PYTHON_FRAME_SIZE = 128,
	PYTHON_CODE_SIZE = 256,
	PYTHON_HEAD_SIZE = 40,
	PYTHON_PATH_SIZE = 512,
	PYTHON_NAME_SIZE = 192,
	PYTHON_TABLE_SIZE = 65536,
	PYTHON_MAPS_SIZE = 16384
};

/* A code object, and its two texts as they are in memory. */
struct python_code {
	uint64_t at;
	uint8_t object[PYTHON_CODE_SIZE];
	uint8_t heads[2][PYTHON_HEAD_SIZE]; /* of the path and of the name */
	uint8_t path[PYTHON_PATH_SIZE];
	uint8_t name[PYTHON_NAME_SIZE];
};

struct python_code_again {
	uint8_t object[PYTHON_CODE_SIZE];
	uint8_t heads[2][PYTHON_HEAD_SIZE];
};

/* Room for a reading. It is large, and only pages that are used are there. */
struct python_room {
	struct peek_range ours[5 * PYTHON_FRAMES_MAX + 1];
	struct peek_range theirs[5 * PYTHON_FRAMES_MAX + 1];
	size_t ranges;
	size_t all;                     /* frames of the last reading, */
	size_t same;                    /* and how many of the outer ones were the same twice */
	uint64_t at[PYTHON_FRAMES_MAX]; /* of the frames, the innermost first; so are the others */
	_Alignas(8) uint8_t frames[PYTHON_FRAMES_MAX][PYTHON_FRAME_SIZE];
	_Alignas(8) uint8_t again[PYTHON_FRAMES_MAX][PYTHON_FRAME_SIZE];
	_Alignas(8) uint8_t third[PYTHON_FRAMES_MAX][PYTHON_FRAME_SIZE];
	struct python_code codes[PYTHON_FRAMES_MAX];
	struct python_code_again codes_again[PYTHON_FRAMES_MAX];
	char path[2 * PYTHON_PATH_SIZE];
	char name[2 * PYTHON_NAME_SIZE];
	union {
		uint8_t table[PYTHON_TABLE_SIZE];
		char maps[PYTHON_MAPS_SIZE];
	};
};

/* Looks for an interpreter in a process. 0; -1: there is none that is known. Takes a fraction of a millisecond. */
int python_find(struct python *python, int pid, struct python_room *room);

/* Its threads, the newest first; the last is the main one. Returns how many were found, up to PYTHON_THREADS_MAX. */
size_t python_threads(const struct python *python, struct python_thread threads[PYTHON_THREADS_MAX]);

enum place_result python_read(
	const struct python *python, const struct python_thread *thread, struct python_room *room, struct place *place);

/* The function of a frame of the last reading, from the innermost of those that were the same twice; empty: C code. */
struct text python_frame_name(const struct python *python, struct python_room *room, size_t index);

/* Whether a file is the interpreter's or an installed package's. */
bool python_is_installed(struct text path);

/* A text of CPython as UTF-8. `head`: of the object; `data`: `size` bytes of its characters. False: not a text. */
bool python_decode(const uint8_t *head, const uint8_t *data, size_t size, struct buffer *out);

/* Fills a layout from what 3.13 and later say of themselves. False: it is not known. */
enum { PYTHON_DEBUG_WORDS = 64 };
bool python_read_offsets(const uint64_t words[PYTHON_DEBUG_WORDS], struct python_layout *layout);

#endif
