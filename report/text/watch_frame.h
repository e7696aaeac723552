/* What `watch` shows of a run at one moment: a screen, a line, or an object of JSON. */
#ifndef RTRACK_REPORT_TEXT_WATCH_FRAME_H
#define RTRACK_REPORT_TEXT_WATCH_FRAME_H

#include "report/figures/programs.h"
#include "report/figures/summary.h"
#include "report/say/terminal.h"
#include "report/spool/run.h"

struct watch_frame {
	struct run run;
	struct summary summary;
	struct programs programs;
};

/* Reads the run in `directory` as it is now; a row that is still being written is left out without a message.
 * `programs`: also which programs used it. Returns 0, or -1 when it cannot be read. */
int watch_frame_read(struct watch_frame *frame, const char *directory, bool programs);
void watch_frame_free(struct watch_frame *frame);

/* Writes lines for the width of the terminal, each with its end. */
void watch_frame_screen(const struct watch_frame *frame, const struct terminal *terminal);
void watch_frame_line(const struct watch_frame *frame, FILE *out);
void watch_frame_json(const struct watch_frame *frame, FILE *out);

#endif
