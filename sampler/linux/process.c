/* Processes of os.h on Linux: /proc/PID/stat, io, status and smaps_rollup, and the CPU clocks.
 *
 * /proc/PID/stat counts CPU time in ticks of 10 ms. The process' CPU clock (clock_getcpuclockid(3)) gives
 * the same sum to the nanosecond, for any process, without a file; stat then only says how to divide it
 * into user and system, which is how the kernel itself does it (cputime_adjust). */
#include "sampler/os.h"

#include "core/number.h"
#include "core/spool.h"
#include "sampler/linux/parse.h"
#include "sampler/linux/sys.h"

#include <linux/auxvec.h>
#include <linux/fcntl.h>
#include <linux/resource.h>
#include <linux/time.h>

enum { PROC_TEXT_MAX = 1024 };

#define NS_PER_SECOND 1000000000u

/* The page size is 4 KiB on x86-64 and may be 16 or 64 KiB on aarch64: AT_PAGESZ tells. */
static uint64_t page_kib(void)
{
	static uint64_t known;
	if (known == 0) {
		uint64_t pairs[64];
		int64_t length = os_read(OS_HERE, "/proc/self/auxv", (char *)pairs, sizeof pairs);
		uint64_t size = 4096;
		for (int64_t i = 0; i + 1 < length / 8 && pairs[i] != AT_NULL; i += 2)
			if (pairs[i] == AT_PAGESZ)
				size = pairs[i + 1];
		known = size / 1024;
	}
	return known;
}

/* "/proc/PID/NAME"; pid 0 is the calling process. */
static char *proc_path(struct buffer *out, int pid, const char *name)
{
	buffer_string(out, "/proc/");
	if (pid == 0)
		buffer_string(out, "self");
	else
		buffer_unsigned(out, (uint64_t)pid);
	buffer_byte(out, '/');
	buffer_string(out, name);
	return buffer_terminate(out);
}

static int64_t read_proc(int pid, const char *name, char *data, size_t capacity)
{
	char path[64];
	struct buffer out = BUFFER(path);
	return os_read_once(OS_HERE, proc_path(&out, pid, name), data, capacity);
}

static int read_stat(int pid, struct stat_fields *fields)
{
	char text[PROC_TEXT_MAX];
	int64_t length = read_proc(pid, "stat", text, sizeof text);
	if (length < 0)
		return (int)length;
	return parse_stat((struct text){text, (size_t)length}, fields) == 0 ? 0 : -ESRCH;
}

static int read_io(int pid, const char *name, uint64_t counters[COUNTER_COUNT])
{
	static const char *const keys[] = {"rchar:", "wchar:", "read_bytes:", "write_bytes:"};
	uint64_t values[ARRAY_LENGTH(keys)] = {0};
	char text[PROC_TEXT_MAX];
	int64_t length = read_proc(pid, name, text, sizeof text);
	if (length <= 0)
		return -EACCES;
	parse_values((struct text){text, (size_t)length}, keys, ARRAY_LENGTH(keys), values);
	counters[COUNTER_READ_CHARS] = values[0];
	counters[COUNTER_WRITE_CHARS] = values[1];
	counters[COUNTER_DISK_READ] = values[2];
	counters[COUNTER_DISK_WRITE] = values[3];
	return 0;
}

/* The CPU time of a whole process from its CPU clock; 0 when there is none. The id of the clock is
 * ~pid << 3 | 2 (CPUCLOCK_SCHED), as include/linux/posix-timers_types.h has it. */
