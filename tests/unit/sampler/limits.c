/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the figures that the sampler gives for rtrack-run's limits: processes, their memory, and the limits in
 * run.json. */
#include "sampler/sampler.h"

#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <signal.h>

static void signals_all(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	int child = fake_fork(FAKE_ROOT)->id.pid;
	int gone = fake_fork(FAKE_ROOT)->id.pid;
	int stranger = fake_fork(FAKE_INIT)->id.pid;
	fake_process(FAKE_ROOT)->rss_kib = fake_process(FAKE_ROOT)->pss_kib = 3000;
	fake_process(child)->rss_kib = fake_process(child)->pss_kib = 2000;
	fake_process(gone)->rss_kib = fake_process(gone)->pss_kib = 1000;
	is_number(sampler_needed_mib(sampler), 0, "before the first tick, no memory is known");
	fake_tick(sampler);
	is_number(sampler_needed_mib(sampler), 6000 / 1024.0, "the memory of all members");
	fake_end(gone, 0);
	int late = fake_fork(child)->id.pid;
	is_number((double)sampler_signal(sampler, SIGTERM), 3, "all living members are counted, new ones included");
	is_number(fake_process(FAKE_ROOT)->signal, SIGTERM, "the root gets the signal");
	is_number(fake_process(child)->signal, SIGTERM, "the root's child gets the signal");
	is_number(fake_process(late)->signal, SIGTERM, "a member that was never read gets the signal");
	is_number(fake_process(stranger)->signal, 0, "a stranger does not get the signal");
	is_number((double)sampler_signal(sampler, 0), 3, "signal 0 counts members");
	is_number(fake_process(child)->signal, SIGTERM, "  signal 0 is not sent");
	sampler_set_limit(sampler, "memory");
	(void)sampler_finish(sampler, 0, 0, false);
	ok(fake_run_says("\"status\": \"killed\""), "a run that ended itself at a limit is killed");
	ok(fake_run_says("\"killed_by\": \"limit\""), "run.json records that a limit killed the run");
	ok(fake_run_says("\"exit_code\": 0"), "the exit code of a run that ended itself is kept");
}

static void without_a_limit(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	fake_tick(sampler);
	(void)sampler_finish(sampler, 0, 0, false);
	ok(fake_run_says("\"status\": \"finished\""), "without a limit, the run is finished");
	ok(fake_run_says("\"killed_by\": null"), "without a limit, run.json names no cause of death");
}

int main(void)
{
	signals_all();
	without_a_limit();
	fake_reset();
	return done();
}
