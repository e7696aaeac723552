/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of random process trees under a launcher. At every tick, the rows contain at most the actual usage. At the end,
 * they contain exactly that. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_tree.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

enum { SEEDS = 500, TICKS = 12 };

/* sums of the rows before this tick, and of the rows of this tick */
struct sums {
	double cpu;
	double written;
	int rows;
};

static void add_rows(struct sums *sums)
{
	for (; sums->rows < fake_rows(TABLE_process); sums->rows++) {
		sums->cpu += fake_cell(TABLE_process, sums->rows, PROCESS_utime) +
			     fake_cell(TABLE_process, sums->rows, PROCESS_stime);
		sums->written += fake_cell(TABLE_process, sums->rows, PROCESS_disk_write_bytes);
	}
}

static bool is_more(const struct sums *sums)
{
	struct fake_tree_used used = fake_tree_used();
	return sums->cpu > used.cpu + 1e-6 || sums->written > used.written;
}

/* Returns whether everything is right. */
static bool run_tree(unsigned seed)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	struct sums sums = {0};
	fake_tree_begin(seed);
	for (int tick = 0; tick < TICKS; tick++) {
		for (unsigned steps = fake_tree_chance(40); steps > 0; steps--)
			fake_tree_step(sampler);
		/* rtrack-run's limits search for processes of the run between two ticks. */
		if (fake_tree_chance(4) == 0)
			(void)sampler_signal(sampler, 0);
		fake_tick(sampler);
		add_rows(&sums);
		if (is_more(&sums)) {
			printf("# seed %u, tick %d: %.6f s and %.0f bytes, used %.6f and %.0f\n", seed, tick, sums.cpu,
				sums.written, fake_tree_used().cpu, fake_tree_used().written);
			(void)sampler_finish(sampler, 0, 0, false);
			return false;
		}
	}
	fake_tree_end(sampler);
	(void)sampler_finish(sampler, 0, 0, false);
	add_rows(&sums);
	struct fake_tree_used used = fake_tree_used();
	bool right = sums.cpu > used.cpu - 1e-6 && sums.cpu < used.cpu + 1e-6 && sums.written == used.written;
	if (!right)
		printf("# seed %u, at the end: %.6f s and %.0f bytes, used %.6f and %.0f\n", seed, sums.cpu,
			sums.written, used.cpu, used.written);
	return right;
}

/* Arguments: the first and the last seed. */
int main(int count, char **arguments)
{
	unsigned first = count > 1 ? (unsigned)atoi(arguments[1]) : 1;
	unsigned last = count > 2 ? (unsigned)atoi(arguments[2]) : SEEDS;
	int wrong = 0;
	for (unsigned seed = first; seed <= last; seed++)
		wrong += !run_tree(seed);
	is_number(wrong, 0, "no tree has less or more in its rows than it used");
	fake_reset();
	return done();
}
