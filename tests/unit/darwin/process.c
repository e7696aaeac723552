/* SPDX-License-Identifier: Apache-2.0 */
/* Processes on macOS: os/darwin/process.c and parse.c, which ask a system in memory. */
#include "os/process.h"

#include "os/darwin/parse.h"
#include "tests/unit/darwin/fake/libproc.h"
#include "tests/unit/lib/tap.h"

static void begin(void)
{
	memset(&fake, 0, sizeof fake);
	fake.user = 501;
	fake.rusage_form = DARWIN_RUSAGE_13;
	fake.timebase = (struct darwin_timebase){125, 3};
}

static void check_units(void)
{
	const struct darwin_timebase apple = {125, 3}, intel = {1, 1}, none = {0, 0};

	is_number((double)parse_units_ns(apple, 24000000), 1e9, "24,000,000 units of an Apple processor are a second");
	is_number((double)parse_units_ns(apple, 1), 41, "one is 41 ns, not rounded up");
	is_number((double)parse_units_ns(intel, 1000000001), 1000000001, "units of an Intel processor are nanoseconds");
	is_number((double)parse_units_ns(none, 7), 7, "a timebase that is not told changes nothing");
	/* 200 CPUs for two years: the product with 125 has more than 64 bits. */
	is_number((double)parse_units_ns(apple, 302745600000000000), 302745600000000000.0 / 3 * 125,
		"no sum overflows on the way");
}

static void check_reading(void)
{
	struct process_reading reading;
	uint64_t own = 0;
	struct fake_process *added;

	begin();
	added = fake_add(300, 200, "python3.12");
	added->process.start_us = 250000;
	added->rusage.user_time = 48000000;
	added->rusage.system_time = 12000000;
	added->rusage.child_user_time = 24000000;
	added->rusage.child_system_time = 2400000;
	added->rusage.child_elapsed_time = 1;
	added->rusage.pageins = 5;
	added->rusage.child_pageins = 2;
	added->rusage.disk_read = 4096;
	added->rusage.disk_written = 8192;
	added->rusage.resident_size = 50 << 20;
	added->rusage.footprint = 40 << 20;
	added->rusage.peak_footprint = 60 << 20;
	added->task.threads = 7;
	added->task.faults = 1005;
	added->task.pageins = 5;

	is_number(process_read(300, true, &reading), 0, "a process of ours is read");
	ok(reading.id.pid == 300 && reading.id.start == 1700000300250000,
		"its start is in microseconds since the epoch");
	is_number(reading.ppid, 200, "parent");
	ok(reading.state == 'R', "state");
	is_number((double)reading.own[COUNTER_USER_NS], 2e9, "user time");
	is_number((double)reading.own[COUNTER_SYSTEM_NS], 5e8, "system time");
	is_number((double)reading.cpu_ns, 2.5e9, "both");
	is_number((double)process_cpu_ns(300), 2.5e9, "... as the cheap look has it");
	is_number((double)reading.inclusive[COUNTER_USER_NS], 3e9, "user time with that of children");
	is_number((double)reading.inclusive[COUNTER_SYSTEM_NS], 6e8, "system time with that of children");
	is_number((double)reading.inclusive[COUNTER_MAJOR_FAULTS], 7, "page-ins with those of children");
	is_number((double)reading.own[COUNTER_DISK_READ], 4096, "bytes read");
	is_number((double)reading.inclusive[COUNTER_DISK_WRITE], 8192, "bytes written: no account has the children's");
	is_number((double)reading.gauge[GAUGE_RSS_KIB], 51200, "resident set");
	is_number((double)reading.gauge[GAUGE_THREADS], 7, "threads");
	ok(reading.gauge[GAUGE_MEMORY_KIB] == GAUGE_UNKNOWN && reading.gauge[GAUGE_SWAP_KIB] == GAUGE_UNKNOWN,
		"what the dear reading tells, and what none does, is unknown");
	is_number((double)reading.minor_faults, 1000, "minor faults are those that were no page-ins");
	ok(reading.io_known && reading.has_reaped && !reading.ignores_children && !reading.is_tracker,
		"a job's process");

	is_number(process_read_rollup(300, reading.gauge, &own), 0, "the dear reading");
	is_number((double)reading.gauge[GAUGE_MEMORY_KIB], 40960, "memory is the physical footprint");
	ok(reading.gauge[GAUGE_SWAP_KIB] == GAUGE_UNKNOWN, "... and nothing else is touched");
	is_number((double)process_read_peak_kib(300), 61440, "its peak is the footprint's");

	added->process.ignored = 1u << (20 - 1);
	is_number(process_read(300, false, &reading), 0, "one that ignores SIGCHLD");
	ok(reading.ignores_children && !reading.io_known, "is known by that");
	added->process.ignored = 0;
	added->process.flags = DARWIN_NO_CHILD_WAIT;
	is_number(process_read(300, false, &reading), 0, "one with SA_NOCLDWAIT");
	ok(reading.ignores_children, "is known by its flag");
}

