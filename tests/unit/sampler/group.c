/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of whether the control group belongs to the run alone, by its processes at the start and at the end, and of its
 * usage in run.json. */
#include "sampler/sampler.h"

#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

enum { OTHER = 60, MANY = 40 };

/* The number of processes in the group, besides the root and rtrack-run, when the run begins. */
static void alone(void)
{
}

static void ancestor(void)
{
	fake_process(FAKE_INIT)->grouped = true;
}

static void other(void)
{
	fake_fork_as(OTHER, FAKE_INIT)->grouped = true;
}

static void many(void)
{
	for (int i = 0; i < MANY; i++)
		fake_fork_as(OTHER + i, FAKE_INIT)->grouped = true;
}

static void hidden(void)
{
	other();
	fake_faults.read_error = OS_ERROR_DENIED;
}

/* What happens until the run ends. */
static void members_come(void)
{
	int child = fake_fork(FAKE_ROOT)->id.pid;
	fake_process(child)->grouped = true;
	fake_fork(child)->grouped = true;
}

static void other_comes(void)
{
	other();
}

static void ancestor_works(void)
{
	fake_process(FAKE_INIT)->used[COUNTER_USER_NS] += 300 * FAKE_MS;
	fake_group_ns += 300 * FAKE_MS;
}

static const struct {
	const char *what;
	void (*begins)(void);
	void (*happens)(void);
	const char *shared;
	const char *cpu;
} cases[] = {
	{"a run alone in its group", alone, alone, "\"cgroup_shared\": 0", "\"cgroup_cpu\": 0.200000"},
	{"a run with its ancestors, which wait", ancestor, alone, "\"cgroup_shared\": 0", "\"cgroup_cpu\": 0.200000"},
	{"a run with a working ancestor, whose usage is not the run's", ancestor, ancestor_works,
		"\"cgroup_shared\": 0", "\"cgroup_cpu\": 0.200000"},
	{"a run that leaves members behind", alone, members_come, "\"cgroup_shared\": 0", "\"cgroup_cpu\": 0.200000"},
	{"a run beside another process", other, alone, "\"cgroup_shared\": 1", "\"cgroup_cpu\": 0.200000"},
	{"a run beside more processes than are checked", many, alone, "\"cgroup_shared\": 1",
		"\"cgroup_cpu\": 0.200000"},
	{"a run beside a process that cannot be read", hidden, alone, "\"cgroup_shared\": 1",
		"\"cgroup_cpu\": 0.200000"},
	{"a run that leaves an unknown process behind", alone, other_comes, "\"cgroup_shared\": 2",
		"\"cgroup_cpu\": 0.200000"},
};

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		fake_reset();
		fake_group_ns = 1000 * FAKE_MS;
		fake_process(FAKE_SELF)->grouped = true;
		cases[i].begins();
		struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
		fake_faults.read_error = 0;
		fake_process(FAKE_ROOT)->grouped = true;
		fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] += 200 * FAKE_MS;
		fake_group_ns += 200 * FAKE_MS;
		cases[i].happens();
		fake_tick(sampler);
		(void)sampler_finish(sampler, 0, 0, false);
		ok(fake_run_says(cases[i].shared), cases[i].what);
		ok(fake_run_says(cases[i].cpu), "  and the group's usage");
	}
	fake_reset();
	return done();
}
