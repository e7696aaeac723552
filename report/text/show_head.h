/* The first lines of `show`: which job, how it ended, what was called, when and where. */
#ifndef RTRACK_REPORT_TEXT_SHOW_HEAD_H
#define RTRACK_REPORT_TEXT_SHOW_HEAD_H

#include "report/text/show_line.h"

/* Writes the job and its end in `width` columns; if they are too long, the job is cut first. */
void show_end(const struct show_view *view, unsigned width);

void show_heading(const struct show_view *view);

/* Of a failed run with its stderr in a file, the last lines of that. */
void show_output(const struct show_view *view);

#endif
