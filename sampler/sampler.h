/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler: the only code of a run that reads the machine and the members at each tick and writes system.csv,
 * process.csv and member.csv.
 *
 * It runs in the launcher's main loop, in the root's sampling thread, or in the keeper. It makes system calls only,
 * keeps its memory in mappings of its own, and holds a few descriptors, which the caller keeps out of the host's
 * descriptor table. It is not thread-safe.
 *
 * The order of a tick, which accounts.c explains:
 *
 *   sampler_tick                     sampler.c: reads both clocks
 *     members_measure_tracker        members.c: the tracker's own usage
 *     accounts_update                accounts.c, into the ledger (ledger.c)
 *       member_rows_read start.csv   member_rows.c: members that registered themselves, through record.c
 *       search_members               search.c: other members, from the list of all processes
 *       members_read                 members.c: a reading of each member
 *       ends_take_last_word          ends.c: in a keeper, the last word of a killed root (os/last_word.c)
 *       member_rows_read exit.csv    member_rows.c: members that ended with an exit row
 *       ends_find                    ends.c: members that ended without one; announce.c writes it
 *       account_living               accounts.c: usage of living members since the last tick
 *     accounts_close                 accounts.c, at the last tick: additional usage from wait4
 *     run_clock_row                  clock.c: the time of the row
 *     rows_write                     rows.c: the memory of each member (memory.c), then the rows of the three tables,
 *                                    with the figures of rtrack-gpu (gpus.c); after a slow write, ticks pause
 *                                    (backoff.c)
 *     lines_tick                     lines.c: the lines at which interpreters were since the last tick
 *     accounts_forget                accounts.c: removes ended members
 *     last_row_tick                  last_row.c: in the root, rewrites the last word, as sampler_renew_last_row does
 *                                    between ticks
 *
 * Before the first tick, sampler_open loads the state of an earlier sampler (resume.c). After the last one, run/end.c
 * completes run.json, or resume.c saves the state for the next sampler, which keeper.c runs. run/ creates, names and
 * ends runs. */
#ifndef RTRACK_SAMPLER_SAMPLER_H
#define RTRACK_SAMPLER_SAMPLER_H

#include "core/settings.h"
#include "os/process.h"
#include "os/system.h"
#include "sampler/place.h"

struct sampler;

struct sampler_options {
	enum sampler_place place;
	const char *directory;           /* the run's directory, absolute; copied */
	const struct settings *settings; /* MASK, MEMORY, SPOOL_MAX_MIB, MIN_SECONDS; used only during sampler_open */
	int64_t interval_ns;
	int root_pid;
	/* The root, and possibly its descendants, existed before the run; their earlier usage is excluded. */
	bool attached;
	/* COUNTER_COUNT figures of the tracker's earlier usage in the root, or NULL. Usage in earlier images of the
	 * root is added to them. */
	uint64_t *hosted;
};

/* Takes the run's lock and the baselines. Returns NULL if another sampler holds the lock or a resource is missing; the
 * job then runs without samples. */
struct sampler *sampler_open(const struct sampler_options *options);

/* Returns the time until the next tick (ns): the next multiple of the interval in time of day, or, after a slow write,
 * the end of the pause. */
int64_t sampler_wait_ns(const struct sampler *sampler);

/* Reads members that are zombies now, before they are reaped, for the next tick. Call it when a member has just
 * ended. */
void sampler_catch(struct sampler *sampler);

/* Makes one tick: one row in system.csv and in process.csv, and rows in member.csv. */
void sampler_tick(struct sampler *sampler);

/* In the root, rewrites the last word between two ticks that are further apart than sampler_renewal_ns. */
void sampler_renew_last_row(struct sampler *sampler);

/* Time between two rewrites: 50 ms or 1 % of the root's age, whichever is more. From an age of 100 s on, only ticks
 * rewrite it. */
#define SAMPLER_RENEWAL_NS 50000000
int64_t sampler_renewal_ns(const struct sampler *sampler);

/* Returns when to call sampler_lines (ns since boot), or INT64_MAX if there are no interpreters. sampler_lines samples
 * their current lines. */
int64_t sampler_lines_ns(const struct sampler *sampler);
void sampler_lines(struct sampler *sampler);

/* In the root, before a guard is started: writes the checkpoint from which it continues if the root is killed. From
 * then on, ticks renew it. */
