/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the rows of each tick: their content, unknown cells, and ticks without rows. */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <string.h>

static struct sampler *sampler;

static void begin(const char *setting)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, setting);
}

static void end(void)
{
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static double of_run(int column)
{
	return fake_cell(TABLE_process, FAKE_LAST, column);
}

static double of_member(int pid, int column)
{
	return fake_cell(TABLE_member, fake_row_of(TABLE_member, pid), column);
}

static void check_figures(void)
{
	begin(NULL);
	struct fake_process *child = fake_fork(FAKE_ROOT);
	int pid = child->id.pid;
	child->used[COUNTER_USER_NS] = 1500 * FAKE_MS;
	child->used[COUNTER_SYSTEM_NS] = 250 * FAKE_MS;
	child->used[COUNTER_DISK_READ] = 4096;
	child->used[COUNTER_DISK_WRITE] = 512;
	child->used[COUNTER_READ_CHARS] = 9000;
	child->used[COUNTER_MAJOR_FAULTS] = 3;
	child->rss_kib = 10240;
	child->pss_kib = 5120;
	child->swap_kib = 2048;
	child->threads = 7;
	fake_tick(sampler);
	is_number(of_run(PROCESS_pid), FAKE_ROOT, "the run's row has the root's pid");
	is_number(of_run(PROCESS_children), 1, "children");
	is_number(of_run(PROCESS_members), 2, "members");
	is_number(of_run(PROCESS_threads), 8, "threads");
	is_number(of_run(PROCESS_utime), 1.5, "user time");
	is_number(of_run(PROCESS_stime), 0.25, "system time");
	is_number(of_run(PROCESS_cpu_usage), 1.75, "CPUs in use");
	is_number(of_run(PROCESS_memory_mib), 6, "memory");
	is_number(of_run(PROCESS_rss_mib), 11, "RSS");
	is_number(of_run(PROCESS_swap_mib), 2, "swap");
	is_number(of_run(PROCESS_disk_read_bytes), 4096, "read");
	is_number(of_run(PROCESS_disk_write_bytes), 512, "written");
	is_number(of_run(PROCESS_read_chars), 9000, "bytes read by system calls");
	is_number(of_run(PROCESS_major_faults), 3, "major faults");
	is_number(of_member(pid, MEMBER_cpu_usage), 1.75, "CPU usage of a member");
	is_number(of_member(pid, MEMBER_memory_mib), 5, "memory of a member");
	is_number(of_member(pid, MEMBER_threads), 7, "threads of a member");
	fake_tick(sampler);
	is_number(of_run(PROCESS_utime), 0, "a tick later, nothing more is used");
	is_number(of_run(PROCESS_memory_mib), 6, "memory is unchanged");
	child->used[COUNTER_USER_NS] += 60000 * FAKE_MS;
	fake_tick(sampler);
	is_number(of_run(PROCESS_cpu_usage), FAKE_CPUS, "CPU usage is at most the number of CPUs");
	end();
}

/* Unknown figures give empty cells, not 0 or anything else. */
static void check_unknown(void)
{
	static const int machine[] = {SYSTEM_utime, SYSTEM_cpu_usage, SYSTEM_memory_used_mib, SYSTEM_psi_cpu};
	static const int run[] = {PROCESS_gpu_usage, PROCESS_gpu_vram_mib, PROCESS_gpu_utilized};

	begin(NULL);
	struct fake_process *child = fake_fork(FAKE_ROOT);
	child->io_hidden = true;
	child->used[COUNTER_DISK_READ] = 4096;
	fake_tick(sampler);
	for (size_t i = 0; i < ARRAY_LENGTH(machine); i++)
		is_number(fake_cell(TABLE_system, FAKE_LAST, machine[i]), UNKNOWN, "an unknown figure of the machine");
	for (size_t i = 0; i < ARRAY_LENGTH(run); i++)
		is_number(of_run(run[i]), UNKNOWN, "an unknown figure of the run");
	is_number(of_member(child->id.pid, MEMBER_gpu_usage), UNKNOWN, "unknown GPU usage of a member");
	is_number(of_member(child->id.pid, MEMBER_disk_read_bytes), UNKNOWN,
		"I/O of a member that others cannot read is unknown");
	is_number(of_member(child->id.pid, MEMBER_swap_mib), UNKNOWN, "the swap of a member is unknown");
	is_number(of_member(FAKE_ROOT, MEMBER_disk_read_bytes), 0, "the root's I/O is known to be 0");
	is_number(fake_cell(TABLE_system, FAKE_LAST, SYSTEM_tracker_cpu), 0, "the tracker's CPU time is always known");
	fake_tells_no_chars = true;
	fake_tick(sampler);
	is_number(of_run(PROCESS_read_chars), UNKNOWN,
		"bytes read by system calls are unknown if the system does not report them");
	is_number(of_run(PROCESS_disk_read_bytes), 0, "bytes read from storage are known even then");
	end();
}

static void check_unchanged(void)
{
	begin("RTRACK_MEMORY=rss");
	struct fake_process *child = fake_fork(FAKE_ROOT);
	int pid = child->id.pid;
	fake_tick(sampler);
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_member, pid), 1, "an idle member has one row");
	child->used[COUNTER_USER_NS] += FAKE_MS;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_member, pid), 2, "a member that works has another row");
	child->threads++;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_member, pid), 3, "a member with one more thread has another row");
	child->rss_kib++;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_member, pid), 4, "a member with more memory has another row");
	child->used[COUNTER_READ_CHARS] += 100;
	fake_tick(sampler);
	is_number(fake_rows_of(TABLE_member, pid), 4, "a change that member.csv has no column for gives no row");
	is_number(fake_rows(TABLE_process), 6, "the run has a row for each tick");
	is_number(fake_rows(TABLE_system), 6, "the machine has a row for each tick");
	end();
}

