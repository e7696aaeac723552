/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report watch: follows a run until it ends.
 *
 * On a terminal, it redraws a screen every second; in a pipe, it prints lines. The tables are read completely each
 * time, which takes a while for a long run, so the pause is at least 20 times the reading time. The end of a run is
 * shown at once, because run.json is replaced then.
 *
 * With --when, each alert is reported once, as a line or to the command of --exec. A shell runs that command, and
 * rtrack-report waits for it. The command receives the alert as environment variables, for use in a line of shell, and
 * as a JSON object on stdin. RTRACK disables tracking in the command, because it belongs to no run. */
#define _GNU_SOURCE
#include "os/file.h"
#include "os/watch.h"
#include "report/commands/commands.h"

#include "report/compare/alert.h"
#include "report/history/history.h"
#include "report/model/median.h"
#include "report/say/alloc.h"
#include "report/text/watch_frame.h"
#include "report/say/message.h"
#include "report/say/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* -- alerts ---------------------------------------------------------------------------------------- */

enum { ALERTS_MAX = 32 };

struct alerts {
	struct alert items[ALERTS_MAX];
	bool told[ALERTS_MAX];
	/* for each alert, whether a message has reported that its bound is unknown */
	bool unknown[ALERTS_MAX];
	size_t count;
	const char *command; /* command of --exec, or NULL to print a line */
	bool json;
	bool known; /* whether there is a previous run; `previous` then has its totals */
	struct totals previous;
};

enum { TEXT_SIZE = 600 };

static void read_previous(struct alerts *alerts, const struct run *run)
{
	struct history history;

	history_read(&history, run, 1);
	alerts->known = history.count > 0;
	if (alerts->known)
		alerts->previous = history.totals[0];
	history_free(&history);
}

/* Parses the conditions of --when, and reads the previous run. Returns 0, or -1 after a message. */
static int alerts_begin(struct alerts *alerts, const struct options *options, const struct run *run)
{
	bool previous = false;

	*alerts = (struct alerts){.command = options->text[OPTION_exec], .json = options->json};
	for (const char *at = options->lines; *at;) {
		struct text line = {at, strcspn(at, "\n")};
		const char *wrong = alerts->count == ALERTS_MAX ? "too many of them"
								: alert_read(&alerts->items[alerts->count], line);
		if (wrong) {
			message_print("--when '%.*s': %s", (int)line.length, line.data, wrong);
			return -1;
		}
		previous |= alerts->items[alerts->count++].name == ALERT_PREVIOUS;
		at += line.length + (at[line.length] == '\n');
	}
	if (previous)
		read_previous(alerts, run);
	return 0;
}

/* Formats an alert: "align on node7: memory_mib>0.9*limit: 930.5, and the bound is 921.6, after 12 min". */
static void describe(char text[TEXT_SIZE], const struct alert *alert, const struct alert_verdict *verdict,
	const struct watch_frame *frame)
{
	const struct run *run = &frame->run;
	char figures[80] = "", end[80] = "";

	if (alert->kind == ALERT_COMPARES)
		(void)snprintf(
			figures, sizeof figures, ": %.6g, and the bound is %.6g", verdict->value, verdict->bound);
	else
		(void)snprintf(end, sizeof end, ": %s", outcome_word(frame->model.outcome));
	(void)snprintf(text, TEXT_SIZE, "%.100s on %.60s: %.*s%s%s, after %s", run->job, run->host,
		alert->text.length < 200 ? (int)alert->text.length : 200, alert->text.data, figures, end,
		units_duration(frame->model.totals.wall_seconds).text);
}

static char *make_json(const char *text, const struct alert *alert, const struct alert_verdict *verdict,
	const struct watch_frame *frame)
{
	cJSON *json = cJSON_CreateObject();
	char condition[TEXT_SIZE];

	(void)snprintf(condition, sizeof condition, "%.*s", (int)alert->text.length, alert->text.data);
	cJSON_AddStringToObject(json, "text", text);
	cJSON_AddStringToObject(json, "condition", condition);
	json_add_number(json, "value", verdict->value, 3);
	json_add_number(json, "bound", verdict->bound, 3);
	cJSON_AddStringToObject(json, "outcome", outcome_key(frame->model.outcome));
	cJSON_AddItemToObject(json, "run", cJSON_Duplicate(frame->run.json, true));
	totals_write_json(&frame->model.totals, cJSON_AddObjectToObject(json, "totals"));
	char *printed = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	return printed;
}

