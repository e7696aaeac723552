/* At which line of its script an R of another process is: 3.6 to 4.6, read without stopping it.
 *
 * R keeps no lines unless it is told to (keep.source). But its parser keeps the last 256 characters that it has read,
 * for error messages. While a script runs, these are the top-level expression in progress. The script has it at some
 * line.
 *
 * The contexts of R's functions are on the C stack and change meanwhile. So they are read again, twice in one call, and
 * the inner ones that differ are left out. Symbols stay where they are for ever. */
#ifndef RTRACK_SAMPLER_LINES_R_H
#define RTRACK_SAMPLER_LINES_R_H

#include "core/base.h"
#include "os/peek.h"
#include "sampler/lines/place.h"

struct r {
	int pid;
	uint64_t context;     /* R_GlobalContext; 0: there is no R */
	uint64_t environment; /* R_GlobalEnv */
	uint64_t parsed;      /* R_ParseContext, */
	uint64_t parsed_last; /* and R_ParseContextLast */
};

enum {
	R_CONTEXTS_MAX = 128,
	R_CONTEXT_SIZE = 264,
	R_OBJECT_SIZE = 56,
	R_PARSED_SIZE = 256,
	R_NAME_SIZE = 96,
	R_PATH_SIZE = 512,
	R_SCRIPT_MAX = 1 << 20,
	R_MAPS_SIZE = 16384
};

/* The script of an R, and where in it that was at the last look. */
struct r_script {
	char path[R_PATH_SIZE]; /* as its command line names it */
	char *data;             /* NULL: it is not known */
	size_t length;
	char text[R_PARSED_SIZE]; /* that was looked up last */
	size_t text_length;
	size_t from; /* behind the beginning of what was found */
	int32_t line;
};

/* Room for a reading. */
struct r_room {
	struct peek_range ours[2 * R_CONTEXTS_MAX + 1];
	struct peek_range theirs[2 * R_CONTEXTS_MAX + 1];
	size_t all, same; /* contexts of the last reading, and how many of the outer ones were the same */
	uint64_t at[R_CONTEXTS_MAX];
	_Alignas(8) uint8_t contexts[R_CONTEXTS_MAX][R_CONTEXT_SIZE];
	_Alignas(8) uint8_t again[R_CONTEXTS_MAX][R_CONTEXT_SIZE];
	_Alignas(8) uint8_t third[R_CONTEXTS_MAX][R_CONTEXT_SIZE];
	char name[R_NAME_SIZE];
	char maps[R_MAPS_SIZE];
};

/* Looks for R in a process. 0; -1: there is none that is known. */
int r_find(struct r *r, int pid, struct r_room *room);

/* Learns which script a process runs from its command line, and reads it once. `data` may stay NULL. */
void r_script_open(struct r_script *script, int pid);
void r_script_close(struct r_script *script);

enum place_result r_read(const struct r *r, struct r_script *script, struct r_room *room, struct place *place);

/* The function of a context of the last reading, from the innermost of those that were the same; empty: none. */
struct text r_context_name(const struct r *r, struct r_room *room, size_t index);

/* The path of the script in a command line of R; empty: it has none. */
struct text r_script_path(struct text command, struct buffer *out);

/* The line at which the script has the expression that R's parser has read; 0: it has it not. `whole`: the text begins
 * where the expression does. */
int32_t r_script_line(struct r_script *script, struct text parsed, bool whole);

#endif
