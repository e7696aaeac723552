/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated macOS kernel, behind the calls of os/darwin. */
#include "tests/unit/darwin/fake/libproc.h"

#include "os/clock.h"
#include "os/error.h"
#include "os/memory.h"
#include "os/self.h"

#include <stdlib.h>
#include <string.h>

struct fake fake;

struct fake_process *fake_add(int pid, int parent, const char *name)
{
	struct fake_process *added = &fake.processes[fake.count++];

	memset(added, 0, sizeof *added);
	added->process.pid = pid;
	added->process.parent = parent;
	added->process.user = 501;
	added->process.state = DARWIN_RUNS;
	added->process.start_s = 1700000000 + pid;
	added->task.threads = 1;
	strncpy(added->process.name, name, sizeof added->process.name - 1);
	return added;
}

static struct fake_process *find(int pid)
{
	for (size_t i = 0; i < fake.count; i++)
		if (fake.processes[i].process.pid == pid)
			return &fake.processes[i];
	return NULL;
}

/* Finds a process that the caller may read, or returns an error. */
static int look(int pid, struct fake_process **found)
{
	*found = find(pid);
	if (!*found)
		return OS_ERROR_NO_PROCESS;
	return fake.user == 0 || (*found)->process.user == fake.user ? 0 : OS_ERROR_NOT_OURS;
}

int darwin_task(int pid, struct darwin_task *task)
{
	struct fake_process *found;
	int result = look(pid, &found);

	if (result == 0 && found->task.threads == 0)
		result = OS_ERROR_NO_PROCESS;
	if (result == 0)
		*task = found->task;
	return result;
}

/* As in the kernel, an older form of the call leaves the fields that it does not know unchanged. */
int darwin_rusage_form(int pid, int form, struct darwin_rusage *rusage)
{
	struct fake_process *found;

	if (form > fake.rusage_form)
		return OS_ERROR_INVALID;
	int result = look(pid, &found);
	if (result == 0)
		memcpy(rusage, &found->rusage,
			form == DARWIN_RUSAGE_13 ? sizeof *rusage : offsetof(struct darwin_rusage, flags));
	return result;
}

static int64_t give(const void *from, size_t length, void *data, size_t capacity)
{
	memcpy(data, from, length < capacity ? length : capacity);
	return (int64_t)(length < capacity ? length : capacity);
}

int64_t darwin_path(int pid, char *data, size_t capacity)
{
	struct fake_process *found;
	int result = look(pid, &found);
	return result != 0 ? result : give(found->path, strlen(found->path), data, capacity);
}

int darwin_process(int pid, struct darwin_process *process)
{
	const struct fake_process *found = find(pid);
	if (!found)
		return OS_ERROR_NO_PROCESS;
	*process = found->process;
	return 0;
}

int64_t darwin_processes(struct darwin_process *processes, size_t size)
{
	size_t length = 0;
	for (size_t i = 0; i < fake.count && length + sizeof *processes <= size; i++, length += sizeof *processes)
		processes[i] = fake.processes[i].process;
	return (int64_t)length;
}

int64_t darwin_arguments(int pid, char *data, size_t capacity)
{
	struct fake_process *found;
	int result = look(pid, &found);
	return result != 0 ? result : give(found->arguments.data, found->arguments.length, data, capacity);
}

static int64_t give_text(const char *text, void *data, size_t capacity)
{
	return give(text, strlen(text) + 1, data, capacity);
}

int64_t darwin_named(const char *name, void *data, size_t capacity)
{
	const uint64_t bytes = 17179869184;
	const uint32_t cpus = 10, page = 16384;

	if (strcmp(name, "vm.swapusage") == 0)
		return give(&fake.swap, sizeof fake.swap, data, capacity);
	if (strcmp(name, "hw.memsize") == 0)
		return give(&bytes, sizeof bytes, data, capacity);
	if (strcmp(name, "hw.activecpu") == 0)
		return give(&cpus, sizeof cpus, data, capacity);
	if (strcmp(name, "hw.pagesize") == 0)
		return give(&page, sizeof page, data, capacity);
	if (strcmp(name, "kern.osproductversion") == 0)
		return give_text("14.5", data, capacity);
	if (strcmp(name, "hw.machine") == 0)
		return give_text("arm64", data, capacity);
	if (strcmp(name, "hw.model") == 0)
		return give_text("Mac14,2", data, capacity);
	return OS_ERROR_MISSING;
}

int64_t darwin_interfaces(char *data, size_t capacity)
{
	return give(fake.interfaces, fake.interfaces_length, data, capacity);
}

int darwin_memory(struct darwin_memory *memory)
{
	*memory = fake.memory;
	return 0;
}

int darwin_ticks(uint32_t ticks[DARWIN_TICKS])
{
	memcpy(ticks, fake.ticks, sizeof fake.ticks);
	return 0;
}

struct darwin_timebase darwin_timebase(void)
{
	return fake.timebase;
}

void darwin_mounts(void (*take)(void *context, const struct darwin_mount *mount), void *context)
{
	for (size_t i = 0; i < fake.mount_count; i++)
		take(context, &fake.mounts[i]);
}

/* -- functions of os/ that os/darwin calls ----------------------------------------------------------- */

int64_t os_now_ns(void)
{
	return fake.now_ns;
}

int64_t os_since_boot_ns(void)
{
	return fake.boot_ns;
}

int os_pid(void)
{
	return 4242;
}

void *os_map(size_t size)
{
	return calloc(1, size);
}

void *os_map_apart(size_t size)
{
	return os_map(size);
}

void *os_remap_apart(void *data, size_t old_size, size_t size)
{
	void *moved = calloc(1, size);
	if (moved && data)
		memcpy(moved, data, old_size < size ? old_size : size);
	free(data);
	return moved;
}

void os_unmap(void *data, size_t size)
{
	(void)size;
	free(data);
}
