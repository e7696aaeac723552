/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report watch: follows a run until it ends.
 *
 * On a terminal it is a screen that is redrawn every second; in a pipe it prints lines. The tables are read completely
 * each time, which takes a while for a long run, so the pause is at least 20 times the reading time. The end of a run
 * is shown at once, because run.json is replaced then. */
#define _GNU_SOURCE
#include "os/file.h"
#include "os/watch.h"
#include "report/commands/alerts.h"
#include "report/commands/commands.h"

#include "report/history/history.h"
#include "report/model/median.h"
#include "report/text/watch_frame.h"
#include "report/say/message.h"
#include "report/say/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_ON_SCREEN = 1, EVERY_IN_PIPE = 10, PAUSE_FACTOR = 20 };

struct watch {
	const char *directory;
	bool live; /* the output is a terminal, which shows a screen */
	bool json;
	struct alerts *alerts; /* alerts of --when, or NULL; with alerts, nothing else is shown */
	int every_ms;
	double usual_seconds; /* median duration of earlier runs, or UNKNOWN */
	int changes;          /* handle of os_watch; negative if the system has none, and run.json is then polled */
};

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void show_screen(const struct watch_frame *frame)
{
	struct terminal terminal = terminal_of(stdout);
	unsigned height = terminal.height;
	char *text = NULL;
	size_t size = 0;

	terminal.out = open_memstream(&text, &size);
	if (!terminal.out)
		return;
	watch_frame_screen(frame, &terminal);
	if (fclose(terminal.out) == 0)
		screen_show(text, size, height);
	free(text);
}

/* Reads and shows the run. Returns 1 while it is running, 0 when it has ended, or -1 if it cannot be read. */
static int show_now(const struct watch *watch)
{
	struct watch_frame frame;

	if (watch_frame_read(&frame, watch->directory, watch->live, watch->alerts ? alert_columns() : 0) != 0)
		return -1;
	bool running = strcmp(frame.run.status, "running") == 0;
	frame.usual_seconds = watch->usual_seconds;
	if (watch->alerts)
		alerts_look(watch->alerts, &frame);
	else if (watch->live && running)
		show_screen(&frame);
	else if (!watch->live && watch->json)
		watch_frame_json(&frame, stdout);
	else if (!watch->live && running)
		watch_frame_line(&frame, stdout);
	(void)fflush(stdout);
	watch_frame_free(&frame);
	return running;
}

/* Waits until the run should be shown again. Returns false if the user wants to stop. */
static bool wait_for_next(const struct watch *watch, int64_t pause_ms)
{
	int64_t until = now_ms() + pause_ms;

	for (int64_t left = pause_ms; left > 0; left = until - now_ms()) {
		char key = 0;
		switch (screen_wait(watch->changes, (int)left, &key)) {
		case SCREEN_END:
			return false;
		case SCREEN_KEY:
			if (key == 'q' || key == 'Q')
				return false;
			break;
		case SCREEN_RESIZED:
			return true;
		case SCREEN_FILE:
			if (os_watch_heard(watch->changes, SPOOL_RUN_FILE))
				return true;
			break;
		case SCREEN_TIME:
			break;
		}
	}
	return true;
}

/* Shows the run until it ends. Returns the last result of show_now, or 1 if the user wants to stop. */
static int follow(const struct watch *watch)
{
	for (;;) {
		int64_t start = now_ms();
		int running = show_now(watch);
		if (running <= 0)
			return running;
		int64_t took = (now_ms() - start) * PAUSE_FACTOR;
		if (!wait_for_next(watch, took > watch->every_ms ? took : watch->every_ms))
			return 1;
	}
}

/* Waits until the tracker has released an ended run, which takes a moment after run.json is written. Before that, the
 * run seems to have living processes. */
static void await_release(const struct watch *watch)
{
	enum { MOST_MS = 2000, LOOK_MS = 50 };
	int64_t until = now_ms() + MOST_MS;
	struct run run;

	while (run_open(&run, watch->directory) == 0) {
		bool goes_on = run.goes_on;
		run_close(&run);
		if (!goes_on || now_ms() > until || !wait_for_next(watch, LOOK_MS))
			return;
	}
}

/* Prints how the run ended, as `show` does. */
static int print_show(const struct options *options, const char *directory, bool brief)
{
	struct options end = *options;
	struct run run;

	if (run_open(&run, directory) != 0) {
		message_cannot_read(directory, errno);
		return EXIT_NO_DATA;
	}
	end.command = COMMAND_show;
	end.text[OPTION_short] = brief ? "" : NULL;
	int status = model_command(&end, &run);
	run_close(&run);
	return status;
}

/* The median duration of earlier runs, or UNKNOWN. */
static double usual_seconds(const struct run *run)
{
	double seconds[HISTORY_RUNS];
	struct history history;
	size_t count = 0;

	history_read(&history, run, HISTORY_RUNS);
	for (size_t i = 0; i < history.count && i < HISTORY_RUNS; i++) {
		double value = history.totals[i].wall_seconds;
		if (number_known(value))
			seconds[count++] = value;
	}
	history_free(&history);
	return median_known(seconds, count);
}

int watch_command(const struct options *options, const struct run *run)
{
	struct terminal terminal = terminal_of(stdout);
	bool running = strcmp(run->status, "running") == 0;
	bool alerted = options_given(options, OPTION_when);
	static struct alerts alerts;

	if (!alerted && options_given(options, OPTION_exec)) {
		message_print("--exec needs --when");
		return EXIT_USAGE;
	}
	if (alerted && alerts_begin(&alerts, options, run) != 0)
		return EXIT_USAGE;
	struct watch watch = {
		.directory = run->directory,
		.live = terminal.live && !options->json && !alerted,
		.json = options->json,
		.alerts = alerted ? &alerts : NULL,
		.usual_seconds = UNKNOWN,
		.changes = os_watch(run->directory),
	};
	double every = options->number[OPTION_every];

	watch.every_ms = 1000 * (number_known(every) ? (int)(every < 86400 ? every : 86400)
					: watch.live ? EVERY_ON_SCREEN
						     : EVERY_IN_PIPE);
	int result = running || watch.json || alerted ? 0 : -1;
	if (running && watch.live)
		watch.usual_seconds = usual_seconds(run);
	if (result == 0) {
		screen_begin(watch.live);
		result = follow(&watch);
		if (result == 0 && !watch.json && !alerted)
			await_release(&watch);
		screen_end();
	}
	os_close(watch.changes);
	if (result > 0 || (result == 0 && (watch.json || alerted)))
		return EXIT_DONE;
	return print_show(options, run->directory, !watch.live);
}
