/* SPDX-License-Identifier: Apache-2.0 */
/* The request as schedulers, workflow managers and container engines take it. */
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
	const char *word;  /* of --for */
	const char *title; /* for a person */
};
extern const struct dialect_name dialect_names[DIALECT_COUNT];

/* The request of a job, for a file of many (file.h). */
struct dialect_job {
	const char *name;
	struct resources resources;
};

/* -1: there is none of that name. */
int dialect_find(const char *word);

/* The request as that tool takes it, ready to be pasted; each line with its end. What is unknown, and GPUs where none
 * is wanted, is left out; "" when nothing is known. The caller frees it. */
char *dialect_lines(const struct resources *resources, enum dialect dialect);

#endif
