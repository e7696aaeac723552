/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of processes on macOS: os/darwin/process.c and parse.c with a simulated kernel. */
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
	is_number((double)parse_units_ns(apple, 1), 41, "one unit is 41 ns, not rounded up");
	is_number((double)parse_units_ns(intel, 1000000001), 1000000001, "units of an Intel processor are nanoseconds");
	is_number((double)parse_units_ns(none, 7), 7, "an unknown timebase changes nothing");
	/* The CPU time of 200 CPUs in two years: its product with 125 exceeds 64 bits. */
	is_number((double)parse_units_ns(apple, 302745600000000000), 302745600000000000.0 / 3 * 125,
		"the conversion does not overflow");
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

	is_number(process_read(300, true, &reading), 0, "a process of this user is read");
	ok(reading.id.pid == 300 && reading.id.start == 1700000300250000,
		"the start of a process is in microseconds since the epoch");
	is_number(reading.ppid, 200, "parent");
	ok(reading.state == 'R', "state");
	is_number((double)reading.own[COUNTER_USER_NS], 2e9, "user time");
	is_number((double)reading.own[COUNTER_SYSTEM_NS], 5e8, "system time");
	is_number((double)reading.cpu_ns, 2.5e9, "both");
	is_number((double)process_cpu_ns(300), 2.5e9, "process_cpu_ns gives the same CPU time");
	is_number((double)reading.inclusive[COUNTER_USER_NS], 3e9, "user time including children");
	is_number((double)reading.inclusive[COUNTER_SYSTEM_NS], 6e8, "system time including children");
	is_number((double)reading.inclusive[COUNTER_MAJOR_FAULTS], 7, "page-ins including children");
	is_number((double)reading.own[COUNTER_DISK_READ], 4096, "bytes read");
	is_number((double)reading.inclusive[COUNTER_DISK_WRITE], 8192, "bytes written: no figure includes children");
	is_number((double)reading.gauge[GAUGE_RSS_KIB], 51200, "resident set");
	is_number((double)reading.gauge[GAUGE_THREADS], 7, "threads");
	ok(reading.gauge[GAUGE_MEMORY_KIB] == GAUGE_UNKNOWN && reading.gauge[GAUGE_SWAP_KIB] == GAUGE_UNKNOWN,
		"figures of the expensive reading, and those that macOS lacks, are unknown");
	is_number((double)reading.minor_faults, 1000, "minor faults are the faults without page-ins");
	ok(reading.io_known && reading.has_reaped && !reading.ignores_children && !reading.is_tracker,
		"the process belongs to a job, not to the tracker");

	is_number(process_read_rollup(300, reading.gauge, &own), 0, "the expensive reading works");
	is_number((double)reading.gauge[GAUGE_MEMORY_KIB], 40960, "memory is the physical footprint");
	ok(reading.gauge[GAUGE_SWAP_KIB] == GAUGE_UNKNOWN, "the expensive reading changes nothing else");
	is_number((double)process_read_peak_kib(300), 61440, "the peak is the peak footprint");

	added->process.ignored = 1u << (20 - 1);
	is_number(process_read(300, false, &reading), 0, "a process that ignores SIGCHLD is read");
	ok(reading.ignores_children && !reading.io_known, "a process that ignores SIGCHLD is detected");
	added->process.ignored = 0;
	added->process.flags = DARWIN_NO_CHILD_WAIT;
	is_number(process_read(300, false, &reading), 0, "a process with SA_NOCLDWAIT is read");
	ok(reading.ignores_children, "SA_NOCLDWAIT of a process is detected");
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
	is_number(process_read(300, true, &reading), 0, "a process on macOS 13 is read");
	is_number((double)reading.energy_nj, 7.2e9, "energy of all cores in nJ, without energy billed to others");
	is_number(process_read(300, false, &reading), 0, "the same process is read without I/O");
	is_number((double)reading.energy_nj, 7.2e9, "energy is known without I/O as well");

	fake.rusage_form = DARWIN_RUSAGE_10_13;
	is_number(process_read(300, true, &reading), 0, "a kernel that knows only the older form");
	is_number((double)reading.own[COUNTER_USER_NS], 1e9, "the older form has CPU time");
	is_number((double)reading.energy_nj, 0, "the older form has no energy");
	is_number((double)process_cpu_ns(300), 1e9, "process_cpu_ns uses the older form as well");
	ok(process_is_gone(process_read(301, true, &reading)),
		"a pid without a process is gone in the older form as well");

	fake.rusage_form = DARWIN_RUSAGE_13;
	added->rusage.energy = 0;
	is_number(process_read(300, true, &reading), 0, "a processor that does not measure energy");
	is_number((double)reading.energy_nj, 0, "no energy is 0");
}

