/* SPDX-License-Identifier: Apache-2.0 */
/* A run that goes on under another sampler: after an orderly hand-over as if nothing had been, and after a disorderly
 * end with nothing written twice. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <string.h>

#define STATE_FILE FAKE_RUN "/.state"

enum { TICKS = 6, FILES = 5 };

static const enum table_id written[] = {TABLE_process, TABLE_member, TABLE_start, TABLE_exit, TABLE_system};

static void work(int pid, int ms, uint64_t bytes)
{
	struct fake_process *process = fake_process(pid);
	process->used[COUNTER_USER_NS] += (uint64_t)ms * FAKE_MS;
	process->used[COUNTER_DISK_READ] += bytes;
	process->rss_kib += 100;
	process->pss_kib += 50;
}

/* What the processes do before the tick of that number: an account with something of everything in it. */
static void act(int tick)
{
	static int shell, child, left;
	if (tick == 0) {
		shell = fake_fork(FAKE_ROOT)->id.pid;
		child = fake_fork(shell)->id.pid;
		left = fake_fork(child)->id.pid;
	}
	work(FAKE_ROOT, 10, 1);
	work(left, 20, 100);
	if (tick == 1)
		fake_says_start(child);
	if (tick < 3)
		work(child, 30, 1000);
	if (tick == 3) {
		fake_says_exit(child, 0);
		fake_exit(child, 0);
	}
	if (tick == 4)
		fake_reap(child);
	if (tick == 5) {
		work(shell, 70, 5);
		fake_exit(shell, 0);
	}
}

/* The files of a run with a hand-over at the end of one tick; TICKS: none. */
static void record(int handed_over, char *files[FILES])
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_KEEPER, NULL);
	for (int tick = 0; tick < TICKS; tick++) {
		act(tick);
		if (tick == handed_over) {
			fake_pass(FAKE_SECOND);
			if (!sampler_hand_over(sampler) || !(sampler = fake_run_open(SAMPLER_IN_KEEPER)))
				return;
		} else {
			fake_tick(sampler);
		}
	}
	for (int i = 0; i < FILES; i++) {
		char path[200];
		(void)snprintf(path, sizeof path, FAKE_RUN "/%s", tables[written[i]].file);
		files[i] = strdup(fake_read(path));
	}
	(void)sampler_finish(sampler, -1, 0, false);
	ok(!fake_read(STATE_FILE), "no state outlives the run");
	fake_reset();
}

static void check_orderly(void)
{
	char *whole[FILES] = {NULL};
	record(TICKS, whole);
	for (int tick = 0; tick < TICKS; tick++) {
		char *parts[FILES] = {NULL};
		char what[100];
		record(tick, parts);
		for (int i = 0; i < FILES; i++) {
			(void)snprintf(what, sizeof what, "handed over after tick %d: %s is that of one sampler", tick,
				tables[written[i]].file);
			is_text(parts[i], whole[i], what);
			free(parts[i]);
		}
	}
	for (int i = 0; i < FILES; i++)
		free(whole[i]);
}

/* -- a state that is not to be trusted, or none -- */

static void cut_head(void)
{
	fake_cut(STATE_FILE, 5);
}

static void cut_end(void)
{
	fake_cut(STATE_FILE, -1);
}

static void cut_all(void)
{
	fake_cut(STATE_FILE, 0);
}

static void make_foreign(void)
{
	fake_write(STATE_FILE, "9.9.9 and whatever another version keeps");
}

static void make_nothing(void)
{
}

static const struct {
	const char *what;
	void (*spoil)(void);
	bool killed; /* no hand-over at all */
} disorders[] = {
	{"a state of which only the beginning is there", cut_head, false},
	{"a state with a cut last member", cut_end, false},
	{"an empty state", cut_all, false},
	{"a state of another version", make_foreign, false},
	{"a sampler that was killed", make_nothing, true},
};

static double cpu(void)
{
	return fake_sum(TABLE_process, PROCESS_utime) + fake_sum(TABLE_process, PROCESS_stime);
}

static void check_disorderly(size_t index)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_KEEPER, NULL);
	int child = fake_fork(FAKE_ROOT)->id.pid;
	printf("# %s\n", disorders[index].what);
	work(FAKE_ROOT, 100, 1000);
	work(child, 200, 2000);
	fake_tick(sampler);
	is_number(cpu(), 0.3, "before it");
	if (disorders[index].killed)
		fake_kill_self();
	else
		ok(sampler_hand_over(sampler), "handed over");
	disorders[index].spoil();
	work(child, 50, 500);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	ok(sampler && fake_read(STATE_FILE) && *fake_read(STATE_FILE) == '-',
		"another sampler takes the run up, and that state is not taken any more");
	fake_tick(sampler);
	is_number(cpu(), 0.35, "its first row has what is new");
	fake_tick(sampler);
	is_number(cpu(), 0.35, "and the next one nothing");
	is_number(fake_sum(TABLE_process, PROCESS_disk_read_bytes), 3500, "nor is anything read twice");
	fake_says_start(child);
	fake_says_exit(child, 0);
	fake_end(child, 0);
	fake_kill_self();
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	fake_tick(sampler);
	is_number(cpu(), 0.35, "a record that comes while no sampler is there brings what no row has");
	work(FAKE_ROOT, 40, 0);
	fake_tick(sampler);
	is_number(cpu(), 0.39, "and the run goes on");
	for (int row = 1; row < fake_rows(TABLE_process); row++)
		if (fake_cell(TABLE_process, row, PROCESS_timestamp) <
			fake_cell(TABLE_process, row - 1, PROCESS_timestamp))
			ok(false, "rows are in the order of time");
	(void)sampler_finish(sampler, -1, 0, false);
	fake_reset();
}

