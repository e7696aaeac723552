/* SPDX-License-Identifier: Apache-2.0 */
/* macOS implementation of os/process.h. sysctl(KERN_PROC) reports the identity of every process. proc_pid_rusage(3) and
 * proc_pidinfo(3) report the usage, but only of processes of the same user, unless the caller is root.
 *
 * Memory is the physical footprint. Activity Monitor shows this figure, and the kernel uses it to decide which process
 * to kill. It includes compressed pages and excludes shared pages. */
#include "os/process.h"

#include "os/clock.h"
#include "os/darwin/calls.h"
#include "os/darwin/parse.h"
#include "os/memory.h"
#include "os/self.h"

/* Converts a start time, which is a time of day in the kernel, to nanoseconds since boot. */
int64_t process_started_ns(uint64_t start)
{
	return os_since_boot_ns() - (os_now_ns() - (int64_t)start * 1000);
}

void process_leave_empty(struct cell *cells)
{
	cells[PROCESS_read_chars].number = cells[PROCESS_write_chars].number = UNKNOWN;
}

/* Reads a process. Its identity is readable even if its usage is not. An unreadable usage is an error only if
 * `with_io`. */
int process_read(int pid, bool with_io, struct process_reading *reading)
{
	struct darwin_process process;
	struct darwin_rusage rusage;
	struct darwin_task task;
	int asked = pid == 0 ? os_pid() : pid;
	int result = darwin_process(asked, &process);

	if (result != 0)
		return result;
	parse_process(&process, reading);
	result = darwin_rusage(asked, &rusage);
	if (result != 0)
		return with_io ? result : 0;
	parse_rusage(&rusage, darwin_timebase(), reading);
	reading->io_known = with_io;
	/* A zombie has no task. */
	if (darwin_task(asked, &task) == 0) {
		reading->gauge[GAUGE_THREADS] = (uint64_t)task.threads;
		reading->minor_faults = task.faults > task.pageins ? (uint64_t)(task.faults - task.pageins) : 0;
	}
	return 0;
}

uint64_t process_cpu_ns(int pid)
{
	struct process_reading reading;
	struct darwin_rusage rusage;

	if (darwin_rusage(pid, &rusage) != 0)
		return 0;
	parse_rusage(&rusage, darwin_timebase(), &reading);
	return reading.cpu_ns;
}

/* Large processes can be read too, because the kernel maintains the footprint as a counter. */
const uint64_t process_rollup_max_kib = UINT64_MAX;

int process_read_rollup(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib)
{
	struct darwin_rusage rusage;
	int result = darwin_rusage(pid, &rusage);

	(void)own_kib;
	if (result == 0)
		gauges[GAUGE_MEMORY_KIB] = rusage.footprint / 1024;
	return result;
}

void process_read_status(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib)
{
	uint64_t peak = process_read_peak_kib(pid);

	(void)gauges, (void)mapped_kib;
	*peak_kib = peak > *peak_kib ? peak : *peak_kib;
}

uint64_t process_read_peak_kib(int pid)
{
	struct darwin_rusage rusage;
	return darwin_rusage(pid == 0 ? os_pid() : pid, &rusage) == 0 ? rusage.peak_footprint / 1024 : 0;
}

int process_read_identity(struct process_id *id)
{
	struct darwin_process process;
	int result = darwin_process(os_pid(), &process);

	if (result == 0)
		id->start = parse_start(&process);
	return result;
}

/* -- the command line and the environment --------------------------------------------------------- */

enum { ARGUMENTS_BYTES = 65536 };

/* Reads KERN_PROCARGS2 into a new mapping. Returns the mapping, or NULL on failure. */
static char *read_arguments(int pid, struct parse_arguments *parts)
{
	char *data = os_map(ARGUMENTS_BYTES);
	int64_t length = data ? darwin_arguments(pid, data, ARGUMENTS_BYTES) : 0;

	if (length > 0 && parse_arguments((struct text){data, (size_t)length}, parts) == 0)
		return data;
	os_unmap(data, ARGUMENTS_BYTES);
	return NULL;
}

void process_describe(int pid, struct buffer *exe, struct buffer *command)
{
	struct parse_arguments parts;
	int64_t length = darwin_path(pid, exe->data + exe->length, exe->capacity - exe->length);
	char *data = read_arguments(pid, &parts);

	if (length > 0)
		exe->length += (size_t)length;
	if (!data)
		return;
	if (parts.arguments.length > command->capacity - command->length)
		parts.arguments.length = command->capacity - command->length;
	buffer_text(command, parts.arguments);
	os_unmap(data, ARGUMENTS_BYTES);
}

int64_t process_read_environment(int pid, char *data, size_t capacity)
{
	struct parse_arguments parts;
	struct buffer out = {data, 0, capacity, false};
	char *read = read_arguments(pid, &parts);

	if (!read)
		return OS_ERROR_DENIED;
	buffer_text(&out, parts.environment.length > capacity ? (struct text){parts.environment.data, capacity}
							      : parts.environment);
	os_unmap(read, ARGUMENTS_BYTES);
	return (int64_t)out.length;
}

/* -- the list of processes ----------------------------------------------------------------------- */

static int make_room(struct process_list *list, size_t count)
{
	if (count <= list->capacity)
		return 0;
	void *entries =
		os_remap_apart(list->entries, list->capacity * sizeof *list->entries, count * sizeof *list->entries);
	if (!entries)
		return OS_ERROR_NO_MEMORY;
	list->entries = entries;
	list->capacity = count;
	return 0;
}

/* Sorts the entries by pid, because the kernel lists the newest process first, and zombies last. */
static void sort(struct process_entry *entries, size_t count)
{
	for (size_t gap = count / 2; gap > 0; gap /= 2)
		for (size_t i = gap; i < count; i++)
			for (size_t j = i; j >= gap && entries[j - gap].id.pid > entries[j].id.pid; j -= gap) {
				struct process_entry other = entries[j];
				entries[j] = entries[j - gap];
				entries[j - gap] = other;
			}
}

static int fill_list(struct process_list *list, const struct darwin_process *processes, size_t count)
{
	int result = make_room(list, count);

	for (size_t i = 0; i < count && result == 0; i++)
		if (processes[i].pid > 0)
			list->entries[list->count++] = (struct process_entry){
				.id = {processes[i].pid, 0}, .identity = parse_start(&processes[i])};
	sort(list->entries, list->count);
	return result == 0 && list->count == 0 ? OS_ERROR_NO_DATA : result;
}

/* Lists all processes with their start times. If the result fills the buffer, the list may be truncated, and the call
 * is repeated with a larger buffer. */
int process_list(struct process_list *list)
{
	enum { PROCESSES_MIN = 1024, PROCESSES_MAX = 1 << 17 };
	int result = OS_ERROR_NO_MEMORY;

	list->count = 0;
	for (size_t room = PROCESSES_MIN; room <= PROCESSES_MAX; room *= 2) {
		size_t size = room * sizeof(struct darwin_process);
		struct darwin_process *processes = os_map(size);
		int64_t length = processes ? darwin_processes(processes, size) : OS_ERROR_NO_MEMORY;
		bool whole = length >= 0 && (size_t)length + sizeof *processes <= size;
		result = length < 0 ? (int)length : OS_ERROR_NO_MEMORY;
		if (whole)
			result = fill_list(list, processes, (size_t)length / sizeof *processes);
		os_unmap(processes, size);
		if (length < 0 || whole)
			break;
	}
	return result;
}

void process_list_release(struct process_list *list)
{
	os_unmap(list->entries, list->capacity * sizeof *list->entries);
	*list = (struct process_list){NULL, 0, 0};
}
