/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated processes that act at random. */
#include "tests/unit/lib/fake_tree.h"

#include "tests/unit/lib/chance.h"

enum { MEMBERS_MAX = 40, PIDS_MAX = 8192 };

static struct fake_tree_used used;
static int pids[MEMBERS_MAX]; /* pids of the tree; the first is the root */
static int count;
static bool is_dynamic[PIDS_MAX];

unsigned fake_tree_chance(unsigned below)
{
	return draw(below);
}

void fake_tree_begin(unsigned seed)
{
	chance_begin(seed);
	used = (struct fake_tree_used){0, 0};
	pids[0] = FAKE_ROOT;
	count = 1;
	is_dynamic[FAKE_ROOT] = fake_tree_chance(4) > 0;
	if (is_dynamic[FAKE_ROOT])
		fake_says_start(FAKE_ROOT);
}

struct fake_tree_used fake_tree_used(void)
{
	return used;
}

static void fork_one(int parent)
{
	if (count == MEMBERS_MAX || fake_process(parent)->zombie)
		return;
	int pid = fake_fork(parent)->id.pid;
	pids[count++] = pid;
	is_dynamic[pid] = fake_tree_chance(2);
	if (is_dynamic[pid])
		fake_says_start(pid);
}

static void work(struct fake_process *process)
{
	unsigned ticks = fake_tree_chance(20);
	unsigned bytes = fake_tree_chance(1000);
	if (process->zombie)
		return;
	process->used[COUNTER_USER_NS + fake_tree_chance(2)] += ticks * 10 * FAKE_MS;
	process->used[COUNTER_DISK_WRITE] += bytes;
	used.cpu += ticks / 100.0;
	used.written += bytes;
}

/* Ends a process without killing it. A process that records its figures does so just before its end. */
static void end_one(int pid)
{
	if (fake_process(pid)->zombie)
		return;
	if (is_dynamic[pid])
		fake_says_exit(pid, 0);
	fake_exit(pid, 0);
}

static void reap_one(struct sampler *sampler, int index)
{
	int pid = pids[index];
	if (!fake_process(pid)->zombie)
		return;
	if (fake_process(pid)->ppid == FAKE_SELF)
		fake_launcher_reaps(sampler, pid);
	else
		fake_reap(pid);
	pids[index] = pids[--count];
}

void fake_tree_step(struct sampler *sampler)
{
	int index = (int)fake_tree_chance((unsigned)count);
	int pid = pids[index];
	fake_pass((int64_t)fake_tree_chance(30) * (int64_t)FAKE_MS);
	switch (fake_tree_chance(6)) {
	case 0:
	case 1:
		fork_one(pid);
		break;
	case 2:
	case 3:
		work(fake_process(pid));
		break;
	case 4:
		if (index > 0)
			end_one(pid);
		break;
	default:
		if (index > 0)
			reap_one(sampler, index);
		break;
	}
}

void fake_tree_end(struct sampler *sampler)
{
	for (int i = count - 1; i >= 0; i--)
		end_one(pids[i]);
	while (count > 0)
		for (int i = count - 1; i >= 0; i--)
			reap_one(sampler, i);
}
