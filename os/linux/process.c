/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of os/process.h, with stat, io, status and smaps_rollup in /proc/PID, and with CPU clocks.
 *
 * /proc/PID/stat counts CPU time in ticks of 10 ms. The CPU clock of a process (clock_getcpuclockid(3)) has the same
 * time in nanoseconds, and needs no file. stat is therefore only used to divide the time of the clock into user and
 * system time, with the method of the kernel (cputime_adjust). */
#include "os/process.h"

#include "core/number.h"
#include "os/file.h"
#include "os/linux/error.h"
#include "os/linux/listing.h"
#include "os/linux/proc.h"
#include "os/linux/sys.h"
#include "os/memory.h"
#include "os/self.h"

#include <asm/poll.h>
#include <asm/signal.h>
#include <asm/statfs.h>
#include <linux/errno.h>
#include <linux/auxvec.h>
#include <linux/resource.h>
#include <linux/time.h>

#define NS_PER_SECOND 1000000000u

/* AT_PAGESZ is the page size: 4 KiB on x86-64; 4, 16 or 64 KiB on aarch64. */
uint64_t proc_page_kib(void)
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

/* Returns the id of the CPU clock of a process: ~pid << 3 | 2 (CPUCLOCK_SCHED), as in
 * include/linux/posix-timers_types.h. */
static int clock_of(int pid)
{
	return (int)(~(unsigned)pid << 3 | 2u);
}

/* Returns whether `pid` denotes a process. Otherwise it denotes another thread, or nothing. The function queries the
 * resolution of the CPU clock, because this needs no permission and does not disturb the process. */
static bool is_process(int pid)
{
	return SYS_CALL2(__NR_clock_getres, clock_of(pid), NULL) == 0;
}