static double of_members(int column)
{
	return fake_sum(TABLE_member, column);
}

/* While a process runs, the kernel divides its CPU time anew into user and system time. */
static void check_divided_anew(void)
{
	begin(NULL);
	struct fake_process *child = fake_fork(FAKE_ROOT);
	child->used[COUNTER_USER_NS] = 120 * FAKE_MS;
	fake_tick(sampler);
	child->used[COUNTER_USER_NS] = 0;
	child->used[COUNTER_SYSTEM_NS] = 220 * FAKE_MS;
	fake_tick(sampler);
	is_number(of_members(MEMBER_utime) + of_members(MEMBER_stime), 0.22,
		"user time that becomes system time does not count again");
	child->used[COUNTER_USER_NS] = 230 * FAKE_MS;
	child->used[COUNTER_SYSTEM_NS] = 0;
	fake_tick(sampler);
	is_number(of_members(MEMBER_utime) + of_members(MEMBER_stime), 0.23,
		"system time that becomes user time does not count again");
	is_number(fake_sum(TABLE_process, PROCESS_utime) + fake_sum(TABLE_process, PROCESS_stime), 0.23,
		"time that moves between user and system time counts once in the rows of the run");
	end();
}

static double tracker(void)
{
	return fake_sum(TABLE_system, SYSTEM_tracker_cpu);
}

/* The control group includes a helper's usage, which must not count as unseen usage of the job. */
static void check_helpers(void)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_says_start(FAKE_ROOT);
	struct fake_process *guard = fake_fork(FAKE_INIT);
	guard->used[COUNTER_SYSTEM_NS] = 40 * FAKE_MS;
	sampler_set_helper(sampler, SAMPLER_HELPER_GUARD, guard->id.pid);
	(void)fake_fork(FAKE_ROOT);
	fake_tick(sampler);
	is_number(tracker(), 0,
		"a helper's usage is in no row before the last: the root's next program would subtract it");
	ok(sampler_finish(sampler, 0, 0, true), "the root ends before its child");
	is_number(tracker(), 0.04, "a helper's usage is in the last row");
	fake_host = 0;
	fake_tracker[COUNTER_SYSTEM_NS] = 41 * FAKE_MS;
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	sampler_take_followed(sampler, -1);
	fake_tick(sampler);
	is_number(tracker(), 0.04, "a helper that goes on is not counted again");
	fake_tracker[COUNTER_SYSTEM_NS] = 43 * FAKE_MS;
	end();
}

