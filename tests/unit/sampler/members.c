/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of which processes belong to a run: by descent, by announcement, or by the environment with which a daemon was
 * started. Other processes do not, whatever their pid. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

static struct sampler *begin(enum sampler_place place)
{
	fake_reset();
	return fake_run_begin(place, NULL);
}

static void is_alive(struct sampler *sampler, int count, const char *what)
{
	fake_tick(sampler);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), count, what);
}

static void end(struct sampler *sampler)
{
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static void check_descent(enum sampler_place place, const char *what)
{
	struct sampler *sampler = begin(place);

	printf("# %s\n", what);
	int child = fake_fork(FAKE_ROOT)->id.pid;
	int grandchild = fake_fork(child)->id.pid;
	(void)fake_fork(FAKE_INIT);
	is_alive(sampler, 3, "the root, its child and its grandchild, and no stranger");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_children), 2, "two members are not the root");
	(void)fake_fork_as(90, grandchild);
	(void)fake_fork_as(80, 90);
	is_alive(sampler, 5, "pids wrapped around: children with smaller pids than their parents");
	int late = fake_fork(80)->id.pid;
	fake_end(80, 0);
	(void)fake_fork(late);
	is_alive(sampler, place == SAMPLER_IN_LAUNCHER ? 6 : 4,
		"an ended process left a child with an unseen child: only the launcher adopts them");
	end(sampler);
}

static void check_orphans(void)
{
	struct sampler *sampler = begin(SAMPLER_IN_LAUNCHER);
	int parent = fake_fork(FAKE_ROOT)->id.pid;
	(void)fake_fork(parent);
	fake_end(parent, 0);
	is_alive(sampler, 2, "an orphan that was never seen becomes the launcher's child, and so a member");
	sampler_set_helper(sampler, SAMPLER_HELPER_SIGNAL_PROBE, fake_fork(FAKE_SELF)->id.pid);
	is_alive(sampler, 2, "a helper of the launcher is not a member");
	end(sampler);
}

static void check_announced(void)
{
	struct sampler *sampler = begin(SAMPLER_IN_ROOT);
	int outsider = fake_fork(FAKE_INIT)->id.pid;
	is_alive(sampler, 1, "a child without a parent is no member");
	fake_says_start(outsider);
	is_alive(sampler, 2, "a child without a parent is a member once it records its start");
	(void)fake_fork(outsider);
	is_alive(sampler, 3, "children of a process that became a member are members");
	int gone = fake_fork(FAKE_ROOT)->id.pid;
	fake_says_start(gone);
	fake_says_exit(gone, 0);
	fake_end(gone, 0);
	fake_pass(FAKE_SECOND);
	(void)fake_fork(fake_fork_as(gone, FAKE_INIT)->id.pid);
	is_alive(sampler, 3, "an announced process that is gone makes no member of the process with its pid");
	end(sampler);
}

static int told;        /* a process that records its end as soon as the live processes have been read, or 0 */
static unsigned before; /* number of its readings before it records its end */

/* Writes two start rows, so that the table is worth reading: one of a new process, and one with a pid that another
 * process has. */
static void tell(void)
{
	if (told == 0 || fake_process(told)->readings == before)
		return;
	fake_says_start(fake_fork(FAKE_ROOT)->id.pid);
	struct fake_process *other = fake_fork(FAKE_INIT);
	fake_says_start(other->id.pid);
	other->id.start++;
	fake_says_exit(told, 0);
	fake_end(told, 0);
	told = 0;
}

/* Start rows are read once more after the live processes. */
static void check_heard_late(enum sampler_place place)
{
	struct sampler *sampler = begin(place);
	told = fake_fork(FAKE_ROOT)->id.pid;
	is_alive(sampler, 2, "the root and its child");
	before = fake_process(told)->readings;
	fake_process(told)->used[COUNTER_USER_NS] += FAKE_MS;
	fake_meanwhile = tell;
	is_alive(sampler, 1, "a process announced after the living ones were read is not counted yet");
	fake_meanwhile = NULL;
	ok(told == 0, "members are as they were at this tick");
	is_alive(sampler, 2, "at the next tick it is a member if it lives and is the same process");
	end(sampler);
}