/* Returns the CPU time of a whole process from its CPU clock, or 0 if there is none. */
uint64_t process_cpu_ns(int pid)
{
	struct __kernel_timespec time = {0, 0};
	if (SYS_CALL2(__NR_clock_gettime, clock_of(pid), &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

/* Each thread costs three system calls. If a process has more than THREADS_MAX threads, only the oldest are read. */
uint64_t process_queued_ns(int pid, uint64_t threads)
{
	enum { THREADS_MAX = 256 };
	char path[48], listed[PROC_TEXT_MAX] __attribute__((aligned(8)));
	struct buffer out = BUFFER(path);
	struct schedstat schedstat = {0, 0};
	struct listing listing;
	uint64_t thread, sum_ns = 0;

	if (threads <= 1)
		return proc_read_schedstat(pid, 0, &schedstat) ? schedstat.queued_ns : 0;
	listing_open(&listing, proc_path(&out, pid, "task"), listed, sizeof listed);
	for (int i = 0; i < THREADS_MAX && listing_next_number(&listing, &thread); i++)
		if (proc_read_schedstat(pid, thread, &schedstat))
			sum_ns += schedstat.queued_ns;
	(void)listing_close(&listing);
	return sum_ns;
}

static void divide_cpu(uint64_t total_ns, const struct stat_fields *fields, uint64_t own[COUNTER_COUNT])
{
	uint64_t user = fields->utime * NS_PER_TICK;
	uint64_t system = fields->stime * NS_PER_TICK;
	if (total_ns > user + system) {
		/* The two times in ticks may add up to almost two ticks less than the clock. The difference is added to
		 * the larger of them. */
		if (system > user)
			system = total_ns - user;
		else
			user = total_ns - system;
	}
	own[COUNTER_USER_NS] = user;
	own[COUNTER_SYSTEM_NS] = system;
}

/* Computes process_reading.image from addresses that exec randomizes. Returns 0 if the addresses are not randomized:
 * the stack is then directly below the end of the address space. */
static uint64_t image_of(const struct stat_fields *fields)
{
	enum { STACK_TOP_BITS = 32, STACK_MAX = 4 << 20 };
	uint64_t above = fields->start_stack + STACK_MAX;
	if (fields->start_stack == 0 || above >> STACK_TOP_BITS != fields->start_stack >> STACK_TOP_BITS)
		return 0;
	return fields->start_stack ^ fields->start_code << (STACK_TOP_BITS / 2);
}

int64_t process_started_ns(uint64_t start)
{
	return (int64_t)start * NS_PER_TICK;
}

/* Times are compared in ticks of 10 ms. If the two times are in different ticks, the start time is ambiguous. */
uint64_t process_start_between(int64_t before_ns, int64_t after_ns)
{
	uint64_t ticks = (uint64_t)before_ns / NS_PER_TICK;
	return ticks == (uint64_t)after_ns / NS_PER_TICK ? ticks : 0;
}

/* Returns whether the process exists, with a signal 0. A missing file proves nothing, because /proc may be unmounted or
 * hide processes. */
static bool exists(int pid)
{
	return error_of(SYS_CALL2(__NR_kill, pid, 0)) != OS_ERROR_NO_PROCESS;
}

void process_leave_empty(struct cell *cells)
{
	(void)cells;
}

int process_read(int pid, bool with_io, struct process_reading *reading)
{
	struct stat_fields fields;
	uint64_t cpu_ns = process_cpu_ns(pid);
	if (cpu_ns == 0 && !exists(pid))
		return OS_ERROR_NO_PROCESS;
	int result = proc_read_stat(pid, &fields);
	if (result < 0 && !exists(pid))
		return OS_ERROR_NO_PROCESS;
	if (result < 0)
		return result == OS_ERROR_MISSING ? OS_ERROR_DENIED : result;
	*reading = (struct process_reading){
		.id = {pid, fields.start_ticks},
		.ppid = fields.ppid,
		.state = fields.state,
		.is_tracker = fields.is_tracker,
		.minor_faults = fields.minor_faults,
		.wait_status = fields.wait_status,
		.ignores_children = (fields.ignored >> (SIGCHLD - 1) & 1) != 0,
		.has_reaped = fields.children_minor_faults > 0,
		.image = image_of(&fields),
		.cpu_ns = cpu_ns,
	};
	for (size_t i = 0; i < sizeof reading->name; i++)
		reading->name[i] = fields.name[i];
	for (int i = 0; i < GAUGE_COUNT; i++)
		reading->gauge[i] = GAUGE_UNKNOWN;
	reading->gauge[GAUGE_RSS_KIB] = fields.rss_pages * proc_page_kib();
	reading->gauge[GAUGE_THREADS] = fields.threads;
	/* The process may have ended since the clock was read. The clock of a zombie is therefore read again; it does
	 * not change any more. */
	divide_cpu(fields.state == 'Z' ? process_cpu_ns(pid) : cpu_ns, &fields, reading->own);
	reading->own[COUNTER_MAJOR_FAULTS] = fields.major_faults;
	reading->io_known = with_io && proc_read_io(pid, "io", reading->own) == 0;
	for (int i = 0; i < COUNTER_COUNT; i++)
		reading->inclusive[i] = reading->own[i];
	reading->inclusive[COUNTER_USER_NS] += fields.children_utime * NS_PER_TICK;
	reading->inclusive[COUNTER_SYSTEM_NS] += fields.children_stime * NS_PER_TICK;
	reading->inclusive[COUNTER_MAJOR_FAULTS] += fields.children_major_faults;
	return 0;
}

int process_follow(int pid)
{
	return sys_is_translated() ? OS_ERROR_UNSUPPORTED : (int)result_of(SYS_CALL2(__NR_pidfd_open, pid, 0));
}

int process_open_io(int pid)
{
	char path[64];
	struct buffer out = BUFFER(path);

	return os_open(OS_HERE, proc_path(&out, pid, "io"));
}

void process_read_io(int file, struct process_reading *reading)
{
	char text[PROC_TEXT_MAX];
	int64_t length = file < 0 ? 0 : os_read_at(file, text, sizeof text, 0);

	if (length <= 0 || proc_parse_io((struct text){text, (size_t)length}, reading->own) != 0)
		return;
	for (int i = COUNTER_DISK_READ; i <= COUNTER_WRITE_CHARS; i++)
		reading->inclusive[i] = reading->own[i];
	reading->io_known = true;
}

/* struct pidfd_info and PIDFD_GET_INFO of linux/pidfd.h. They are repeated here, because the headers of most systems
 * are too old to have them. */
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

/* Reading a process of this size takes about a millisecond: on a slow machine with pages of 4 KiB, the kernel needs
 * about 15 ns per KiB. */
const uint64_t process_rollup_max_kib = 65536;

/* Reads a file of a process. If the main thread has ended, reads the file of the oldest other thread. */
static int64_t read_memory(int pid, const char *name, char *text, size_t capacity)
{
	int64_t length = proc_read(pid, name, text, capacity);
	return length > 0 ? length : proc_read_other(pid, name, text, capacity);
}

int process_read_rollup(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib)
{
	static parse_key keys[] = {
#define ROLLUP(gauge, key, source) key,
#include "os/linux/figures.def"
		"Private_Clean:",
		"Private_Dirty:",
	};
	static const uint8_t gauge_of[] = {
#define ROLLUP(gauge, key, source) GAUGE_##gauge,
#include "os/linux/figures.def"
	};
	enum { CLEAN = ARRAY_LENGTH(gauge_of), DIRTY };
	uint64_t values[ARRAY_LENGTH(keys)];
	char text[PROC_TEXT_MAX];
	int64_t length = read_memory(pid, "smaps_rollup", text, sizeof text);

	if (length <= 0)
		return OS_ERROR_DENIED;
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		values[i] = GAUGE_UNKNOWN;
	parse_values((struct text){text, (size_t)length}, keys, ARRAY_LENGTH(keys), values);
	for (size_t i = 0; i < ARRAY_LENGTH(gauge_of); i++) {
		/* A gauge can be the sum of several keys, which are in consecutive rows. */
		bool adds = i > 0 && gauge_of[i] == gauge_of[i - 1] && values[i - 1] != GAUGE_UNKNOWN;
		if (values[i] != GAUGE_UNKNOWN)
			gauges[gauge_of[i]] = values[i] + (adds ? gauges[gauge_of[i]] : 0);
	}
	if (values[CLEAN] != GAUGE_UNKNOWN && values[DIRTY] != GAUGE_UNKNOWN)
		*own_kib = values[CLEAN] + values[DIRTY];
	return values[0] == GAUGE_UNKNOWN ? OS_ERROR_NO_DATA : 0;
}

void process_read_status(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib)
{
	enum { PEAK, FILES, SHARED, SWAP, HUGE, LOCKED, TABLES, KEYS };
	static parse_key keys[KEYS] = {
		"VmHWM:", "RssFile:", "RssShmem:", "VmSwap:", "HugetlbPages:", "VmLck:", "VmPTE:"};
	static const uint8_t gauge_of[KEYS] = {[FILES] = GAUGE_FILE_KIB,
		[SWAP] = GAUGE_SWAP_KIB,
		[HUGE] = GAUGE_HUGETLB_KIB,
		[LOCKED] = GAUGE_LOCKED_KIB,
		[TABLES] = GAUGE_PAGE_TABLES_KIB};
	uint64_t values[KEYS];
	char text[PROC_TEXT_MAX * 2];

	for (int i = 0; i < KEYS; i++)
		values[i] = GAUGE_UNKNOWN;
	for (int other = 0; other < 2 && values[PEAK] == GAUGE_UNKNOWN; other++) {
		int64_t length = other ? proc_read_other(pid, "status", text, sizeof text)
				       : proc_read(pid, "status", text, sizeof text);
		if (length > 0)
			parse_values((struct text){text, (size_t)length}, keys, KEYS, values);
	}
	for (int i = 0; i < KEYS; i++)
		if (gauge_of[i] != 0 && values[i] != GAUGE_UNKNOWN)
			gauges[gauge_of[i]] = values[i];
	if (values[FILES] != GAUGE_UNKNOWN && values[SHARED] != GAUGE_UNKNOWN)
		*mapped_kib = values[FILES] + values[SHARED];
	if (values[PEAK] != GAUGE_UNKNOWN)
		*peak_kib = figures_larger(*peak_kib, values[PEAK]);
}

bool process_shares_memory(int pid, int other)
{
	enum { SAME_MEMORY = 1 }; /* KCMP_VM */
	return !sys_is_translated() && SYS_CALL5(__NR_kcmp, pid, other, SAME_MEMORY, 0, 0) == 0;
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
	if (length > 0)
		command->length += (size_t)length;
}

int64_t process_read_environment(int pid, char *data, size_t capacity)
{
	char path[64];
	struct buffer out = BUFFER(path);
	return os_read(OS_HERE, proc_path(&out, pid, "environ"), data, capacity);
}

int64_t process_read_stdout(int pid, char *data, size_t capacity)
{
	char path[64];
	struct buffer out = BUFFER(path);
	return proc_read_regular(proc_path(&out, pid, "fd/1"), data, capacity);
}

int process_read_identity(struct process_id *id)
{
	struct stat_fields fields;
	int result = proc_read_own_stat(id->pid, &fields);

	if (result == 0)
		id->start = fields.start_ticks;
	return result;
}

uint64_t proc_read_status(int pid, const char *key)
{
	char text[PROC_TEXT_MAX * 2];
	uint64_t value = 0;
	int64_t length = proc_read(pid, "status", text, sizeof text);

	for (int i = 0; i < 2 && length > 0; i++) {
		if (parse_value((struct text){text, (size_t)length}, key, &value) == 0)
			break;
		length = proc_read_other(pid, "status", text, sizeof text);
	}
	return value;
}

uint64_t process_read_peak_kib(int pid)
{
	return proc_read_status(pid, "VmHWM:");
}

uint32_t process_real_user(int pid)
{
	return (uint32_t)proc_read_status(pid, "Uid:");
}

static uint64_t limit_kib(int pid, int which)
{
	struct rlimit64 limit = {RLIM64_INFINITY, 0};

	(void)SYS_CALL4(__NR_prlimit64, pid, which, 0, &limit);
	return limit.rlim_cur == RLIM64_INFINITY ? UINT64_MAX : limit.rlim_cur / 1024;
}

void process_read_limits(int pid, struct process_limits *limits)
{
	struct rlimit64 cpu = {RLIM64_INFINITY, RLIM64_INFINITY};

	(void)SYS_CALL4(__NR_prlimit64, pid, RLIMIT_CPU, 0, &cpu);
	*limits = (struct process_limits){
		limit_kib(pid, RLIMIT_AS), limit_kib(pid, RLIMIT_DATA), 0, cpu.rlim_cur, cpu.rlim_max};
	if (limits->address_space_kib != UINT64_MAX)
		limits->address_space_peak_kib = proc_read_status(pid, "VmPeak:");
}

/* The first three numbers of statm are the size of the address space, the resident pages, and the resident pages of
 * files and shared memory. */
uint64_t process_anonymous_kib(int pid)
{
	char data[128];
	int64_t length = proc_read(pid, "statm", data, sizeof data);
	struct text text = {data, length > 0 ? (size_t)length : 0};
	uint64_t pages[3] = {0};

	for (size_t i = 0, from = 0; i < ARRAY_LENGTH(pages); i++) {
		size_t end = text_find(text, ' ', from);
		if (end >= text.length || number_read_unsigned((struct text){data + from, end - from}, &pages[i]) != 0)
			return 0;
		from = end + 1;
	}
	return figures_above(pages[1], pages[2]) * proc_page_kib();
}

int process_tracer(int pid)
{
	return (int)proc_read_status(pid, "TracerPid:");
}

/* Polls one pidfd (Linux 5.3) for each process, which becomes readable when the process ends. The descriptors are open
 * only during the wait. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns)
{
	enum { COUNT_MAX = 16 };
	struct pollfd polled[COUNT_MAX];
	struct __kernel_timespec left = {at_most_ns / 1000000000, at_most_ns % 1000000000};
	int result = 0;

	count = count < COUNT_MAX ? count : COUNT_MAX;
	for (size_t i = 0; i < count; i++) {
		polled[i] = (struct pollfd){process_follow(pids[i]), POLLIN, 0};
		if (polled[i].fd == OS_ERROR_UNSUPPORTED || polled[i].fd == OS_ERROR_NOT_OURS)
			result = OS_ERROR_UNSUPPORTED;
		if (polled[i].fd == OS_ERROR_NO_PROCESS)
			left = (struct __kernel_timespec){0, 0};
	}
	if (result == 0 && at_most_ns > 0 && SYS_CALL5(__NR_ppoll, polled, count, &left, 0, 0) > 0)
		result = 1;
	for (size_t i = 0; i < count; i++) {
		if (result == 0 && polled[i].fd == OS_ERROR_NO_PROCESS)
			result = 1;
		os_close(polled[i].fd);
	}
	return result;
}

/* The identity is checked while the descriptor is open, so the signal cannot reach another process. On a kernel without
 * such descriptors, the pid may be reused between the check and the signal. */
int process_signal(struct process_id id, int signal)
{
	struct process_reading reading;
	int followed = process_follow(id.pid);
	int result = process_read(id.pid, false, &reading);

	if (result == 0 && !process_is(reading.id, id))
		result = OS_ERROR_NO_PROCESS;
	if (result == 0)
		result = (int)result_of(followed >= 0 ? SYS_CALL4(__NR_pidfd_send_signal, followed, signal, 0, 0)
						      : SYS_CALL2(__NR_kill, id.pid, signal));
	os_close(followed);
	return result;
}

/* -- the list of processes ----------------------------------------------------------------------- */

/* Only the kernel's own file is accepted. In a container, /proc/loadavg may be from another program: that of lxcfs is
 * some seconds old, and that of gVisor has only zeros. */
int process_tally_open(void)
{
	enum { PROCESSES = 0x9fa0 }; /* PROC_SUPER_MAGIC */
	struct statfs status;
	int file = os_open(OS_HERE, "/proc/loadavg");
	if (file >= 0 && SYS_CALL2(__NR_fstatfs, file, &status) == 0 && status.f_type == PROCESSES)
		return file;
	os_close(file);
	return OS_ERROR_UNSUPPORTED;
}

int process_tally_read(int file, struct process_tally *tally)
{
	char data[128];
	int64_t length = os_read_at(file, data, sizeof data, 0);
	struct text text = {data, length > 0 ? (size_t)length : 0};
	struct text words[5];
	size_t at = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
		words[i] = parse_word(text, &at);
	size_t slash = text_find(words[3], '/', 0); /* the fourth word is "RUNNING/TOTAL" */
	if (slash >= words[3].length ||
		number_read_unsigned(
			(struct text){words[3].data + slash + 1, words[3].length - slash - 1}, &tally->threads) != 0 ||
		number_read_unsigned(words[4], &tally->last_pid) != 0 || tally->last_pid == 0)
		return OS_ERROR_NO_DATA;
	return 0;
}

static int list_add(struct process_list *list, int pid, uint64_t identity)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 512;
		void *entries = os_remap_apart(
			list->entries, list->capacity * sizeof *list->entries, capacity * sizeof *list->entries);
		if (!entries)
			return OS_ERROR_NO_MEMORY;
		list->entries = entries;
		list->capacity = capacity;
	}
	list->entries[list->count++] = (struct process_entry){.id = {pid, 0}, .identity = identity};
	return 0;
}

/* The identity of an entry is the inode number of /proc/PID, which changes when a pid is reused. */
int process_list(struct process_list *list)
{
	char data[8192] __attribute__((aligned(8)));
	struct listing listing;
	uint64_t pid;

	list->count = 0;
	if (proc_look() != (uint64_t)os_pid())
		return OS_ERROR_DENIED;
	bool added = true;
	listing_open(&listing, "/proc", data, sizeof data);
	while (added && listing_next_number(&listing, &pid))
		added = list_add(list, (int)pid, listing.entry->inode) == 0;
	int result = listing_close(&listing);
	if (!added)
		return OS_ERROR_NO_MEMORY;
	/* The list contains at least the calling process. If it is empty, /proc has become unusable. */
	return result == 0 && list->count == 0 ? OS_ERROR_NO_DATA : result;
}

/* Tests with process 1, which always exists, whether this process may query the CPU clocks of others. */
int process_list_renew(struct process_list *list, const struct process_list *before, uint64_t from, uint64_t to)
{
	size_t old = 0;
	int result = proc_look() == (uint64_t)os_pid() && is_process(1) ? 0 : OS_ERROR_UNSUPPORTED;

	list->count = 0;
	for (uint64_t next = from + 1; result == 0 && (old < before->count || next <= to);) {
		const struct process_entry *entry = &before->entries[old];
		bool is_old = old < before->count && ((uint64_t)entry->id.pid < next || next > to);
		int pid = is_old ? entry->id.pid : (int)next++;
		old += old < before->count && entry->id.pid == pid;
		uint64_t identity = !is_process(pid) ? 0 : is_old ? entry->identity : proc_inode(pid, "");
		result = identity != 0 ? list_add(list, pid, identity) : 0;
	}
	return result;
}

void process_list_release(struct process_list *list)
{
	os_unmap(list->entries, list->capacity * sizeof *list->entries);
	*list = (struct process_list){NULL, 0, 0};
}
