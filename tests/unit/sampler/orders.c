/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of random process trees that act while the sampler reads them, in any order. At every tick the rows contain at
 * most the actual usage. At the end, under rtrack-run, they contain exactly that.
 * If the root is a subreaper, a child may be counted twice: for a parent that ended without reaping it, and for the
 * root. This affects 66 of 20,000 trees, by up to 11 %. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/chance.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <string.h>

enum { SEEDS = 400, TICKS = 12, NODES_MAX = 40 };

static struct node {
	int pid;
	bool speaks;
	bool started; /* its start row is written */
	bool told;    /* its exit row is written, and it does nothing any more */
} nodes[NODES_MAX];   /* the first one is the root */
static int count;
static double used;
static const double TWICE = 0.15; /* tolerated part of the usage, if the root is a subreaper */
static enum sampler_place place;
static bool adopts;    /* the root is pid 1 or a subreaper */
static unsigned often; /* of 16 readings, this many are preceded by an action */

static void say_start(struct node *node)
{
	if (node->started || !node->speaks || node->told || fake_process(node->pid)->zombie)
		return;
	SAY("  %d says start\n", node->pid);
	fake_says_start(node->pid);
	node->started = true;
}

static void bear(const struct node *parent)
{
	if (count == NODES_MAX || parent->told || fake_process(parent->pid)->zombie)
		return;
	struct node *node = &nodes[count++];
	*node = (struct node){.pid = fake_fork(parent->pid)->id.pid, .speaks = draw(3) > 0};
	fake_process(node->pid)->exe = "job";
	fake_process(node->pid)->environment = "RTRACK_RUN=" FAKE_RUN;
	SAY("  %d bears %d%s\n", parent->pid, node->pid, node->speaks ? "" : ", silent");
	if (draw(3) > 0)
		say_start(node);
}

static void work(const struct node *node)
{
	struct fake_process *process = fake_process(node->pid);
	unsigned ticks = draw(20);

	if (process->zombie || node->told)
		return;
	process->used[COUNTER_USER_NS + draw(2)] += ticks * 10 * FAKE_MS;
	used += ticks / 100.0;
	SAY("  %d works %u\n", node->pid, ticks * 10);
}

static void drop(int index)
{
	nodes[index] = nodes[--count];
}

/* Removes processes that are gone without being reaped within the run. init reaped them. */
static void drop_gone(void)
{
	for (int i = count - 1; i > 0; i--)
		if (!fake_process(nodes[i].pid))
			drop(i);
}

static void end(struct node *node, bool at_once)
{
	if (fake_process(node->pid)->zombie)
		return;
	if (node->speaks && !node->told && draw(5) > 0) {
		say_start(node);
		SAY("  %d says exit\n", node->pid);
		fake_says_exit(node->pid, 0);
		node->told = true;
		if (!at_once)
			return;
	}
	SAY("  %d ends\n", node->pid);
	fake_exit(node->pid, 0);
	drop_gone();
}

static bool is_ended(int pid)
{
	for (int i = 0; i < count; i++)
		if (nodes[i].pid == pid)
			return nodes[i].told || fake_process(pid)->zombie;
	return false;
}

static void reap(struct sampler *sampler, int index)
{
	struct fake_process *process = fake_process(nodes[index].pid);
	int pid = nodes[index].pid;

	if (!process->zombie || is_ended(process->ppid))
		return;
	if (process->ppid == FAKE_SELF && !sampler)
		return;
	SAY("  %d reaped by %d\n", pid, process->ppid);
	if (process->ppid == FAKE_SELF)
		fake_launcher_reaps(sampler, pid);
	else
		fake_reap(pid);
	/* Processes have acted during the sampler's readings. */
	for (int i = 1; i < count; i++)
		if (nodes[i].pid == pid)
			drop(i);
}

static void step(struct sampler *sampler)
{
	int index = (int)draw((unsigned)count);

	fake_pass((int64_t)draw(30) * (int64_t)FAKE_MS);
	switch (draw(7)) {
	case 0:
	case 1:
		bear(&nodes[index]);
		break;
	case 2:
	case 3:
		work(&nodes[index]);
		break;
	case 4:
		say_start(&nodes[index]);
		break;
	case 5:
		if (index > 0)
			end(&nodes[index], false);
		break;
	default:
		if (index > 0)
			reap(sampler, index);
		break;
	}
}

static void go_on(void)
{
	while (draw(16) < often)
		step(NULL);
}

static double cpu_of_rows(void)
{
	return fake_sum(TABLE_process, PROCESS_utime) + fake_sum(TABLE_process, PROCESS_stime);
}

