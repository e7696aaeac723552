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
	const char *title; /* name of the tool in messages and on the page */
};
extern const struct dialect_name dialect_names[DIALECT_COUNT];

/* The request of one job in a file of many jobs. */
struct dialect_job {
	const char *name;
	struct resources resources;
};

/* Returns the dialect that `word` names, or -1. */
int dialect_find(const char *word);

/* Returns the label "orchestrator" of the runs that the tool started as its tasks, or NULL if the tool can run any job.
 */
const char *dialect_orchestrator(enum dialect dialect);

/* Returns the request in the tool's syntax, ready to paste. Each line ends with a newline. Unknown figures and a
 * request of 0 GPUs are omitted. The text is "" if nothing is known. The caller must free it. */
char *dialect_lines(const struct resources *resources, enum dialect dialect);

/* Returns the requests of many jobs as one file that the tool can include. A job is omitted if its name is invalid in
 * the tool or equals the name of an earlier job. has[i] is set to whether the file contains job i. DIALECT_text has no
 * file and must not be passed. The caller must free the result. */
char *dialect_file(const struct dialect_job *jobs, size_t count, enum dialect dialect, bool *has);

#endif
