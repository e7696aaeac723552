/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a process in /proc, for process.c and usage.c. Pid 0 denotes the calling process. */
#ifndef RTRACK_OS_LINUX_PROC_H
#define RTRACK_OS_LINUX_PROC_H

#include "core/figures.h"
#include "os/error.h"
#include "os/linux/parse.h"

enum { PROC_TEXT_MAX = 1024 };

/* USER_HZ (sysconf(_SC_CLK_TCK)) is part of the kernel's ABI; it is 100 on x86-64 and aarch64. */
#define NS_PER_TICK 10000000

/* How far the boot clock of this time namespace is ahead of the machine's, in ns. os_learn_time sets it. */
extern int64_t clock_ahead_ns;

/* Returns whether children are created in the calling process's time namespace. */
bool process_shares_time_with_children(void);

/* Returns the pid of the calling process according to /proc, or 0 if it is unknown. If it differs from the real pid,
 * /proc belongs to another PID namespace. Until the next call, the other functions then read only pid 0. The first
 * access to another pid calls this function too. */
uint64_t proc_look(void);

/* Appends "/proc/PID/NAME". Appends nothing if /proc belongs to another PID namespace and the pid is not 0. */
char *proc_path(struct buffer *out, int pid, const char *name);

/* Returns the page size in KiB: 4 on x86-64; 4, 16 or 64 on aarch64. */
uint64_t proc_page_kib(void);

/* Reads a file in /proc/PID with one system call. */
int64_t proc_read(int pid, const char *name, char *data, size_t capacity);

/* Reads a file that another process has opened or named, if it is a regular one: reading from a pipe or a device would
 * consume its data. Returns the number of bytes, or a negative os_error. */
int64_t proc_read_regular(const char *path, char *data, size_t capacity);

/* Writes the path of a file of one thread, relative to /proc/PID, as proc_read needs it. */
const char *proc_of_thread(struct buffer *out, uint64_t thread, const char *name);

/* Reads a file of the oldest thread other than the main thread. If the main thread has ended before the others, its own
 * files contain no memory figures. */
int64_t proc_read_other(int pid, const char *name, char *data, size_t capacity);

/* CPU time and queueing time of a thread. */
struct schedstat {
	uint64_t used_ns;   /* time on a CPU */
	uint64_t queued_ns; /* time waiting for a CPU */
};
/* Reads the times of a thread; `thread` 0 is the main thread. `pid` 0 denotes the calling process. Returns false if the
 * times are unknown. */
bool proc_read_schedstat(int pid, uint64_t thread, struct schedstat *schedstat);

/* Returns the number after a key in /proc/PID/status, or 0 if there is none. */
uint64_t proc_read_status(int pid, const char *key);

/* Returns the inode number of a file in /proc/PID, or 0 if it is unknown. If `file` is "", returns the inode number of
 * the directory. */
uint64_t proc_inode(int pid, const char *file);

/* A line of /proc/PID/maps: "from-to rwxp offset device inode path", with addresses and offset in bytes. */
struct mapping {
	uint64_t from, to;
	uint64_t offset;
	bool touchable; /* readable or writable */
	bool shared;    /* whether the mapping is MAP_SHARED, so that other processes see its changes */
	struct text device, inode;
	struct text path; /* empty if anonymous */
};

/* State of an iteration over the mappings of a process. */
struct mappings {
	int file; /* descriptor, or a negative os_error */
	struct buffer data;
	struct text text; /* the part of the file that was read last */
	size_t at;        /* offset of the next line in `text` */
	uint64_t offset;  /* file offset after `text` */
	/* whether the text begins within a line that was too long, so that the rest of the line is skipped */
	bool too_long;
};
/* Iterate over the mappings of a process in the order of their addresses. `data` is a buffer for the text of
 * /proc/PID/maps. A line that is longer than the buffer is skipped. proc_next_mapping returns false at the end. */
void proc_open_mappings(struct mappings *mappings, int pid, struct buffer data);
bool proc_next_mapping(struct mappings *mappings, struct mapping *mapping);

/* Reads and parses /proc/PID/stat. If the process does not exist, returns OS_ERROR_MISSING or OS_ERROR_NO_PROCESS. If
 * the main thread has ended, memory and addresses are read from another thread. */
int proc_read_stat(int pid, struct stat_fields *fields);

/* Like proc_read_stat for the calling process, whose pid is `self`. Saves the system call that reads the pid. */
int proc_read_own_stat(int self, struct stat_fields *fields);

/* Reads the counters from COUNTER_DISK_READ to COUNTER_WRITE_CHARS. `name` is "io" or "task/TID/io". */
int proc_read_io(int pid, const char *name, uint64_t counters[COUNTER_COUNT]);
int proc_parse_io(struct text text, uint64_t counters[COUNTER_COUNT]);

#endif
