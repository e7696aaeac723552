/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines that a failed run wrote to stderr, if stderr is a file or rtrack-run kept a copy. run.json has the
 * path and the byte range. */
#ifndef RTRACK_REPORT_MODEL_OUTPUT_H
#define RTRACK_REPORT_MODEL_OUTPUT_H

#include "core/spool.h"
#include "report/say/json.h"
#include "report/spool/run.h"

enum { OUTPUT_LINES = 12, OUTPUT_TEXT_MAX = 4096 };

struct output {
	/* "stderr", or "stdout" if stderr is empty or goes to the same file, or NULL if there is no output */
	const char *stream;
	char path[SPOOL_PATH_MAX];
	/* At most OUTPUT_LINES lines with newlines; progress bars are reduced to their last state. */
	char text[OUTPUT_TEXT_MAX + 1];
};

/* Reads the output of a run that failed or was killed. A forged run.json can name any file. A file is therefore read
 * only if it is a regular file of the run's owner, and if it has not been truncated or rewritten since the run. */
void output_find(struct output *output, const struct run *run);

/* Returns {"stream", "path", "text"}, or null if there is no output. The caller owns the result. */
cJSON *output_json(const struct output *output);

#endif
