/* SPDX-License-Identifier: Apache-2.0 */
/* This process as a member of a run, and its start and exit records. All processes of a run are its members. */
#ifndef RTRACK_PRELOAD_MEMBER_H
#define RTRACK_PRELOAD_MEMBER_H

#include "core/settings.h"
#include "core/spool.h"

struct start_rows;

struct member_start {
	const char *directory; /* directory of the run */
	const struct settings *settings;
	int pid;
	struct start_rows *start_rows; /* open on start.csv of this run, or not open */
	int64_t interval_ns;           /* interval between two rows */
	struct text exe;
	char *const *arguments;
	int count;
	bool hidden; /* the initial environment of this program does not name the run; see member_forked */
};

/* Makes this process a member of a run and writes its start record. Only the constructor calls it, while no other
 * thread exists. Returns true if member_watch should be called, because no other process has done so in this tick. */
bool member_begin(const struct member_start *start);

/* Appends a row to mark.csv. Returns 0, or -1 if it cannot be written or this process is not a member. */
int member_mark(const char *label);

/* Called around fork() in a process with `hidden` set: member_forking before the fork, member_forked in the child. The
 * child writes its start record at once: if its parent ends (a daemon), nothing else shows that it is a member. Other
 * forked children write the start record together with the exit record, or the sampler writes it.
 *
 * member_forking returns true if the state belonged to the caller's parent until now. `lodger`: the caller shares its
 * parent's memory, so the parent stays the owner. */
bool member_forking(bool lodger);

/* Returns whether a process that does not own the state shares its memory with the owner. */
bool member_is_shared(void);
void member_forked(void);

/* Writes the exit record, once. `exit_code`: -1 if unknown. `tracker`: the tracker's usage inside this process, or
 * NULL. `current`: result of member_is_current. A process that does not own the state (a child of fork, vfork, _Fork or
 * clone) writes its start record too. It does not change memory, which may be the parent's. Returns true if
 * member_watch should be called. It is false for a process younger than half a second, because the sampler was checked
 * at its start. */
bool member_end(int exit_code, const uint64_t *tracker, bool current);

/* Starts a keeper for the run if its sampler was killed: the last row is older than two intervals, and no process has
 * locked the run's lock file. Every member that owns its state calls this at its start and its end. */
void member_watch(void);

/* Records that children will be in a nested PID namespace, where a pid may denote another process. `begun`: children
 * are already in one. When the first process of that namespace ends, the kernel kills and reaps the others, and their
 * usage is lost. */
void member_notes_namespace(bool begun);

/* Records that SIGCHLD will be ignored from now on, or no longer (`go` is false). If a child ends while SIGCHLD is
 * ignored, its usage is lost. Some shells ignore SIGCHLD for an instant, before they have children, only to query the
 * previous action. */
void member_lets_children_go(bool go);

/* Records that children, or this process itself, will be in another time namespace. Its boot clock differs from the
 * sampler's, so records from there use the machine's clock. If that cannot be determined, no records are written, and
 * only the sampler observes the process. */
void member_parts_in_time(bool itself);

/* Returns whether this process has written its start record and owns the state. */
bool member_has_begun(void);

/* Called before an exec of `path`. Writes an early exit record if the next program could not determine this program's
 * peak, because the peak is large and may be inherited. The root always writes it, and so does a process that has
 * ignored SIGCHLD.
 *
 * `parts`: the next program will not load the library, so a start record with `path` is added, unless it is NULL.
 * `tracker_ns`: the tracker's CPU time in this process, which the next program does not know. */
void member_executes(const char *path, bool parts, uint64_t tracker_ns);

/* Called before a seccomp filter that may forbid the library's system calls. Writes an early exit record, marked as not
 * exact. From then on, this process and its forks make no system calls of the library. */
void member_fall_silent(void);

/* Stores the environment for a keeper (host_start_keeper). Call it before the run is found, because the thread of a new
 * run may need it at once. */
void member_keep_settings(const struct settings *settings);
const char *member_keeper_settings(void);

/* Stops writing records. */
void member_silence(void);
bool member_is_silent(void);

/* Returns whether `root` is the pid of the run's root, and rtrack-run, with pid `launcher`, was the sampler when this
 * program began. */
bool member_is_launched(int root, int launcher);

/* Returns whether the calling process is the root, and rtrack-run leads its process group `group`. Without rtrack-run,
 * the root would lead it. */
bool member_would_lead(int group);

/* Returns whether the state in memory belongs to the calling process. */
bool member_is_current(void);

#endif
