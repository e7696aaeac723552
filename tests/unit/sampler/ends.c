/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how processes end, and of their rows in exit.csv. An end is recorded by the process, seen as a zombie,
 * reaped by the launcher, or unseen. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "sampler/record.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

enum { EXITED_3 = 3 << 8, KILLED_9 = 9 };

static struct sampler *sampler;
static struct fake_process *child;
static int pid;

/* Starts a run with a child that used 100 ms up to its first tick, and 50 ms since. If `told`, both wrote a start
 * row. */
static void begin_told(enum sampler_place place, bool told)
{
	fake_reset();
	sampler = fake_run_begin(place, NULL);
	child = fake_fork(FAKE_ROOT);
	pid = child->id.pid;
	if (told) {
		fake_says_start(FAKE_ROOT);
		fake_says_start(pid);
	}
	child->used[COUNTER_USER_NS] = 100 * FAKE_MS;
	fake_tick(sampler);
	child->used[COUNTER_USER_NS] += 50 * FAKE_MS;
}

static void begin(enum sampler_place place)
{
	begin_told(place, false);
}

/* Checks the child's exit row and the run's CPU time. `source` is NULL if there must be no row. */
static void is_ended(const char *source, double exact, double code, double signal, double own, double total)
{
	is_number(fake_rows_of(TABLE_exit, pid), source ? 1 : 0, "  one row");
	int row = fake_row_of(TABLE_exit, pid);
	is_number(fake_sum(TABLE_process, PROCESS_utime), total, "  CPU time of the run");
	if (row < 0)
		return;
	is_text(fake_text(TABLE_exit, row, EXIT_source), source, "  the source");
	is_number(fake_cell(TABLE_exit, row, EXIT_exact), exact, "  whether its figures are final");
	is_number(fake_cell(TABLE_exit, row, EXIT_exit_code), code, "  its exit status");
	is_number(fake_cell(TABLE_exit, row, EXIT_exit_signal), signal, "  the signal");
	is_number(fake_cell(TABLE_exit, row, EXIT_utime), own, "  its CPU time");
	is_number(fake_rows_of(TABLE_start, pid), 1, "  its start row exists");
}

static void end(void)
{
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static void check_told(void)
{
	begin_told(SAMPLER_IN_ROOT, true);
	printf("# a child records its own end\n");
	fake_says_exit(pid, 3);
	fake_end(pid, EXITED_3);
	fake_tick(sampler);
	is_ended("self", 1, 3, UNKNOWN, 0.15, 0.15);
	fake_tick(sampler);
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0.15, "  nothing more a tick later");
	end();
}

/* A process that is gone can no longer be read. */
static void check_seen_once(void)
{
	begin(SAMPLER_IN_ROOT);
	printf("# a child has lived for a second without a start row\n");
	is_number(fake_rows_of(TABLE_start, pid), 1, "  it has a start row after one reading");
	child = fake_fork(FAKE_ROOT);
	fake_pass(10 * FAKE_MS);
	sampler_tick(sampler);
	is_number(fake_rows_of(TABLE_start, child->id.pid), 0, "  a process that has just started has none");
	end();
}

static void check_zombie(void)
{
	begin(SAMPLER_IN_ROOT);
	printf("# a child is a zombie\n");
	fake_exit(pid, EXITED_3);
	fake_tick(sampler);
	is_ended("sampler", 1, 3, UNKNOWN, 0.15, 0.15);
	fake_reap(pid);
	fake_tick(sampler);
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0.15, "  nothing more after it was reaped");
	end();
	begin(SAMPLER_IN_ROOT);
	printf("# a zombie that was killed\n");
	fake_exit(pid, KILLED_9);
	fake_tick(sampler);
	is_ended("sampler", 1, UNKNOWN, 9, 0.15, 0.15);
	end();
	begin(SAMPLER_IN_ROOT);
	printf("# a process whose first thread has ended, while others go on\n");
	child->threads = 2;
	child->zombie = true;
	fake_tick(sampler);
	is_ended(NULL, 0, 0, 0, 0, 0.15);
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_members), 2, "  it lives");
	end();
}

