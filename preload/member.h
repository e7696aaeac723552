/* SPDX-License-Identifier: Apache-2.0 */
/* Makes this process a member of a run and writes its start and exit records. Every process of a run is a member. */
#ifndef RTRACK_PRELOAD_MEMBER_H
#define RTRACK_PRELOAD_MEMBER_H

#include "core/settings.h"
#include "core/spool.h"

struct start_rows;

struct member_start {
	const char *directory; /* directory of the run */
	const struct settings *settings;
	int pid;
	struct start_rows *start_rows; /* start.csv of this run; member_begin opens it unless it is open */
	int64_t interval_ns;           /* interval between two rows */
	struct text exe;
	char *const *arguments;
	int count;
	bool hidden; /* the initial environment of this program, which /proc shows, does not name the run */
};

/* Makes this process a member of a run and writes its start record. The constructor calls it while no other thread
 * exists, and library_start calls it after member_reset. Returns true if member_watch should be called, because no
 * other process has called it in this clock tick. */
bool member_begin(const struct member_start *start);

/* Clears the state after the end of the tracking, so that member_begin can be called again. */
void member_reset(void);

/* Appends a row to mark.csv. Returns 0, or -1 if it cannot be written or this process is not a member. */
int member_mark(const char *label);

/* A process with `hidden` set calls member_forking before fork(), and its child calls member_forked after fork(). The
 * child writes its start record immediately, because nothing else shows that the child is a member if the parent ends,
 * as in a daemon. Forked children of other processes write their start record together with the exit record, or the
 * sampler writes it.
 *
 * member_forking returns true if the caller was a forked child and has just become the owner of the state. `lodger`:
 * the caller shares its parent's memory, so the parent remains the owner. */
bool member_forking(bool lodger);

/* Returns whether a process that does not own the state shares its memory with the owner. */
bool member_is_shared(void);
void member_forked(void);

/* Writes the exit record, unless it has already been written. `exit_code`: -1 if unknown. `tracker`: the tracker's
 * usage inside this process, or NULL. `current`: result of member_is_current. A process that does not own the state
 * (a child of fork, vfork, _Fork or clone) writes its start record too, and leaves the state unchanged, because the
 * memory may be its parent's. Returns true if member_watch should be called. Returns false in a process younger than
 * half a second, because the sampler was checked at its start. */
bool member_end(int exit_code, const uint64_t *tracker, bool current);

/* Starts a keeper for the run if the run's sampler was killed. This is assumed if the last row is older than two
 * intervals and no process has locked the run's lock file. Every member that owns its state calls this at its start
 * and its end. */
void member_watch(void);

/* Records that children will be in a nested PID namespace, where a pid may denote another process. `begun`: such
 * children may already exist. When the first process of that namespace ends, the kernel kills and reaps the others,
 * so their usage is lost. */
void member_notes_namespace(bool begun);

/* Called before the action of SIGCHLD changes. `go`: whether SIGCHLD will be ignored. If a child ends while SIGCHLD
 * is ignored, the child's usage is lost. Some shells ignore SIGCHLD briefly before they have children, only to query
 * the previous action, and this is not recorded. */
void member_lets_children_go(bool go);

/* Records that children, or this process if `itself`, will be in another time namespace. The boot clock there
 * differs from the sampler's, so processes in that namespace use the machine's boot clock in their records. A
 * process that cannot determine the machine's clock writes no records, and only the sampler observes it. */
void member_parts_in_time(bool itself);

/* Returns whether this process has written its start record and owns the state. */
bool member_has_begun(void);

/* Called before an exec of `path`. If this program's peak is large, writes an early exit record, because the next
 * program inherits the peak and could not tell it from its own. The root always writes this record, and so does a
 * process that has ignored SIGCHLD.
 *
 * `parts`: the next program will not load the library. Unless `path` is NULL, a start record with `path` is
 * therefore added. `tracker_ns`: the tracker's CPU time in this process, which the next program does not know. */
void member_executes(const char *path, bool parts, uint64_t tracker_ns);

/* Called before the host installs a seccomp filter that may forbid the library's system calls. Writes an early exit
 * record, marked as not exact. Afterwards the library makes no system calls in this process and its forks. */
void member_fall_silent(void);

/* Stores the environment for a keeper (host_start_keeper). Call it before a run is created, because the sampling
 * thread of a new run may need the stored environment immediately. */
void member_keep_settings(const struct settings *settings);
const char *member_keeper_settings(void);

/* Stops writing records. */
void member_silence(void);
bool member_is_silent(void);

/* Returns whether rtrack-run launched the run. This is true if `root` is the pid of the run's root, and the process
 * with pid `launcher` was the sampler when this program began. */
bool member_is_launched(int root, int launcher);

/* Returns whether the calling process is the root, and rtrack-run leads its process group `group`. Without rtrack-run,
 * the root would lead it. */
bool member_would_lead(int group);

/* Returns whether the state in memory belongs to the calling process. */
bool member_is_current(void);

#endif
