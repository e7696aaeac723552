/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines that a failed run wrote to stderr, where that is a file or rtrack-run kept it: run.json has its path
 * and range. */
#ifndef RTRACK_REPORT_MODEL_OUTPUT_H
#define RTRACK_REPORT_MODEL_OUTPUT_H

#include "core/spool.h"
#include "report/say/json.h"
#include "report/spool/run.h"

enum { OUTPUT_LINES = 12, OUTPUT_TEXT_MAX = 4096 };

struct output {
	const char *stream; /* "stderr"; "stdout" where that has all or stderr has nothing; NULL: none */
	char path[SPOOL_PATH_MAX];
	char text[OUTPUT_TEXT_MAX +
		  1]; /* OUTPUT_LINES lines at most, with their ends; of a progress bar the last state */
};

/* Of a run that failed or was killed. A file is read only if it is a regular file, belongs to the owner of the run,
 * is as long as it was, and was not written anew since: run.json can name any file. */
void output_find(struct output *output, const struct run *run);

/* {"stream", "path", "text"}, or null. The caller owns it. */
cJSON *output_json(const struct output *output);

#endif
