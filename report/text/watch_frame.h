/* What `watch` shows of a run at one moment: a screen, a line, or an object of JSON. */
#ifndef RTRACK_REPORT_TEXT_WATCH_FRAME_H
#define RTRACK_REPORT_TEXT_WATCH_FRAME_H

#include "report/model/model.h"
#include "report/say/terminal.h"
#include "report/spool/run.h"
#include "report/text/watch_living.h"

struct watch_frame {
	struct run run;
	struct model model;
	struct living living;
	double usual_seconds; /* that earlier runs took; UNKNOWN */
};

/* Reads the run in `directory` as it is now; a row that is still being written is left out without a message.
 * `living`: also the processes that live in it; `more`: these columns of process.csv as well. Returns 0, or -1 when it
 * cannot be read. */
int watch_frame_read(struct watch_frame *frame, const char *directory, bool living, uint64_t more);
void watch_frame_free(struct watch_frame *frame);

/* Writes lines for the width and the height of the terminal, each with its end: where it is low, what matters least is
 * left out first. */
void watch_frame_screen(const struct watch_frame *frame, const struct terminal *terminal);
void watch_frame_line(const struct watch_frame *frame, FILE *out);
void watch_frame_json(const struct watch_frame *frame, FILE *out);

#endif