static void check_row(void)
{
	struct cell cells[PROCESS_COLUMNS] = {0};

	process_leave_empty(cells);
	ok(!number_known(cells[PROCESS_read_chars].number) && !number_known(cells[PROCESS_write_chars].number),
		"macOS has no read and written chars: the job's are unknown, not 0");
	ok(number_known(cells[PROCESS_disk_read_bytes].number) && number_known(cells[PROCESS_utime].number),
		"known figures stay known");
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
	ok(reading.state == 'Z', "the state of a zombie is Z");
	is_number(reading.wait_status, 7 << 8, "the wait status of a zombie");
	is_number((double)reading.own[COUNTER_USER_NS], 1e9, "the CPU time of a zombie");
	is_number((double)reading.gauge[GAUGE_THREADS], 0, "a zombie has no thread");
	is_number((double)reading.gauge[GAUGE_RSS_KIB], 0, "a zombie has no memory");

	added = fake_add(80, 1, "sudo");
	added->process.user = 0;
	added->process.wait_status = 9;
	is_number(process_read(80, true, &reading), OS_ERROR_NOT_OURS, "usage of another user's process is denied");
	is_number(process_read(80, false, &reading), 0, "the identity of another user's process is readable");
	ok(reading.id.pid == 80 && reading.ppid == 1 && reading.cpu_ns == 0,
		"the parent of another user's process is known, and its figures are 0");
	is_number(reading.wait_status, 0, "another user's process has no wait status before its end");
	ok(!process_is_gone(OS_ERROR_NOT_OURS), "a denied process is not taken for gone");
	fake.user = 0;
	is_number(process_read(80, true, &reading), 0, "root can read everything");

	ok(process_is_gone(process_read(81, true, &reading)), "a pid without a process is gone");
	is_number((double)process_cpu_ns(81), 0, "a pid without a process has no CPU time");
	fake_add(90, 1, "rtrack-keeper");
	is_number(process_read(90, false, &reading), 0, "a keeper is read");
	ok(reading.is_tracker, "a keeper belongs to the tracker");
	memset(fake_add(91, 1, "")->process.name, 'x', DARWIN_NAME_MAX);
	is_number(process_read(91, false, &reading), 0, "a name without a NUL does no harm");
}

static void check_times(void)
{
	begin();
	fake.now_ns = 1700000100000000000;
	fake.boot_ns = 500000000000;
	is_number((double)process_started_ns(1700000000000000), 4e11, "a start is converted to the clock since boot");
	is_number((double)process_start_between(1, 2), 0, "no two readings determine a start");
}

static void check_list(void)
{
	struct process_list list = {NULL, 0, 0};
	uint64_t identity;
	bool ascends = true;

	begin();
	is_number(process_list(&list), OS_ERROR_NO_DATA, "a list without even the caller is an error");
	for (int pid = 3000; pid > 0; pid--)
		fake_add(pid, 1, "x");
	fake_add(0, 0, "kernel_task");
	is_number(process_list(&list), 0, "a list of more processes than the first buffer holds");
	is_number((double)list.count, 3000, "the list has all processes except the kernel itself");
	for (size_t i = 1; i < list.count; i++)
		ascends &= list.entries[i - 1].id.pid < list.entries[i].id.pid;
	ok(ascends, "the list is in ascending order of pids");
	identity = process_list_find(&list, 17)->identity;
	for (size_t i = 0; i < fake.count; i++)
		if (fake.processes[i].process.pid == 17)
			fake.processes[i].process.start_us++;
	is_number(process_list(&list), 0, "the processes are listed again");
	ok(process_list_find(&list, 17)->identity != identity, "a reused pid is another process");
	ok(process_list_find(&list, 18)->identity != 0, "each listed process has an identity");
	process_list_release(&list);
}

/* Returns the arguments of a process, which are written to `command`. */
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
	ok(memcmp(environment, "HOME=/Users/x\0TERM=vt\0", 22) == 0, "the environment lacks the loader's variables");
	is_number((double)process_read_environment(5, environment, 5), 5, "the environment is cut to the buffer");
	ok(text_equal(described(5, &exe, &small), TEXT("python3\0-c")), "a command line is cut to the buffer");
	added->arguments = (struct text){without_end, sizeof without_end - 1};
	ok(text_equal(described(5, &exe, &command), TEXT("x")), "arguments that end in the middle");
	added->arguments = (struct text){too_many, sizeof too_many - 1};
	ok(text_equal(described(5, &exe, &command), TEXT("x\0A=1\0")), "an argument count that is too large");
	added->arguments = (struct text){told, 3};
	ok(described(5, &exe, &command).length == 0, "arguments without a count give nothing");
	added->process.user = 0;
	is_number((double)process_read_environment(5, environment, 5), OS_ERROR_DENIED,
		"another user's environment is denied");
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
