/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated operating system, which the sampler's unit tests link instead of os/$(PLATFORM).
 * Only the test makes things happen in it. Time stands still, the calls below make processes start, work and end, and
 * files are a table. It keeps the kernel's account: what each process used, and which process reaped it. The tests
 * compare this account with the sampler's rows. If the sampler itself misuses the system (frees memory with another
 * size, or closes a descriptor twice), the test ends. */
#ifndef RTRACK_TESTS_FAKE_OS_H
#define RTRACK_TESTS_FAKE_OS_H

#include "core/figures.h"
#include "os/error.h"
#include "os/peek.h"
#include "os/process.h"

enum { FAKE_INIT = 1, FAKE_SELF = 50, FAKE_CPUS = 4 };

#define FAKE_SECOND ((int64_t)1000000000)
#define FAKE_MS ((uint64_t)1000000)
#define FAKE_EPOCH (1795226400 * FAKE_SECOND) /* initial time of day; the machine booted 1000 s earlier */

/* Resets the simulated system. It then has two processes, init and the calling process FAKE_SELF, and no files or
 * faults. Ends the test if the sampler has leaked memory or descriptors. */
void fake_reset(void);

/* Kills the process of the sampler. Its memory and descriptors are freed, but its files remain. */
void fake_kill_self(void);

/* -- faults; a negative number means never -- */

struct fake_faults {
	int64_t maps_left;        /* number of mappings that succeed before all others fail */
	int64_t descriptors_left; /* number of files that can be opened before all others fail */
	int64_t disk_left;        /* number of bytes that can be written before the disk is full */
	int read_error;           /* error that process_read returns for every process, or 0 */
	int descriptor_limit;     /* result of os_descriptor_limit, or 0 for the default */
	int list_error;           /* error that process_list returns, or 0 */
	size_t list_cut;          /* number of processes that process_list lists before it fails */
	int64_t write_ns;         /* duration of a write to an open file */
	int64_t write_queued_ns;  /* part of write_ns in which the thread waits for a CPU */
	bool no_waiting;          /* process_follow and os_wait_for_end are unsupported */
};
extern struct fake_faults fake_faults;

/* Function that is called before each reading of a process or file, or NULL. In it, a test can make processes act while
 * the sampler reads. */
extern void (*fake_meanwhile)(void);

/* -- memory of a process, from which peek_read copies -- */

struct fake_memory {
	int pid;
	const char *path; /* path of the only mapped file, which is mapped at the beginning of the memory */
	uint64_t at;
	const void *data;
	size_t size;
	unsigned reads;
	void (*after_read)(void); /* called after each range is copied, or NULL */
};
extern struct fake_memory fake_memory;

/* -- time -- */

void fake_pass(int64_t ns);
void fake_set_time_of_day(int64_t ns);

/* -- processes -- */

struct fake_process {
	int signal; /* last signal that process_signal sent; signals have no effect */
	struct process_id id;
	int ppid;
	uint64_t used[COUNTER_COUNT];   /* usage of the process itself */
	uint64_t queued_ns;             /* time that its threads have waited for a CPU */
	uint64_t reaped[COUNTER_COUNT]; /* usage of reaped children, including the children that they reaped */
	bool has_reaped;
	bool zombie;
	uint32_t wait_status;
	int64_t ends_ns;       /* time since boot at which os_wait_for_end ends the process, or 0 */
	unsigned lingers;      /* number of readings that show the process alive after its end */
	bool ends;             /* the end of the process has been reported */
	bool ignores_children; /* the process ignores SIGCHLD, so its children end without being reaped */
	bool adopts;           /* it is a subreaper */
	bool grouped;          /* the process is in the control group of FAKE_SELF */
	bool lodges;           /* the process shares the memory of its parent */
	bool io_hidden;
	bool gone; /* the process ends before its memory is read */
	uint64_t rss_kib;
	uint64_t pss_kib;
	uint64_t own_kib;  /* private memory */
	uint64_t file_kib; /* file pages; half of them are included in the PSS */
	uint64_t mapped_kib;
	uint64_t swap_kib;
	uint64_t peak_kib;
	uint64_t minor_faults; /* 0 if unknown */
	uint32_t threads;
	uint64_t image;
	uint64_t identity;
	const char *exe;
	const char *command;
	const char *environment; /* a single variable */
	const char *output;      /* content of the file to which its stdout refers, or NULL if it is not a file */
	int64_t energy_nj;
	int64_t pss_cost_ns; /* time that it takes to read the PSS of the process */
	unsigned pss_readings;
	unsigned own_counts;
	unsigned readings; /* number of times that process_read has read the process */
};

/* CPU time of the control group of FAKE_SELF, or 0 if the system has no control groups. fake_reset sets it to 0. */
extern uint64_t fake_group_ns;

/* True if readings include the CPU clock and the system counts process births. The sampler then knows which processes
 * did not run. If false, a test may change the figures of a process that does not run. */
extern bool fake_clocks;
extern unsigned fake_renewals; /* number of successful calls of process_list_renew */

/* True if the system does not report the bytes that processes read and write, like macOS. fake_reset makes it false. */
extern bool fake_tells_no_chars;

/* Make a child of `ppid` that starts now. Its pid is the next free pid, or `pid`, which must be free. The result is
 * valid until the child is reaped. */
struct fake_process *fake_fork(int ppid);
struct fake_process *fake_fork_as(int pid, int ppid);
struct fake_process *fake_process(int pid); /* returns NULL if the process does not exist */

int fake_child(int parent, int before); /* returns the first child with a pid above `before`, or 0; includes zombies */

/* Turns a process into a zombie. The nearest subreaper adopts its children. If there is none, init adopts them, and
 * reaps those that have ended. */
void fake_exit(int pid, uint32_t wait_status);
/* Makes the parent of a zombie reap it. */
void fake_reap(int pid);
/* Ends a process and makes its parent reap it. */
void fake_end(int pid, uint32_t wait_status);

/* Usage of the tracker. The tracker is a thread of process `fake_host`, or a separate process if `fake_host` is 0. */
extern uint64_t fake_tracker[COUNTER_COUNT];
extern int64_t fake_queued_ns;     /* time for which the tracker has waited for a CPU */
extern int64_t fake_queue_cost_ns; /* CPU time of the tracker for each call of process_queued_ns */
extern int fake_host;

/* -- files: all paths are absolute -- */

void fake_directory(const char *path);
void fake_write(const char *path, const char *content);
const char *fake_read(const char *path);      /* NULL if missing; valid until the file changes */
void fake_cut(const char *path, long length); /* truncates to `length` bytes, or by -`length` bytes if negative */
unsigned fake_descriptors(void);

#endif
