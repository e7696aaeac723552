/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a line of a source file, as it was when the run began. */
#ifndef RTRACK_REPORT_MODEL_SOURCE_H
#define RTRACK_REPORT_MODEL_SOURCE_H

#include "report/spool/code_rows.h"
#include "report/spool/run.h"

enum { SOURCE_TEXT_SIZE = 161 };

/* Without the blanks before and behind it; cut where it is long. "" where it is unknown: line.csv can name any file, so
 * only a regular file of the owner of the run is read, and a file that changed since the run began has other lines. */
const char *source_text(const struct run *run, const struct code_line *line, char text[SOURCE_TEXT_SIZE]);

#endif