/* A daemon has left its parents before it was seen. */
static void check_daemons(void)
{
	static const struct {
		const char *what;
		const char *environment;
		uint64_t image;
		int64_t after_ns; /* how long after the root it starts */
		int members;
	} rows[] = {
		{"named by its environment", "RTRACK_RUN=" FAKE_RUN, 0, FAKE_SECOND, 2},
		{"of another run", "RTRACK_RUN=/spool/other", 0, FAKE_SECOND, 1},
		{"of a run with a name that begins alike", "RTRACK_RUN=" FAKE_RUN "x", 0, FAKE_SECOND, 1},
		{"of a run with a name that ends alike", "RTRACK_RUN=/more" FAKE_RUN, 0, FAKE_SECOND, 1},
		{"of no run", "HOME=/", 0, FAKE_SECOND, 1},
		{"forked by the root, without an exec", "", 77, FAKE_SECOND, 2},
		{"of another program", "", 78, FAKE_SECOND, 1},
		{"older than the root", "RTRACK_RUN=" FAKE_RUN, 77, -FAKE_SECOND, 1},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct sampler *sampler = begin(SAMPLER_IN_ROOT);
		fake_process(FAKE_ROOT)->image = 77;
		fake_tick(sampler);
		struct fake_process *daemon = fake_fork(FAKE_INIT);
		daemon->environment = rows[i].environment;
		daemon->image = rows[i].image;
		daemon->id.start = fake_process(FAKE_ROOT)->id.start + (uint64_t)(rows[i].after_ns / 10000000);
		char what[100];
		(void)snprintf(what, sizeof what, "a daemon %s", rows[i].what);
		is_alive(sampler, rows[i].members, what);
		end(sampler);
	}
}

/* The root's pid is reused while the run goes on. */
static void check_reused_root(void)
{
	struct sampler *sampler = begin(SAMPLER_IN_ROOT);
	int left = fake_fork(FAKE_ROOT)->id.pid;
	fake_tick(sampler);
	fake_says_exit(FAKE_ROOT, 0);
	ok(sampler_finish(sampler, 0, 0, true), "the root ends before its child: the run is handed over");
	fake_host = 0;
	fake_end(FAKE_ROOT, 0);
	fake_pass(FAKE_SECOND);
	struct fake_process *stranger = fake_fork_as(FAKE_ROOT, FAKE_INIT);
	stranger->used[COUNTER_USER_NS] = 900 * FAKE_MS;
	(void)fake_fork(FAKE_ROOT);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	is_alive(sampler, 1, "a stranger with the dead root's pid is no member, nor is its child");
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0, "the stranger's usage is not the run's");
	fake_end(left, 0);
	is_alive(sampler, 0, "the stranger does not keep the run open");
	is_number((double)sampler_alive(sampler, NULL, 0), 0, "no member is alive");
	end(sampler);
}

static void check_reused_member(void)
{
	struct sampler *sampler = begin(SAMPLER_IN_ROOT);
	int pid = fake_fork(FAKE_ROOT)->id.pid;
	int grandchild = fake_fork(pid)->id.pid;
	is_alive(sampler, 3, "a child and a grandchild");
	fake_end(grandchild, 0);
	fake_end(pid, 0);
	fake_pass(FAKE_SECOND);
	fake_fork_as(pid, FAKE_INIT)->used[COUNTER_USER_NS] = 900 * FAKE_MS;
	(void)fake_fork_as(300, pid);
	is_alive(sampler, 1, "a stranger with the child's pid a tick later is no member, nor is its child");
	is_alive(sampler, 1, "the stranger is no member later either");
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0, "the stranger's usage is not the run's");
	(void)fake_fork_as(200, FAKE_ROOT);
	is_alive(sampler, 2, "a new child of the root is a member");
	end(sampler);
}

/* A process may end at any step of a tick. A new process may have its pid. */
static int vanishing;
static int looks_left;

static void vanish(void)
{
	if (looks_left-- == 0) {
		fake_end(vanishing, 0);
		fake_pass(20 * (int64_t)FAKE_MS);
		(void)fake_fork_as(vanishing, FAKE_INIT);
	}
}

static void check_races(void)
{
	bool adopted = false;
	for (int looks = 0; looks < 30; looks++) {
		struct sampler *sampler = begin(SAMPLER_IN_ROOT);
		vanishing = fake_fork(FAKE_ROOT)->id.pid;
		looks_left = looks;
		fake_meanwhile = vanish;
		fake_tick(sampler);
		fake_meanwhile = NULL;
		fake_tick(sampler);
		adopted |= looks_left < 0 && fake_cell(TABLE_process, FAKE_LAST, PROCESS_members) != 1;
		end(sampler);
	}
	ok(!adopted, "a pid that is reused at any step of a tick is not followed");
}

int main(void)
{
	check_descent(SAMPLER_IN_ROOT, "in the root");
	check_descent(SAMPLER_IN_LAUNCHER, "in the launcher");
	check_orphans();
	check_announced();
	check_heard_late(SAMPLER_IN_ROOT);
	check_heard_late(SAMPLER_IN_LAUNCHER);
	check_daemons();
	check_reused_root();
	check_reused_member();
	check_races();
	return done();
}
