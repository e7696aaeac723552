/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the run's usage between two rows. Each step of a scenario is an action of a process. Each tick checks the
 * sum of all rows so far. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <string.h>

enum action {
	END_OF_SCENARIO,
	FORK,   /* forks `pid` from the process `amount` */
	USE,    /* uses CPU time in ms */
	WRITE,  /* writes bytes to the disk */
	SAY,    /* records its start */
	EXIT,   /* records its figures, and ends */
	TELL,   /* records its figures, and lives on for a while */
	DIE,    /* ends without a record */
	REAP,   /* is reaped by its parent */
	LAUNCH, /* is reaped by the launcher */
	IGNORE, /* ignores SIGCHLD */
	ADOPT,  /* becomes a subreaper */
	OWN,    /* CPU time of the tracker in ms */
	TICK    /* `pid` and `amount`: expected CPU time in ms and bytes of the run so far */
};

enum { ROOT = FAKE_ROOT, A = 201, B = 202, C = 203, D = 204, STEPS_MAX = 24 };

struct step {
	enum action action;
	int pid;
	int amount;
};

static const struct {
	const char *what;
	enum sampler_place place;
	struct step steps[STEPS_MAX];
} scenarios[] = {
	{"a static child comes and goes between two ticks", SAMPLER_IN_ROOT,
		{{USE, ROOT, 10}, {TICK, 10, 0}, {FORK, A, ROOT}, {USE, A, 70}, {WRITE, A, 500}, {DIE, A, 0},
			{REAP, A, 0}, {TICK, 80, 500}, {TICK, 80, 500}}},
	{"a known child records its end, and is reaped ticks later", SAMPLER_IN_ROOT,
		{{FORK, A, ROOT}, {USE, A, 70}, {WRITE, A, 500}, {TICK, 70, 500}, {USE, A, 30}, {SAY, A, 0},
			{EXIT, A, 0}, {TICK, 100, 500}, {TICK, 100, 500}, {TICK, 100, 500}, {REAP, A, 0},
			{TICK, 100, 500}}},
	{"a known child records its end, and is reaped at once", SAMPLER_IN_ROOT,
		{{FORK, A, ROOT}, {USE, A, 70}, {TICK, 70, 0}, {USE, A, 30}, {SAY, A, 0}, {EXIT, A, 0}, {REAP, A, 0},
			{TICK, 100, 0}}},
	{"a child is killed, and its parent's account has the rest", SAMPLER_IN_ROOT,
		{{FORK, A, ROOT}, {USE, A, 70}, {WRITE, A, 100}, {TICK, 70, 100}, {USE, A, 30}, {WRITE, A, 50},
			{DIE, A, 0}, {REAP, A, 0}, {TICK, 100, 150}, {TICK, 100, 150}}},
	{"a parent ignores SIGCHLD: what was seen of its children stays", SAMPLER_IN_ROOT,
		{{IGNORE, ROOT, 0}, {FORK, A, ROOT}, {USE, A, 70}, {TICK, 70, 0}, {DIE, A, 0}, {TICK, 70, 0},
			{USE, ROOT, 80}, {TICK, 150, 0}}},
	{"a shell's static grandchildren", SAMPLER_IN_ROOT,
		{{FORK, A, ROOT}, {FORK, B, A}, {USE, B, 200}, {WRITE, B, 9}, {DIE, B, 0}, {REAP, B, 0}, {TICK, 200, 9},
			{USE, A, 20}, {DIE, A, 0}, {REAP, A, 0}, {TICK, 220, 9}}},
	{"a child's row is read before its parent was seen", SAMPLER_IN_ROOT,
		{{FORK, A, ROOT}, {FORK, B, A}, {USE, B, 200}, {SAY, B, 0}, {EXIT, B, 0}, {REAP, B, 0}, {TICK, 200, 0},
			{USE, A, 20}, {DIE, A, 0}, {REAP, A, 0}, {TICK, 220, 0}, {TICK, 220, 0}}},
	{"a record has the static children that no tick saw", SAMPLER_IN_ROOT,
		{{FORK, A, ROOT}, {SAY, A, 0}, {TICK, 0, 0}, {FORK, B, A}, {USE, B, 200}, {WRITE, B, 9}, {DIE, B, 0},
			{REAP, B, 0}, {EXIT, A, 0}, {TICK, 200, 9}, {REAP, A, 0}, {TICK, 200, 9}}},
	{"a record has static children that used only CPU time", SAMPLER_IN_ROOT,
		{{FORK, A, ROOT}, {SAY, A, 0}, {TICK, 0, 0}, {FORK, B, A}, {USE, B, 200}, {DIE, B, 0}, {REAP, B, 0},
			{EXIT, A, 0}, {TICK, 200, 0}, {REAP, A, 0}, {TICK, 200, 0}}},
	{"an orphan lives on under the launcher", SAMPLER_IN_LAUNCHER,
		{{FORK, A, ROOT}, {FORK, B, A}, {USE, B, 40}, {TICK, 40, 0}, {DIE, A, 0}, {REAP, A, 0}, {USE, B, 50},
			{TICK, 90, 0}, {DIE, B, 0}, {TICK, 90, 0}, {LAUNCH, B, 0}, {TICK, 90, 0}}},
	{"the parent of a zombie ends without reaping the zombie", SAMPLER_IN_LAUNCHER,
		{{FORK, A, ROOT}, {FORK, B, A}, {USE, B, 40}, {TICK, 40, 0}, {DIE, B, 0}, {TICK, 40, 0}, {DIE, A, 0},
			{REAP, A, 0}, {LAUNCH, B, 0}, {FORK, C, ROOT}, {USE, C, 70}, {DIE, C, 0}, {REAP, C, 0},
			{TICK, 110, 0}}},
	{"a zombie whose parent ended is reaped by the root, a subreaper", SAMPLER_IN_ROOT,
		{{ADOPT, ROOT, 0}, {FORK, B, ROOT}, {FORK, C, B}, {USE, C, 40}, {DIE, C, 0}, {TICK, 40, 0}, {DIE, B, 0},
			{REAP, C, 0}, {TICK, 40, 0}, {REAP, B, 0}, {TICK, 40, 0}}},
	{"a zombie whose parent recorded its end is reaped by the root, a subreaper", SAMPLER_IN_ROOT,
		{{ADOPT, ROOT, 0}, {FORK, B, ROOT}, {SAY, B, 0}, {FORK, C, B}, {USE, C, 40}, {DIE, C, 0}, {TICK, 40, 0},
			{EXIT, B, 0}, {REAP, C, 0}, {TICK, 40, 0}, {REAP, B, 0}, {TICK, 40, 0}}},
	{"a zombie and its zombie parent are reaped by the root, a subreaper", SAMPLER_IN_ROOT,
		{{ADOPT, ROOT, 0}, {FORK, B, ROOT}, {FORK, C, B}, {USE, C, 40}, {TICK, 40, 0}, {DIE, B, 0}, {DIE, C, 0},
			{TICK, 40, 0}, {REAP, C, 0}, {TICK, 40, 0}, {REAP, B, 0}, {TICK, 40, 0}}},
	{"a zombie is reaped by the root, a subreaper, after its parent was reaped", SAMPLER_IN_ROOT,
		{{ADOPT, ROOT, 0}, {FORK, B, ROOT}, {FORK, C, B}, {USE, C, 40}, {DIE, C, 0}, {TICK, 40, 0}, {DIE, B, 0},
			{REAP, B, 0}, {REAP, C, 0}, {TICK, 40, 0}, {USE, ROOT, 20}, {TICK, 60, 0}}},
	{"a child ends while its parent, which has recorded its end, still exists", SAMPLER_IN_ROOT,
		{{ADOPT, ROOT, 0}, {FORK, B, ROOT}, {SAY, B, 0}, {FORK, C, B}, {TICK, 0, 0}, {TELL, B, 0}, {USE, C, 40},
			{DIE, C, 0}, {TICK, 40, 0}, {DIE, B, 0}, {REAP, C, 0}, {TICK, 40, 0}, {USE, ROOT, 20},
			{TICK, 60, 0}}},
	{"a child ends just after its parent, which has recorded its end", SAMPLER_IN_ROOT,
		{{ADOPT, ROOT, 0}, {FORK, B, ROOT}, {SAY, B, 0}, {FORK, C, B}, {USE, C, 10}, {TICK, 10, 0},
			{TELL, B, 0}, {USE, C, 40}, {TICK, 50, 0}, {DIE, B, 0}, {DIE, C, 0}, {REAP, C, 0},
			{TICK, 50, 0}, {USE, ROOT, 20}, {TICK, 70, 0}}},
	{"a child ends just after its parent, and both have recorded their ends", SAMPLER_IN_ROOT,
		{{ADOPT, ROOT, 0}, {FORK, B, ROOT}, {SAY, B, 0}, {FORK, C, B}, {SAY, C, 0}, {TICK, 0, 0}, {TELL, B, 0},
			{TICK, 0, 0}, {USE, C, 40}, {TELL, C, 0}, {DIE, B, 0}, {DIE, C, 0}, {REAP, C, 0}, {TICK, 40, 0},
			{USE, ROOT, 20}, {TICK, 60, 0}}},
	{"CPU time of our thread in the root is not the job's", SAMPLER_IN_ROOT,
		{{USE, ROOT, 10}, {OWN, 0, 30}, {TICK, 10, 0}, {OWN, 0, 30}, {TICK, 10, 0}, {USE, ROOT, 5},
			{TICK, 15, 0}}},
	{"CPU time of the launcher is not the job's", SAMPLER_IN_LAUNCHER,
		{{USE, ROOT, 10}, {OWN, 0, 30}, {TICK, 10, 0}, {OWN, 0, 30}, {TICK, 10, 0}}},
};