/* For systems that measure energy. */
static void check_energy(void)
{
	begin(SAMPLER_IN_ROOT);
	printf("# a zombie on a system that measures energy\n");
	child->energy_nj = 7200000000;
	fake_exit(pid, KILLED_9);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_exit, fake_row_of(TABLE_exit, pid), EXIT_energy_wh), 0.002, "  in Wh");
	end();

	begin(SAMPLER_IN_ROOT);
	printf("# a system that does not measure energy\n");
	fake_exit(pid, KILLED_9);
	fake_tick(sampler);
	is_number(fake_cell(TABLE_exit, fake_row_of(TABLE_exit, pid), EXIT_energy_wh), UNKNOWN,
		"  leaves the cell empty");
	end();

	struct exit_record record = {.exact = true};
	const struct process_usage usage = {.energy_nj = 3600, .children_minor_faults = 70};
	const struct text energy_and_faults = text_of("0.000000001,70,,,\"\",,,\n");
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	printf("# a child records its own end\n");
	record.source = "self";
	record_from_self(&record, &usage);
	record_write_exit(&out, &record);
	struct text tail = {row + out.length - energy_and_faults.length, energy_and_faults.length};
	ok(text_equal(tail, energy_and_faults), "  the energy has nine decimals, before the faults of its children");
}

/* A zombie that is read between two ticks is reaped before its parent is read at the next tick. */
static void check_caught(void)
{
	begin(SAMPLER_IN_ROOT);
	printf("# a zombie was caught, and its parent has reaped it and ended by the tick\n");
	struct fake_process *grandchild = fake_fork(pid);
	grandchild->used[COUNTER_USER_NS] = 200 * FAKE_MS;
	int reaped = grandchild->id.pid;
	fake_tick(sampler);
	grandchild->used[COUNTER_USER_NS] += 100 * FAKE_MS;
	fake_exit(reaped, EXITED_3);
	sampler_catch(sampler);
	fake_reap(reaped);
	fake_exit(pid, KILLED_9);
	fake_tick(sampler);
	is_ended("sampler", 1, UNKNOWN, 9, 0.15, 0.45);
	pid = reaped;
	is_ended("sampler", 1, 3, UNKNOWN, 0.3, 0.45);
	end();

	begin(SAMPLER_IN_ROOT);
	printf("# a zombie was caught that had reaped its child, and is gone by the tick\n");
	grandchild = fake_fork(pid);
	grandchild->used[COUNTER_USER_NS] = 200 * FAKE_MS;
	reaped = grandchild->id.pid;
	fake_tick(sampler);
	grandchild->used[COUNTER_USER_NS] += 100 * FAKE_MS;
	fake_end(reaped, EXITED_3);
	fake_exit(pid, KILLED_9);
	sampler_catch(sampler);
	fake_reap(pid);
	fake_tick(sampler);
	is_ended("sampler", 1, UNKNOWN, 9, 0.15, 0.45);
	pid = reaped;
	is_ended("sampler", 0, 3, UNKNOWN, 0.2, 0.45);
	end();
}

