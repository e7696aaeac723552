/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: a run ends when the last of its members does, however long its interval is. */
#include "sampler/keeper.h"

#include "os/clock.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

static struct fake_process *child, *other;

/* A run with a long interval and an ended root, with two children left that end after 50 and 90 ms. */
static void begin(const char *interval)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, interval);
	child = fake_fork(FAKE_ROOT);
	other = fake_fork(FAKE_ROOT);
	child->ends_ns = os_since_boot_ns() + 50 * (int64_t)FAKE_MS;
	other->ends_ns = os_since_boot_ns() + 90 * (int64_t)FAKE_MS;
	ok(sampler_finish(sampler, 0, 0, true), "a run goes on without its root");
	is_number(fake_rows_of(TABLE_start, child->id.pid), 1,
		"a process that is left when it ends is on record, whatever happens to the keeper");
	fake_host = 0;
	fake_end(FAKE_ROOT, 0);
}

/* Keeps the run to its end, which is to be at `end_ms` or somewhat later. */
static void is_kept(double end_ms, const char *what)
{
	char *environment[] = {NULL};
	int64_t begun_ns = os_since_boot_ns();

	keeper_run(FAKE_RUN, environment);
	double took_ms = (double)(os_since_boot_ns() - begun_ns) / (double)FAKE_MS;
	printf("# it took %g ms\n", took_ms);
	ok(took_ms >= end_ms && took_ms < 2 * end_ms, what);
	ok(fake_run_says("\"status\": \"finished\""), "and says so");
	fake_reset();
}

/* While one ends, another is born: as many live as before. */
static int born;

static void bear(void)
{
	if (born || !child->ends)
		return;
	born = fake_fork(other->id.pid)->id.pid;
	fake_process(born)->ends_ns = os_since_boot_ns() + 70 * (int64_t)FAKE_MS;
}

/* An orphan of the last that ends, which executes a program: for an instant its run is unknown. */
static int orphan;
static int64_t orphaned_ns;

static void leave_orphan(void)
{
	struct fake_process *known = orphan ? fake_process(orphan) : NULL;

	if (known && os_since_boot_ns() > orphaned_ns)
		known->environment = "RTRACK_RUN=" FAKE_RUN;
	if (orphan || !other->ends)
		return;
	orphaned_ns = os_since_boot_ns();
	orphan = fake_fork(FAKE_INIT)->id.pid;
	fake_process(orphan)->ends_ns = orphaned_ns + 70 * (int64_t)FAKE_MS;
}

int main(void)
{
	begin("RTRACK_INTERVAL=3600");
	is_kept(90, "a run ends with the last of its members");

	/* Its parent has begun to reap it, and waits for a CPU. */
	begin("RTRACK_INTERVAL=3600");
	other->lingers = 9;
	is_kept(90, "... with an end that cannot be seen yet when it is heard of");

	begin("RTRACK_INTERVAL=3600");
	fake_meanwhile = bear;
	is_kept(120, "... with as many left as before, since one was born meanwhile");
	fake_meanwhile = NULL;

	begin("RTRACK_INTERVAL=3600");
	fake_meanwhile = leave_orphan;
	is_kept(160, "... that the last of them left, and that is known a moment later");
	fake_meanwhile = NULL;

	/* No process ends in the first interval. */
	begin("RTRACK_INTERVAL=0.04");
	other->ends_ns = 0;
	child->ends_ns += 5 * (int64_t)FAKE_MS;
	other->ends_ns = child->ends_ns + 15 * (int64_t)FAKE_MS;
	is_kept(70, "... in an interval after one without an end");
	return done();
}