static void is_sum(int cpu_ms, int bytes, const char *what, int step)
{
	double cpu = fake_sum(TABLE_process, PROCESS_utime) + fake_sum(TABLE_process, PROCESS_stime);
	double written = fake_sum(TABLE_process, PROCESS_disk_write_bytes);
	char text[200];
	(void)snprintf(text, sizeof text, "%s, step %d: CPU time", what, step + 1);
	is_number(cpu, cpu_ms / 1e3, text);
	(void)snprintf(text, sizeof text, "%s, step %d: written", what, step + 1);
	is_number(written, bytes, text);
}

/* Half of the CPU time is system time. */
static void use(uint64_t counters[COUNTER_COUNT], int ms)
{
	counters[COUNTER_USER_NS] += (uint64_t)ms * FAKE_MS / 2;
	counters[COUNTER_SYSTEM_NS] += (uint64_t)ms * FAKE_MS / 2;
}

static void take(struct sampler *sampler, const struct step *step)
{
	struct fake_process *process = fake_process(step->pid);

	switch (step->action) {
	case FORK:
		(void)fake_fork_as(step->pid, step->amount);
		break;
	case USE:
		use(process->used, step->amount);
		break;
	case WRITE:
		process->used[COUNTER_DISK_WRITE] += (uint64_t)step->amount;
		break;
	case SAY:
		fake_says_start(step->pid);
		break;
	case EXIT:
		fake_says_exit(step->pid, 0);
		fake_exit(step->pid, 0);
		break;
	case TELL:
		fake_says_exit(step->pid, 0);
		break;
	case DIE:
		fake_exit(step->pid, 9);
		break;
	case REAP:
		fake_reap(step->pid);
		break;
	case LAUNCH:
		fake_launcher_reaps(sampler, step->pid);
		break;
	case IGNORE:
		process->ignores_children = true;
		break;
	case ADOPT:
		process->adopts = true;
		break;
	case OWN:
		use(fake_tracker, step->amount);
		break;
	case TICK:
	case END_OF_SCENARIO:
		fake_tick(sampler);
		break;
	}
}