static void check_gone(void)
{
	begin(SAMPLER_IN_ROOT);
	printf("# a child is gone, and its parent's account includes it\n");
	fake_end(pid, KILLED_9);
	fake_tick(sampler);
	is_ended("sampler", 0, UNKNOWN, 9, 0.1, 0.15);
	is_number(fake_cell(TABLE_exit, FAKE_LAST, EXIT_missing_cpu), 0, "  nothing is missing");
	end();

	begin(SAMPLER_IN_ROOT);
	printf("# a child is gone, and no account includes it\n");
	fake_process(FAKE_ROOT)->ignores_children = true;
	fake_exit(pid, EXITED_3);
	fake_tick(sampler);
	is_ended("sampler", 0, 3, UNKNOWN, 0.1, 0.1);
	is_number(fake_cell(TABLE_exit, FAKE_LAST, EXIT_missing_cpu), FAKE_CPUS,
		"  it may have used all CPUs since it was last read");
	end();

	/* In the second round, the ledger has the child before its parent. */
	for (int zombie = 0; zombie < 2; zombie++) {
		begin(SAMPLER_IN_ROOT);
		printf("# a child and its parent have ended since the last tick, in either order%s\n",
			zombie ? ", and the child is a zombie" : "");
		int parent = fake_fork(FAKE_ROOT)->id.pid;
		fake_tick(sampler);
		fake_end(pid, 0);
		for (int ticks = 0; ticks < 5; ticks++)
			fake_tick(sampler);
		pid = fake_fork(parent)->id.pid;
		fake_tick(sampler);
		fake_exit(parent, KILLED_9);
		fake_exit(pid, KILLED_9);
		if (!zombie)
			fake_reap(parent);
		fake_tick(sampler);
		is_number(fake_cell(TABLE_exit, fake_row_of(TABLE_exit, pid), EXIT_missing_cpu), FAKE_CPUS,
			"  its CPU time since then is in no account");
		end();
	}

	fake_reset();
	fake_faults.no_waiting = true;
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	pid = fake_fork(FAKE_ROOT)->id.pid;
	fake_process(pid)->used[COUNTER_USER_NS] = 100 * FAKE_MS;
	fake_tick(sampler);
	printf("# a child is gone on a system that does not report its status\n");
	fake_end(pid, EXITED_3);
	fake_tick(sampler);
	is_ended("sampler", 0, UNKNOWN, UNKNOWN, 0.1, 0.1);
	end();
}

static void check_launcher(void)
{
	begin(SAMPLER_IN_LAUNCHER);
	printf("# an orphan is reaped by the launcher\n");
	fake_end(FAKE_ROOT, 0);
	fake_exit(pid, KILLED_9);
	fake_launcher_reaps(sampler, pid);
	fake_tick(sampler);
	is_ended("launcher", 1, UNKNOWN, 9, 0.15, 0.15);
	end();

	begin_told(SAMPLER_IN_LAUNCHER, true);
	printf("# the root ends, with a row of its own\n");
	fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] = 10 * FAKE_MS;
	fake_end(pid, 0);
	fake_says_exit(FAKE_ROOT, 3);
	fake_exit(FAKE_ROOT, EXITED_3);
	fake_tick(sampler);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	pid = FAKE_ROOT;
	(void)sampler_finish(sampler, 3, 0, false);
	is_ended("self", 1, 3, UNKNOWN, 0.01, 0.16);
	ok(fake_run_says("\"status\": \"failed\"") && fake_run_says("\"exit_code\": 3"),
		"  the run ends with its status");
	ok(!fake_read(FAKE_RUN "/.lock"), "  the run can no longer be sampled");
	fake_reset();
}

/* All these processes start and end between two ticks, and the middle one never writes a record. */
static void check_silent_parent(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	printf("# a child records its end, its parent was killed, and its grandparent has no record\n");
	fake_tick(sampler);
	int silent = fake_fork(FAKE_ROOT)->id.pid;
	int killed = fake_fork(silent)->id.pid;
	fake_says_start(killed);
	pid = fake_fork(killed)->id.pid;
	fake_says_start(pid);
	fake_process(pid)->used[COUNTER_USER_NS] = 150 * FAKE_MS;
	fake_says_exit(pid, 0);
	fake_end(pid, 0);
	fake_end(killed, KILLED_9);
	fake_end(silent, KILLED_9);
	fake_says_start(FAKE_ROOT);
	fake_says_exit(FAKE_ROOT, 0);
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	(void)sampler_finish(sampler, 0, 0, false);
	is_ended("self", 1, 0, UNKNOWN, 0.15, 0.15);
	fake_reset();
}

