/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the call stack of CPython 3.8 to 3.14 in another process without stopping it.
 *
 * The data may change during the reading. Frames and their code objects are therefore read twice, from the outermost
 * inward, and inner frames that differ are dropped. Every object must have the type that CPython defines for it. An
 * unknown version, a debug build or a free-threaded build fails these checks, and no line is read. */
#ifndef RTRACK_SAMPLER_LINES_PYTHON_H
#define RTRACK_SAMPLER_LINES_PYTHON_H

#include "core/base.h"
#include "os/peek.h"
#include "sampler/lines/packages.h"
#include "sampler/lines/place.h"

/* Offsets of fields in CPython's structures. The file python.def describes them. */
struct python_layout {
	uint16_t minor, head, threads, next, native, cframe, frame, back, code, instruction, owner, file, name, table,
		first, start, text;
};

struct python {
	int pid;
	struct python_layout layout;
	uint64_t runtime; /* address of _PyRuntime; 0 if there is no interpreter */
	uint64_t code_type;
	uint64_t text_type;
	uint64_t bytes_type;
	struct text own;           /* patterns of RTRACK_OWN */
	struct packages *packages; /* packages that were installed from a folder, or NULL */
};

struct python_thread {
	uint64_t at;
	uint64_t frame;  /* address of the structure that points to the innermost frame: the thread, or a part of it */
	uint64_t native; /* thread id of the kernel; 0 if unknown */
};

enum {
	PYTHON_FRAMES_MAX = 128, /* maximum number of frames; if a stack is deeper, its innermost frames are read */
	PYTHON_THREADS_MAX = 64,
	PYTHON_FRAME_SIZE = 128,
	PYTHON_CODE_SIZE = 256,
	PYTHON_HEAD_SIZE = 40,
	PYTHON_PATH_SIZE = 512,
	PYTHON_NAME_SIZE = 192,
	PYTHON_TABLE_SIZE = 65536,
	PYTHON_MAPS_SIZE = 16384
};

/* A code object and its two texts, copied from the process. */
struct python_code {
	uint64_t at;
	uint8_t object[PYTHON_CODE_SIZE];
	uint8_t heads[2][PYTHON_HEAD_SIZE]; /* headers of the text objects for the path and the name */
	uint8_t path[PYTHON_PATH_SIZE];
	uint8_t name[PYTHON_NAME_SIZE];
};

struct python_code_again {
	uint8_t object[PYTHON_CODE_SIZE];
	uint8_t heads[2][PYTHON_HEAD_SIZE];
};

/* Buffer for a reading. It is large, but only pages that are used are allocated. */
struct python_room {
	struct peek_range ours[5 * PYTHON_FRAMES_MAX + 1];
	struct peek_range theirs[5 * PYTHON_FRAMES_MAX + 1];
	size_t ranges;
	size_t all;  /* number of frames in the last reading */
	size_t same; /* number of outer frames that were equal in both readings */
	bool deeper; /* the stack has more than PYTHON_FRAMES_MAX frames */
	/* Addresses of the frames, innermost first; the other arrays have this order too. */
	uint64_t at[PYTHON_FRAMES_MAX];
	_Alignas(8) uint8_t frames[PYTHON_FRAMES_MAX][PYTHON_FRAME_SIZE];
	_Alignas(8) uint8_t again[PYTHON_FRAMES_MAX][PYTHON_FRAME_SIZE];
	_Alignas(8) uint8_t third[PYTHON_FRAMES_MAX][PYTHON_FRAME_SIZE];
	struct python_code codes[PYTHON_FRAMES_MAX];
	struct python_code_again codes_again[PYTHON_FRAMES_MAX];
	/* In the next three arrays, only the last `same` of the `all` items are set: the frames that were equal in both
	 * readings. */
	uint8_t tables[PYTHON_FRAMES_MAX][PYTHON_HEAD_SIZE]; /* headers of the line tables */
	int32_t lines[PYTHON_FRAMES_MAX];
	bool own[PYTHON_FRAMES_MAX];
	char path[2 * PYTHON_PATH_SIZE];
	char name[2 * PYTHON_NAME_SIZE];
	char place_path[2 * PYTHON_PATH_SIZE];
	char place_name[2 * PYTHON_NAME_SIZE];
	union {
		uint8_t table[PYTHON_TABLE_SIZE];
		char maps[PYTHON_MAPS_SIZE];
	};
};

/* Searches a process for an interpreter of a known version. Returns 0, or -1 if there is none. Takes a fraction of a
 * millisecond. */
int python_find(struct python *python, int pid, struct python_room *room);

/* Reads the threads, newest first; the last one is the main thread. Returns their number, up to PYTHON_THREADS_MAX. */
size_t python_threads(const struct python *python, struct python_thread threads[PYTHON_THREADS_MAX]);

enum place_result python_read(
	const struct python *python, const struct python_thread *thread, struct python_room *room, struct place *place);

/* Reads a frame of the last reading. Index 0 is the innermost unchanged frame. Returns false for a frame without Python
 * code. */
bool python_frame(const struct python *python, struct python_room *room, size_t index, struct place_frame *frame);

/* Returns whether a file belongs to the interpreter or to an installed package. */
bool python_is_installed(struct text path);

/* Returns whether a file is the user's: it is not installed, or one of the comma-separated `patterns` matches it. A
 * pattern without a '/' matches the name of the file or of a folder on its path. */
bool python_is_own(struct text path, struct text patterns);

/* Converts a CPython text to UTF-8. `head` is the header of the text object, and `data` are `size` bytes of its
 * characters. Returns false if it is not a text. */
bool python_decode(const uint8_t *head, const uint8_t *data, size_t size, struct buffer *out);

/* Fills a layout from the _Py_DebugOffsets of 3.13 and later. Returns false if the layout is unknown. */
enum { PYTHON_DEBUG_WORDS = 64 };
bool python_read_offsets(const uint64_t words[PYTHON_DEBUG_WORDS], struct python_layout *layout);

#endif