static void set_number(const char *name, double value)
{
	char text[40] = "";

	if (number_known(value))
		(void)snprintf(text, sizeof text, "%.6g", value);
	(void)setenv(name, text, 1);
}

/* Runs the command in the child process, with `input` as stdin. */
static _Noreturn void run_command(const char *command, FILE *input, const char *text, const struct alert *alert,
	const struct alert_verdict *verdict, const struct watch_frame *frame)
{
	const struct run *run = &frame->run;
	char condition[TEXT_SIZE];

	(void)snprintf(condition, sizeof condition, "%.*s", (int)alert->text.length, alert->text.data);
	(void)setenv("RTRACK", "off", 1);
	(void)setenv("RTRACK_ALERT_TEXT", text, 1);
	(void)setenv("RTRACK_ALERT_CONDITION", condition, 1);
	set_number("RTRACK_ALERT_VALUE", verdict->value);
	set_number("RTRACK_ALERT_BOUND", verdict->bound);
	(void)setenv("RTRACK_ALERT_RUN", run->id, 1);
	(void)setenv("RTRACK_ALERT_DIRECTORY", run->directory, 1);
	(void)setenv("RTRACK_ALERT_JOB", run->job, 1);
	(void)setenv("RTRACK_ALERT_HOST", run->host, 1);
	(void)setenv("RTRACK_ALERT_STATUS", run->status, 1);
	(void)dup2(fileno(input), STDIN_FILENO);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void tell(const struct alerts *alerts, const struct alert *alert, const struct alert_verdict *verdict,
	const struct watch_frame *frame)
{
	char text[TEXT_SIZE];
	int status = 0;

	describe(text, alert, verdict, frame);
	char *json = make_json(text, alert, verdict, frame);
	if (!alerts->command && alerts->json)
		json_write(stdout, json);
	else if (!alerts->command)
		printf("%s\n", text);
	(void)fflush(stdout);
	FILE *input = alerts->command ? tmpfile() : NULL;
	if (input && (fputs(json, input) == EOF || fputc('\n', input) == EOF || fflush(input) != 0))
		message_print("--exec: the alert cannot be written to its stdin: %s", strerror(errno));
	cJSON_free(json);
	if (!input) {
		if (alerts->command)
			message_print("--exec: the alert cannot be written to its stdin: %s", strerror(errno));
		return;
	}
	rewind(input);
	pid_t pid = fork();
	if (pid == 0)
		run_command(alerts->command, input, text, alert, verdict, frame);
	(void)fclose(input);
	if (pid < 0)
		message_print("--exec: the command cannot be run: %s", strerror(errno));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFSIGNALED(status))
		message_print("--exec: signal %d ended the command", WTERMSIG(status));
	else if (pid > 0 && WEXITSTATUS(status) != 0)
		message_print("--exec: the command ended with status %d", WEXITSTATUS(status));
}

/* Reports each alert whose condition holds for the first time. */
static void alerts_look(struct alerts *alerts, const struct watch_frame *frame)
{
	for (size_t i = 0; i < alerts->count; i++) {
		const struct alert *alert = &alerts->items[i];
		if (alerts->told[i])
			continue;
		struct alert_verdict verdict =
			alert_judge(alert, &frame->model, alerts->known ? &alerts->previous : NULL);
		if (verdict.holds > 0) {
			alerts->told[i] = true;
			tell(alerts, alert, &verdict, frame);
		} else if (alert->kind == ALERT_COMPARES && !number_known(verdict.bound) && !alerts->unknown[i]) {
			alerts->unknown[i] = true;
			message_print("--when '%.*s': this bound is unknown for this run", (int)alert->text.length,
				alert->text.data);
		}
	}
}

/* -- the run --------------------------------------------------------------------------------------- */

enum { EVERY_ON_SCREEN = 1, EVERY_IN_PIPE = 10, PAUSE_FACTOR = 20 };

struct watch {
	const char *directory;
	bool live; /* whether to draw a screen, because the output is a terminal */
	bool json;
	struct alerts *alerts; /* alerts of --when, or NULL; if there are alerts, only they are shown */
	int every_ms;
	double usual_seconds; /* median duration of earlier runs, or UNKNOWN */
	int changes;          /* descriptor from os_watch; if it is negative, run.json must be polled */
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
	char *text;
	size_t size;

	terminal.out = xopen_memstream(&text, &size);
	watch_frame_screen(frame, &terminal);
	xclose_memstream(terminal.out);
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

/* Waits until the tracker has released an ended run, which takes a moment after run.json is written. Until then, the
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

/* Returns the median duration of earlier runs, or UNKNOWN. */
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
