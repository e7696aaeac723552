/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/spool/run.h and report/spool/runs.h: the description of a run, and the selection of a run. */
#include "report/spool/runs.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

static const char *spool;

static void make_run(const char *id, const char *json)
{
	char path[256];
	scratch_make(id);
	snprintf(path, sizeof path, "%s/run.json", id);
	if (json)
		scratch_write(path, json);
}

/* Returns the id of the selected run, or the error message if there is none. */
static const char *chosen(const char *selector)
{
	static char answer[4096];
	char *item = (char *)(uintptr_t)spool;
	const struct spools spools = {&item, 1};
	struct run run;
	if (runs_select(&run, &spools, "", selector, NULL) == 0) {
		snprintf(answer, sizeof answer, "%s", run.id);
		run_close(&run);
		scratch_messages();
	} else {
		snprintf(answer, sizeof answer, "%s", scratch_messages());
	}
	return answer;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);
	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static void choose(void)
{
	spool = scratch_directory();
	ok(strncmp(chosen(NULL), "rtrack-report: no run in '", 26) == 0, "an empty spool has no latest run");
	make_run("20261121T010000Z-host-10-aaaa",
		"{\"id\": \"20261121T010000Z-host-10-aaaa\", \"job\": \"job.R\", \"start_time\": 1795222800.5}");
	make_run("20261121T010000Z-host-11-bbbb",
		"{\"id\": \"20261121T010000Z-host-11-bbbb\", \"job\": \"other\", \"start_time\": 1795222800.25}");
	make_run("20261121T005900Z-host-9-cccc",
		"{\"id\": \"20261121T005900Z-host-9-cccc\", \"job\": \"job.R\", \"start_time\": 1795222740}");
	scratch_make(".20261121T020000Z-host-12-dddd");
	scratch_make("no-run");
	is_text(chosen(NULL), "20261121T010000Z-host-10-aaaa", "the latest run is the one that started last");
	is_text(chosen("20261121T010000Z-host-11-bbbb"), "20261121T010000Z-host-11-bbbb", "a run by its id");
	is_text(chosen("20261121T0059"), "20261121T005900Z-host-9-cccc", "a run by the beginning of its id");
	ok(strstr(chosen("20261121T01"), "'20261121T01' is the beginning of 2 runs") != NULL,
		"an ambiguous beginning of an id");
	is_text(chosen("job.R"), "20261121T010000Z-host-10-aaaa", "the latest run of a job");
	is_text(chosen("other"), "20261121T010000Z-host-11-bbbb", "the latest run of another job");
	ok(strstr(chosen("nothing"), "no run 'nothing' in '") != NULL, "an unknown name");
	ok(strstr(chosen(""), "no run '' in '") != NULL, "an empty name");
	ok(ends_with(chosen("/nowhere/at-all"), "'/nowhere/at-all' cannot be read: No such file or directory\n"),
		"a missing directory");
	char path[4096];
	snprintf(path, sizeof path, "%s/20261121T005900Z-host-9-cccc", spool);
	is_text(chosen(path), "20261121T005900Z-host-9-cccc", "a run by its directory");
	snprintf(path, sizeof path, "%s/no-run", spool);
	ok(ends_with(chosen(path), "/no-run' is not a run: it has no file of a run\n"), "a directory without a run");
}

static void broken(void)
{
	struct run run;
	const char *directory = scratch_make("20261121T030000Z-host-1-eeee");
	ok(run_open(&run, directory) == 0, "a run without run.json opens");
	is_text(run.id, "20261121T030000Z-host-1-eeee", "the id of a run without run.json is the directory's name");
	is_number(run.start_time, 1795230000, "the start of a run without run.json comes from its id");
	is_text(run.status, "", "the status of a run without run.json is unknown");
	is_text(run.problem, "No such file or directory", "the reason is known");
	run_close(&run);

	static const char *const torn[] = {
		"", "{\"id\": \"x\", \"job\": \"y", "[1, 2]", "null", "\"text\"", "{\"a\":1}}}}", "\xff\xfe{"};
	for (size_t i = 0; i < sizeof torn / sizeof torn[0]; i++) {
		scratch_write("20261121T030000Z-host-1-eeee/run.json", torn[i]);
		bool opened = run_open(&run, directory) == 0;
		ok(opened && number_known(run.start_time) && *run.job, "a torn run.json counts as missing");
		if (opened)
			run_close(&run);
	}
	scratch_messages();

	scratch_write("20261121T030000Z-host-1-eeee/run.json",
		"{\"id\": 7, \"job\": [], \"start_time\": \"now\", \"interval\": -1, \"server\": 3, \"status\": {},"
		" \"command\": {\"a\": 1}, \"exit_code\": \"0\", \"stop_time\": 1e999}");
	ok(run_open(&run, directory) == 0 && !number_known(run.exit_code) && run.interval == 1 && !*run.status,
		"values of the wrong type are unknown");
	run_close(&run);
	is_text(scratch_messages(), "", "no message is printed");
}

static void status_of(const char *what, const char *json, long age, const char *expected)
{
	struct run run;
	char path[4096];
	scratch_write("20261121T030000Z-host-1-eeee/run.json", json);
	scratch_write("20261121T030000Z-host-1-eeee/system.csv", "\"timestamp\"\n");
	scratch_age("20261121T030000Z-host-1-eeee/system.csv", age);
	snprintf(path, sizeof path, "%s/20261121T030000Z-host-1-eeee", spool);
	if (run_open(&run, path) != 0) {
		ok(false, what);
		return;
	}
	is_text(run.status, expected, what);
	run_close(&run);
}

static void statuses(void)
{
	status_of("a run that is written is running", "{\"status\": \"running\", \"interval\": 1}", 2, "running");
	status_of("a run that is not written is interrupted", "{\"status\": \"running\", \"interval\": 1}", 9,
		"interrupted");
	status_of("a run with a long interval counts as running longer", "{\"status\": \"running\", \"interval\": 60}",
		200, "running");
	status_of("a run with a long interval is interrupted later", "{\"status\": \"running\", \"interval\": 60}", 400,
		"interrupted");
	status_of("an ended run keeps its status", "{\"status\": \"failed\", \"interval\": 1}", 400, "failed");
}

static void command_lines(void)
{
	struct run run;
	scratch_write("20261121T030000Z-host-1-eeee/run.json",
		"{\"command\": [\"Rscript\", \"my job.R\", \"\", \"it's\", \"$HOME\", \"a\\nb\", 7]}");
	char path[4096];
	snprintf(path, sizeof path, "%s/20261121T030000Z-host-1-eeee", spool);
	if (run_open(&run, path) != 0) {
		ok(false, "run");
		return;
	}
	char *line = run_command_line(&run);
	is_text(line, "Rscript 'my job.R' '' 'it'\\''s' '$HOME' $'a\\nb'", "a command line is quoted for a shell");
	free(line);
	run_close(&run);
}

int main(void)
{
	scratch_collect_messages();
	choose();
	broken();
	statuses();
	command_lines();
	return done();
}