/* A process that has recorded its end is gone within a tick. */
static void end_those_told(void)
{
	for (int i = count - 1; i > 0; i--)
		if (i < count && nodes[i].told)
			end(&nodes[i], true);
}

static void tick(struct sampler *sampler)
{
	SAY("tick\n");
	fake_meanwhile = go_on;
	fake_tick(sampler);
	fake_meanwhile = NULL;
	end_those_told();
	SAY("tick: rows %g, used %g\n", cpu_of_rows(), used);
}

static struct sampler *begin(unsigned seed)
{
	chance_begin(seed);
	for (int i = 0; i < 8; i++)
		(void)draw(2);
	fake_reset();
	place = draw(2) ? SAMPLER_IN_LAUNCHER : SAMPLER_IN_ROOT;
	often = draw(8);
	used = 0;
	struct sampler *sampler = fake_run_begin(place, NULL);
	nodes[0] = (struct node){.pid = FAKE_ROOT, .speaks = place == SAMPLER_IN_ROOT || draw(4) > 0};
	count = 1;
	say_start(&nodes[0]);
	adopts = place == SAMPLER_IN_ROOT && draw(2);
	fake_process(FAKE_ROOT)->adopts = adopts;
	return sampler;
}

static void end_those_left(void)
{
	for (int i = count - 1; i > 0; i--)
		if (i < count)
			end(&nodes[i], true);
}

/* Ends and reaps all processes, the root last. */
static void end_all(struct sampler *sampler)
{
	while (count > 1) {
		end_those_left();
		for (int i = count - 1; i > 0; i--)
			if (i < count)
				reap(sampler, i);
	}
	if (place == SAMPLER_IN_ROOT)
		return;
	if (nodes[0].speaks)
		fake_says_exit(FAKE_ROOT, 0);
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
}

/* Returns the number of ends that were recorded twice. The sampler records an end of a process that has already
 * recorded it, or of a live process that records it later. */
static int ends_told_again(void)
{
	static bool told[65536];
	int again = 0, rows = fake_rows(TABLE_exit);

	memset(told, 0, sizeof told);
	for (int row = 0; row < rows; row++) {
		int pid = (int)fake_cell(TABLE_exit, row, EXIT_pid) & 65535;
		again += told[pid];
		told[pid] = true;
	}
	return again;
}

static const char *kind(void)
{
	if (adopts)
		return "a root that takes in orphans";
	return place == SAMPLER_IN_LAUNCHER ? "rtrack-run" : "a root";
}

static bool is_right(unsigned seed)
{
	struct sampler *sampler = begin(seed);
	double most = 0;

	for (int i = 0; i < TICKS; i++) {
		for (unsigned steps = draw(40); steps > 0; steps--)
			step(sampler);
		tick(sampler);
		if (cpu_of_rows() > used * (adopts ? 1 + TWICE : 1) + 1e-6 && most == 0)
			most = cpu_of_rows() - used;
	}
	end_all(sampler);
	(void)sampler_finish(sampler, 0, 0, false);
	double rows = cpu_of_rows();
	int again = ends_told_again();
	bool right = again == 0 && most == 0 && rows < used * (adopts ? 1 + TWICE : 1) + 1e-6 &&
		     (place == SAMPLER_IN_ROOT || rows > used - 1e-6);
	if (!right)
		printf("# seed %u, %s: %.3f s at the end, used %.3f; once %.3f too much; %d rows of ends that were "
		       "told\n",
			seed, kind(), rows, used, most, again);
	return right;
}

/* Arguments: the first and last seed; with a third argument, actions are printed. */
int main(int arguments_count, char **arguments)
{
	/* seeds that gave wrong figures in earlier versions */
	static const unsigned seeds[] = {1506, 1780, 1907, 3138, 4093, 5599, 5618, 7432, 11011, 11211, 12056, 12357,
		12717, 14371, 23166, 25241, 28945, 43334, 47353};
	unsigned from = arguments_count > 1 ? (unsigned)atoi(arguments[1]) : 1;
	unsigned to = arguments_count > 2 ? (unsigned)atoi(arguments[2]) : SEEDS;
	int wrong = 0;

	chance_speaks = arguments_count > 3;
	for (unsigned seed = from; seed <= to; seed++)
		wrong += !is_right(seed);
	is_number(wrong, 0, "trees that act while they are read never have more in their rows than they used");
	for (size_t i = 0; i < ARRAY_LENGTH(seeds) && arguments_count == 1; i++)
		ok(is_right(seeds[i]), "a tree that was wrong once is right");
	fake_reset();
	return done();
}
