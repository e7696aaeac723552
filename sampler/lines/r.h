/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the call stack and the current script line of R 3.6 to 4.6 in another process without stopping it.
 *
 * R stores no line numbers, unless keep.source is set. However, R's parser keeps the last 256 characters that it has
 * read, for error messages. While R executes a script, these characters are the current top-level expression. The line
 * is found by searching the script for these characters.
 *
 * The contexts of R's functions are on the C stack and may change during a reading. They are therefore read again,
 * twice in one copy operation, and inner contexts that differ are dropped. Symbols never move. */
#ifndef RTRACK_SAMPLER_LINES_R_H
#define RTRACK_SAMPLER_LINES_R_H

#include "core/base.h"
#include "os/peek.h"
#include "sampler/lines/place.h"

struct r {
	int pid;
	uint64_t context;     /* address of R_GlobalContext; 0 if the process does not execute R */
	uint64_t environment; /* address of R_GlobalEnv */
	uint64_t parsed;      /* address of R_ParseContext, the ring buffer of the parser */
	uint64_t parsed_last; /* address of R_ParseContextLast, the index of the last character in the ring buffer */
};

enum {
	R_CONTEXTS_MAX = 128,
	R_CONTEXT_SIZE = 264,
	R_OBJECT_SIZE = 56,
	R_PARSED_SIZE = 256,
	R_NAME_SIZE = 96,
	R_PATH_SIZE = 512,
	R_SCRIPT_MAX = 1 << 20,
	R_BUCKETS_MAX = 1024,  /* maximum size of the hash table of an environment that is searched */
	R_VARIABLES_MAX = 512, /* maximum number of variables that are searched for a function */
	R_SEARCHED_MAX = 4,    /* number of searches whose results are kept */
	R_MAPS_SIZE = 16384
};

/* The script of an R process, and the position of the last sample in it. */
struct r_script {
	char path[R_PATH_SIZE]; /* path as in the command line */
	char *data;             /* content of the file, or NULL if unknown */
	size_t length;
	char text[R_PARSED_SIZE]; /* the last expression that was searched for */
	size_t text_length;
	size_t from; /* offset at which the next search starts, one byte after the start of the last match */
	int32_t line;
	/* The last functions that were searched for in the global environment, and the address of the binding of the
	 * variable that holds each of them, or 0. */
	struct r_variable {
		uint64_t function, binding;
	} variables[R_SEARCHED_MAX];
	size_t searched; /* number of searches */
};

/* Buffer for a reading. */
struct r_room {
	struct peek_range ours[2 * R_CONTEXTS_MAX + 1];
	struct peek_range theirs[2 * R_CONTEXTS_MAX + 1];
	size_t all, same; /* number of contexts in the last reading, and how many of the outer ones were unchanged */
	uint64_t at[R_CONTEXTS_MAX];
	_Alignas(8) uint8_t contexts[R_CONTEXTS_MAX][R_CONTEXT_SIZE];
	_Alignas(8) uint8_t again[R_CONTEXTS_MAX][R_CONTEXT_SIZE];
	_Alignas(8) uint8_t third[R_CONTEXTS_MAX][R_CONTEXT_SIZE];
	/* In the next two arrays, only the last `same` of the `all` items are set: the contexts that were equal in all
	 * readings. The name is empty if the context does not belong to a function. */
	char names[R_CONTEXTS_MAX][R_NAME_SIZE];
	bool own[R_CONTEXTS_MAX];
	int32_t line; /* line of the script's expression */
	bool deeper;  /* there are more than R_CONTEXTS_MAX contexts */
	uint64_t buckets[R_BUCKETS_MAX];
	char maps[R_MAPS_SIZE];
};

/* Searches a process for an R of a known version. Returns 0, or -1 if there is none. */
int r_find(struct r *r, int pid, struct r_room *room);

/* Determines the script from a process's command line, and reads the script file. If that fails, `data` stays NULL. */
void r_script_open(struct r_script *script, int pid);
void r_script_close(struct r_script *script);

enum place_result r_read(const struct r *r, struct r_script *script, struct r_room *room, struct place *place);

/* Reads a frame of the last reading. Index 0 is the innermost unchanged context, and the outermost frame is the
 * script's expression. Returns false for a context without a function. */
bool r_frame(const struct r_script *script, const struct r_room *room, size_t index, struct place_frame *frame);

/* Returns the path of the script in a command line of R, or an empty text. */
struct text r_script_path(struct text command, struct buffer *out);

/* Returns the script line of the expression that R's parser has read, or 0 if the script does not contain the
 * expression. `whole`: `parsed` contains the beginning of the expression. */
int32_t r_script_line(struct r_script *script, struct text parsed, bool whole);

#endif
