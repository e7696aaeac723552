/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how long processes have waited for a CPU: the sums of rows, ended threads and processes, and the budget. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <math.h>

static struct sampler *sampler;

static void begin(enum sampler_place place)
{
	fake_reset();
	sampler = fake_run_begin(place, NULL);
}

static void end(void)
{
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

/* Makes a process use 50 ms of CPU time, and wait. */
static void work(struct fake_process *process, uint64_t wait_ms)
{
	process->used[COUNTER_USER_NS] += 50 * FAKE_MS;
	process->queued_ns += wait_ms * FAKE_MS;
}

static double waited(void)
{
	return round(1e6 * fake_sum(TABLE_process, PROCESS_cpu_wait)) / 1e6;
}

static void living(void)
{
	begin(SAMPLER_IN_LAUNCHER);
	struct fake_process *child = fake_fork(FAKE_ROOT);
	int pid = child->id.pid;
	work(child, 300);
	work(fake_process(FAKE_ROOT), 20);
	fake_tick(sampler);
	is_number(waited(), 0.32, "the row of the run has the sum over its processes");
	is_number(fake_cell(TABLE_member, fake_row_of(TABLE_member, pid), MEMBER_cpu_wait), 0.3, "a row of a process");
	child->queued_ns += 100 * FAKE_MS;
	fake_tick(sampler);
	is_number(waited(), 0.32, "a process that used no CPU time is not read again");
	work(child, 0);
	fake_tick(sampler);
	is_number(waited(), 0.42, "the waiting time of an unread process is counted at the next reading");
	work(child, 0);
	child->queued_ns = 100 * FAKE_MS;
	fake_tick(sampler);
	is_number(waited(), 0.42, "when a thread ends, the sum over threads falls, but no row is negative");
	work(child, 50);
	fake_tick(sampler);
	is_number(waited(), 0.47, "the waiting time of the other threads is still counted");
	end();
}

static void ending(void)
{
	begin(SAMPLER_IN_LAUNCHER);
	struct fake_process *killed = fake_fork(FAKE_ROOT), *writer = fake_fork(FAKE_ROOT);
	int killed_pid = killed->id.pid, pid = writer->id.pid;
	work(killed, 100);
	work(writer, 100);
	fake_tick(sampler);
	work(killed, 30);
	fake_exit(killed_pid, 9);
	work(writer, 0);
	writer->used[COUNTER_CPU_WAIT] = 150 * FAKE_MS;
	fake_says_exit(pid, 0);
	fake_end(pid, 0);
	fake_tick(sampler);
	is_number(waited(), 0.28, "a zombie is read once more, and an exit row has the whole process");
	is_number(fake_cell(TABLE_exit, fake_row_of(TABLE_exit, killed_pid), EXIT_cpu_wait), 0.13,
		"the exit row of the zombie");
	fake_reap(killed_pid);
	fake_tick(sampler);
	is_number(waited(), 0.28, "the parent's figures do not contain the zombie's waiting time again");
	fake_process(FAKE_ROOT)->queued_ns = 7 * FAKE_MS;
	fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] += 50 * FAKE_MS;
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	fake_tick(sampler);
	is_number(waited(), 0.287, "the launcher's child is read when it has ended");
	end();
}

static void tracker(void)
{
	begin(SAMPLER_IN_ROOT);
	struct fake_process *root = fake_process(FAKE_ROOT);
	work(root, 200);
	root->threads = 3;
	fake_queued_ns = 40 * (int64_t)FAKE_MS;
	fake_tick(sampler);
	is_number(waited(), 0.2, "the waiting time of the sampling thread is not counted");
	fake_queued_ns = -1;
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_cpu_wait), UNKNOWN, "a kernel without schedstat");
	end();
}

/* Each reading costs 1 ms. The budget is 5 ms at first, and then 0.5 ms a second. */
static void budget(void)
{
	enum { CHILDREN = 20, TICKS = 60 };
	struct fake_process *children[CHILDREN];

	begin(SAMPLER_IN_LAUNCHER);
	for (int i = 0; i < CHILDREN; i++)
		children[i] = fake_fork(FAKE_ROOT);
	fake_queue_cost_ns = (int64_t)FAKE_MS;
	for (int i = 0; i < CHILDREN; i++)
		work(children[i], 100);
	fake_tick(sampler);
	is_number(waited(), 0.5, "the first five processes are read");
	fake_tick(sampler);
	fake_tick(sampler);
	is_number(waited(), 0.6, "after two seconds, the budget suffices for one more process");
	for (int i = 0; i < TICKS; i++)
		fake_tick(sampler);
	is_number(waited(), 0.1 * CHILDREN, "each process is read at some time, and no waiting time is lost");
	end();
}

int main(void)
{
	living();
	ending();
	tracker();
	budget();
	return done();
}
