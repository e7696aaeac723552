/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time and memory growth by line of code and by function, and the lines at which memory grew before a moment. */
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

/* The line that the process with the most memory was executing at a moment, and the lines at which its memory had grown
 * by then. */
struct code_moment {
	bool known;
	double time; /* timestamp of the tick */
	double pid;
	double memory_mib; /* memory of the process */
	struct code_line at;
	struct code_row step; /* largest growth within one tick; its time is UNKNOWN if no line is named */
	size_t count;
	struct code_line grew[CODE_GROWERS]; /* sorted by growth, descending */
};

struct code {
	struct code_rows rows;      /* sorted by process, then by time */
	struct code_list lines;     /* each line names its function with the most CPU time */
	struct code_list functions; /* functions by file; their line number is UNKNOWN */
	/* the tick with the most memory; unknown if interpreters held less than half of that memory */
	struct code_moment peak;
	struct code_moment death; /* when memory ran out: of the process that died, or that held the most memory */
};

/* Builds lines and functions from `rows`, and takes ownership of `rows`. */
void code_make(struct code *code, struct code_rows *rows);
void code_free(struct code *code);

/* Both functions require code_make. `process` must have the column memory_mib of process.csv. */
void code_find_peak(struct code *code, const struct series *process);
void code_find_death(struct code *code, int pid);

/* Lists the lines at the times that `wanted` accepts, by CPU time, descending. */
void code_list_at(struct code_list *list, const struct code *code, bool (*wanted)(const void *context, double time),
	const void *context);
void code_list_free(struct code_list *list);

/* Adds the figures of `line` to `sum`, whose place (file, line, function) is unchanged. */
void code_line_add(struct code_line *sum, const struct code_line *line);

/* Share of a line or function in the CPU time of its list; UNKNOWN with fewer than CODE_SAMPLES_LEAST samples. */
double code_share(const struct code_list *list, const struct code_line *line);

/* Memory growth at a line; UNKNOWN if it is below 1 MiB or negative. */
double code_growth(const struct code_line *line);

/* The last line that the sampler recorded for a process, or NULL. */
const struct code_line *code_latest(const struct code *code, int pid);

/* Formats a line as "job.py:42 in load", or "(unknown)" if it has no file. Only the base name of the file is shown;
 * JSON has its folder. */
const char *code_name(const struct code_line *line, char name[CODE_NAME_SIZE]);

/* Formats "job.py:42 in load grew 3.1 GiB; at the peak job.py:57 in fit", or "" if the moment is unknown. `moment` is
 * the phrase "at the peak". */
void code_describe(const struct code_moment *of, const char *moment, char *text, size_t size);

/* Adds the arrays "lines" and "peak_lines" to `json`; code_write_functions_json adds "functions". */
void code_write_json(const struct code *code, cJSON *json);
void code_write_functions_json(const struct code *code, cJSON *json);

/* Returns the first `limit` items as an array, owned by the caller. */
cJSON *code_list_json(const struct code_list *list, size_t limit);

/* Returns {"language", "file", "line", "function"} for a place and {"pid", "memory_mib", "at", "grew"} for a moment, or
 * null. The caller owns the result. */
cJSON *code_place_json(const struct code_line *line);
cJSON *code_moment_json(const struct code_moment *moment);

#endif
