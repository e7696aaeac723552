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
#define FAKE_EPOCH (1795226400 * FAKE_SECOND) /* initial time of day, 1000 s after boot */

/* Resets everything. Only init and FAKE_SELF, the calling process, exist then, without files and faults. Ends the test
 * if the sampler has leaked memory or descriptors. */
void fake_reset(void);

/* Kills the sampler's process. Its memory and descriptors are gone, but its files stay. */
void fake_kill_self(void);

/* -- faults; a negative number means never -- */

struct fake_faults {
	int64_t maps_left;        /* mappings that succeed before all fail */
	int64_t descriptors_left; /* files that can be opened before all fail */
	int64_t disk_left;        /* bytes that can be written before the disk is full */
	int read_error;           /* error of process_read for every process, or 0 */
	int descriptor_limit;     /* result of os_descriptor_limit, or 0 for the usual one */
	int list_error;           /* error of process_list, or 0 */
	size_t list_cut;          /* number of processes that a failing process_list still lists */
	int64_t write_ns;         /* duration of a write to an open file */
	int64_t write_queued_ns;  /* part of that time in which the thread waits for a CPU */
	bool no_waiting;          /* process_follow and os_wait_for_end are unsupported */
};
extern struct fake_faults fake_faults;

/* Called before each reading of a process or file, unless NULL. Processes can act in it while the sampler reads. */
extern void (*fake_meanwhile)(void);

/* -- memory of a process, from which peek_read copies -- */

struct fake_memory {
	int pid;
	const char *path; /* the only mapped file, at the beginning of memory */
	uint64_t at;
	const void *data;
	size_t size;
	unsigned reads;
	void (*after_read)(void); /* called after each range, or NULL */
	const char *file_path;    /* path of the only file that the process can read */
	const char *file;         /* content of this file */
	size_t file_length;
};
extern struct fake_memory fake_memory;

/* -- time -- */

void fake_pass(int64_t ns);
void fake_set_time_of_day(int64_t ns);

/* -- processes -- */

struct fake_process {
	int signal; /* the last signal sent by process_signal, which has no effect */
	struct process_id id;
	int ppid;
	uint64_t used[COUNTER_COUNT];   /* usage of the process itself */
	uint64_t reaped[COUNTER_COUNT]; /* usage of the children that it reaped, including that of their children */
	bool has_reaped;
	bool zombie;
	uint32_t wait_status;
	int64_t ends_ns;       /* time at which the process ends during os_wait_for_end, since boot, or 0 if never */
	unsigned lingers;      /* number of readings after its end that still show it alive */
	bool ends;             /* its end has been reported */
	bool ignores_children; /* its children end without being reaped, as with SIGCHLD ignored */
	bool adopts;           /* it is a subreaper */
	bool grouped;          /* it is in the control group of FAKE_SELF */
	bool lodges;           /* it shares its parent's memory */
	bool io_hidden;
	bool gone; /* it ends before its memory is read */
	uint64_t rss_kib;
	uint64_t pss_kib;
	uint64_t own_kib;  /* private memory */
	uint64_t file_kib; /* file pages; PSS counts half of them */
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
	int64_t energy_nj;
	int64_t pss_cost_ns; /* duration of a reading of its PSS */
	unsigned pss_readings;
	unsigned own_counts;
	unsigned readings; /* number of times that process_read returned its figures */
};

/* CPU time of FAKE_SELF's control group, or 0 if the system has no control groups. fake_reset resets it. */
extern uint64_t fake_group_ns;

/* Whether readings include the CPU clock, and the system counts process births. If so, a sampler knows which processes
 * did not run. If not, a test may change any figure of a process that does not run. */
extern bool fake_clocks;
extern unsigned fake_renewals; /* number of times that a process list was renewed without reading it */

/* Whether the system does not report the bytes read and written by processes, like macOS. fake_reset resets it. */
extern bool fake_tells_no_chars;

/* Makes a child of `ppid` with the next pid, or with `pid`, which must be free. The child starts now. The result is
 * valid until it is reaped. */
struct fake_process *fake_fork(int ppid);
struct fake_process *fake_fork_as(int pid, int ppid);
struct fake_process *fake_process(int pid); /* NULL if it does not exist */

int fake_child(int parent, int before); /* the first child with a pid above `before`, zombies included, or 0 */

/* Turns the process into a zombie. Its children go to the nearest subreaper, or to init, which reaps at once. */
void fake_exit(int pid, uint32_t wait_status);
/* Lets the parent of the zombie reap it. */
void fake_reap(int pid);
/* Ends the process and lets its parent reap it. */
void fake_end(int pid, uint32_t wait_status);

/* Usage of the tracker. It belongs to a thread in process `fake_host`, or to a separate process if `fake_host` is 0. */
extern uint64_t fake_tracker[COUNTER_COUNT];
extern int64_t fake_queued_ns; /* time for which the tracker has waited for a CPU */
extern int fake_host;

/* -- files: all paths are absolute -- */

void fake_directory(const char *path);
void fake_write(const char *path, const char *content);
const char *fake_read(const char *path);      /* NULL if missing; valid until it changes */
void fake_cut(const char *path, long length); /* truncates to `length` bytes, or by -`length` bytes if negative */
unsigned fake_descriptors(void);

#endif
