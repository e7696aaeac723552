/* SPDX-License-Identifier: Apache-2.0 */
/* Formats a request for schedulers, workflow managers and container engines. */
#ifndef RTRACK_REPORT_ADVICE_DIALECTS_H
#define RTRACK_REPORT_ADVICE_DIALECTS_H

#include "report/advice/resources.h"

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

#endif
