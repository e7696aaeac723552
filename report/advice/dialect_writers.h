/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the writers of the files share. Private to the dialect_file files. */
#ifndef RTRACK_REPORT_ADVICE_DIALECT_WRITERS_H
#define RTRACK_REPORT_ADVICE_DIALECT_WRITERS_H

#include "report/advice/dialects.h"

#include <stdbool.h>
#include <stdio.h>

/* Characters that are control characters, and bytes that are no UTF-8, are written as '?' in a comment. */
void writers_comment(FILE *out, const char *text);

enum { WRITERS_NAME_SIZE = 64 };

/* The name as the tool may have it: in lower case if `lower`, of letters, digits and the bytes of `others`, with '-'
 * for all else; "" where nothing is left of it. */
void writers_name(const char *name, const char *others, bool lower, char text[WRITERS_NAME_SIZE]);

/* Each writes the jobs of a list that file_has_job says are in the file. */
typedef void writers_file(FILE *out, const struct dialect_job *jobs, size_t count);
writers_file writers_slurm, writers_nextflow, writers_snakemake, writers_kubernetes, writers_metaflow, writers_batch,
	writers_docker, writers_airflow;

/* The name that the job has in the tool; "": it can have none. */
typedef void writers_names(const char *name, char text[WRITERS_NAME_SIZE]);
writers_names writers_name_snakemake, writers_name_kubernetes, writers_name_batch, writers_name_docker;

#endif