static void check_scenario(const char *what, enum sampler_place place, const struct step *steps)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(place, NULL);
	int own_ms = 0;
	for (int i = 0; i < STEPS_MAX && steps[i].action != END_OF_SCENARIO; i++) {
		take(sampler, &steps[i]);
		own_ms += steps[i].action == OWN ? steps[i].amount : 0;
		if (steps[i].action == TICK)
			is_sum(steps[i].pid, steps[i].amount, what, i);
	}
	is_number(fake_sum(TABLE_system, SYSTEM_tracker_cpu), own_ms / 1e3, "CPU time of the tracker");
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

/* A parent of a recorded child ends at any moment of a tick, with a record. The sampler may have listed it without
 * having read it. */
static int looks_left;

static void end_parent(void)
{
	if (looks_left-- != 0)
		return;
	fake_says_start(C);
	fake_says_exit(C, 0);
	fake_end(C, 0);
	fake_says_start(B);
	fake_says_exit(B, 0);
	fake_end(B, 0);
}

static void check_slips(void)
{
	bool right = true;

	for (int looks = 0; looks < 30; looks++) {
		fake_reset();
		struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
		(void)fake_fork_as(A, ROOT);
		fake_tick(sampler);
		(void)fake_fork_as(B, A);
		(void)fake_fork_as(C, B);
		use(fake_process(C)->used, 40);
		use(fake_process(B)->used, 10);
		looks_left = looks;
		fake_meanwhile = end_parent;
		fake_tick(sampler);
		fake_meanwhile = NULL;
		fake_tick(sampler);
		double cpu = fake_sum(TABLE_process, PROCESS_utime) + fake_sum(TABLE_process, PROCESS_stime);
		if (looks_left < 0 && !(cpu > 0.0499 && cpu < 0.0501)) {
			printf("# at look %d: %.6f s\n", looks, cpu);
			right = false;
		}
		(void)sampler_finish(sampler, 0, 0, false);
		fake_reset();
	}
	ok(right, "a process that ends at any step of a tick is in the rows once");
}

/* wait4 reports usage that is in no row. */
static void check_close(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	int shell = fake_fork(FAKE_ROOT)->id.pid;
	fake_tick(sampler);
	int hidden = fake_fork(shell)->id.pid;
	use(fake_process(hidden)->used, 300);
	fake_end(hidden, 0);
	fake_says_start(shell);
	struct fake_process *root = fake_process(FAKE_ROOT);
	fake_end(shell, 9);
	use(root->used, 20);
	fake_exit(FAKE_ROOT, 0);
	sampler_reaped(sampler, (int64_t)(160 * FAKE_MS), (int64_t)(160 * FAKE_MS), 2048);
	fake_reap(FAKE_ROOT);
	(void)sampler_finish(sampler, 0, 0, false);
	is_sum(320, 0, "usage that only wait4 reports is in the last row", 0);
	ok(fake_run_says("\"reaped_peak_mib\": 2.000"), "the peak of wait4 is in run.json");
	fake_reset();
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(scenarios); i++)
		check_scenario(scenarios[i].what, scenarios[i].place, scenarios[i].steps);
	check_slips();
	check_close();
	return done();
}
