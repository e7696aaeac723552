/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a run that another sampler continues. After an orderly hand-over, its files are the same as those of a
 * single sampler. After a disorderly end, nothing is written twice. */
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

/* The actions of processes before this tick. They cover all kinds of figures. */
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

/* Returns the files of a run with a hand-over at the end of this tick, or without one for TICKS. */
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
	ok(!fake_read(STATE_FILE), "no state remains after the run");
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
			(void)snprintf(what, sizeof what, "handed over after tick %d: %s equals that of one sampler",
				tick, tables[written[i]].file);
			is_text(parts[i], whole[i], what);
			free(parts[i]);
		}
	}
	for (int i = 0; i < FILES; i++)
		free(whole[i]);
}

/* -- damaged or missing states -- */

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
	bool killed; /* killed, without a hand-over */
} disorders[] = {
	{"a state of which only the beginning exists", cut_head, false},
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
	is_number(cpu(), 0.3, "CPU time before the hand-over");
	if (disorders[index].killed)
		fake_kill_self();
	else
		ok(sampler_hand_over(sampler), "the run is handed over");
	disorders[index].spoil();
	work(child, 50, 500);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	ok(sampler && fake_read(STATE_FILE) && *fake_read(STATE_FILE) == '-',
		"another sampler continues the run, and removes the state");
	fake_tick(sampler);
	is_number(cpu(), 0.35, "the first row of the next sampler has the new usage");
	fake_tick(sampler);
	is_number(cpu(), 0.35, "the next row has nothing new");
	is_number(fake_sum(TABLE_process, PROCESS_disk_read_bytes), 3500, "no bytes are counted twice");
	fake_says_start(child);
	fake_says_exit(child, 0);
	fake_end(child, 0);
	fake_kill_self();
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	fake_tick(sampler);
	is_number(cpu(), 0.35, "a record from between the samplers adds what no row has");
	work(FAKE_ROOT, 40, 0);
	fake_tick(sampler);
	is_number(cpu(), 0.39, "the run goes on");
	for (int row = 1; row < fake_rows(TABLE_process); row++)
		if (fake_cell(TABLE_process, row, PROCESS_timestamp) <
			fake_cell(TABLE_process, row - 1, PROCESS_timestamp))
			ok(false, "rows are in order of time");
	(void)sampler_finish(sampler, -1, 0, false);
	fake_reset();
}

/* The kernel divides the CPU time of a process anew: system time in rows after the checkpoint becomes user time. While
 * the root is alone, there are no checkpoints. */
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
	is_number(cpu(), 0.1, "system time before the sampler is killed");
	fake_kill_self();
	fake_process(FAKE_ROOT)->used[COUNTER_SYSTEM_NS] = 0;
	work(FAKE_ROOT, 150, 0);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	fake_tick(sampler);
	is_number(cpu(), 0.15, "system time is not written again as user time");
	(void)sampler_finish(sampler, -1, 0, false);
	fake_reset();
}

/* The test damages a checkpoint, so that a later one can be distinguished from it. */
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
	ok(!is_left_anew(sampler, 8), "no checkpoint is written while no process runs");
	work(child, 10, 0);
	ok(is_left_anew(sampler, 1), "a checkpoint is written once a process has run");
	for (int i = 0; i < 4; i++)
		fake_tick(sampler);
	int other = fake_fork(FAKE_ROOT)->id.pid;
	ok(is_left_anew(sampler, 1), "a checkpoint is written once a process has started");
	for (int i = 0; i < 4; i++)
		fake_tick(sampler);
	fake_exit(other, 0);
	fake_reap(other);
	ok(is_left_anew(sampler, 2), "a checkpoint is written once a process has ended");
	for (int i = 0; i < 8; i++)
		fake_tick(sampler);
	ok(is_left_anew(sampler, 40), "a checkpoint is written after a while in any case");
	double before = cpu();
	for (int i = 0; i < 8; i++)
		fake_tick(sampler);
	fake_kill_self();
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	work(child, 50, 0);
	fake_tick(sampler);
	is_number(cpu(), before + 0.05, "an old checkpoint does not count anything twice");
	(void)sampler_finish(sampler, -1, 0, false);
	fake_reset();
}

/* The root called exec. Its thread is gone, and the thread's CPU time stays in the root's figures. */
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
	is_number(cpu(), 0.15, "CPU time of an earlier program's thread is not the job's");
	is_number(fake_sum(TABLE_system, SYSTEM_tracker_cpu), 0.04,
		"CPU time of an earlier program's thread is the tracker's");
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static void check_lock(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	ok(!fake_run_open(SAMPLER_IN_ROOT), "a run has one sampler");
	ok(!fake_run_open(SAMPLER_IN_KEEPER), "a keeper cannot become a second sampler of the run");
	(void)sampler_finish(sampler, 0, 0, false);
	ok(!fake_run_open(SAMPLER_IN_KEEPER), "a finished run has no sampler");
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
