/* SPDX-License-Identifier: Apache-2.0 */
/* The requests of many jobs as one file, which a tool includes. */
#ifndef RTRACK_REPORT_ADVICE_DIALECT_FILE_H
#define RTRACK_REPORT_ADVICE_DIALECT_FILE_H

#include "report/advice/dialects.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes the whole file. A job with a name that the tool cannot have is left out, and named in a comment where the file
 * may have one; DIALECT_text has no file and is not to be asked for. The caller frees it. */
char *file_of_jobs(const struct dialect_job *jobs, size_t count, enum dialect dialect);

/* Whether the file has that job, as the job before it in the list, or because of its name, may keep it out. */
bool file_has_job(const struct dialect_job *jobs, size_t index, enum dialect dialect);

#endif
