/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time and memory growth by line of code and by function, and the lines at which memory had grown before its
 * peak or before a process ran out of memory.
 *
 * The functions are functions of the user. A sample in a library is attributed to the user's function that called the
 * library. If the call stack has no code of the user, the sample is attributed to a function of the library. */
#ifndef RTRACK_REPORT_MODEL_CODE_H
#define RTRACK_REPORT_MODEL_CODE_H

#include "report/say/json.h"
#include "report/spool/code_rows.h"
#include "report/spool/series.h"

#include <stdbool.h>

enum {
	CODE_SAMPLES_LEAST = 20, /* a share based on fewer samples is too imprecise to print */
	CODE_GROWERS = 3,
	CODE_NAME_SIZE = 512,
	CODE_DESCRIBED_SIZE = 2200
};

struct code_list {
	size_t count;
	struct code_line *items; /* sorted by CPU time, descending; owned */
	double samples;          /* total of all items */
	double cpu_seconds;      /* total of all items */
};

/* The process with the most memory at one time: the line that it was executing, and the lines at which its memory
 * had grown until then. */
struct code_moment {
	bool known;
	double time; /* timestamp of the tick */
	double pid;
	double memory_mib; /* memory of the process */
	struct code_line at;
	/* row with the largest growth within one tick; `time` is UNKNOWN if no growth was large enough */
	struct code_row step;
	size_t count;
	struct code_line grew[CODE_GROWERS]; /* sorted by growth, descending */
};

/* A function of a library that a function of the user called directly. The figures include the samples in functions
 * that the library's function called. */
struct code_callee {
	const char *file, *function; /* the user's function */
	struct code_line line;
};

struct code_callees {
	size_t count;
	struct code_callee *items; /* sorted by the user's function, then by CPU time, descending; owned */
};

struct code {
	struct code_rows rows; /* sorted by process, then by time */
	/* one item per line of code, with the function that used the most CPU time at the line */
	struct code_list lines;
	/* one item per function of a file, with `line` UNKNOWN, and one item for all code of the interpreter itself */
	struct code_list functions;
	struct code_callees callees;
	/* State at the tick with the most memory. Unknown if interpreters held less than half of that memory. */
	struct code_moment peak;
	/* State when memory ran out, of the process that died. If it is unknown which process died, of the process
	 * with the most memory. */
	struct code_moment death;
};

/* Computes `lines`, `functions` and `callees` from `rows`, and takes ownership of `rows`. */
void code_make(struct code *code, struct code_rows *rows);
void code_free(struct code *code);

/* Set `peak` and `death`. Call code_make first. `process` must have the column memory_mib of process.csv. */
void code_find_peak(struct code *code, const struct series *process);
void code_find_death(struct code *code, int pid);

/* Lists the lines of all rows for whose time `wanted` returns true, sorted by CPU time, descending. `context` is
 * passed to `wanted`. */
void code_list_at(struct code_list *list, const struct code *code, bool (*wanted)(const void *context, double time),
	const void *context);
void code_list_free(struct code_list *list);

/* Adds the figures of `line` to `sum`. The file, line and function of `sum` are not changed. */
void code_line_add(struct code_line *sum, const struct code_line *line);

/* Returns the share of the list's CPU time that a line or function used, or UNKNOWN if it has fewer than
 * CODE_SAMPLES_LEAST samples. */
double code_share(const struct code_list *list, const struct code_line *line);

/* Returns the share of the list's CPU time during which a function was on the stack, or UNKNOWN if the function has
 * fewer than CODE_SAMPLES_LEAST samples. */
double code_total_share(const struct code_list *list, const struct code_line *function);

/* Returns the memory growth at a line, or UNKNOWN if it is below 1 MiB. */
double code_growth(const struct code_line *line);

/* Returns the last line that the sampler recorded for a process, or NULL. */
const struct code_line *code_latest(const struct code *code, int pid);

/* Formats a line as "job.py:42 in load", or "In [3] line 4 in load" for a cell of a notebook. If the file is unknown,
 * formats the reason in parentheses instead. Only the base name of the file is shown; JSON has the full path. */
const char *code_name(const struct code_line *line, char name[CODE_NAME_SIZE]);

/* Formats "job.py:42 in load grew 3.1 GiB; at the peak job.py:57 in fit", or "" if the moment is unknown. `moment`
 * is a phrase such as "at the peak". */
void code_describe(const struct code_moment *of, const char *moment, char *text, size_t size);

/* Returns the part of the path of a library's file that begins at the library's folder, such as "json/encoder.py", or
 * `path` if the folder is unknown. */
const char *code_library_file(const char *path);

/* Formats a function of a library as "json/encoder.py in dumps". The path begins at the library's folder. */
const char *code_library_name(const struct code_line *line, char name[CODE_NAME_SIZE]);

/* Returns the first callee of a function, or NULL if there is none. Sets *count to the number of callees, which follow
 * one another in the array. */
const struct code_callee *code_callees_of(const struct code *code, const struct code_line *function, size_t *count);

/* code_write_json adds "lines" and "peak_lines" to `json`. code_write_functions_json adds "functions". If `deep` is
 * set, each function has a list of the library functions that it called. */
void code_write_json(const struct code *code, cJSON *json);
void code_write_functions_json(const struct code *code, bool deep, cJSON *json);

/* Returns an array of the first `limit` items. The caller owns the array. */
cJSON *code_list_json(const struct code_list *list, size_t limit);

/* Return {"language", "file", "line", "function"} for a line and {"pid", "memory_mib", "at", "grew"} for a moment,
 * or null if there is none. The caller owns the result. */
cJSON *code_place_json(const struct code_line *line);
cJSON *code_moment_json(const struct code_moment *moment);

#endif
