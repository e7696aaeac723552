/* SPDX-License-Identifier: Apache-2.0 */
/* An operating system in memory, which the sampler's unit tests link in place of os/$(PLATFORM).
 *
 * Only the test makes things happen in it: time stands still, the calls below make processes start, work and end,
 * and files are a table. It keeps the kernel's account of what each process used and who reaped whom, for comparison
 * with the sampler's rows. If the sampler misuses the system itself (frees memory with another size, or closes a
 * descriptor twice), the test ends. */
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

/* Resets everything: only init and FAKE_SELF, the calling process, exist, without files and faults. Ends the test if
 * the sampler has leaked memory or descriptors. */
void fake_reset(void);

/* Kills the sampler's process: its memory and descriptors are gone, its files stay. */
void fake_kill_self(void);

/* -- faults; a negative number means never -- */

struct fake_faults {
	int64_t maps_left;        /* mappings that succeed before all fail */
	int64_t descriptors_left; /* files that can be opened before all fail */
	int64_t disk_left;        /* bytes that can be written before the disk is full */
	int read_error;           /* error of process_read for every process, or 0 */
	int descriptor_limit;     /* result of os_descriptor_limit, or 0 for the usual one */
	int list_error;           /* error of process_list, or 0 */
	size_t list_cut;          /* processes that a failing process_list still lists */
	int64_t write_ns;         /* how long a write to an open file takes */
	int64_t write_queued_ns;  /* … of which the thread waits for a CPU */
	bool no_waiting;          /* process_follow and os_wait_for_end are unsupported */
};
extern struct fake_faults fake_faults;

/* Called before each reading of a process or file, or NULL. It lets processes act while the sampler reads. */
extern void (*fake_meanwhile)(void);

/* -- memory of a process, which peek_read copies -- */

struct fake_memory {
	int pid;
	const char *path; /* the only mapped file, at the beginning of memory */
	uint64_t at;
	const void *data;
	size_t size;
	unsigned reads;
	void (*after_read)(void); /* called after each range, or NULL */
	const char *file_path;    /* path of the only file that it can read */
	const char *file;         /* content of that file */
	size_t file_length;
};
extern struct fake_memory fake_memory;

/* -- time -- */

void fake_pass(int64_t ns);
void fake_set_time_of_day(int64_t ns);

/* -- processes -- */

struct fake_process {
	int signal; /* the last signal of process_signal; it has no effect */
	struct process_id id;
	int ppid;
	uint64_t used[COUNTER_COUNT];   /* by the process itself */
	uint64_t reaped[COUNTER_COUNT]; /* by the children that it reaped, including theirs */
	bool has_reaped;
	bool zombie;
	uint32_t wait_status;
	int64_t ends_ns;       /* when it ends during os_wait_for_end, since boot, or 0 if never */
	unsigned lingers;      /* how many readings after its end still show it alive */
	bool ends;             /* its end has been reported */
	bool ignores_children; /* its children end without being reaped */
	bool adopts;           /* it is a subreaper */
	bool grouped;          /* it is in the control group of FAKE_SELF */
	bool lodges;           /* it lives in its parent's memory */
	bool io_hidden;
	bool gone; /* it ends before its memory is read */
	uint64_t rss_kib;
	uint64_t pss_kib;
	uint64_t own_kib;  /* private memory */
	uint64_t file_kib; /* file pages, shared ones in full; PSS counts half of them */
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
	int64_t pss_cost_ns; /* how long reading its PSS takes */
	unsigned pss_readings;
	unsigned own_counts;
	unsigned readings; /* how often process_read returned its figures */
};

/* CPU time of FAKE_SELF's control group, or 0 if the system has no groups. fake_reset resets it. */
extern uint64_t fake_group_ns;

/* Whether readings include the CPU clock, and the tally is readable. With both, a sampler knows which processes did
 * not run. Without them, a test may change any figure of a process that does not run. */
extern bool fake_clocks;
extern unsigned fake_renewals; /* how often a list was renewed without being read */

/* Whether the system does not report read and written chars of any process, like macOS. fake_reset resets it. */
extern bool fake_tells_no_chars;

/* Makes a child of `ppid` with the next pid, or with `pid`, which must be free. It starts now. The result is valid
 * until it is reaped. */
struct fake_process *fake_fork(int ppid);
struct fake_process *fake_fork_as(int pid, int ppid);
struct fake_process *fake_process(int pid); /* NULL if it does not exist */

int fake_child(int parent, int before); /* the first child after pid `before`, zombies included, or 0 */

/* Makes it a zombie. Its children go to the nearest subreaper or to init, which reaps at once. */
void fake_exit(int pid, uint32_t wait_status);
/* Lets its parent reap it. */
void fake_reap(int pid);
/* Ends it and lets its parent reap it. */
void fake_end(int pid, uint32_t wait_status);

/* Usage of the tracker: of a thread in process `fake_host`, or of a separate process if that is 0. */
extern uint64_t fake_tracker[COUNTER_COUNT];
extern int64_t fake_queued_ns; /* how long the tracker has waited for a CPU */
extern int fake_host;

/* -- files: all paths are absolute -- */

void fake_directory(const char *path);
void fake_write(const char *path, const char *content);
const char *fake_read(const char *path);      /* NULL if missing; valid until it changes */
void fake_cut(const char *path, long length); /* to that length, or by that many bytes if negative */
unsigned fake_descriptors(void);

#endif
