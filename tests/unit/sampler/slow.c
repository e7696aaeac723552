/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a spool that answers slowly: how often the sampler writes, and what it omits. */
#include "sampler/sampler.h"

#include "os/clock.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

enum { MINUTES = 30, CHILDREN = 100 };

/* Samples for half an hour with writes of this duration. Returns the part of the time in which the sampler waits for
 * them. */
static double part_waited(int64_t write_ns, int64_t queued_ns, int *rows)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	int64_t begun_ns = os_since_boot_ns(), waited_ns = 0;

	fake_faults.write_ns = write_ns;
	fake_faults.write_queued_ns = queued_ns;
	while (os_since_boot_ns() - begun_ns < MINUTES * 60 * FAKE_SECOND) {
		fake_pass(sampler_wait_ns(sampler));
		fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] += 10 * FAKE_MS;
		int64_t before_ns = os_since_boot_ns();
		sampler_tick(sampler);
		waited_ns += os_since_boot_ns() - before_ns;
	}
	double part = (double)waited_ns / (double)(os_since_boot_ns() - begun_ns);
	*rows = fake_rows(TABLE_system);
	fake_faults.write_ns = fake_faults.write_queued_ns = 0;
	(void)sampler_finish(sampler, 0, 0, false);
	return part;
}

static void rests(void)
{
	int rows;

	(void)part_waited(0, 0, &rows);
	is_number(rows, MINUTES * 60, "one row a second");
	(void)part_waited(150 * FAKE_MS, 0, &rows);
	ok(rows >= MINUTES * 60 - 1, "writes of 150 ms change nothing");
	ok(part_waited(300 * FAKE_MS, 0, &rows) < 0.11, "with writes of 300 ms, it waits for a tenth of the time");
	ok(rows > 60, "with writes of 300 ms, there are still some rows");
	ok(part_waited(2 * FAKE_SECOND, 0, &rows) < 0.15, "with writes of 2 s, it waits for little more than a tenth");
	ok(rows >= MINUTES - 2, "a rest is at most a minute");
	(void)part_waited(300 * FAKE_MS, 200 * FAKE_MS, &rows);
	ok(rows > 1000, "waiting for a CPU does not count as a slow spool");
}

/* Returns how long the sampler rests after a tick with slow writes, if its thread waited for a CPU before that tick. */
static int64_t rest_after(int64_t queued_ns)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);

	fake_tick(sampler);
	fake_queued_ns += queued_ns;
	fake_faults.write_ns = 300 * FAKE_MS;
	fake_tick(sampler);
	int64_t rest_ns = sampler_wait_ns(sampler);
	fake_faults.write_ns = 0;
	(void)sampler_finish(sampler, 0, 0, false);
	return rest_ns;
}

static void waited_before(void)
{
	ok(rest_after(3600 * FAKE_SECOND) == rest_after(0), "an earlier wait for a CPU does not change the rest");
}

/* Children without the library start and end. For each one, the sampler would write two rows. */
static void leaves_out(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);

	fake_tick(sampler);
	for (int i = 0; i < CHILDREN; i++)
		fake_fork(FAKE_ROOT)->used[COUNTER_USER_NS] = 10 * FAKE_MS;
	fake_faults.write_ns = FAKE_SECOND;
	int64_t before_ns = os_since_boot_ns();
	fake_tick(sampler);
	while (fake_child(FAKE_ROOT, 0) > 0)
		fake_end(fake_child(FAKE_ROOT, 0), 0);
	fake_tick(sampler);
	ok(os_since_boot_ns() - before_ns < 20 * FAKE_SECOND,
		"with slow writes, a tick does not wait for the rows of all hundred children");
	ok(fake_rows(TABLE_exit) < 10, "most of their rows are left out");
	fake_faults.write_ns = 0;
	fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] += 50 * FAKE_MS;
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	(void)sampler_finish(sampler, 0, 0, false);
	ok(fake_rows_of(TABLE_exit, FAKE_ROOT) == 1, "the root has its row");
	is_number(fake_sum(TABLE_process, PROCESS_utime), 1.05, "the sums include the children");
}

int main(void)
{
	rests();
	waited_before();
	leaves_out();
	fake_reset();
	return done();
}
