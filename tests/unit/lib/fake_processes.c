/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a simulated operating system. */
#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/fake_parts.h"

#include "os/clock.h"
#include "os/file.h"
#include "os/memory.h"
#include "os/self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 8192, TICK_NS = 10000000, FIRST_PID = 100 };

static struct fake_process *processes[PROCESSES_MAX]; /* by pid */
static int next_pid;
static int last_pid;
bool fake_clocks;
unsigned fake_renewals;
bool fake_tells_no_chars;
static uint64_t next_identity;

/* Wait status of each reaped process, by pid. */
static uint32_t last_status[PROCESSES_MAX];

struct fake_process *fake_process(int pid)
{
	return pid > 0 && pid < PROCESSES_MAX ? processes[pid] : NULL;
}

struct fake_process *fake_fork_as(int pid, int ppid)
{
	if (pid >= PROCESSES_MAX || processes[pid])
		fake_bail_out("the pid is in use");
	struct fake_process *made = calloc(1, sizeof *made);
	if (!made)
		fake_bail_out("no memory");
	*made = (struct fake_process){.id = {pid, (uint64_t)(os_since_boot_ns() / TICK_NS)},
		.ppid = ppid,
		.rss_kib = 1024,
		.pss_kib = 1024,
		.peak_kib = 1024,
		.threads = 1,
		.identity = next_identity++,
		.exe = "",
		.command = "",
		.environment = ""};
	processes[pid] = made;
	last_pid = pid;
	return made;
}

struct fake_process *fake_fork(int ppid)
{
	while (processes[next_pid])
		next_pid++;
	return fake_fork_as(next_pid++, ppid);
}

void fake_reset_processes(void)
{
	fake_clocks = fake_tells_no_chars = false;
	for (int pid = 0; pid < PROCESSES_MAX; pid++) {
		free(processes[pid]);
		processes[pid] = NULL;
	}
	next_pid = FIRST_PID;
	next_identity = 1;
	(void)fake_fork_as(FAKE_INIT, 0);
	(void)fake_fork_as(FAKE_SELF, FAKE_INIT);
	processes[FAKE_INIT]->id.start = processes[FAKE_SELF]->id.start = 1;
}

int fake_child(int parent, int before)
{
	for (int pid = before + 1; pid < PROCESSES_MAX; pid++)
		if (processes[pid] && processes[pid]->ppid == parent)
			return pid;
	return 0;
}

int process_children(int *pids, size_t capacity)
{
	int count = 0;

	for (int pid = fake_child(FAKE_SELF, 0); pid != 0; pid = fake_child(FAKE_SELF, pid), count++)
		if ((size_t)count < capacity)
			pids[count] = pid;
	return count;
}

/* Returns the pid of the process that adopts the children of an ended process. */
static int heir_of(const struct fake_process *ended)
{
	int pid = ended->ppid;
	while (pid != FAKE_INIT && !processes[pid]->adopts)
		pid = processes[pid]->ppid;
	return pid;
}

static void forget(int pid, bool into_parent)
{
	struct fake_process *gone = processes[pid];
	if (into_parent)
		processes[gone->ppid]->has_reaped = true;
	for (int i = 0; into_parent && i < COUNTER_COUNT; i++)
		processes[gone->ppid]->reaped[i] += gone->used[i] + gone->reaped[i];
	last_status[pid] = gone->wait_status;
	processes[pid] = NULL;
	free(gone);
}

/* Changes the parent of a process. A zombie is reaped immediately if the new parent is init or ignores SIGCHLD. */
static void leave_to(int pid, int parent)
{
	processes[pid]->ppid = parent;
	if (processes[pid]->zombie && (parent == FAKE_INIT || processes[parent]->ignores_children))
		forget(pid, parent == FAKE_INIT);
}

void fake_exit(int pid, uint32_t wait_status)
{
	struct fake_process *ended = processes[pid];
	ended->zombie = true;
	int heir = heir_of(ended);
	ended->wait_status = wait_status;
	ended->rss_kib = 0;
	for (int i = 0; i < PROCESSES_MAX; i++)
		if (processes[i] && processes[i]->ppid == pid)
			leave_to(i, heir);
	leave_to(pid, ended->ppid);
}

