/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the requests of many jobs into one file that a tool can include. */
#ifndef RTRACK_REPORT_ADVICE_DIALECT_FILE_H
#define RTRACK_REPORT_ADVICE_DIALECT_FILE_H

#include "report/advice/dialects.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the whole file, owned by the caller. A job whose name the tool cannot use is omitted, and named in a comment
 * if the file may have comments. DIALECT_text has no file and must not be passed. */
char *file_of_jobs(const struct dialect_job *jobs, size_t count, enum dialect dialect);

/* Whether the file contains a job: its name must be valid in the tool and must differ from the names of earlier
 * jobs. */
bool file_has_job(const struct dialect_job *jobs, size_t index, enum dialect dialect);

#endif
