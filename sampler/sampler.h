/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler: at each tick, it reads the machine and the members of a run, which are the run's processes, and writes
 * system.csv, process.csv and member.csv.
 *
 * It runs in the main loop of rtrack-run, in the sampling thread of the root, or in the keeper, a separate process. It
 * makes only system calls, and maps its own memory. The caller keeps its few descriptors out of the host's descriptor
 * table. It is not thread-safe.
 *
 * The order of a tick, which accounts.c explains:
 *
 *   sampler_tick                     sampler.c: reads both clocks
 *     members_measure_tracker        members.c: the tracker's own usage
 *     accounts_update                accounts.c, into the ledger (ledger.c)
 *       member_rows_read start.csv   member_rows.c: members that registered themselves, through record.c
 *       search_members               search.c: other members, from the list of all processes
 *       members_read                 members.c: a reading of each member
 *       ends_take_last_word          ends.c: in a keeper, the final record of a killed root (os/last_word.c)
 *       member_rows_read exit.csv    member_rows.c: members that ended with an exit row
 *       ends_find                    ends.c: members that ended without an exit row; announce.c writes the row
 *       account_living               accounts.c: usage of living members since the last tick
 *     accounts_close                 accounts.c, at the last tick: additional usage from wait4
 *     run_clock_row                  clock.c: the time of the row
 *     rows_write                     rows.c: the memory of each member (memory.c), then the rows of the three tables,
 *                                    with the figures of rtrack-gpu (gpus.c); after a slow write, ticks pause
 *                                    (backoff.c)
 *     lines_tick                     lines.c: the code lines that interpreters have executed since the last tick
 *     accounts_forget                accounts.c: removes ended members
 *     run_find_ray_job               run/ray.c: the job of a Ray worker, if it was unknown at the start
 *     last_row_tick                  last_row.c: in the root, rewrites the final record; between ticks,
 *                                    sampler_renew_last_row does
 *
 * Before the first tick, sampler_open loads the state of an earlier sampler, if there is one (resume.c). After the last
 * tick, run/end.c completes run.json, or resume.c saves the state for the next sampler, which keeper.c runs. The code
 * in run/ creates, finds and ends runs. */
#ifndef RTRACK_SAMPLER_SAMPLER_H
#define RTRACK_SAMPLER_SAMPLER_H

#include "core/settings.h"
#include "os/process.h"
#include "os/system.h"
#include "sampler/place.h"

struct sampler;

struct sampler_options {
	enum sampler_place place;
	const char *directory;           /* absolute path of the run's directory; sampler_open copies it */
	const struct settings *settings; /* needed only during sampler_open */
	int64_t interval_ns;
	int root_pid;
	/* The root, and perhaps its descendants, existed before the run. The run excludes their earlier usage. */
	bool attached;
	/* Output, or NULL: the tracker's earlier usage in the root, from before an exec (COUNTER_COUNT counters). */
	uint64_t *hosted;
};

/* Locks the run, and records the usage before it. Returns NULL if another sampler has locked the run or a resource is
 * missing; then the job runs without samples. */
struct sampler *sampler_open(const struct sampler_options *options);

/* Returns the time until the next tick in ns. Ticks are at multiples of the interval in time of day. After a slow
 * write, the next tick is at the end of the pause. */
int64_t sampler_wait_ns(const struct sampler *sampler);

/* Reads the processes that are zombies now, because they may be reaped before the next tick. Call it when a process has
 * just ended. */
void sampler_catch(struct sampler *sampler);

/* Makes one tick: writes one row of system.csv and of process.csv, and rows of member.csv. */
void sampler_tick(struct sampler *sampler);

/* Called in the root: rewrites the final record (SPOOL_LAST_FILE) between two ticks that are more than
 * sampler_renewal_ns apart. */
void sampler_renew_last_row(struct sampler *sampler);

/* Time between two rewrites of the final record: 50 ms, or 1 % of the root's age if that is more. After 100 s, only
 * ticks rewrite it. */
#define SAMPLER_RENEWAL_NS 50000000
int64_t sampler_renewal_ns(const struct sampler *sampler);

/* sampler_lines samples the code lines of interpreters, and finds new interpreters. sampler_lines_ns returns when to
 * call it (ns since boot), or INT64_MAX if ticks suffice. */
int64_t sampler_lines_ns(const struct sampler *sampler);
void sampler_lines(struct sampler *sampler);

/* Called in the root, before a guard is started: writes the checkpoint from which the guard continues if the root is
 * killed. Ticks renew it. */
