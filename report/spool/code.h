/* Lines of code at which interpreters were: line.csv, summed by line. */
#ifndef RTRACK_REPORT_SPOOL_CODE_H
#define RTRACK_REPORT_SPOOL_CODE_H

#include "report/say/json.h"

#include <stddef.h>

/* A share of fewer looks is too rough to print. */
enum { CODE_SAMPLES_LEAST = 20 };

struct code_line {
	char *file; /* "": no line; `function` says why */
	double line;
	char *function; /* the one with the most CPU time */
	char *language;
	double samples;
	double samples_cut;
	double seconds;
	double cpu_seconds;
	double memory_mib; /* the largest */
	double growth_mib;
};

struct code {
	size_t count;
	struct code_line *lines; /* the most CPU time first */
	double samples;
	double cpu_seconds; /* of all */
};

/* Reads line.csv. A missing file has no lines; one that cannot be read has none either, after a message. Returns 0, or
 * -1 with errno when there is no memory. */
int code_load(struct code *code, const char *directory);
void code_free(struct code *code);

/* All lines as an array. */
cJSON *code_json(const struct code *code);

#endif
