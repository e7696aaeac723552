/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of resources that run out at any time. The sampler must go on with less, free its memory, and count nothing
 * twice. If it frees anything wrongly, the test ends (fake_os.h). */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_tree.h"
#include "tests/unit/lib/tap.h"

enum fault { MEMORY, DESCRIPTORS, DISK, WAITING, FAULTS };

static const char *const names[FAULTS] = {"no memory", "no descriptors", "a full disk", "no waiting for ends"};

enum { MOMENTS = 60, SEEDS = 20, TICKS = 8 };

static void arm(enum fault fault, int64_t left)
{
	switch (fault) {
	case MEMORY:
		fake_faults.maps_left = left;
		break;
	case DESCRIPTORS:
		fake_faults.descriptors_left = left;
		break;
	case DISK:
		fake_faults.disk_left = left < 0 ? left : left * 100;
		break;
	default:
		fake_faults.no_waiting = left >= 0;
		break;
	}
}

static void check_opening(enum fault fault)
{
	int opened = 0;
	for (int left = 0; left < MOMENTS; left++) {
		fake_reset();
		struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
		if (sampler)
			fake_kill_self();
		arm(fault, left);
		sampler = fake_run_open(SAMPLER_IN_KEEPER);
		opened += sampler != NULL;
		if (sampler) {
			fake_tick(sampler);
			(void)sampler_finish(sampler, -1, 0, left % 2 == 0);
		}
	}
	fake_reset();
	printf("# %s: opened %d times of %d\n", names[fault], opened, MOMENTS);
	ok(opened > 0, "with any resources, a sampler opens or reports an error");
}

static void check_beginning(enum fault fault)
{
	int begun = 0;
	for (int left = 0; left < MOMENTS; left++) {
		fake_reset();
		arm(fault, left);
		struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
		begun += sampler != NULL;
		if (sampler)
			(void)sampler_finish(sampler, 0, 0, false);
	}
	fake_reset();
	ok(begun > 0, "a run begins, or reports an error");
}

static double cpu_of_rows(void)
{
	double cpu = 0;
	for (int row = 0; row < fake_rows(TABLE_process); row++)
		if (fake_is_whole(TABLE_process, row))
			cpu += fake_cell(TABLE_process, row, PROCESS_utime) +
			       fake_cell(TABLE_process, row, PROCESS_stime);
	return cpu;
}

/* The fault lasts for one tick, and is over when the processes act. */
static bool run_tree(enum fault fault, unsigned seed)
{
	bool right = true;
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	fake_tree_begin(seed);
	for (unsigned tick = 0; tick < TICKS; tick++) {
		for (unsigned steps = fake_tree_chance(40); steps > 0; steps--)
			fake_tree_step(sampler);
		if (tick % 3 == 1)
			arm(fault, fake_tree_chance(12));
		fake_tick(sampler);
		arm(fault, -1);
		right &= cpu_of_rows() <= fake_tree_used().cpu + 1e-6;
	}
	fake_tree_end(sampler);
	(void)sampler_finish(sampler, 0, 0, false);
	right &= cpu_of_rows() <= fake_tree_used().cpu + 1e-6;
	if (!right)
		printf("# seed %u: rows have %.6f s, used %.6f s\n", seed, cpu_of_rows(), fake_tree_used().cpu);
	return right;
}

static void check_ticks(enum fault fault)
{
	int wrong = 0;
	for (unsigned seed = 1; seed <= SEEDS; seed++)
		wrong += !run_tree(fault, seed);
	fake_reset();
	is_number(wrong, 0, "with faults in ticks, rows never exceed the usage");
}

/* There are many processes, and no memory for the table of the run's processes. */
static void check_many(void)
{
	enum { MANY = 300 };
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	fake_tick(sampler); /* Now both buffers for process lists exist. */
	fake_tick(sampler);
	for (int i = 0; i < MANY; i++)
		fake_fork(FAKE_ROOT)->used[COUNTER_USER_NS] = 10 * FAKE_MS;
	fake_faults.maps_left = 0;
	fake_tick(sampler);
	double seen = fake_cell(TABLE_process, FAKE_LAST, PROCESS_members);
	ok(seen > 1 && seen < MANY, "as many processes are followed as fit");
	fake_faults.maps_left = -1;
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), MANY + 1,
		"all processes are followed once memory is available again");
	is_number(fake_sum(TABLE_process, PROCESS_utime), MANY / 100, "each process is counted once");
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

int main(void)
{
	for (enum fault fault = 0; fault < FAULTS; fault++) {
		check_opening(fault);
		check_beginning(fault);
		check_ticks(fault);
	}
	check_many();
	return done();
}
