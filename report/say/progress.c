/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress of a long task. */
#include "report/say/progress.h"

#include "report/say/terminal.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double OFTEN = 0.2; /* seconds between updates of the line; nothing is shown for a shorter task */

static struct {
	FILE *out; /* stream on which the line is shown, or NULL if progress is not shown */
	double from, last;
	unsigned width;
	int length; /* length of the line that is shown now */
	struct progress *outermost;
} shown;

static double now(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void progress_allow(FILE *out, double after)
{
	struct terminal terminal = terminal_of(out);

	if (!terminal.live)
		return;
	shown.out = out;
	shown.from = now() + after;
	shown.width = terminal.width;
}

void progress_clear(void)
{
	if (shown.length == 0)
		return;
	fprintf(shown.out, "\r%*s\r", shown.length, "");
	fflush(shown.out);
	shown.length = 0;
}

static void show(const struct progress *progress)
{
	char line[120];
	int length = snprintf(line, sizeof line, "rtrack-report: %s", progress->what);

	if (length < 0 || (size_t)length >= sizeof line)
		length = (int)strlen(line);
	if (progress->total > 0)
		snprintf(line + length, sizeof line - (size_t)length, ", %d %%",
			(int)fmin(100 * progress->done / progress->total, 100));
	progress_clear();
	/* Leave the last column empty, because the cursor could otherwise move to the next line. */
	shown.length = fprintf(shown.out, "%.*s", (int)shown.width - 1, line);
	fflush(shown.out);
}

void progress_begin(struct progress *progress, const char *what, double total)
{
	*progress = (struct progress){.what = what, .total = total};
	if (!shown.out || shown.outermost)
		return;
	shown.outermost = progress;
	progress->began = now();
}

void progress_advance(struct progress *progress, double amount)
{
	progress->done += amount;
	if (shown.outermost != progress)
		return;
	double time = now();
	if (time < shown.from || time < progress->began + OFTEN || time < shown.last + OFTEN)
		return;
	shown.last = time;
	show(progress);
}

void progress_end(struct progress *progress)
{
	if (shown.outermost != progress)
		return;
	shown.outermost = NULL;
	progress_clear();
}
