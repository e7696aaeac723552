/* The sampler: the one place per run that reads the machine and the run's members at each tick and writes system.csv,
 * process.csv and member.csv.
 *
 * It runs in the launcher's main loop, in the root's sampler thread, or in the keeper. It makes system calls only,
 * keeps its memory in mappings of its own, and holds a few descriptors, which the caller keeps out of the host's table.
 * Not thread-safe: one caller at a time.
 *
 * The order of a tick, which accounts.c explains:
 *
 *   sampler_tick                 sampler.c: reads both clocks
 *     members_measure_tracker    members.c: what the tracker used itself
 *     accounts_update            accounts.c, into the ledger (ledger.c)
 *       hear_read start.csv      hear.c: members that announced themselves, through record.c
 *       search_members           search.c: other members, from the list of all processes
 *       members_read             members.c: a reading of each member
 *       ends_take_last_word      ends.c: in a keeper, what a killed root left behind (os/last.c)
 *       hear_read exit.csv       hear.c: members that ended with an exit row
 *       ends_find                ends.c: members that ended without one; announce.c writes it
 *       account_living           accounts.c: what the living used since the last tick
 *     accounts_close             accounts.c, at the last tick: what wait4 told beyond that
 *     run_clock_row              clock.c: the time of the row
 *     rows_write                 rows.c: the memory of each member (memory.c), then the rows of the three series, with
 *                                what rtrack-gpu tells (gpus.c)
 *                                each write of which may be followed by a rest (slow.c)
 *     lines_tick                 lines.c: the lines at which interpreters were since the last tick
 *     accounts_forget            accounts.c: ended members are dropped
 *     pulse_tick                 pulse.c: in the root, what is left behind if it is killed, which sampler_pulse renews
 *
 * Before the first tick sampler_open takes up what an earlier sampler left (resume.c); after the last, run/end.c closes
 * run.json, or resume.c saves the state for the next sampler, which keeper.c runs. run/ makes, names and ends runs. */
#ifndef RTRACK_SAMPLER_SAMPLER_H
#define RTRACK_SAMPLER_SAMPLER_H

#include "core/settings.h"
#include "os/process.h"
#include "os/system.h"
#include "sampler/place.h"

struct sampler;

struct sampler_options {
	enum sampler_place place;
	const char *directory;           /* the run's, absolute; copied */
	const struct settings *settings; /* MASK, MEMORY, SPOOL_MAX_MIB, MIN_SECONDS; only read during sampler_open */
	int64_t interval_ns;
	int root_pid;
	bool attached;    /* the root lives already, and so may what it has started: what these used before is not the
			   * run's */
	uint64_t *hosted; /* COUNTER_COUNT figures that the tracker used in the root before; may be NULL. What it used
			   * in earlier images is added to them */
};

/* Takes the run's lock and the baselines. NULL when another sampler holds the lock or a resource is missing:
 * the job then goes on without a series. */
struct sampler *sampler_open(const struct sampler_options *options);

/* How long to wait until the next tick (ns): until the first multiple of the interval after now, by the time of day. If
 * the spool answered slowly, after the rest that follows that. */
int64_t sampler_wait_ns(const struct sampler *sampler);

/* Reads the members that are zombies now, before they are reaped, for the next tick. To be called when some member has
 * just ended. */
void sampler_catch(struct sampler *sampler);

/* One tick: one row in system.csv and in process.csv, rows in member.csv. */
void sampler_tick(struct sampler *sampler);

/* In the root, between two ticks that are further apart than sampler_pulse_ns: renews what is left behind if the root
 * is killed now. */
void sampler_pulse(struct sampler *sampler);

/* The time between two of these: 50 ms or 1 % of the root's age, whichever is more. From 100 s on a root has ticks
 * alone. */
#define SAMPLER_PULSE_NS 50000000
int64_t sampler_pulse_ns(const struct sampler *sampler);

/* When sampler_lines is to be called (ns since boot): it looks at which lines interpreters are. INT64_MAX: there are
 * none. */
int64_t sampler_lines_ns(const struct sampler *sampler);
void sampler_lines(struct sampler *sampler);

/* In the root, before a guard is started: leaves what it goes on from if the root is killed, as ticks do from then on.
 */