static void check_energy(void)
{
	struct process_reading reading;
	struct fake_process *added;

	begin();
	added = fake_add(300, 200, "python3.12");
	added->rusage.user_time = 24000000;
	added->rusage.energy = 7200000000;
	added->rusage.fast_energy = 5000000000;
	added->rusage.billed_energy = 1;
	is_number(process_read(300, true, &reading), 0, "a process on macOS 13");
	is_number(
		(double)reading.energy_nj, 7.2e9, "its energy, in nJ: of all cores, and what was billed is another's");
	is_number(process_read(300, false, &reading), 0, "the same without I/O");
	is_number((double)reading.energy_nj, 7.2e9, "... has it as well");

	fake.rusage_form = DARWIN_RUSAGE_10_13;
	is_number(process_read(300, true, &reading), 0, "a kernel that knows the older form only");
	is_number((double)reading.own[COUNTER_USER_NS], 1e9, "... tells the rest");
	is_number((double)reading.energy_nj, 0, "... and no energy");
	is_number((double)process_cpu_ns(300), 1e9, "the cheap look goes by that form, too");
	ok(process_is_gone(process_read(301, true, &reading)), "a pid without a process is gone there as well");

	fake.rusage_form = DARWIN_RUSAGE_13;
	added->rusage.energy = 0;
	is_number(process_read(300, true, &reading), 0, "a processor that counts no energy");
	is_number((double)reading.energy_nj, 0, "... has none to tell");
}

static void check_row(void)
{
	struct cell cells[PROCESS_COLUMNS] = {0};

	process_leave_empty(cells);
	ok(!number_known(cells[PROCESS_read_chars].number) && !number_known(cells[PROCESS_write_chars].number),
		"what calls read and wrote is told of no process: the job's is unknown, not 0");
	ok(number_known(cells[PROCESS_disk_read_bytes].number) && number_known(cells[PROCESS_utime].number),
		"... and what is told stays");
}

static void check_others(void)
{
	struct process_reading reading;
	struct fake_process *added;

	begin();
	added = fake_add(70, 1, "zombie");
	added->process.state = DARWIN_ZOMBIE;
	added->process.wait_status = 7 << 8;
	added->task.threads = 0;
	added->rusage.user_time = 24000000;
	is_number(process_read(70, true, &reading), 0, "a zombie is read");
	ok(reading.state == 'Z', "it is one");
	is_number(reading.wait_status, 7 << 8, "how it ended");
	is_number((double)reading.own[COUNTER_USER_NS], 1e9, "what it used");
	is_number((double)reading.gauge[GAUGE_THREADS], 0, "it has no thread any more");
	is_number((double)reading.gauge[GAUGE_RSS_KIB], 0, "... and no memory");

	added = fake_add(80, 1, "sudo");
	added->process.user = 0;
	added->process.wait_status = 9;
	is_number(process_read(80, true, &reading), OS_ERROR_NOT_OURS, "what another user's process uses is not told");
	is_number(process_read(80, false, &reading), 0, "... but its identity");
	ok(reading.id.pid == 80 && reading.ppid == 1 && reading.cpu_ns == 0, "with its parent, and without a figure");
	is_number(reading.wait_status, 0, "... and no status before its end");
	ok(!process_is_gone(OS_ERROR_NOT_OURS), "that does not say that it is gone");
	fake.user = 0;
	is_number(process_read(80, true, &reading), 0, "root is told all");

	ok(process_is_gone(process_read(81, true, &reading)), "a pid without a process is gone");
	is_number((double)process_cpu_ns(81), 0, "... and used nothing");
	fake_add(90, 1, "rtrack-keeper");
	is_number(process_read(90, false, &reading), 0, "the keeper of some run");
	ok(reading.is_tracker, "is no job's");
	memset(fake_add(91, 1, "")->process.name, 'x', DARWIN_NAME_MAX);
	is_number(process_read(91, false, &reading), 0, "a name without an end does no harm");
}