void fake_reap(int pid)
{
	if (!processes[pid] || !processes[pid]->zombie)
		fake_bail_out("there is nothing to reap");
	forget(pid, true);
}

void fake_end(int pid, uint32_t wait_status)
{
	fake_exit(pid, wait_status);
	if (processes[pid])
		fake_reap(pid);
}

/* -- os/process.h -- */

int64_t process_started_ns(uint64_t start)
{
	return (int64_t)start * TICK_NS;
}

uint64_t process_start_between(int64_t before_ns, int64_t after_ns)
{
	return before_ns / TICK_NS == after_ns / TICK_NS ? (uint64_t)(before_ns / TICK_NS) : 0;
}

static bool is_inclusive_only(int counter)
{
	return counter >= COUNTER_DISK_READ && counter <= COUNTER_WRITE_CHARS;
}

uint64_t process_cpu_ns(int pid)
{
	const struct fake_process *process = fake_process(pid);
	return process ? process->used[COUNTER_USER_NS] + process->used[COUNTER_SYSTEM_NS] : 0;
}

uint64_t process_queued_ns(int pid, uint64_t threads)
{
	const struct fake_process *process = fake_process(pid);
	fake_tracker[COUNTER_SYSTEM_NS] += (uint64_t)fake_queue_cost_ns;
	return process ? process->queued_ns + (pid == fake_host && threads > 1 ? (uint64_t)fake_queued_ns : 0) : 0;
}

int process_tally_read(int file, struct process_tally *tally)
{
	(void)file;
	/* On Linux, neither the last pid nor the number of threads changes if a new process gets the pid of an ended
	 * one. In tests, the sampler must notice each birth. The number of births is therefore added to the number of
	 * threads, in higher bits. */
	*tally = (struct process_tally){(uint64_t)last_pid, next_identity << 32};
	for (int pid = 1; pid < PROCESSES_MAX; pid++)
		tally->threads += processes[pid] ? processes[pid]->threads : 0;
	return fake_clocks ? 0 : OS_ERROR_UNSUPPORTED;
}

void process_leave_empty(struct cell *cells)
{
	if (fake_tells_no_chars)
		cells[PROCESS_read_chars].number = cells[PROCESS_write_chars].number = UNKNOWN;
}

int process_read(int pid, bool with_io, struct process_reading *reading)
{
	fake_move_on();
	struct fake_process *process = fake_process(pid);
	if (!process)
		return OS_ERROR_MISSING;
	if (fake_faults.read_error)
		return fake_faults.read_error;
	if (fake_faults.descriptors_left == 0)
		return OS_ERROR_NO_DESCRIPTOR;
	if (process->ends && process->lingers-- == 0) {
		fake_exit(pid, 0);
		return process_read(pid, with_io, reading);
	}
	process->readings++;
	*reading = (struct process_reading){.id = process->id,
		.cpu_ns = fake_clocks ? process_cpu_ns(pid) : 0,
		.ppid = process->ppid,
		.minor_faults = process->minor_faults,
		.state = process->zombie ? 'Z' : 'S',
		.io_known = with_io && !process->io_hidden,
		.wait_status = process->wait_status,
		.ignores_children = process->ignores_children,
		.has_reaped = process->has_reaped,
		.energy_nj = process->energy_nj,
		.image = process->image};
	for (int i = 0; i < GAUGE_COUNT; i++)
		reading->gauge[i] = GAUGE_UNKNOWN;
	reading->gauge[GAUGE_RSS_KIB] = process->rss_kib;
	reading->gauge[GAUGE_THREADS] = process->threads + (pid == fake_host);
	for (int i = 0; i < COUNTER_COUNT; i++) {
		if (is_inclusive_only(i) && !reading->io_known)
			continue;
		reading->inclusive[i] = process->used[i] + process->reaped[i];
		reading->own[i] = is_inclusive_only(i) ? reading->inclusive[i] : process->used[i];
		if (pid == fake_host) {
			reading->own[i] += fake_tracker[i];
			reading->inclusive[i] += fake_tracker[i];
		}
	}
	return 0;
}

struct fake_memory fake_memory;

