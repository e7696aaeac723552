/* SPDX-License-Identifier: Apache-2.0 */
/* Members that do not run need not be read again: what may change of them all the same is seen, and none ends unseen.
 */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

static struct sampler *sampler;

static void begin(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	fake_clocks = true;
}

static void end(void)
{
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static struct fake_process *worker(int parent)
{
	struct fake_process *made = fake_fork(parent);
	made->used[COUNTER_USER_NS] = 5 * FAKE_MS;
	return made;
}

static void rest_and_work(void)
{
	begin();
	struct fake_process *child = worker(FAKE_ROOT);
	fake_tick(sampler);
	unsigned before = child->readings;
	for (int i = 0; i < 5; i++)
		fake_tick(sampler);
	is_number(child->readings, before, "a process that rests is not read again");
	is_number(child->pss_readings, 2, "its memory once more, when it has come to rest");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "and lives");
	child->used[COUNTER_USER_NS] += 100 * FAKE_MS;
	child->rss_kib += 2048;
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_utime), 0.1, "when it has run, it is read");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_rss_mib), 4, "with its memory");
	for (int i = 0; i < 3; i++)
		fake_tick(sampler);
	before = child->readings;
	unsigned before_pss = child->pss_readings;
	for (int i = 0; i < 128; i++)
		fake_tick(sampler);
	is_number(child->readings, before + 1, "now and then it is read all the same");
	is_number(child->pss_readings - before_pss, 1, "with its memory, once");
	end();
}

/* The launcher's own child has a parent that is no member and in no reading. */
static void root_rests(void)
{
	begin();
	struct fake_process *root = fake_process(FAKE_ROOT);
	root->used[COUNTER_USER_NS] = 5 * FAKE_MS;
	fake_tick(sampler);
	unsigned before = root->readings;
	for (int i = 0; i < 5; i++)
		fake_tick(sampler);
	is_number(root->readings, before, "the launcher's child that rests is not read again");
	root->used[COUNTER_USER_NS] += 100 * FAKE_MS;
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_utime), 0.1, "when it has run, it is read");
	end();
}

static void ends(void)
{
	begin();
	struct fake_process *child = worker(FAKE_ROOT);
	struct fake_process *other = worker(FAKE_ROOT);
	int pid = child->id.pid, other_pid = other->id.pid;
	fake_tick(sampler);
	fake_tick(sampler);
	fake_end(pid, 9);
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_exit, pid), 1, "one that is killed ends at the next tick");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "and is counted no more");
	fake_end(other_pid, 0);
	fake_pass(10 * FAKE_SECOND); /* in which all pids may have been given */
	other = fake_fork_as(other_pid, FAKE_INIT);
	other->used[COUNTER_USER_NS] = 5 * FAKE_MS;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_exit, other_pid), 1,
		"one with a pid that another has now, with the same time on its clock");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 1, "… which is no member");
	end();
}

static void parents(void)
{
	begin();
	struct fake_process *middle = worker(FAKE_ROOT);
	struct fake_process *child = worker(middle->id.pid);
	int middle_pid = middle->id.pid;
	fake_tick(sampler);
	fake_tick(sampler);
	unsigned before = child->readings;
	fake_end(middle_pid, 0);
	fake_tick(sampler);
	is_number(child->readings, before + 1, "a process without its parent is read, though it rests");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "and stays a member");
	end();
}

static void newcomers(void)
{
	begin();
	fake_tick(sampler);
	fake_tick(sampler);
	struct fake_process *child = worker(FAKE_ROOT);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "one that is born is found");
	struct fake_process *stranger = fake_fork(FAKE_INIT);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "a stranger is none");
	fake_says_start(stranger->id.pid);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 3,
		"until it says so, though the list stays the same");
	(void)child;
	end();
}

/* A program that restores a process chooses its pid, which no list is made with that is not read. */
static void chosen(void)
{
	begin();
	(void)fake_fork_as(FAKE_ROOT + 500, FAKE_INIT);
	fake_tick(sampler);
	struct fake_process *small = fake_fork_as(FAKE_ROOT + 400, FAKE_ROOT);
	small->used[COUNTER_USER_NS] = 5 * FAKE_MS;
	(void)fake_fork_as(FAKE_ROOT + 501, FAKE_INIT);
	unsigned before = fake_renewals;
	fake_tick(sampler);
	ok(fake_renewals > before, "a list is made of the one before where few were born");
	for (int i = 0; i < 16; i++) {
		(void)fake_fork_as(FAKE_ROOT + 502 + i, FAKE_INIT);
		fake_tick(sampler);
	}
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "and read all the same now and then");
	end();
}

/* A thousand forks, of which the budget lets some be read. */
static void families(void)
{
	enum { FORKS = 1000, RSS_KIB = 400, PSS_KIB = 40 };
	begin();
	fake_process(FAKE_ROOT)->image = 77;
	for (int i = 0; i < FORKS; i++) {
		struct fake_process *made = worker(FAKE_ROOT);
		made->image = 77;
		made->rss_kib = RSS_KIB;
		made->pss_kib = made->own_kib = PSS_KIB;
		made->minor_faults = 60;
		made->pss_cost_ns = 200000;
	}
	fake_tick(sampler);
	double memory = fake_cell(TABLE_process, FAKE_LAST, PROCESS_memory_mib);
	ok(memory > 39 && memory < 42, "one reading of a family speaks for its like, from the first tick on");
	if (memory <= 39 || memory >= 42)
		printf("# %.3f MiB\n", memory);
	end();
}

int main(void)
{
	rest_and_work();
	root_rests();
	ends();
	parents();
	newcomers();
	chosen();
	families();
	return done();
}
