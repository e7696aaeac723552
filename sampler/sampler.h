/* The sampler: the one place per run that reads the machine and the run's members at each tick and
 * writes system.csv, process.csv and member.csv.
 *
 * It runs in the launcher's main loop, or in the root's sampler thread; it makes system calls only,
 * keeps its memory in mappings of its own, and holds a few descriptors (the caller sees to it that
 * the host cannot see them). Not thread-safe: one caller at a time. */
#ifndef RTRACK_SAMPLER_SAMPLER_H
#define RTRACK_SAMPLER_SAMPLER_H

#include "core/settings.h"
#include "sampler/place.h"

struct sampler;

struct sampler_options {
	enum sampler_place place;
	const char *directory;           /* the run's, absolute; copied */
	const struct settings *settings; /* MEMORY, SPOOL_MAX_MIB, MIN_SECONDS; only read during sampler_open */
	int64_t interval_ns;
	int root_pid;
	const uint64_t *hosted; /* what the tracker used in the root before (COUNTER_COUNT figures); may be NULL */
};

/* Takes the run's lock and the baselines. NULL when another sampler holds the lock or a resource is missing:
 * the job then goes on without a series. */
struct sampler *sampler_open(const struct sampler_options *options);

/* How long it is until the next tick (ns): the first multiple of the interval after now, by the time of day. */
int64_t sampler_wait_ns(const struct sampler *sampler);

/* Some member has just ended: reads whatever is a zombie now, before it is reaped, for the next tick. */
void sampler_catch(struct sampler *sampler);

/* One tick: one row in system.csv and in process.csv, rows in member.csv. */
void sampler_tick(struct sampler *sampler);

/* A child of the launcher that is about to be reaped: call it between waitid(WNOWAIT) and wait4, so
 * that its /proc entry can still be read. Writes its exit record unless it left one itself. */
void sampler_ended(struct sampler *sampler, int pid, int exit_code, int exit_signal);

/* What wait4 said of a reaped child, its own reaped children included: the kernel's account, against which the totals
 * are closed at the end, and the largest resident set of any process in it. */
void sampler_reaped(struct sampler *sampler, int64_t utime_ns, int64_t stime_ns, uint64_t peak_kib);

/* Names a helper of the launcher's; 0: there is none any more. */
void sampler_set_helper(struct sampler *sampler, enum sampler_helper helper, int pid);

/* Whether the run's directory is still there. */
bool sampler_has_run(const struct sampler *sampler);

/* How many members were alive at the last tick, and the pids of the first `capacity` of them. */
size_t sampler_alive(const struct sampler *sampler, int *pids, size_t capacity);

/* The root has ended: writes the last row, which covers whatever part of an interval is left, and run.json,
 * and releases all that sampler_open took. Removes the run if it was shorter than RTRACK_MIN_SECONDS.
 * exit_code -1: unknown; exit_signal 0: none.
 *
 * If other members are still alive and `hand_over` is set, the run goes on: run.json says how the root ended, the
 * run's state is saved in its directory, and true is returned. The caller then sees to it that keeper_run is called in
 * a process that outlives it. */
bool sampler_finish(struct sampler *sampler, int exit_code, int exit_signal, bool hand_over);

/* Leaves a run whose root lives on to a keeper: the last row of this sampler, the saved state, and the release of
 * everything. False when the state could not be saved. */
bool sampler_hand_over(struct sampler *sampler);

#endif