void sampler_checkpoint(struct sampler *sampler);

/* How a child of the launcher ended, with the kernel's account, which includes reaped children. */
struct child_end {
	int pid;
	int exit_code;        /* -1 if it was killed by a signal */
	int exit_signal;      /* 0 if it exited */
	uint64_t peak_kib;    /* largest peak of the child and its reaped children; 0 if unknown */
	uint64_t read_bytes;  /* read from disks, including reaped children; UINT64_MAX if unknown */
	uint64_t write_bytes; /* written to disks, including reaped children; UINT64_MAX if unknown */
};

/* Reads the final figures of a child of the launcher, and writes its exit row unless the child wrote one itself. Call
 * it between waitid(WNOWAIT) and wait4, while the /proc entry is readable. Returns false if the child belonged to the
 * tracker of a nested run; then do not call sampler_reaped for it. */
bool sampler_ended(struct sampler *sampler, const struct child_end *end);

/* Adds what wait4 returned for a child, including its reaped children: the kernel's account, to which the totals are
 * raised at the end, and their largest peak. */
void sampler_reaped(struct sampler *sampler, int64_t utime_ns, int64_t stime_ns, uint64_t peak_kib);

/* In a keeper that has waited for the root's end: passes the descriptor that process_follow returned for the root. */
void sampler_take_followed(struct sampler *sampler, int followed);

/* Registers the pid of a helper, which is not a member; 0 if it has ended. */
void sampler_set_helper(struct sampler *sampler, enum sampler_helper helper, int pid);

/* Returns, after a tick, whether rtrack-gpu should be started now and registered as SAMPLER_HELPER_GPU: there are GPUs
 * or energy counters, and it is not running. Returns true at most twice in the life of a sampler. */
bool sampler_wants_gpu(struct sampler *sampler);

/* Returns whether the run's directory still exists. */
bool sampler_has_run(const struct sampler *sampler);

/* Returns the number of members alive at the last tick, and stores the pids of the first `capacity`. */
size_t sampler_alive(const struct sampler *sampler, int *pids, size_t capacity);

/* Returns the memory in MiB that the living members needed at the last tick (core/needed.h). */
double sampler_needed_mib(const struct sampler *sampler);

/* Returns the memory that the members which are still alive need now. Walks the page tables of each, regardless of the
 * cost, for memory that was given back by MADV_FREE. */
double sampler_needed_now_mib(const struct sampler *sampler);

/* Searches for members, sends `signal` (0 for none) to each living member, and returns their number. */
size_t sampler_signal(struct sampler *sampler, int signal);

/* In the launcher in a time namespace, before the command starts: writes the root's start row in the machine's clock.
 * From others' rows, a process of the run learns that its own clock differs. */
void sampler_tell_root(struct sampler *sampler);

/* In the launcher: records the count of out-of-memory kills, by which a reader can find that one of them ended the
 * launcher. */
void sampler_note_kills(struct sampler *sampler);

/* Records in run.json that this limit of rtrack-run, "memory" or "seconds", ended the run. */
void sampler_set_limit(struct sampler *sampler, const char *limit);

/* Ends sampling after the root has ended: writes the last row, which covers the rest of the interval, and run.json, and
 * releases everything from sampler_open. Removes the run if it was shorter than RTRACK_MIN_SECONDS. `exit_code`: -1 if
 * unknown. `exit_signal`: 0 if none.
 *
 * If other members are alive and `hand_over` is set, the run continues: run.json records how the root ended, the state
 * is saved in the run's directory, and true is returned. The caller must then arrange for keeper_run to be called in a
 * process that outlives it. */
bool sampler_finish(struct sampler *sampler, int exit_code, int exit_signal, bool hand_over);

/* In the root, when its thread has to disappear for a while: closes every descriptor, and keeps the other state in
 * memory. */
void sampler_pause(struct sampler *sampler);

/* Continues after sampler_pause, in any thread of the same process. `others`: COUNTER_COUNT figures that the calling
 * thread has used for something other than the tracker, or NULL. Returns false, with everything released, if another
 * sampler holds the run's lock or a resource is missing. */
bool sampler_go_on(struct sampler *sampler, const uint64_t *others);

/* Passes a run to a keeper while its root lives on: writes a row, saves the state, and releases everything. Returns
 * false if the state could not be saved. */
bool sampler_hand_over(struct sampler *sampler);

#endif
