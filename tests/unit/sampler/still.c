/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that processes that do not run need not be read again. Changes are seen nevertheless, and no end is missed. */
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
	is_number(child->readings, before, "a process that does not run is not read again");
	is_number(child->pss_readings, 2, "the memory of a process is read once more after it stopped running");
	is_number(
		fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "a process that does not run counts as alive");
	child->used[COUNTER_USER_NS] += 100 * FAKE_MS;
	child->rss_kib += 2048;
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_utime), 0.1, "a process is read when it has run");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_rss_mib), 4,
		"the memory of a process is read when it has run");
	for (int i = 0; i < 3; i++)
		fake_tick(sampler);
	before = child->readings;
	unsigned before_pss = child->pss_readings;
	for (int i = 0; i < 128; i++)
		fake_tick(sampler);
	is_number(child->readings, before + 1, "a process that does not run is read at long intervals");
	is_number(child->pss_readings - before_pss, 1,
		"the memory of a process that does not run is read at long intervals");
	end();
}

/* The parent of the launcher's child is not part of the run, and is not read. */
static void root_rests(void)
{
	begin();
	struct fake_process *root = fake_process(FAKE_ROOT);
	root->used[COUNTER_USER_NS] = 5 * FAKE_MS;
	fake_tick(sampler);
	unsigned before = root->readings;
	for (int i = 0; i < 5; i++)
		fake_tick(sampler);
	is_number(root->readings, before, "the launcher's child that does not run is not read again");
	root->used[COUNTER_USER_NS] += 100 * FAKE_MS;
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_utime), 0.1,
		"the launcher's child is read when it has run");
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
	is_number(fake_rows_of(TABLE_exit, pid), 1, "a killed process ends at the next tick");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "a killed process no longer counts");
	fake_end(other_pid, 0);
	fake_pass(10 * FAKE_SECOND); /* All pids may have been reused meanwhile. */
	other = fake_fork_as(other_pid, FAKE_INIT);
	other->used[COUNTER_USER_NS] = 5 * FAKE_MS;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_exit, other_pid), 1,
		"a process has ended if its pid now belongs to another process with equal CPU time");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 1,
		"the process with the reused pid is no member");
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
	is_number(child->readings, before + 1, "an orphan is read, though it does not run");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "an orphan stays a member");
	end();
}

static void newcomers(void)
{
	begin();
	fake_tick(sampler);
	fake_tick(sampler);
	struct fake_process *child = worker(FAKE_ROOT);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "a new process is found");
	struct fake_process *stranger = fake_fork(FAKE_INIT);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "a stranger is no member");
	fake_says_start(stranger->id.pid);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 3,
		"a stranger becomes a member by its record, though the list is unchanged");
	(void)child;
	end();
}

/* A program that restores a saved process chooses its pid. Renewed lists lack these processes, and only a full reading
 * finds them. */
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
	ok(fake_renewals > before, "a list is renewed from the previous one if few processes started");
	for (int i = 0; i < 16; i++) {
		(void)fake_fork_as(FAKE_ROOT + 502 + i, FAKE_INIT);
		fake_tick(sampler);
	}
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "the full list is read at intervals");
	end();
}

/* There are a thousand forks. The time budget allows reading some of them. */
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
	ok(memory > 39 && memory < 42, "one reading stands for similar forks, from the first tick on");
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
