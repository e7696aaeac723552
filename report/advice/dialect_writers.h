/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the writers of job files share. Private to the dialect_file files. */
#ifndef RTRACK_REPORT_ADVICE_DIALECT_WRITERS_H
#define RTRACK_REPORT_ADVICE_DIALECT_WRITERS_H

#include "report/advice/dialects.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes a text for a comment, with control characters and invalid UTF-8 replaced by '?'. */
void writers_comment(FILE *out, const char *text);

enum { WRITERS_NAME_SIZE = 64 };

/* Converts a name for a tool: letters, digits and the bytes of `others` are kept, others become '-', and `lower`
 * selects lower case. The result is "" if nothing remains. */
void writers_name(const char *name, const char *others, bool lower, char text[WRITERS_NAME_SIZE]);

/* Type of the writers. Each writes those jobs of the list that file_has_job accepts. */
typedef void writers_file(FILE *out, const struct dialect_job *jobs, size_t count);
writers_file writers_slurm, writers_nextflow, writers_snakemake, writers_kubernetes, writers_metaflow, writers_batch,
	writers_docker, writers_airflow;

/* Stores the name that a job has in the tool, or "" if it cannot have one. */
typedef void writers_names(const char *name, char text[WRITERS_NAME_SIZE]);
writers_names writers_name_snakemake, writers_name_kubernetes, writers_name_batch, writers_name_docker;

#endif