/* Copies the ranges in order. Stops at the first range that is not completely in the fake memory. */
int64_t peek_read(int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count)
{
	int64_t copied = 0;

	if (pid != fake_memory.pid)
		return OS_ERROR_NO_PROCESS;
	fake_memory.reads++;
	for (size_t i = 0; i < count; i++) {
		uint64_t from = theirs[i].at - fake_memory.at;
		if (theirs[i].size == 0)
			continue;
		if (theirs[i].size > fake_memory.size || from > fake_memory.size - theirs[i].size)
			return copied > 0 ? copied : OS_ERROR_OTHER;
		memcpy((void *)(uintptr_t)ours[i].at, (const char *)fake_memory.data + from, (size_t)theirs[i].size);
		copied += (int64_t)theirs[i].size;
		if (fake_memory.after_read)
			fake_memory.after_read();
	}
	return copied;
}

int peek_images(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context)
{
	(void)data;
	if (pid != fake_memory.pid)
		return OS_ERROR_NO_PROCESS;
	return take(context, text_of(fake_memory.path), fake_memory.at);
}

int64_t peek_file(int pid, struct text path, char *data, size_t capacity)
{
	char name[1024];
	(void)snprintf(name, sizeof name, "%.*s", (int)path.length, path.data);
	return pid == fake_memory.pid ? os_read(OS_HERE, name, data, capacity) : OS_ERROR_NO_PROCESS;
}

int peek_list(int pid, struct text path, void (*take)(void *context, const char *name), void *context)
{
	char name[1024];
	(void)snprintf(name, sizeof name, "%.*s", (int)path.length, path.data);
	return pid == fake_memory.pid ? os_list(name, take, context) : OS_ERROR_NO_PROCESS;
}

bool process_shares_memory(int pid, int other)
{
	const struct fake_process *process = fake_process(pid);
	return process && process->lodges && process->ppid == other;
}

const uint64_t process_rollup_max_kib = 65536;

int process_read_rollup(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib)
{
	struct fake_process *process = fake_process(pid);
	if (!process || process->io_hidden)
		return OS_ERROR_DENIED;
	process->pss_readings++;
	fake_pass(process->pss_cost_ns);
	fake_tracker[COUNTER_SYSTEM_NS] += (uint64_t)process->pss_cost_ns;
	gauges[GAUGE_MEMORY_KIB] = process->pss_kib;
	gauges[GAUGE_SWAP_KIB] = process->swap_kib;
	gauges[GAUGE_FILE_KIB] = process->file_kib / 2;
	*own_kib = process->own_kib;
	return 0;
}

uint32_t process_real_user(int pid)
{
	(void)pid;
	return os_user();
}

void process_read_status(int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib)
{
	const struct fake_process *process = fake_process(pid);
	if (!process || process->io_hidden || process->gone)
		return;
	gauges[GAUGE_SWAP_KIB] = process->swap_kib;
	gauges[GAUGE_FILE_KIB] = process->file_kib;
	*mapped_kib = process->mapped_kib;
	*peak_kib = figures_larger(*peak_kib, process->peak_kib);
}

uint64_t process_count_own_kib(int pid, uint64_t rss_kib)
{
	struct fake_process *process = fake_process(pid);
	(void)rss_kib;
	if (!process || process->io_hidden || process->gone)
		return UINT64_MAX;
	process->own_counts++;
	fake_pass(process->pss_cost_ns);
	fake_tracker[COUNTER_SYSTEM_NS] += (uint64_t)process->pss_cost_ns;
	return process->own_kib;
}

/* Weak, because the test of code lines defines its own version. */
__attribute__((weak)) uint64_t process_anonymous_kib(int pid)
{
	const struct fake_process *process = fake_process(pid);

	return process && !process->gone ? process->rss_kib : 0;
}

uint64_t process_read_peak_kib(int pid)
{
	return fake_process(pid) ? fake_process(pid)->peak_kib : 0;
}

int process_read_identity(struct process_id *id)
{
	*id = processes[FAKE_SELF]->id;
	return 0;
}

void process_describe(int pid, struct buffer *exe, struct buffer *command)
{
	const struct fake_process *process = fake_process(pid);
	if (!process || process->zombie)
		return;
	buffer_string(exe, process->exe);
	buffer_string(command, process->command);
}

