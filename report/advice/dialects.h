/* SPDX-License-Identifier: Apache-2.0 */
/* Formats requests for schedulers, workflow managers and container engines. */
#ifndef RTRACK_REPORT_ADVICE_DIALECTS_H
#define RTRACK_REPORT_ADVICE_DIALECTS_H

#include "report/advice/resources.h"

#include <stdbool.h>
#include <stddef.h>

enum dialect {
	DIALECT_text,
	DIALECT_slurm,
	DIALECT_nextflow,
	DIALECT_snakemake,
	DIALECT_kubernetes,
	DIALECT_metaflow,
	DIALECT_batch,
	DIALECT_docker,
	DIALECT_airflow,
	DIALECT_COUNT
};

struct dialect_name {
	const char *word;  /* value of --for */
	const char *title; /* name of the tool for people */
};
extern const struct dialect_name dialect_names[DIALECT_COUNT];

/* The request of a job, for a file of many jobs. */
struct dialect_job {
	const char *name;
	struct resources resources;
};

/* Returns the dialect with that word, or -1. */
int dialect_find(const char *word);

/* Returns the request in the tool's syntax, ready to paste, each line with a newline. Unknown figures, and 0 GPUs, are
 * omitted; "" if nothing is known. The caller frees it. */
char *dialect_lines(const struct resources *resources, enum dialect dialect);

/* Returns the requests of many jobs as one file that the tool can include, owned by the caller. A job whose name the
 * tool cannot use is omitted. DIALECT_text has no file and must not be passed. */
char *dialect_file(const struct dialect_job *jobs, size_t count, enum dialect dialect);

/* Whether the file contains a job: its name must be valid in the tool and must differ from the names of earlier
 * jobs. */
bool dialect_file_has(const struct dialect_job *jobs, size_t index, enum dialect dialect);

#endif
