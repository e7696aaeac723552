/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of a process in /proc. */
#include "os/linux/proc.h"

#include "core/number.h"
#include "os/file.h"
#include "os/linux/listing.h"
#include "os/linux/sys.h"
#include "os/self.h"

/* The PID namespace to which /proc belongs: OURS is this process's own namespace. OTHERS is another one, so its pids
 * denote other processes. */
static enum { UNLOOKED, OURS, OTHERS } speaks_of;

uint64_t proc_look(void)
{
	char number[16];
	uint64_t pid = 0;
	int64_t length = os_read_link(OS_HERE, "/proc/self", number, sizeof number);

	if (length <= 0 || number_read_unsigned((struct text){number, (size_t)length}, &pid) != 0)
		pid = 0;
	speaks_of = pid != 0 && pid != (uint64_t)os_pid() ? OTHERS : OURS;
	return pid;
}

char *proc_path(struct buffer *out, int pid, const char *name)
{
	if (pid != 0 && speaks_of == UNLOOKED)
		(void)proc_look();
	/* The result is an empty path, which cannot be opened. */
	if (pid != 0 && speaks_of == OTHERS)
		return buffer_terminate(out);
	buffer_string(out, "/proc/");
	if (pid == 0)
		buffer_string(out, "self");
	else
		buffer_unsigned(out, (uint64_t)pid);
	buffer_byte(out, '/');
	buffer_string(out, name);
	return buffer_terminate(out);
}

int64_t proc_read(int pid, const char *name, char *data, size_t capacity)
{
	char path[64];
	struct buffer out = BUFFER(path);
	return os_read_once(OS_HERE, proc_path(&out, pid, name), data, capacity);
}

int64_t proc_read_regular(const char *path, char *data, size_t capacity)
{
	struct file_facts facts;
	int result = os_file_facts((struct text){NULL, 0}, path, &facts);

	if (result == 0 && facts.kind != FILE_REGULAR)
		result = OS_ERROR_OTHER;
	return result == 0 ? os_read(OS_HERE, path, data, capacity) : result;
}

const char *proc_of_thread(struct buffer *out, uint64_t thread, const char *name)
{
	buffer_string(out, "task/");
	buffer_unsigned(out, thread);
	buffer_byte(out, '/');
	buffer_string(out, name);
	return buffer_terminate(out);
}

/* Reads a file of the second thread in the list. This is the oldest thread other than the main thread, because the
 * kernel lists the main thread first, and then the others by age. */
int64_t proc_read_other(int pid, const char *name, char *data, size_t capacity)
{
	char path[48], listed[128] __attribute__((aligned(8)));
	struct buffer out = BUFFER(path);
	struct listing listing;
	uint64_t thread = 0;

	listing_open(&listing, proc_path(&out, pid, "task"), listed, sizeof listed);
	for (int i = 0; i < 2; i++)
		(void)listing_next_number(&listing, &thread);
	(void)listing_close(&listing);
	out.length = 0;
	return proc_read(pid, proc_of_thread(&out, thread, name), data, capacity);
}

bool proc_read_schedstat(int pid, uint64_t thread, struct schedstat *schedstat)
{
	char name[48], data[64];
	struct buffer out = BUFFER(name);
	const char *file = thread != 0 ? proc_of_thread(&out, thread, "schedstat") : "schedstat";
	int64_t length = proc_read(pid, file, data, sizeof data);
	struct text text = {data, length > 0 ? (size_t)length : 0};
	size_t at = 0;

	return number_read_unsigned(parse_word(text, &at), &schedstat->used_ns) == 0 &&
	       number_read_unsigned(parse_word(text, &at), &schedstat->queued_ns) == 0;
}

/* Returns whether a line of /proc/PID/stat begins with this pid. */
static bool is_of(struct text line, int pid)
{
	uint64_t owner;
	return number_read_unsigned((struct text){line.data, text_find(line, ' ', 0)}, &owner) == 0 &&
	       owner == (uint64_t)pid;
}

/* Fills the memory fields from the line of another thread, because the line of a main thread that has ended does not
 * have them. */
static void read_memory(int pid, char text[PROC_TEXT_MAX], struct stat_fields *fields)
{
	struct stat_fields other;
	int64_t length = proc_read_other(pid, "stat", text, PROC_TEXT_MAX);

	if (length < 0 || parse_stat((struct text){text, (size_t)length}, &other) != 0)
		return;
	fields->rss_pages = other.rss_pages;
	fields->start_code = other.start_code;
	fields->start_stack = other.start_stack;
}

/* Reads the stat file of `pid`. If `pid` is 0, `self` is the pid of the calling process. */
static int read_stat(int pid, int self, struct stat_fields *fields)
{
	char text[PROC_TEXT_MAX];
	/* qemu-user emulates /proc/self/stat, with a start time that differs from the kernel's. The main thread
	 * therefore reads its own stat file, which qemu-user does not emulate. proot emulates both files. */
	bool by_thread = pid == 0 && SYS_CALL0(__NR_gettid) == self;
	int64_t length = by_thread ? os_read_once(OS_HERE, "/proc/thread-self/stat", text, sizeof text)
				   : proc_read(pid, "stat", text, sizeof text);

	if (by_thread && length >= 0 && !is_of((struct text){text, (size_t)length}, self))
		length = proc_read(pid, "stat", text, sizeof text);
	if (length < 0)
		return (int)length;
	if (parse_stat((struct text){text, (size_t)length}, fields) != 0)
		return OS_ERROR_NO_PROCESS;
	if (fields->state == 'Z' && fields->threads > 1)
		read_memory(pid, text, fields);
	fields->start_ticks -= (uint64_t)(clock_ahead_ns / NS_PER_TICK);
	return 0;
}

int proc_read_stat(int pid, struct stat_fields *fields)
{
	return read_stat(pid, pid == 0 ? os_pid() : 0, fields);
}

int proc_read_own_stat(int self, struct stat_fields *fields)
{
	return read_stat(0, self, fields);
}

int proc_parse_io(struct text text, uint64_t counters[COUNTER_COUNT])
{
	static parse_key keys[] = {"rchar:", "wchar:", "read_bytes:", "write_bytes:"};
	uint64_t values[ARRAY_LENGTH(keys)] = {0};

	if (text.length == 0)
		return OS_ERROR_DENIED;
	parse_values(text, keys, ARRAY_LENGTH(keys), values);
	counters[COUNTER_READ_CHARS] = values[0];
	counters[COUNTER_WRITE_CHARS] = values[1];
	counters[COUNTER_DISK_READ] = values[2];
	counters[COUNTER_DISK_WRITE] = values[3];
	return 0;
}

int proc_read_io(int pid, const char *name, uint64_t counters[COUNTER_COUNT])
{
	char text[PROC_TEXT_MAX];
	int64_t length = proc_read(pid, name, text, sizeof text);

	return proc_parse_io((struct text){text, length > 0 ? (size_t)length : 0}, counters);
}