int64_t process_read_environment(int pid, char *data, size_t capacity)
{
	const struct fake_process *process = fake_process(pid);
	if (!process)
		return OS_ERROR_MISSING;
	size_t length = process->environment[0] ? strlen(process->environment) + 1 : 0;
	if (length > capacity)
		return OS_ERROR_TOO_LONG;
	memcpy(data, process->environment, length);
	return (int64_t)length;
}

int64_t process_read_stdout(int pid, char *data, size_t capacity)
{
	const struct fake_process *process = fake_process(pid);
	if (!process || !process->output)
		return OS_ERROR_UNSUPPORTED;
	size_t length = strlen(process->output);
	length = length < capacity ? length : capacity;
	memcpy(data, process->output, length);
	return (int64_t)length;
}

int process_signal(struct process_id id, int signal)
{
	struct fake_process *process = fake_process(id.pid);

	if (!process || !process_is(process->id, id))
		return OS_ERROR_NO_PROCESS;
	process->signal = signal;
	return 0;
}

int process_open_io(int pid)
{
	(void)pid;
	return OS_ERROR_UNSUPPORTED;
}

void process_read_io(int file, struct process_reading *reading)
{
	(void)file, (void)reading;
}

int process_follow(int pid)
{
	if (fake_faults.no_waiting)
		return OS_ERROR_UNSUPPORTED;
	return fake_process(pid) ? fake_follow(pid) : OS_ERROR_NO_PROCESS;
}

int process_wait_status(int followed, uint32_t *wait_status)
{
	int pid = followed < 0 ? -1 : fake_followed(followed);
	if (pid < 0 || processes[pid])
		return -1;
	*wait_status = last_status[pid];
	return 0;
}

int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns)
{
	int64_t until_ns = os_since_boot_ns() + at_most_ns;
	struct fake_process *first = NULL;

	if (fake_faults.no_waiting)
		return OS_ERROR_UNSUPPORTED;
	for (size_t i = 0; i < count; i++) {
		struct fake_process *process = fake_process(pids[i]);
		if (!process || process->zombie || process->ends)
			return 1;
		if (process->ends_ns > 0 && process->ends_ns <= until_ns &&
			(!first || process->ends_ns < first->ends_ns))
			first = process;
	}
	if (first && first->ends_ns > os_since_boot_ns())
		until_ns = first->ends_ns;
	fake_pass(until_ns - os_since_boot_ns());
	if (first)
		first->ends = true;
	return first != NULL;
}

int process_list(struct process_list *list)
{
	enum { CAPACITY = PROCESSES_MAX };
	fake_move_on();
	list->count = 0;
	if (fake_faults.descriptors_left == 0)
		return OS_ERROR_NO_DESCRIPTOR;
	if (!list->entries) {
		list->entries = os_map(CAPACITY * sizeof *list->entries);
		list->capacity = list->entries ? CAPACITY : 0;
	}
	for (int pid = 1; pid < PROCESSES_MAX; pid++) {
		if (fake_faults.list_error && list->count == fake_faults.list_cut)
			return fake_faults.list_error;
		if (processes[pid] && !list->entries)
			return OS_ERROR_NO_MEMORY;
		if (processes[pid])
			list->entries[list->count++] =
				(struct process_entry){.id = {pid, 0}, .identity = processes[pid]->identity};
	}
	return 0;
}

/* Finds new processes only if their pid is above `from` and at most `to`. As on Linux, a new process that chose a
 * smaller pid is therefore missing. */
int process_list_renew(struct process_list *list, const struct process_list *before, uint64_t from, uint64_t to)
{
	size_t kept = 0;

	if (fake_faults.list_error)
		return fake_faults.list_error;
	int result = process_list(list);
	for (size_t i = 0; i < list->count; i++) {
		const struct process_entry *entry = &list->entries[i];
		const struct process_entry *old = process_list_find(before, entry->id.pid);
		bool is_new = (uint64_t)entry->id.pid > from && (uint64_t)entry->id.pid <= to;
		if (!is_new && !old)
			continue;
		list->entries[kept] = *entry;
		if (!is_new)
			list->entries[kept].identity = old->identity;
		kept++;
	}
	list->count = kept;
	fake_renewals++;
	return result;
}

void process_list_release(struct process_list *list)
{
	os_unmap(list->entries, list->capacity * sizeof *list->entries);
	*list = (struct process_list){NULL, 0, 0};
}