/* As above, but the child of the unrecorded process records its own end. A record is not a reading of a living
 * process. */
static void check_child_of_silent(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	printf("# a child records its end and unknown children, and its parent has no record\n");
	fake_tick(sampler);
	int silent = fake_fork(FAKE_ROOT)->id.pid;
	pid = fake_fork(silent)->id.pid;
	fake_says_start(pid);
	int unknown = fake_fork(pid)->id.pid;
	fake_process(unknown)->used[COUNTER_USER_NS] = 200 * FAKE_MS;
	fake_end(unknown, 0);
	fake_process(pid)->used[COUNTER_USER_NS] = 150 * FAKE_MS;
	fake_says_exit(pid, 0);
	fake_end(pid, 0);
	fake_end(silent, KILLED_9);
	fake_tick(sampler);
	is_ended("self", 1, 0, UNKNOWN, 0.15, 0.35);
	end();
}

static int looks_before_birth;

static void is_born_meanwhile(void)
{
	if (looks_before_birth-- != 0)
		return;
	(void)fake_fork_as(pid, FAKE_ROOT);
	fake_says_start(pid);
	fake_says_image(pid);
}

/* A process is born at any reading during a tick, one of which lists all processes. */
static void check_born_meanwhile(void)
{
	enum { LOOKS = 40 };
	int gone = 0, followed = 0;

	for (int looks = 0; looks < LOOKS; looks++) {
		fake_reset();
		sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
		fake_tick(sampler);
		pid = FAKE_ROOT + 20;
		looks_before_birth = looks;
		fake_meanwhile = is_born_meanwhile;
		fake_tick(sampler);
		fake_meanwhile = NULL;
		gone += fake_process(pid) && fake_rows_of(TABLE_exit, pid) > 1;
		fake_tick(sampler);
		followed += fake_process(pid) && sampler_alive(sampler, NULL, 0) == 2;
		end();
	}
	is_number(gone, 0, "a process that starts during a tick and then calls exec is not taken for gone");
	ok(followed > 3, "  it is followed");
}

/* No process records how the root ended. */
static void check_lost(void)
{
	static const struct {
		const char *what;
		uint32_t wait_status;
		bool waited; /* whether the root is still a zombie when the keeper reads it */
		const char *status;
	} rows[] = {
		{"the root exited while the keeper sampled", 0, true, "\"status\": \"finished\""},
		{"the root exited with a status while the keeper sampled", EXITED_3, true, "\"exit_code\": 3"},
		{"the root was killed while the keeper sampled", KILLED_9, true, "\"exit_signal\": 9"},
		{"the root exited before the keeper looked", EXITED_3, false, "\"status\": \"killed\""},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		begin(SAMPLER_IN_ROOT);
		fake_tick(sampler);
		fake_kill_self();
		fake_host = 0;
		fake_process(FAKE_INIT)->ignores_children = false;
		if (!rows[i].waited)
			fake_end(FAKE_ROOT, rows[i].wait_status);
		sampler = fake_run_open(SAMPLER_IN_KEEPER);
		fake_tick(sampler);
		if (rows[i].waited)
			fake_end(FAKE_ROOT, rows[i].wait_status);
		if (fake_process(pid))
			fake_end(pid, 0);
		fake_tick(sampler);
		is_number((double)sampler_alive(sampler, NULL, 0), 0, rows[i].what);
		(void)sampler_finish(sampler, -1, 0, false);
		ok(fake_run_says(rows[i].status), "  the run has its status");
		fake_reset();
	}
}

int main(void)
{
	check_told();
	check_seen_once();
	check_zombie();
	check_energy();
	check_caught();
	check_gone();
	check_launcher();
	check_silent_parent();
	check_child_of_silent();
	check_lost();
	check_born_meanwhile();
	return done();
}
