/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of random roots that are killed together with the sampler in them, alone or with some children, and of the
 * keeper that takes over. The rows contain at most the actual usage, and at least what ended processes recorded. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "core/spool.h"
#include "os/file.h"
#include "tests/unit/lib/chance.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <math.h>
#include <stdlib.h>

enum { SEEDS = 400, NODES_MAX = 16, KILLED = 9, PULSES = 10 };

/* The thread's CPU time since its last tick cannot be separated from the root's. */
static const double BLUR = 0.0025;

static struct node {
	int pid;
	bool speaks;
	bool told;
} nodes[NODES_MAX]; /* the first one is the root */
static int count;
static double used;

static bool lives(const struct node *node)
{
	const struct fake_process *process = fake_process(node->pid);
	return process && !process->zombie && !node->told;
}

static void bear(const struct node *parent)
{
	if (count == NODES_MAX || !lives(parent))
		return;
	struct node *node = &nodes[count++];
	*node = (struct node){.pid = fake_fork(parent->pid)->id.pid, .speaks = draw(3) > 0};
	fake_process(node->pid)->exe = "job";
	fake_process(node->pid)->environment = "RTRACK_RUN=" FAKE_RUN;
	SAY("  %d bears %d%s\n", parent->pid, node->pid, node->speaks ? "" : ", silent");
	if (node->speaks)
		fake_says_start(node->pid);
}

static void work(const struct node *node)
{
	unsigned ticks = draw(8);

	if (!lives(node))
		return;
	fake_process(node->pid)->used[COUNTER_USER_NS + draw(2)] += ticks * 10 * FAKE_MS;
	used += ticks / 100.0;
	SAY("  %d works %u\n", node->pid, ticks * 10);
}

static void end(struct node *node)
{
	if (!lives(node))
		return;
	SAY("  %d ends\n", node->pid);
	if (node->speaks)
		fake_says_exit(node->pid, 0);
	node->told = node->speaks;
	fake_exit(node->pid, 0);
}

static void reap(const struct node *node)
{
	const struct fake_process *process = fake_process(node->pid);

	if (!process || !process->zombie || !fake_process(process->ppid) || fake_process(process->ppid)->zombie)
		return;
	SAY("  %d reaped by %d\n", node->pid, process->ppid);
	fake_reap(node->pid);
}

static void step(void)
{
	struct node *node = &nodes[draw((unsigned)count)];

	switch (draw(8)) {
	case 0:
		bear(node);
		break;
	case 1:
		if (node != nodes)
			end(node);
		break;
	case 2:
		if (node != nodes)
			reap(node);
		break;
	default:
		work(node);
		break;
	}
}

static double cpu_of(enum table_id table, int user, int system)
{
	return fake_sum(table, user) + fake_sum(table, system);
}

/* Alternates renewals of the last record with ticks, until the kill. */
static void sample(struct sampler *sampler)
{
	int instants = (int)draw(4 * PULSES) + 1;

	for (int i = 1; i <= instants; i++) {
		for (unsigned steps = draw(3); steps > 0; steps--)
			step();
		fake_pass(SAMPLER_RENEWAL_NS);
		fake_tracker[COUNTER_SYSTEM_NS] += FAKE_MS / 10;
		if (i % PULSES == 0) {
			SAY("tick\n");
			sampler_tick(sampler);
		} else {
			SAY("pulse\n");
			sampler_renew_last_row(sampler);
		}
	}
	for (unsigned steps = draw(3); steps > 0; steps--)
		step();
}

static void kill_some(bool all)
{
	fake_kill_self();
	fake_host = 0;
	fake_process(FAKE_ROOT)->used[COUNTER_SYSTEM_NS] += fake_tracker[COUNTER_SYSTEM_NS];
	fake_tracker[COUNTER_SYSTEM_NS] = 0;
	SAY("the root is killed%s\n", all ? ", with others" : "");
	for (int i = 1; all && i < count; i++)
		if (lives(&nodes[i]) && draw(3) > 0)
			fake_exit(nodes[i].pid, KILLED);
	if (draw(2))
		fake_process(FAKE_ROOT)->ppid = FAKE_SELF; /* This parent does not reap the root at once. */
	fake_exit(FAKE_ROOT, KILLED);
}

static bool is_right(unsigned seed)
{
	chance_begin(seed);
	for (int i = 0; i < 8; i++)
		(void)draw(2);
	fake_reset();
	used = 0;
	count = 1;
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	nodes[0] = (struct node){.pid = FAKE_ROOT, .speaks = true};
	fake_says_start(FAKE_ROOT);
	for (unsigned children = draw(4); children > 0; children--)
		bear(nodes);
	sample(sampler);
	kill_some(draw(2));
	for (unsigned steps = draw(6); steps > 0; steps--)
		step();
	if (draw(4) == 0)
		(void)os_remove(OS_HERE, FAKE_RUN "/" SPOOL_STATE_FILE);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	double most = 0;
	for (unsigned ticks = 0; ticks < 4; ticks++) {
		SAY("tick of the keeper\n");
		fake_tick(sampler);
		most = fmax(most, cpu_of(TABLE_process, PROCESS_utime, PROCESS_stime) - used);
		for (unsigned steps = draw(6); steps > 0; steps--)
			step();
	}
	for (int i = 1; i < count; i++)
		end(&nodes[i]);
	(void)sampler_finish(sampler, -1, 0, false);
	double rows = cpu_of(TABLE_process, PROCESS_utime, PROCESS_stime);
	double records = cpu_of(TABLE_exit, EXIT_utime, EXIT_stime);
	bool right = most < BLUR && rows < used + BLUR && rows > records - BLUR;
	if (!right)
		printf("# seed %u: %.3f s in the rows, %.3f in the records, used %.3f; once %.3f too much\n", seed,
			rows, records, used, most);
	return right;
}

/* Arguments: the first and last seed; with a third argument, events are printed. */
int main(int arguments_count, char **arguments)
{
	unsigned from = arguments_count > 1 ? (unsigned)atoi(arguments[1]) : 1;
	unsigned to = arguments_count > 2 ? (unsigned)atoi(arguments[2]) : SEEDS;
	int wrong = 0;

	chance_speaks = arguments_count > 3;
	for (unsigned seed = from; seed <= to; seed++)
		wrong += !is_right(seed);
	is_number(wrong, 0, "for killed roots, rows never exceed the usage and never miss records");
	fake_reset();
	return done();
}
