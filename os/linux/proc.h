/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a process in /proc, for process.c and usage.c. Pid 0 is the calling process. */
#ifndef RTRACK_OS_LINUX_PROC_H
#define RTRACK_OS_LINUX_PROC_H

#include "core/figures.h"
#include "os/error.h"
#include "os/linux/parse.h"

enum { PROC_TEXT_MAX = 1024 };

/* USER_HZ (sysconf(_SC_CLK_TCK)) is part of the kernel's ABI; it is 100 on x86-64 and aarch64. */
#define NS_PER_TICK 10000000

/* How far the boot clock of this time namespace is ahead of the machine's (os_learn_time). */
extern int64_t clock_ahead_ns;

/* Returns whether children are created in the calling process's time namespace. */
bool process_shares_time_with_children(void);

/* Returns the pid of the calling process according to /proc, or 0 if unknown. If it differs from the real pid, /proc
 * belongs to another PID namespace. Then only pid 0 is read, until the next call. The first access to another pid also
 * calls this function. */
uint64_t proc_look(void);

/* Appends "/proc/PID/NAME", or nothing if /proc is unusable for this pid. */
char *proc_path(struct buffer *out, int pid, const char *name);

/* Returns the page size in KiB: 4 on x86-64; 4, 16 or 64 on aarch64. */
uint64_t proc_page_kib(void);

/* Reads a file in /proc/PID with one read. */
int64_t proc_read(int pid, const char *name, char *data, size_t capacity);

/* Writes the path of a thread's file, for proc_read. */
const char *proc_of_thread(struct buffer *out, uint64_t thread, const char *name);

/* As proc_read, for a file of the oldest thread other than the main thread. If only the main thread has ended, its
 * files show no memory, but those of other threads do. */
int64_t proc_read_other(int pid, const char *name, char *data, size_t capacity);

/* CPU and queueing time of a thread in ns. `pid` 0 is the calling process. Returns false if unknown. */
struct schedstat {
	uint64_t used_ns;   /* time on a CPU */
	uint64_t queued_ns; /* time waiting for a CPU */
};
bool proc_read_schedstat(int pid, uint64_t thread, struct schedstat *schedstat);

/* Returns the number after a key in /proc/PID/status, or 0 if there is none. */
uint64_t proc_read_status(int pid, const char *key);

/* Returns the inode number of a file in /proc/PID, or 0 if unknown. For "", of the directory itself. */
uint64_t proc_inode(int pid, const char *file);

/* A line of /proc/PID/maps: "from-to rwxp offset device inode path", with addresses and offset in bytes. */
struct mapping {
	uint64_t from, to;
	uint64_t offset;
	bool touchable; /* readable or writable */
	bool shared;    /* MAP_SHARED, so that writes are visible to other processes */
	struct text device, inode;
	struct text path; /* empty if anonymous */
};

/* Iterates over the mappings of a process in the order of their addresses. `data` is a buffer for the kernel's text.
 * Lines longer than the buffer are skipped. */
struct mappings {
	int file; /* descriptor, or a negative os_error */
	struct buffer data;
	struct text text; /* the text that was read last */
	size_t at;        /* offset of the next line in `text` */
	uint64_t offset;  /* file offset after `text` */
	bool too_long;    /* the next line continues a line that is too long, and is skipped */
};
void proc_open_mappings(struct mappings *mappings, int pid, struct buffer data);
bool proc_next_mapping(struct mappings *mappings, struct mapping *mapping);

/* Reads and parses /proc/PID/stat. OS_ERROR_MISSING and OS_ERROR_NO_PROCESS: the process does not exist. If the main
 * thread has ended, memory and addresses come from another thread. */
int proc_read_stat(int pid, struct stat_fields *fields);

/* Reads the counters from COUNTER_DISK_READ to COUNTER_WRITE_CHARS. `name` is "io" or "task/TID/io". */
int proc_read_io(int pid, const char *name, uint64_t counters[COUNTER_COUNT]);
int proc_parse_io(struct text text, uint64_t counters[COUNTER_COUNT]);

#endif