/* The last row of a job is written when no process is left. */
static void check_none_left(void)
{
	begin(NULL);
	fake_process(FAKE_ROOT)->rss_kib = fake_process(FAKE_ROOT)->pss_kib = 51200;
	fake_tick(sampler);
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	fake_tick(sampler);
	is_number(of_run(PROCESS_members), 0, "no member is left");
	is_number(of_run(PROCESS_memory_mib), 50, "the last row keeps the memory, since 0 would lower the mean");
	end();

	begin(NULL);
	fake_process(FAKE_ROOT)->peak_kib = 20480;
	fake_says_start(FAKE_ROOT);
	fake_says_exit(FAKE_ROOT, 0);
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	fake_tick(sampler);
	is_number(of_run(PROCESS_memory_mib), 20, "a process between two ticks counts with the peak that it recorded");
	end();
}

static void check_bound(void)
{
	begin("RTRACK_SPOOL_MAX_MIB=1");
	for (int i = 0; i < 200; i++)
		(void)fake_fork(FAKE_ROOT);
	int ticks = 0;
	for (int before = -1; before != fake_rows(TABLE_member) && ticks < 1000; ticks++) {
		before = fake_rows(TABLE_member);
		for (int pid = FAKE_ROOT; pid <= FAKE_ROOT + 200; pid++)
			fake_process(pid)->used[COUNTER_USER_NS] += FAKE_MS;
		fake_tick(sampler);
	}
	size_t size = strlen(fake_read(FAKE_RUN "/member.csv"));
	ok(size > 900000 && size < 1100000, "member.csv stops at the limit on file sizes");
	is_number(fake_rows(TABLE_process), ticks, "the run's own rows continue");
	(void)sampler_finish(sampler, 0, 0, false);
	ok(fake_run_says("\"truncated\": 1"), "run.json counts truncated files");
	fake_reset();
}

static void check_time(void)
{
	begin(NULL);
	fake_tick(sampler);
	double before = of_run(PROCESS_timestamp);
	fake_set_time_of_day(FAKE_EPOCH - 3600 * FAKE_SECOND);
	fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] += 500 * FAKE_MS;
	fake_tick(sampler);
	ok(of_run(PROCESS_timestamp) >= before, "after the time of day was set back, rows are in order");
	is_number(of_run(PROCESS_cpu_usage), 0.5, "usage is computed by the clock that cannot be set");
	fake_pass(9 * FAKE_SECOND);
	fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] += 5000 * FAKE_MS;
	fake_tick(sampler);
	is_number(of_run(PROCESS_cpu_usage), 0.5, "a late tick is one longer row");
	end();
}

static void check_short(void)
{
	begin("RTRACK_MIN_SECONDS=10");
	fake_tick(sampler);
	(void)sampler_finish(sampler, 0, 0, false);
	ok(!fake_read(FAKE_RUN "/run.json") && !fake_read(FAKE_RUN "/process.csv"),
		"a run that was too short is removed");
	begin("RTRACK_MIN_SECONDS=10");
	fake_pass(10 * FAKE_SECOND);
	(void)sampler_finish(sampler, 0, 0, false);
	ok(fake_run_says("\"status\": \"finished\""), "a long enough run stays");
	fake_reset();
}

int main(void)
{
	check_figures();
	check_unknown();
	check_unchanged();
	check_divided_anew();
	check_helpers();
	check_none_left();
	check_bound();
	check_time();
	check_short();
	return done();
}
