/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the keeper, the process that takes over sampling. A run ends with its last process, however long its
 * interval is. */
#include "sampler/keeper.h"

#include "os/clock.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

static struct fake_process *child, *other;

/* Starts a run with a long interval, whose root has ended. Its two children end after 50 and 90 ms. */
static void begin(const char *interval)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, interval);
	child = fake_fork(FAKE_ROOT);
	other = fake_fork(FAKE_ROOT);
	child->ends_ns = os_since_boot_ns() + 50 * (int64_t)FAKE_MS;
	other->ends_ns = os_since_boot_ns() + 90 * (int64_t)FAKE_MS;
	ok(sampler_finish(sampler, 0, 0, true), "the run goes on without its root");
	is_number(fake_rows_of(TABLE_start, child->id.pid), 1,
		"a process that lives at the root's end is recorded, whatever happens to the keeper");
	fake_host = 0;
	fake_end(FAKE_ROOT, 0);
}

/* Runs the keeper until the run ends, which must be at `end_ms` or a little later. */
static void is_kept(double end_ms, const char *what)
{
	char *environment[] = {NULL};
	int64_t begun_ns = os_since_boot_ns();

	keeper_run(FAKE_RUN, environment);
	double took_ms = (double)(os_since_boot_ns() - begun_ns) / (double)FAKE_MS;
	printf("# it took %g ms\n", took_ms);
	ok(took_ms >= end_ms && took_ms < 2 * end_ms, what);
	ok(fake_run_says("\"status\": \"finished\""), "run.json has the status finished");
	fake_reset();
}

/* A process starts while another ends, so the number of processes stays the same. */
static int born;

static void bear(void)
{
	if (born || !child->ends)
		return;
	born = fake_fork(other->id.pid)->id.pid;
	fake_process(born)->ends_ns = os_since_boot_ns() + 70 * (int64_t)FAKE_MS;
}

/* An orphan of the last process calls exec, so for a moment its run is unknown. */
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

	/* A parent has begun to reap it, and waits for a CPU. */
	begin("RTRACK_INTERVAL=3600");
	other->lingers = 9;
	is_kept(90, "a run ends even if the end is not yet visible when it is reported");

	begin("RTRACK_INTERVAL=3600");
	fake_meanwhile = bear;
	is_kept(120, "a run waits for a member that started while another ended");
	fake_meanwhile = NULL;

	begin("RTRACK_INTERVAL=3600");
	fake_meanwhile = leave_orphan;
	is_kept(160, "a run waits for an orphan that becomes a member a moment later");
	fake_meanwhile = NULL;

	/* No process ends in the first interval. */
	begin("RTRACK_INTERVAL=0.04");
	other->ends_ns = 0;
	child->ends_ns += 5 * (int64_t)FAKE_MS;
	other->ends_ns = child->ends_ns + 15 * (int64_t)FAKE_MS;
	is_kept(70, "a run ends after an interval without an end");
	return done();
}
