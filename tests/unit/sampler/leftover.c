/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of notes of runs that were killed together with their sampler. Each new run removes some of these notes, but
 * none that may be needed. */
#define _GNU_SOURCE
#include "os/file.h"
#include "os/self.h"
#include "sampler/run/leftover.h"
#include "sampler/run/names.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <stdio.h>

enum { DEAD = 100, FIRST = 5000, LEFT = 64, EACH = 16 };

static char notes[RUN_NOTE_MAX];

static const char *path_of(int pid)
{
	static char path[RUN_NOTE_MAX + 16];
	(void)snprintf(path, sizeof path, "%s/%d", notes, pid);
	return path;
}

static void note(int pid, uint64_t start, uint64_t namespace)
{
	char text[128];
	(void)snprintf(text, sizeof text, "%llu %llu:/gone/20261121T020000Z-host-%d-abcd", (unsigned long long)start,
		(unsigned long long)namespace, pid);
	(void)os_make_link(text, OS_HERE, path_of(pid));
}

static void take(void *count, const char *name)
{
	(void)name;
	++*(int *)count;
}

static int count_notes(void)
{
	int count = 0;
	(void)os_list(notes, take, &count);
	return count;
}

/* Starts a run with its own note, and makes `dead` other notes of pids that no process has. */
static struct sampler *begin(int dead, uint64_t namespace)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	is_number(run_notes(notes), 0, "notes have a directory");
	is_number(count_notes(), 1, "the directory of notes has the run's own note");
	for (int i = 0; i < dead; i++)
		note(FIRST + i, 7, namespace);
	return sampler;
}

static void check_dead(void)
{
	struct sampler *sampler = begin(DEAD, os_pid_namespace());
	int before = count_notes();

	fake_tick(sampler);
	is_number(count_notes(), before - EACH, "a run removes some notes of roots that are gone");
	fake_tick(sampler);
	is_number(count_notes(), before - EACH, "a run removes notes only once");
	for (int i = 0; i < DEAD / EACH; i++)
		run_complete_leftovers(FAKE_RUN);
	is_number(count_notes(), LEFT, "a few notes stay");
	ok(os_exists(OS_HERE, path_of(FAKE_ROOT)), "the run's own note is among the remaining notes");
	(void)sampler_finish(sampler, 0, 0, true);
}

static void check_few(void)
{
	struct sampler *sampler = begin(LEFT - 1, os_pid_namespace());

	fake_tick(sampler);
	is_number(count_notes(), LEFT, "if there are only a few notes, none is removed");
	(void)sampler_finish(sampler, 0, 0, true);
}

static void check_needed(void)
{
	struct sampler *sampler = begin(LEFT, os_pid_namespace());
	struct fake_process *living = fake_fork(FAKE_INIT);
	struct fake_process *another = fake_fork(FAKE_INIT);

	note(living->id.pid, living->id.start, os_pid_namespace());
	note(another->id.pid, another->id.start + 1, os_pid_namespace());
	note(FIRST + LEFT, 7, os_pid_namespace() + 1);
	note(FIRST + LEFT + 1, 7, 0);
	fake_tick(sampler);
	ok(os_exists(OS_HERE, path_of(living->id.pid)), "the note of a living root stays");
	ok(!os_exists(OS_HERE, path_of(another->id.pid)), "the note of a reused pid is removed");
	ok(os_exists(OS_HERE, path_of(FIRST + LEFT)), "a note of another PID namespace stays");
	ok(os_exists(OS_HERE, path_of(FIRST + LEFT + 1)), "a note of an unknown PID namespace stays");
	(void)sampler_finish(sampler, 0, 0, true);
}

int main(void)
{
	check_dead();
	check_few();
	check_needed();
	fake_reset();
	return done();
}