static uint64_t cpu_clock_ns(int pid)
{
	struct __kernel_timespec time = {0, 0};
	int clock = (int)(~(unsigned)pid << 3 | 2u);
	if (SYS_CALL2(__NR_clock_gettime, clock, &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

static void divide_cpu(uint64_t total_ns, const struct stat_fields *fields, uint64_t own[COUNTER_COUNT])
{
	uint64_t user = fields->utime * NS_PER_TICK;
	uint64_t system = fields->stime * NS_PER_TICK;
	if (total_ns > user + system) {
		/* The rest is under two ticks: it goes where most of the time went. */
		if (system > user)
			system = total_ns - user;
		else
			user = total_ns - system;
	}
	own[COUNTER_USER_NS] = user;
	own[COUNTER_SYSTEM_NS] = system;
}

/* Without randomization every stack begins right below the end of the address space. */
static uint64_t image_of(const struct stat_fields *fields)
{
	enum { STACK_TOP_BITS = 32, STACK_MAX = 4 << 20 };
	uint64_t above = fields->start_stack + STACK_MAX;
	if (fields->start_stack == 0 || above >> STACK_TOP_BITS != fields->start_stack >> STACK_TOP_BITS)
		return 0;
	return fields->start_stack ^ fields->start_code << (STACK_TOP_BITS / 2);
}

int process_read(int pid, bool with_io, struct process_reading *reading)
{
	struct stat_fields fields;
	int result = read_stat(pid, &fields);
	if (result < 0)
		return result;
	*reading = (struct process_reading){
		.ppid = fields.ppid,
		.state = fields.state,
		.start_ticks = fields.start_ticks,
		.minor_faults = fields.minor_faults,
		.rss_kib = fields.rss_pages * page_kib(),
		.threads = fields.threads,
		.wait_status = fields.wait_status,
		.image = image_of(&fields),
	};
	divide_cpu(cpu_clock_ns(pid), &fields, reading->own);
	reading->own[COUNTER_MAJOR_FAULTS] = fields.major_faults;
	reading->io_known = with_io && read_io(pid, "io", reading->own) == 0;
	for (int i = 0; i < COUNTER_COUNT; i++)
		reading->inclusive[i] = reading->own[i];
	reading->inclusive[COUNTER_USER_NS] += fields.children_utime * NS_PER_TICK;
	reading->inclusive[COUNTER_SYSTEM_NS] += fields.children_stime * NS_PER_TICK;
	reading->inclusive[COUNTER_MAJOR_FAULTS] += fields.children_major_faults;
	return 0;
}

int process_follow(int pid)
{
	return sys_is_translated() ? -ENOSYS : (int)SYS_CALL2(__NR_pidfd_open, pid, 0);
}

/* struct pidfd_info and PIDFD_GET_INFO of linux/pidfd.h, which is newer than the headers of most systems. */
struct followed_info {
	uint64_t mask;
	uint64_t unused[5];
	uint32_t unused_too[3];
	uint32_t exit_code;
};
_Static_assert(sizeof(struct followed_info) == 64, "PIDFD_INFO_SIZE_VER0");

int process_wait_status(int followed, uint32_t *wait_status)
{
	enum { INFO_EXIT = 1 << 3, GET_INFO_NUMBER = 11, GET_INFO_TYPE = 0xff };
	const unsigned long get_info =
		3ul << 30 | sizeof(struct followed_info) << 16 | GET_INFO_TYPE << 8 | GET_INFO_NUMBER;
	struct followed_info info = {.mask = INFO_EXIT};

	if (followed < 0 || SYS_CALL3(__NR_ioctl, followed, get_info, &info) < 0 || !(info.mask & INFO_EXIT))
		return -1;
	*wait_status = info.exit_code;
	return 0;
}

int process_read_pss(int pid, uint64_t *pss_kib)
{
	char text[PROC_TEXT_MAX];
	int64_t length = read_proc(pid, "smaps_rollup", text, sizeof text);
	if (length <= 0)
		return -EACCES;
	return parse_value((struct text){text, (size_t)length}, "Pss:", pss_kib) == 0 ? 0 : -ENODATA;
}

void process_describe(int pid, struct buffer *exe, struct buffer *command)
{
	char path[64];
	struct buffer out = BUFFER(path);
	int64_t length = os_read_link(
		OS_HERE, proc_path(&out, pid, "exe"), exe->data + exe->length, exe->capacity - exe->length);
	if (length > 0)
		exe->length += (size_t)length;
	out.length = 0;
	length = os_read(OS_HERE, proc_path(&out, pid, "cmdline"), command->data + command->length,
		command->capacity - command->length);
	if (length <= 0)
		return;
	for (int64_t i = 0; i < length; i++)
		if (command->data[command->length + (size_t)i] == '\0')
			command->data[command->length + (size_t)i] = ' ';
	command->length += (size_t)length;
	while (command->length > 0 && command->data[command->length - 1] == ' ')
		command->length--;
}

int64_t process_read_environment(int pid, char *data, size_t capacity)
{
	char path[64];
	struct buffer out = BUFFER(path);
	return os_read(OS_HERE, proc_path(&out, pid, "environ"), data, capacity);
}

/* -- the list of processes ----------------------------------------------------------------------- */

static int list_add(struct process_list *list, int pid, uint64_t identity)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 512;
		void *entries = os_remap(
			list->entries, list->capacity * sizeof *list->entries, capacity * sizeof *list->entries);
		if (!entries)
			return -ENOMEM;
		list->entries = entries;
		list->capacity = capacity;
	}
	list->entries[list->count++] = (struct process_entry){.pid = pid, .identity = identity};
	return 0;
}

/* The inode number of /proc/PID belongs to one process: a reused pid comes with another. */
int process_list(struct process_list *list)
{
	char data[8192] __attribute__((aligned(8)));
	int directory = os_open_directory(OS_HERE, "/proc");
	long length;

	list->count = 0;
	if (directory < 0)
		return directory;
	while ((length = SYS_CALL3(__NR_getdents64, directory, data, sizeof data)) > 0) {
		for (long at = 0; at < length;) {
			const struct directory_entry *entry = (const void *)(data + at);
			uint64_t pid;
			at += entry->length;
			if (entry->name[0] < '1' || entry->name[0] > '9' ||
				number_read_unsigned(text_of(entry->name), &pid) != 0)
				continue;
			if (list_add(list, (int)pid, entry->inode) != 0) {
				length = -ENOMEM;
				break;
			}
		}
		if (length < 0)
			break;
	}
	os_close(directory);
	return (int)length;
}

void process_list_release(struct process_list *list)
{
	os_unmap(list->entries, list->capacity * sizeof *list->entries);
	*list = (struct process_list){NULL, 0, 0};
}

/* -- the calling process -------------------------------------------------------------------------- */

static void read_rusage(int who, struct rusage *usage)
{
	*usage = (struct rusage){0};
	(void)SYS_CALL2(__NR_getrusage, who, usage);
}

static void rusage_cpu(const struct rusage *usage, uint64_t cpu_ns[2])
{
	cpu_ns[0] = (uint64_t)usage->ru_utime.tv_sec * NS_PER_SECOND + (uint64_t)usage->ru_utime.tv_usec * 1000;
	cpu_ns[1] = (uint64_t)usage->ru_stime.tv_sec * NS_PER_SECOND + (uint64_t)usage->ru_stime.tv_usec * 1000;
}

/* The rusage of a thread is as old as the last timer tick; its clock is not. */
static void usage_by_clock(int who, int clock, uint64_t cpu_ns[2])
{
	struct __kernel_timespec time = {0, 0};
	struct rusage usage;
	(void)SYS_CALL2(__NR_clock_gettime, clock, &time);
	uint64_t total = (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
	read_rusage(who, &usage);
	rusage_cpu(&usage, cpu_ns);
	cpu_ns[0] = cpu_ns[0] < total ? cpu_ns[0] : total;
	cpu_ns[1] = total - cpu_ns[0];
}

void thread_usage(uint64_t cpu_ns[2])
{
	usage_by_clock(RUSAGE_THREAD, CLOCK_THREAD_CPUTIME_ID, cpu_ns);
}

void process_own_usage(uint64_t cpu_ns[2])
{
	usage_by_clock(RUSAGE_SELF, CLOCK_PROCESS_CPUTIME_ID, cpu_ns);
}

void process_children_usage(uint64_t cpu_ns[2])
{
	struct rusage usage;
	read_rusage(RUSAGE_CHILDREN, &usage);
	rusage_cpu(&usage, cpu_ns);
}

int thread_io(uint64_t counters[COUNTER_COUNT])
{
	char name[48];
	struct buffer out = BUFFER(name);
	buffer_string(&out, "task/");
	buffer_unsigned(&out, (uint64_t)SYS_CALL0(__NR_gettid));
	buffer_string(&out, "/io");
	return read_io(0, buffer_terminate(&out), counters);
}

int process_read_identity(uint64_t *start_ticks, int *ppid)
{
	struct stat_fields fields;
	int result = read_stat(0, &fields);
	if (result < 0)
		return result;
	*start_ticks = fields.start_ticks;
	*ppid = fields.ppid;
	return 0;
}

uint64_t process_peak_rss_kib(void)
{
	struct rusage usage;
	read_rusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss;
}

uint64_t process_read_peak_kib(int pid)
{
	static const char *const keys[] = {"VmHWM:"};
	char text[PROC_TEXT_MAX * 2];
	uint64_t peak_kib = 0;
	int64_t length = read_proc(pid, "status", text, sizeof text);
	if (length > 0)
		parse_values((struct text){text, (size_t)length}, keys, ARRAY_LENGTH(keys), &peak_kib);
	return peak_kib;
}

static void rusage_counters(const struct rusage *usage, uint64_t counters[COUNTER_COUNT])
{
	enum { BLOCK_BYTES = 512 };
	rusage_cpu(usage, &counters[COUNTER_USER_NS]);
	counters[COUNTER_DISK_READ] = (uint64_t)usage->ru_inblock * BLOCK_BYTES;
	counters[COUNTER_DISK_WRITE] = (uint64_t)usage->ru_oublock * BLOCK_BYTES;
	counters[COUNTER_MAJOR_FAULTS] = (uint64_t)usage->ru_majflt;
}

void process_read_self(struct process_usage *usage, uint64_t before_kib)
{
	struct rusage own;
	struct rusage children;

	*usage = (struct process_usage){0};
	read_rusage(RUSAGE_SELF, &own);
	if ((uint64_t)own.ru_maxrss > before_kib) {
		usage->peak_rss_kib = (uint64_t)own.ru_maxrss;
	} else {
		usage->peak_rss_kib = process_read_peak_kib(0);
		/* So that the cost of the reading itself is not lost. */
		read_rusage(RUSAGE_SELF, &own);
	}
	read_rusage(RUSAGE_CHILDREN, &children);
	rusage_counters(&own, usage->own);
	rusage_counters(&children, usage->children);
	usage->children_peak_kib = (uint64_t)children.ru_maxrss;
	usage->minor_faults = (uint64_t)own.ru_minflt;
	usage->voluntary_switches = (uint64_t)own.ru_nvcsw;
	usage->involuntary_switches = (uint64_t)own.ru_nivcsw;
}