static void check_times(void)
{
	begin();
	fake.now_ns = 1700000100000000000;
	fake.boot_ns = 500000000000;
	is_number((double)process_started_ns(1700000000000000), 4e11, "a start is brought to the clock since boot");
	is_number((double)process_start_between(1, 2), 0, "no two instants determine a start");
}

static void check_list(void)
{
	struct process_list list = {NULL, 0, 0};
	uint64_t identity;
	bool ascends = true;

	begin();
	is_number(process_list(&list), OS_ERROR_NO_DATA, "a list with no process in it, not even the caller, is none");
	for (int pid = 3000; pid > 0; pid--)
		fake_add(pid, 1, "x");
	fake_add(0, 0, "kernel_task");
	is_number(process_list(&list), 0, "more processes than the first room has");
	is_number((double)list.count, 3000, "all of them, but the kernel itself");
	for (size_t i = 1; i < list.count; i++)
		ascends &= list.entries[i - 1].id.pid < list.entries[i].id.pid;
	ok(ascends, "in the order of their pids");
	identity = process_list_find(&list, 17)->identity;
	for (size_t i = 0; i < fake.count; i++)
		if (fake.processes[i].process.pid == 17)
			fake.processes[i].process.start_us++;
	is_number(process_list(&list), 0, "listed again");
	ok(process_list_find(&list, 17)->identity != identity, "a pid that was given again is another process");
	ok(process_list_find(&list, 18)->identity != 0, "each has an identity");
	process_list_release(&list);
}

/* What is written with the room for it. */
static struct text described(int pid, struct buffer *exe, struct buffer *command)
{
	exe->length = command->length = 0;
	process_describe(pid, exe, command);
	return (struct text){command->data, command->length};
}

static void check_arguments(void)
{
	static const char told[] =
		"\3\0\0\0/usr/local/bin/python3\0\0\0\0\0python3\0-c\0\0HOME=/Users/x\0TERM=vt\0\0ptr_munge=";
	static const char without_end[] = "\2\0\0\0/bin/x\0\0x";
	static const char too_many[] = "\377\377\377\177/bin/x\0x\0A=1\0";
	char path[64], arguments[64], environment[64];
	struct buffer exe = BUFFER(path), command = BUFFER(arguments), small = {arguments, 0, 10, false};
	struct fake_process *added;

	begin();
	added = fake_add(5, 1, "python3");
	added->path = "/usr/local/bin/python3";
	added->arguments = (struct text){told, sizeof told - 1};
	ok(text_equal(described(5, &exe, &command), TEXT("python3\0-c\0\0")), "three arguments, the last one empty");
	ok(text_equal((struct text){path, exe.length}, TEXT("/usr/local/bin/python3")), "the executable");
	is_number((double)process_read_environment(5, environment, sizeof environment), 22, "the environment's length");
	ok(memcmp(environment, "HOME=/Users/x\0TERM=vt\0", 22) == 0, "... without what is for the loader");
	is_number((double)process_read_environment(5, environment, 5), 5, "... cut to the room");
	ok(text_equal(described(5, &exe, &small), TEXT("python3\0-c")), "a command that is cut");
	added->arguments = (struct text){without_end, sizeof without_end - 1};
	ok(text_equal(described(5, &exe, &command), TEXT("x")), "a text that ends in the middle");
	added->arguments = (struct text){too_many, sizeof too_many - 1};
	ok(text_equal(described(5, &exe, &command), TEXT("x\0A=1\0")), "more arguments than there are");
	added->arguments = (struct text){told, 3};
	ok(described(5, &exe, &command).length == 0, "a text without a number says nothing");
	added->process.user = 0;
	is_number((double)process_read_environment(5, environment, 5), OS_ERROR_DENIED, "another user's is not told");
}

int main(void)
{
	check_units();
	check_reading();
	check_energy();
	check_row();
	check_others();
	check_times();
	check_list();
	check_arguments();
	return done();
}
