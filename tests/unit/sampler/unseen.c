/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that a process that cannot be read has not ended: readings fail, and the rows at that time and later are
 * right. */
#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include "os/error.h"

enum { CHILDREN = 5, BLIND_TICKS = 4 };

static struct sampler *sampler;
static int pids[CHILDREN];

static void begin(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		pids[i] = fake_fork(FAKE_ROOT)->id.pid;
		fake_process(pids[i])->used[COUNTER_USER_NS] = 100 * FAKE_MS;
	}
	fake_tick(sampler);
}

static void finish(void)
{
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static double members(void)
{
	return fake_cell(TABLE_process, FAKE_LAST, PROCESS_members);
}

static void check_failure(int read_error, int list_error, const char *what)
{
	printf("# %s\n", what);
	begin();
	double memory = fake_cell(TABLE_process, FAKE_LAST, PROCESS_memory_mib);
	fake_faults.read_error = read_error;
	fake_faults.list_error = list_error;
	double fewest = CHILDREN + 1;
	for (int i = 0; i < BLIND_TICKS; i++) {
		for (int child = 0; child < CHILDREN; child++)
			fake_process(pids[child])->used[COUNTER_USER_NS] += 10 * FAKE_MS;
		fake_tick(sampler);
		fewest = members() < fewest ? members() : fewest;
	}
	is_number(fewest, CHILDREN + 1, "  all are still members");
	is_number(fake_rows(TABLE_exit), 0, "  none has an exit row");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_memory_mib), memory, "  memory is unchanged");
	fake_end(pids[0], 0);
	fake_tick(sampler);
	fake_faults.read_error = fake_faults.list_error = 0;
	fake_tick(sampler);
	is_number(members(), CHILDREN, "  an end is noticed once they are seen again");
	is_number(fake_rows(TABLE_exit), 1, "  the end has one row");
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0.1 * CHILDREN + 0.01 * CHILDREN * BLIND_TICKS,
		"  usage meanwhile is counted");
	finish();
}

/* /proc cannot be listed, but its processes can be read. */
static void check_list(void)
{
	begin();
	fake_faults.list_error = OS_ERROR_NO_MEMORY;
	fake_faults.list_cut = 3;
	fake_tick(sampler);
	is_number(members(), CHILDREN + 1, "half a list: all are still members");
	fake_end(pids[0], 0);
	fake_tick(sampler);
	is_number(members(), CHILDREN, "half a list: an end is detected");
	is_number(fake_cell(TABLE_system, FAKE_LAST, SYSTEM_processes), UNKNOWN,
		"half a list: the number of processes is unknown");
	int later = fake_fork(FAKE_ROOT)->id.pid;
	fake_says_start(later);
	fake_tick(sampler);
	is_number(members(), CHILDREN + 1, "half a list: a process that records its start is a member");
	fake_exit(pids[1], 0);
	for (int i = 0; i < BLIND_TICKS; i++)
		fake_tick(sampler);
	fake_faults.list_error = 0;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_exit, pids[1]), 1, "half a list: a zombie ends once");
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0.1 * CHILDREN, "half a list: nothing is counted twice");
	finish();
}

/* The system reported wrongly that the processes were gone. */
static void check_speaking(void)
{
	begin();
	fake_faults.read_error = OS_ERROR_NO_PROCESS;
	fake_tick(sampler);
	fake_faults.read_error = 0;
	fake_tick(sampler);
	is_number(fake_rows(TABLE_exit), CHILDREN + 1, "lost processes have rows");
	fake_process(pids[0])->used[COUNTER_USER_NS] += 50 * FAKE_MS;
	fake_process(pids[1])->used[COUNTER_USER_NS] += 70 * FAKE_MS;
	fake_says_start(pids[0]);
	fake_says_exit(pids[1], 0);
	fake_tick(sampler);
	is_number(members(), 1, "a lost process that calls exec is a member again");
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0.1 * CHILDREN + 0.12,
		"the recorded end of another lost process counts");
	finish();
}