/* The kernel divides the time of a process anew: what rows behind the checkpoint have as the system's comes as the
 * user's. While the root lives alone, there are no checkpoints. */
static void check_division(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	int child = fake_fork(FAKE_ROOT)->id.pid;
	fake_tick(sampler);
	fake_end(child, 0);
	fake_tick(sampler);
	fake_process(FAKE_ROOT)->used[COUNTER_SYSTEM_NS] += 100 * FAKE_MS;
	fake_tick(sampler);
	is_number(cpu(), 0.1, "time of the system, before its sampler is killed");
	fake_kill_self();
	fake_process(FAKE_ROOT)->used[COUNTER_SYSTEM_NS] = 0;
	work(FAKE_ROOT, 150, 0);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	fake_tick(sampler);
	is_number(cpu(), 0.15, "what comes as the user's after it is not written once more");
	(void)sampler_finish(sampler, -1, 0, false);
	fake_reset();
}

/* Of a checkpoint that is spoilt by the test a later one can be told. */
static bool is_left_anew(struct sampler *sampler, int ticks)
{
	fake_write(STATE_FILE, "spoilt");
	for (int i = 0; i < ticks; i++)
		fake_tick(sampler);
	return strcmp(fake_read(STATE_FILE), "spoilt") != 0;
}

static void check_rest(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_KEEPER, NULL);
	int child = fake_fork(FAKE_ROOT)->id.pid;

	work(child, 200, 2000);
	for (int i = 0; i < 8; i++)
		fake_tick(sampler);
	ok(!is_left_anew(sampler, 8), "no checkpoint is left while no process runs");
	work(child, 10, 0);
	ok(is_left_anew(sampler, 1), "but as soon as one has");
	for (int i = 0; i < 4; i++)
		fake_tick(sampler);
	int other = fake_fork(FAKE_ROOT)->id.pid;
	ok(is_left_anew(sampler, 1), "or was born");
	for (int i = 0; i < 4; i++)
		fake_tick(sampler);
	fake_exit(other, 0);
	fake_reap(other);
	ok(is_left_anew(sampler, 2), "or has ended");
	for (int i = 0; i < 8; i++)
		fake_tick(sampler);
	ok(is_left_anew(sampler, 40), "and after a while in any case");
	double before = cpu();
	for (int i = 0; i < 8; i++)
		fake_tick(sampler);
	fake_kill_self();
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	work(child, 50, 0);
	fake_tick(sampler);
	is_number(cpu(), before + 0.05, "a sampler that takes it up long after it was left counts nothing twice");
	(void)sampler_finish(sampler, -1, 0, false);
	fake_reset();
}

/* The root called exec: its thread is gone, and what that used stays in the root's figures. */
static void check_exec(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	work(FAKE_ROOT, 100, 0);
	fake_tracker[COUNTER_SYSTEM_NS] = 30 * FAKE_MS;
	fake_tick(sampler);
	fake_kill_self();
	fake_process(FAKE_ROOT)->used[COUNTER_SYSTEM_NS] += 30 * FAKE_MS;
	fake_tracker[COUNTER_SYSTEM_NS] = 0;
	sampler = fake_run_open(SAMPLER_IN_ROOT);
	fake_tracker[COUNTER_SYSTEM_NS] = 10 * FAKE_MS;
	work(FAKE_ROOT, 50, 0);
	fake_tick(sampler);
	is_number(cpu(), 0.15, "what the thread of an earlier image used is not the job's");
	is_number(fake_sum(TABLE_system, SYSTEM_tracker_cpu), 0.04, "but the tracker's");
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static void check_lock(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	ok(!fake_run_open(SAMPLER_IN_ROOT), "a run has one sampler");
	ok(!fake_run_open(SAMPLER_IN_KEEPER), "however long the other waits");
	(void)sampler_finish(sampler, 0, 0, false);
	ok(!fake_run_open(SAMPLER_IN_KEEPER), "a run that has ended has none");
	fake_reset();
}

int main(void)
{
	check_orderly();
	for (size_t i = 0; i < ARRAY_LENGTH(disorders); i++)
		check_disorderly(i);
	check_division();
	check_rest();
	check_exec();
	check_lock();
	return done();
}