void sampler_checkpoint(struct sampler *sampler);

/* How a child of rtrack-run has ended, and the kernel's figures for it, which include reaped children. */
struct child_end {
	int pid;
	int exit_code;        /* exit status, or -1 if a signal killed the child */
	int exit_signal;      /* 0 if it exited */
	uint64_t peak_kib;    /* largest peak of the child and the children that it reaped; 0 if unknown */
	uint64_t read_bytes;  /* bytes read from disks, with reaped children; UINT64_MAX if unknown */
	uint64_t write_bytes; /* bytes written to disks, with reaped children; UINT64_MAX if unknown */
};

/* Reads the final figures of a child of rtrack-run, and writes its exit row if the child has written none. Call it
 * between waitid(WNOWAIT) and wait4, while /proc still has the child. Returns false if the child belonged to the
 * tracker of a nested run; then do not call sampler_reaped. */
bool sampler_ended(struct sampler *sampler, const struct child_end *end);

/* Adds the usage that wait4 has returned for a child, which includes the child's reaped children. At the end of the
 * run, the totals are raised to the sum of this usage. */
void sampler_reaped(struct sampler *sampler, int64_t utime_ns, int64_t stime_ns, uint64_t peak_kib);

/* Called in a keeper that has waited for the root's end: passes the descriptor of process_follow for the root. */
void sampler_take_followed(struct sampler *sampler, int followed);

/* Registers the pid of a process of the tracker, or 0 if that process has ended. */
void sampler_set_helper(struct sampler *sampler, enum sampler_helper helper, int pid);

/* Returns whether rtrack-gpu should be started now and registered as SAMPLER_HELPER_GPU. The result is true after a
 * tick if there are GPUs or energy counters and rtrack-gpu is not running. Each sampler returns true no more than
 * twice. */
bool sampler_wants_gpu(struct sampler *sampler);

/* Returns whether the run's directory still exists. */
bool sampler_has_run(const struct sampler *sampler);

/* Returns the number of processes alive at the last tick, and stores the pids of the first `capacity`. */
size_t sampler_alive(const struct sampler *sampler, int *pids, size_t capacity);

/* Returns the memory in MiB that the living processes needed at the last tick (core/needed.h). */
double sampler_needed_mib(const struct sampler *sampler);

/* Returns the memory in MiB that the processes alive at the last tick need now. Excludes memory freed with MADV_FREE.
 * To find that memory, the page tables of each process are walked, even if it takes long. */
double sampler_needed_now_mib(const struct sampler *sampler);

/* Searches for processes of the run, sends `signal` to each (0: sends nothing), and returns their number. */
size_t sampler_signal(struct sampler *sampler, int signal);

/* Called in rtrack-run before the command starts, if rtrack-run is in a time namespace. Writes the root's start row
 * with the time of the machine's clock. From this row, processes of the run learn that their own clock differs. */
void sampler_tell_root(struct sampler *sampler);

/* Called in rtrack-run: records the number of out-of-memory kills, so that a reader can find out whether such a kill
 * ended rtrack-run. */
void sampler_note_kills(struct sampler *sampler);

/* Records in run.json that a limit of rtrack-run has ended the run: "memory" or "seconds". */
void sampler_set_limit(struct sampler *sampler, const char *limit);

/* Ends sampling after the root has ended. Writes a last row for the rest of the interval, completes run.json, and
 * releases everything. Removes the run if it was shorter than RTRACK_MIN_SECONDS. `exit_code`: -1 if unknown.
 * `exit_signal`: 0 if none.
 *
 * If other processes are alive and `hand_over` is set, the run continues. run.json then contains how the root ended,
 * the state is saved, and the result is true. The caller must start a process that outlives it and calls keeper_run. */
bool sampler_finish(struct sampler *sampler, int exit_code, int exit_signal, bool hand_over);

/* Called in the root before its sampling thread ends temporarily. Closes every descriptor, and keeps other state in
 * memory. */
void sampler_pause(struct sampler *sampler);

/* Continues after sampler_pause, in any thread of the process. `others`: earlier usage of the calling thread that is
 * not the tracker's (COUNTER_COUNT counters), or NULL. Returns false if another sampler has locked the run or a
 * resource is missing; then everything is released. */
bool sampler_go_on(struct sampler *sampler, const uint64_t *others);

/* Hands a run over to a keeper while the root is alive: writes a row, saves the state, and releases everything. Returns
 * false if the state could not be saved. */
bool sampler_hand_over(struct sampler *sampler);

#endif