static void check_descriptors(void)
{
	enum { LIMIT = 32, MANY = 40 };
	begin();
	for (int i = CHILDREN; i < MANY; i++)
		(void)fake_fork(FAKE_ROOT);
	fake_tick(sampler);
	ok(fake_descriptors() > LIMIT, "without a limit, all are followed by descriptors");
	fake_faults.descriptor_limit = LIMIT;
	fake_tick(sampler);
	ok(fake_descriptors() <= LIMIT - LIMIT / 4 + 1,
		"with a limit, a quarter of the descriptors is left for reading");
	is_number(members(), MANY + 1, "all processes that cannot be read are still members");
	finish();
}

/* rtrack-run reaps a child while nothing can be read. Its status is known, and its CPU time comes from wait4. */
static void check_reaped(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	int child = fake_fork(FAKE_SELF)->id.pid;
	fake_tick(sampler);
	fake_process(child)->used[COUNTER_USER_NS] = 300 * FAKE_MS;
	fake_faults.read_error = OS_ERROR_NO_SYSTEM_DESCRIPTOR;
	fake_exit(child, 3 << 8);
	fake_launcher_reaps(sampler, child);
	fake_faults.read_error = 0;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_exit, child), 1, "a child that cannot be read ends once");
	is_number(fake_cell(TABLE_exit, 0, EXIT_exit_code), 3,
		"the exit code of a child that could not be read is known");
	is_number(
		fake_cell(TABLE_exit, 0, EXIT_exact), 0, "the figures of a child that could not be read are not exact");
	(void)sampler_finish(sampler, 0, 0, false);
	is_number(fake_sum(TABLE_process, PROCESS_utime), 0.3, "the run has all of its CPU time");
	fake_reset();
}

/* The process could never be read, and was killed, so it has no record. */
static void check_never_read(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	fake_faults.read_error = fake_faults.list_error = OS_ERROR_DENIED;
	int child = fake_fork(FAKE_SELF)->id.pid;
	fake_says_start(child);
	fake_tick(sampler);
	fake_exit(child, 9);
	fake_launcher_reaps(sampler, child);
	is_number(fake_rows_of(TABLE_exit, child), 1, "a process that was never read has a row");
	is_number(fake_cell(TABLE_exit, 0, EXIT_children_ignored), UNKNOWN, "whether it ignored SIGCHLD is unknown");
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

/* Nothing can ever be read. A child of a process without records records its own end. The usage of that process becomes
 * known much later, from the root's account. */
static void check_adrift(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, NULL);
	fake_faults.read_error = fake_faults.list_error = OS_ERROR_DENIED;
	fake_says_start(FAKE_ROOT);
	int parent = fake_fork(FAKE_ROOT)->id.pid;
	int child = fake_fork(parent)->id.pid;
	fake_process(child)->used[COUNTER_USER_NS] = 60 * FAKE_MS;
	fake_says_start(child);
	fake_says_exit(child, 0);
	fake_end(child, 0);
	for (int i = 0; i < BLIND_TICKS; i++)
		fake_tick(sampler);
	fake_process(parent)->used[COUNTER_USER_NS] = 30 * FAKE_MS;
	fake_end(parent, 0);
	fake_says_exit(FAKE_ROOT, 0);
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	(void)sampler_finish(sampler, 0, 0, false);
	is_number(
		fake_sum(TABLE_process, PROCESS_utime), 0.09, "usage recorded while nothing could be read counts once");
	fake_reset();
}

int main(void)
{
	check_reaped();
	check_never_read();
	check_adrift();
	check_failure(OS_ERROR_NO_DESCRIPTOR, OS_ERROR_NO_DESCRIPTOR, "no descriptor is free");
	check_failure(
		OS_ERROR_NO_SYSTEM_DESCRIPTOR, OS_ERROR_NO_SYSTEM_DESCRIPTOR, "the system has no free descriptor");
	check_failure(OS_ERROR_DENIED, OS_ERROR_NO_DATA, "/proc is gone");
	check_failure(OS_ERROR_DENIED, 0, "/proc refuses");
	check_failure(OS_ERROR_NO_MEMORY, OS_ERROR_NO_MEMORY, "no memory in the kernel");
	check_list();
	check_speaking();
	check_descriptors();
	return done();
}
