/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of code: what each used, what each function used, and which lines made the memory grow until a moment. */
#ifndef RTRACK_REPORT_MODEL_CODE_H
#define RTRACK_REPORT_MODEL_CODE_H

#include "report/say/json.h"
#include "report/spool/code_rows.h"
#include "report/spool/series.h"

#include <stdbool.h>

enum {
	CODE_SAMPLES_LEAST = 20, /* a share of fewer looks is too rough to print */
	CODE_GROWERS = 3,
	CODE_NAME_SIZE = 512,
	CODE_DESCRIBED_SIZE = 2200
};

struct code_list {
	size_t count;
	struct code_line *items; /* the most CPU time first; owned */
	double samples;          /* of all, */
	double cpu_seconds;      /* as this */
};

/* Where the process that held the most was at a moment, and the lines at which it had grown until then. */
struct code_moment {
	bool known;
	double time; /* of the tick */
	double pid;
	double memory_mib; /* of the process */
	struct code_line at;
	struct code_row step; /* the largest growth of one tick until then; its time is UNKNOWN if none is named */
	size_t count;
	struct code_line grew[CODE_GROWERS]; /* the most first */
};

struct code {
	struct code_rows rows;      /* by process, then by time */
	struct code_list lines;     /* the function of a line is the one with the most CPU time */
	struct code_list functions; /* of a file; without a line */
	struct code_moment peak;    /* at the largest tick; unknown where interpreters held less than half of it */
	struct code_moment death;   /* of the process that died, or held the most, where memory was lacking */
};

/* Makes lines and functions of rows, and takes these over. */
void code_make(struct code *code, struct code_rows *rows);
void code_free(struct code *code);

/* Both need code_make. `process`: process.csv with its memory_mib. */
void code_find_peak(struct code *code, const struct series *process);
void code_find_death(struct code *code, int pid);

/* Lines at the times that are wanted, the most CPU time first. */
void code_list_at(struct code_list *list, const struct code *code, bool (*wanted)(const void *context, double time),
	const void *context);
void code_list_free(struct code_list *list);

/* Adds the figures of a line; the rest of `sum` stays. */
void code_line_add(struct code_line *sum, const struct code_line *line);

/* The part of a line, or a function, in the CPU time of its list; UNKNOWN of fewer than CODE_SAMPLES_LEAST looks. */
double code_share(const struct code_list *list, const struct code_line *line);

/* What memory grew there; UNKNOWN below 1 MiB: what was given back is no growth. */
double code_growth(const struct code_line *line);

/* Where a process was last: the sampler writes that line last. NULL: unknown. */
const struct code_line *code_latest(const struct code *code, int pid);

/* "job.py:42 in load", "(unknown)" without a file. A script is known by its name, its folder is in JSON. */
const char *code_name(const struct code_line *line, char name[CODE_NAME_SIZE]);

/* "job.py:42 in load grew 3.1 GiB; at the peak job.py:57 in fit". `moment`: "at the peak". "" where it is unknown. */
void code_describe(const struct code_moment *of, const char *moment, char *text, size_t size);

/* Adds "lines", an array, and "peak_lines", as below; or "functions". */
void code_write_json(const struct code *code, cJSON *json);
void code_write_functions_json(const struct code *code, cJSON *json);

/* The first `limit` items of a list, as an array. The caller owns it. */
cJSON *code_list_json(const struct code_list *list, size_t limit);

/* {"pid", "memory_mib", "at", "grew"} and {"language", "file", "line", "function"}, or null. The caller owns them. */
cJSON *code_place_json(const struct code_line *line);
cJSON *code_moment_json(const struct code_moment *moment);

#endif
