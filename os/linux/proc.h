/* The files of a process under /proc, as process.c and usage.c read them. Pid 0 is the calling process. */
#ifndef RTRACK_OS_LINUX_PROC_H
#define RTRACK_OS_LINUX_PROC_H

#include "core/figures.h"
#include "os/error.h"
#include "os/linux/parse.h"

enum { PROC_TEXT_MAX = 1024 };

/* USER_HZ (sysconf(_SC_CLK_TCK)) is part of the kernel's interface and is 100 on x86-64 and aarch64. */
#define NS_PER_TICK 10000000

/* How far the kernel's clock since boot is ahead of the machine's for this process (os_learn_time). */
extern int64_t clock_ahead_ns;

/* Whether children begin in the time namespace that the calling process is in. */
bool process_shares_time_with_children(void);

/* The pid that /proc has for the calling process; 0: none, as where there is no /proc. Where it has another one, /proc
 * is of another PID namespace, and nothing is read there from then on of any pid but 0, until it is looked at again.
 * A first reading of another pid looks as well. */
uint64_t proc_look(void);

/* "/proc/PID/NAME"; or "" where nothing is to be read there. */
char *proc_path(struct buffer *out, int pid, const char *name);

/* The size of a page: 4 KiB on x86-64, 4, 16 or 64 KiB on aarch64. */
uint64_t proc_page_kib(void);

/* What the file gives with one read. */
int64_t proc_read(int pid, const char *name, char *data, size_t capacity);

/* The name of a thread's file, for proc_read. */
const char *proc_of_thread(struct buffer *out, uint64_t thread, const char *name);

/* What proc_read gives of the file of the oldest thread but the main one. A main thread that has ended, of a process
 * that goes on, tells nothing of the memory. The other threads tell it. */
int64_t proc_read_other(int pid, const char *name, char *data, size_t capacity);

/* What schedstat tells of a thread, in ns; pid 0: a thread of this process. False: it tells nothing. */
struct schedstat {
	uint64_t used_ns;   /* on a CPU */
	uint64_t queued_ns; /* waiting for one */
};
bool proc_read_schedstat(int pid, uint64_t thread, struct schedstat *schedstat);

/* The number behind a key of /proc/PID/status; 0 where there is none. */
uint64_t proc_read_status(int pid, const char *key);

/* The inode number of a file that /proc/PID has, or with "" of that directory; 0: unknown. */
uint64_t proc_inode(int pid, const char *file);

/* A line of /proc/PID/maps: "from-to rwxp offset device inode   path", addresses and offset in bytes. */
struct mapping {
	uint64_t from, to;
	uint64_t offset;
	bool touchable; /* it may be read or written */
	bool shared;    /* what is written to it others see, too (MAP_SHARED) */
	struct text device, inode;
	struct text path; /* empty: none */
};

/* The mappings of a process, in the order of their addresses. `data`: room for the texts of the kernel; a line that is
 * longer is left out. */
struct mappings {
	int file; /* negative: why it cannot be read */
	struct buffer data;
	struct text text; /* that was read last */
	size_t at;        /* where the next line of it begins */
	uint64_t offset;  /* behind it in the file */
	bool too_long;    /* the next line is the rest of one that is left out */
};
void proc_open_mappings(struct mappings *mappings, int pid, struct buffer data);
bool proc_next_mapping(struct mappings *mappings, struct mapping *mapping);

/* OS_ERROR_MISSING, OS_ERROR_NO_PROCESS: no process has that pid. Where the main thread of a process has ended, another
 * thread tells the memory and the addresses. */
int proc_read_stat(int pid, struct stat_fields *fields);

/* COUNTER_DISK_READ … COUNTER_WRITE_CHARS from "io" or "task/TID/io". */
int proc_read_io(int pid, const char *name, uint64_t counters[COUNTER_COUNT]);

#endif
