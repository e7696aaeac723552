/* SPDX-License-Identifier: Apache-2.0 */
/* An operating system in memory: os/ as the unit tests of the sampler link it, in place of os/$(PLATFORM).
 *
 * Nothing happens in it but what a test says: time stands still, processes are born, work and end by the calls below,
 * files are a table. It keeps the kernel's own account of what each used and which reaped which, so that a test can
 * hold the sampler's rows against it. What the sampler does wrong with the system itself (memory given back with
 * another size, a descriptor closed twice) ends the test. */
#ifndef RTRACK_TESTS_FAKE_OS_H
#define RTRACK_TESTS_FAKE_OS_H

#include "core/figures.h"
#include "os/error.h"
#include "os/peek.h"
#include "os/process.h"

enum { FAKE_INIT = 1, FAKE_SELF = 50, FAKE_CPUS = 4 };

#define FAKE_SECOND ((int64_t)1000000000)
#define FAKE_MS ((uint64_t)1000000)
#define FAKE_EPOCH (1795226400 * FAKE_SECOND) /* the time of day at first, 1000 s after boot */

/* Takes everything back to the beginning: init and FAKE_SELF, which is the calling process, no files, no faults.
 * Ends the test if memory or descriptors of the sampler's are left. */
void fake_reset(void);

/* The sampler's process is killed: its memory and its descriptors are gone, and what it wrote stays. */
void fake_kill_self(void);

/* -- what goes wrong: negative is never -- */

struct fake_faults {
	int64_t maps_left;        /* mappings that succeed before all fail */
	int64_t descriptors_left; /* files that can be opened before all fail */
	int64_t disk_left;        /* bytes that can be written before the disk is full */
	int read_error;           /* what process_read says of every process, if it is not 0 */
	int descriptor_limit;     /* what os_descriptor_limit says, if it is not 0 */
	int list_error;           /* what process_list says, if it is not 0 */
	size_t list_cut;          /* … having named so many processes */
	int64_t write_ns;         /* how long a write to an open file takes */
	int64_t write_queued_ns;  /* … of which the thread waits for a processor */
	bool no_waiting;          /* process_follow and os_wait_for_end are unsupported */
};
extern struct fake_faults fake_faults;

/* Called before each look at a process or at a file, if it is not NULL: the world moves on while the sampler looks. */
extern void (*fake_meanwhile)(void);

/* -- memory of a process, which peek_read copies -- */

struct fake_memory {
	int pid;
	const char *path; /* of the only file that it has mapped, at its beginning */
	uint64_t at;
	const void *data;
	size_t size;
	unsigned reads;
	void (*after_read)(void); /* after each range, if it is not NULL */
	const char *file_path;    /* of the only file that it can read, */
	const char *file;         /* what is in that */
	size_t file_length;
};
extern struct fake_memory fake_memory;

/* -- time -- */

void fake_pass(int64_t ns);
void fake_set_time_of_day(int64_t ns);

/* -- processes -- */

struct fake_process {
	int signal; /* the last that process_signal sent; nothing follows from it */
	struct process_id id;
	int ppid;
	uint64_t used[COUNTER_COUNT];   /* by itself */
	uint64_t reaped[COUNTER_COUNT]; /* by the children that it reaped, and theirs */
	bool has_reaped;
	bool zombie;
	uint32_t wait_status;
	int64_t ends_ns;       /* since boot: then it ends while os_wait_for_end waits for it; 0: it does not */
	unsigned lingers;      /* how often process_read tells of it as if it lived after that */
	bool ends;             /* it is heard to have ended */
	bool ignores_children; /* what ends goes by it unreaped */
	bool adopts;           /* it is a sub-reaper */
	bool grouped;          /* it is in the control group of FAKE_SELF */
	bool lodges;           /* in its parent's memory */
	bool io_hidden;
	bool gone; /* it ends before its memory is read */
	uint64_t rss_kib;
	uint64_t pss_kib;
	uint64_t own_kib;  /* what it shares with no other */
	uint64_t file_kib; /* pages of files, shared ones in full; in PSS they count half */
	uint64_t mapped_kib;
	uint64_t swap_kib;
	uint64_t peak_kib;
	uint64_t minor_faults; /* 0: unknown */
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
	unsigned readings; /* how often process_read told its figures */
};

/* What the control group of FAKE_SELF has used; 0: the system has no groups. fake_reset sets it back. */
extern uint64_t fake_group_ns;

/* Whether readings have the CPU clock in them, and the tally can be read: by both a sampler knows what stays as it is.
 * Off, a test may change what it likes of a process that does not run. */
extern bool fake_clocks;
extern unsigned fake_renewals; /* how often a list was brought up to date without being read */

/* Whether the system tells of no process what its calls read and wrote, as macOS. fake_reset sets it back. */
extern bool fake_tells_no_chars;

/* A child of `ppid`; the pid is the next one, or `pid`, which must be free. Its start is the time by then. The result
 * is valid until it is reaped. */
struct fake_process *fake_fork(int ppid);
struct fake_process *fake_fork_as(int pid, int ppid);
struct fake_process *fake_process(int pid); /* NULL: there is none */

int fake_child(int parent, int before); /* its first child after that pid, a zombie too; 0: there is none */

/* It becomes a zombie, and its children those of the nearest sub-reaper or of init, which reaps at once. */
void fake_exit(int pid, uint32_t wait_status);
/* Its parent reaps it. */
void fake_reap(int pid);
/* Both. */
void fake_end(int pid, uint32_t wait_status);

/* Of the tracker's thread in the process `fake_host`, or of a process of its own if that is 0. */
extern uint64_t fake_tracker[COUNTER_COUNT];
extern int64_t fake_queued_ns; /* what it has waited for a processor */
extern int fake_host;

/* -- files: all paths are absolute -- */

void fake_directory(const char *path);
void fake_write(const char *path, const char *content);
const char *fake_read(const char *path);      /* NULL: there is none; valid until it changes */
void fake_cut(const char *path, long length); /* to so many bytes; negative: by so many */
unsigned fake_descriptors(void);

#endif