void sampler_checkpoint(struct sampler *sampler);

/* How a child of the launcher ended, by the kernel's account, which has the children that it reaped as well. */
struct child_end {
	int pid;
	int exit_code;        /* -1: a signal ended it */
	int exit_signal;      /* 0: it ended by itself */
	uint64_t peak_kib;    /* of the largest of these processes; 0: unknown */
	uint64_t read_bytes;  /* from disks, as the next; UINT64_MAX: unknown */
	uint64_t write_bytes; /* to disks */
};

/* Takes the final figures of a child of the launcher, and writes its exit row unless it wrote one itself. To be called
 * between waitid(WNOWAIT) and wait4, while its /proc entry can still be read. False: it worked for the record of a run
 * inside this one, and does not count: sampler_reaped is not to be called for it. */
bool sampler_ended(struct sampler *sampler, const struct child_end *end);

/* Takes what wait4 told of a child, the children that it reaped included: the kernel's account, to which the totals are
 * brought up at the end, and the largest peak of any of those processes. */
void sampler_reaped(struct sampler *sampler, int64_t utime_ns, int64_t stime_ns, uint64_t peak_kib);

/* Hands over what process_follow gave of the root, in a keeper that waited for its end. */
void sampler_take_followed(struct sampler *sampler, int followed);

/* Names the pid of a helper, which is no member; 0: it has ended. */
void sampler_set_helper(struct sampler *sampler, enum sampler_helper helper, int pid);

/* After a tick: whether rtrack-gpu is to be started now, and told as SAMPLER_HELPER_GPU: there are GPUs or energy
 * counters, and it is not there, or has died. True twice in the life of a sampler at most. */
bool sampler_wants_gpu(struct sampler *sampler);

/* Whether the run's directory is still there. */
bool sampler_has_run(const struct sampler *sampler);

/* How many members were alive at the last tick, and the pids of the first `capacity` of them. */
size_t sampler_alive(const struct sampler *sampler, int *pids, size_t capacity);

/* MiB that the living members needed at the last tick (core/needed.h). */
double sampler_needed_mib(const struct sampler *sampler);

/* What those of them need now that still live: the memory of each is read, at whatever cost. */
double sampler_needed_now_mib(const struct sampler *sampler);

/* Looks for the members of now, sends `signal` (0: none) to each member that lives, and returns how many these
 * are. */
size_t sampler_signal(struct sampler *sampler, int signal);

/* In the launcher, before the command begins, in a time namespace: writes the root's start by the machine's clock. A
 * process of the run sees by the rows of others that its own clock is another. */
void sampler_tell_root(struct sampler *sampler);

/* In the launcher: leaves by what kills for lack of memory are counted, for a reader that finds that one ended the
 * launcher. */
void sampler_note_kills(struct sampler *sampler);

/* run.json will say that this limit of rtrack-run, "memory" or "seconds", ended the run. */
void sampler_set_limit(struct sampler *sampler, const char *limit);

/* Ends sampling when the root has ended: writes the last row, which covers the rest of an interval, and run.json, and
 * releases all that sampler_open took. Removes the run if it was shorter than RTRACK_MIN_SECONDS. exit_code -1:
 * unknown; exit_signal 0: none.
 *
 * If other members are alive and `hand_over` is set, the run goes on: run.json says how the root ended, the state is
 * saved in the run's directory, and true is returned. The caller must then see to it that keeper_run is called in a
 * process that outlives it. */
bool sampler_finish(struct sampler *sampler, int exit_code, int exit_signal, bool hand_over);

/* In the root, when its thread has to be gone for a while: closes every descriptor, and keeps the rest in memory. */
void sampler_pause(struct sampler *sampler);

/* Takes up what was paused, in any thread of the same process. `others` (COUNTER_COUNT figures; may be NULL): what the
 * calling thread used until now, if that was not for the tracker. False: another sampler holds the run's lock by now,
 * or a resource is missing; all is released. */
bool sampler_go_on(struct sampler *sampler, const uint64_t *others);

/* Leaves a run to a keeper while its root lives on: writes a row, saves the state, and releases everything. False when
 * the state could not be saved. */
bool sampler_hand_over(struct sampler *sampler);

#endif
