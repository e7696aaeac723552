/* SPDX-License-Identifier: Apache-2.0 */
/* The alerts of `watch --when`.
 *
 * A shell runs the command of --exec, and rtrack-report waits for it. The command receives the alert as environment
 * variables, for use in a line of shell, and as a JSON object on stdin. It belongs to no run, so tracking is disabled
 * in it (RTRACK). */
#define _GNU_SOURCE
#include "report/commands/alerts.h"

#include "report/history/history.h"
#include "report/say/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

int alerts_begin(struct alerts *alerts, const struct options *options, const struct run *run)
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

void alerts_look(struct alerts *alerts, const struct watch_frame *frame)
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
