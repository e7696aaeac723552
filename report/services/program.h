/* What another program answers: it gets a text on its standard input, and what it prints is read while it runs.
 *
 * The reports know of the network and of drivers by programs and not by libraries: see "Which servers the report asks"
 * in docs/design.md. */
#ifndef RTRACK_REPORT_SERVICES_PROGRAM_H
#define RTRACK_REPORT_SERVICES_PROGRAM_H

#include "core/base.h"

struct program_call {
	int pid;
	int socket; /* what it prints can be read here, until the end of it */
};

/* Starts arguments[0], looked for in PATH, with `input` on its standard input; what it says on stderr goes nowhere.
 * 0, or -1 with errno: ENOENT, if there is no such program. */
int program_start(struct program_call *program, const char *const *arguments, struct text input);

/* Waits for its end, after killing it if `kill` says so; closes the socket. Its exit status, or -1 if it has none. */
int program_end(struct program_call *program, bool kill);

/* All that a program prints within so many seconds, NUL-terminated, to be freed; NULL: it is not there, failed, took
 * longer, or printed `size` bytes or more. */
char *program_answer(const char *const *arguments, double seconds, size_t size);

/* The monotonic clock, s. */
double program_clock(void);

#endif
