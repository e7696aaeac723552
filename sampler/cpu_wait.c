/* SPDX-License-Identifier: Apache-2.0 */
/* Reads how long the processes of the run have waited for a CPU.
 *
 * The kernel counts the waiting time of each living thread, but has no sum that includes ended threads or reaped
 * children. The result is therefore a lower bound: if a thread ends, its waiting time since the last reading is lost.
 *
 * Reading one thread costs as much as reading a small file. All readings together may use 0.05 % of the elapsed time,
 * and processes take turns. If a living process is skipped, no waiting time is lost, because the next reading includes
 * it. A thread that waits also runs at times, so a process that has used no CPU time since its last reading is skipped
 * as well. */
#include "os/self.h"
#include "sampler/state.h"

#define BUDGET_DIVISOR 2000 /* 0.05 % of the elapsed time */
#define BUDGET_NS 5000000   /* initial budget, and maximum of the unused budget */
#define CLEAR_NS 1000000    /* minimum CPU time between two readings of a process */

void cpu_wait_begin(struct sampler *sampler)
{
	struct cpu_wait *wait = &sampler->cpu_wait;
	int64_t now_ns = os_since_boot_ns();

	if (wait->opened_ns == 0)
		wait->opened_ns = now_ns;
	wait->left_ns = wait->boot_ns == 0 ? BUDGET_NS : wait->left_ns + (now_ns - wait->boot_ns) / BUDGET_DIVISOR;
	if (wait->left_ns > BUDGET_NS)
		wait->left_ns = BUDGET_NS;
	wait->boot_ns = now_ns;
	wait->first_pid = wait->next_pid;
	wait->next_pid = 0;
}

/* Returns whether the process may have waited for a CPU before the run began. If so, its first reading is subtracted
 * from later ones. */
static bool is_older(const struct sampler *sampler, const struct member *member)
{
	return (sampler->attached && process_started_ns(member->id.start) <= sampler->cpu_wait.opened_ns) ||
	       (sampler->baseline_ns > 0 && sampler_is_root(sampler, member->id));
}

/* Returns by how much the sum over the living threads has grown since the last reading. */
static uint64_t grown_ns(struct sampler *sampler, struct member *member, const struct process_reading *reading)
{
	uint64_t threads = reading->gauge[GAUGE_THREADS];
	uint64_t sum_ns = process_queued_ns(member->id.pid, threads);
	bool first = member->wait.cpu_ns == 0;

	/* If the root has several threads, the sum includes the sampling thread. Otherwise only its main thread was
	 * read. */
	if (threads > 1 && sampler->place == SAMPLER_IN_ROOT && sampler_is_root(sampler, member->id) &&
		sampler->backoff.queued_ns > 0)
		sum_ns = figures_above(sum_ns, (uint64_t)sampler->backoff.queued_ns);
	uint64_t grown = first && is_older(sampler, member) ? 0 : figures_above(sum_ns, member->wait.sum_ns);
	member->wait.sum_ns = sum_ns;
	member->wait.cpu_ns = figures_cpu_ns(reading->own);
	return grown;
}

static void add(struct member *member, struct process_reading *reading, uint64_t grown)
{
	reading->own[COUNTER_CPU_WAIT] = member->own[COUNTER_CPU_WAIT] + grown;
	reading->inclusive[COUNTER_CPU_WAIT] = reading->own[COUNTER_CPU_WAIT] + member->children[COUNTER_CPU_WAIT];
}

static bool is_due(const struct member *member, const struct process_reading *reading)
{
	return figures_cpu_ns(reading->own) >= member->wait.cpu_ns + CLEAR_NS;
}

void cpu_wait_read(struct sampler *sampler, struct member *member, struct process_reading *reading)
{
	struct cpu_wait *wait = &sampler->cpu_wait;
	uint64_t grown = 0;

	if (is_due(member, reading) && member->id.pid >= wait->first_pid) {
		if (wait->left_ns <= 0) {
			wait->next_pid = wait->next_pid == 0 ? member->id.pid : wait->next_pid;
		} else {
			int64_t before_ns = thread_used_ns();
			grown = grown_ns(sampler, member, reading);
			wait->left_ns -= thread_used_ns() - before_ns;
		}
	}
	add(member, reading, grown);
}

void cpu_wait_end(struct sampler *sampler, struct member *member, struct process_reading *reading)
{
	add(member, reading, is_due(member, reading) ? grown_ns(sampler, member, reading) : 0);
}
