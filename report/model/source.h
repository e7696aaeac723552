/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the text of a code line in a cell of a notebook, or in a source file that has not changed since the run
 * began. */
#ifndef RTRACK_REPORT_MODEL_SOURCE_H
#define RTRACK_REPORT_MODEL_SOURCE_H

#include "report/spool/code_rows.h"
#include "report/spool/run.h"

enum { SOURCE_TEXT_SIZE = 161 };

/* Returns a line of a text without surrounding blanks, shortened if it is long, or an empty text if there is no such
 * line. */
struct text source_line(struct text text, double line);

/* Returns the text of a line as source_line does, or "" if it cannot be read. A forged
 * line.csv can name any file, so only a regular file of the run's owner is read. A file that changed after the run
 * began is ignored. */
const char *source_text(const struct run *run, const struct code_line *line, char text[SOURCE_TEXT_SIZE]);

#endif
