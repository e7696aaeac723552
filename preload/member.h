/* SPDX-License-Identifier: Apache-2.0 */
/* This process as a member of a run: its start record and its exit record. */
#ifndef RTRACK_PRELOAD_MEMBER_H
#define RTRACK_PRELOAD_MEMBER_H

#include "core/settings.h"
#include "core/spool.h"

struct start_rows;

struct member_start {
	const char *directory; /* directory of the run */
	const struct settings *settings;
	int pid;
	struct start_rows *start_rows; /* with start.csv of this run open, or no file open */
	int64_t interval_ns;           /* interval between two rows */
	struct text exe;
	char *const *arguments;
	int count;
	bool hidden; /* the initial environment of this image does not name the run; see member_forked */
};

/* Makes this process a member of a run and writes its start record. Call it once, from the constructor, where no other
 * thread exists. Returns true if member_watch should be called, because no other process has just done so. */
bool member_begin(const struct member_start *start);

/* Appends a row to mark.csv. Returns 0, or -1 if it cannot be written or this process is not a member. */
int member_mark(const char *label);

/* Called around fork() in a process with `hidden` set: member_forking in the parent before the fork, member_forked in
 * the child. The child registers itself at once, because after its parent's end (a daemon) the sampler could not
 * identify it as a member. Other forked children's start records are written with the exit record, or by the sampler.
 * member_forking returns true if the state belonged to the caller's parent until now. `lodger`: the caller shares that
 * process's memory instead of having a copy, so the state remains the other's. */
bool member_forking(bool lodger);

/* Returns whether a process that does not own the state shares its memory with the owner. */
bool member_is_shared(void);
void member_forked(void);

/* Writes the exit record, once. `exit_code`: -1 if unknown. `tracker`: the tracker's usage inside this process, or
 * NULL. `current`: result of member_is_current. A process that does not own the state (a child of fork, vfork, _Fork or
 * clone) also writes its start record, and does not change memory, which may be the parent's. Returns true if
 * member_watch should be called; for a process younger than half a second, that was done at its start or by another
 * process. */
bool member_end(int exit_code, const uint64_t *tracker, bool current);

/* Starts a keeper for the run if its sampler was killed: the last row is older than two intervals and no process holds
 * the run's lock. Every member that owns its state calls this at its start and its end. */
void member_watch(void);

/* Records that children will be in a nested PID namespace, where their pids may denote other processes here; `begun`:
 * they already have a namespace. When its first process ends, the kernel kills and reaps the others, and drops their
 * usage. */
void member_notes_namespace(bool begun);

/* Records that SIGCHLD is ignored from now on (`go`), possibly for a short time, or no longer. A child that ends while
 * it is ignored is not accounted. Some shells ignore it for an instant before they have children, only to query the
 * previous action. */
void member_lets_children_go(bool go);

/* Records that children, or this process itself, will be in another time namespace, where its clock since boot differs
 * from the sampler's. Records from there use the machine's clock. If that cannot be determined, no records are written,
 * and the process is observed only from outside. */
void member_parts_in_time(bool itself);

/* Returns whether this process has written its start record and still owns the state. */
bool member_has_begun(void);

/* Called before an exec of `path` by a process that has begun. If the current image has a considerable peak that it may
 * have inherited, the next image could not determine it, so an early exit record is written. It is also written by the
 * root, by a process that has ignored SIGCHLD, and if `parts`: the next program will not load the library, so a start
 * record with `path` (NULL for none) is added. The early record includes the tracker's usage in this process, which the
 * next image does not know. */
void member_executes(const char *path, bool parts, uint64_t tracker_ns);

/* Called before a seccomp filter that may forbid our system calls: writes an early record, marked as not exact. From
 * then on, this process and its forks make no system calls. */
void member_fall_silent(void);

/* Stores the environment for a keeper of the run (host_start_keeper). Call it before the run is found, because the
 * thread of a new run may need it at once. */
void member_keep_settings(const struct settings *settings);
const char *member_keeper_settings(void);

/* Stops writing any records. */
void member_silence(void);
bool member_is_silent(void);

/* Returns whether `root` is the pid of the run's root, and `launcher` was the pid of its sampler when this program
 * began. */
bool member_is_launched(int root, int launcher);

/* Returns whether the calling process is the root, and `group` is the process group of the launcher, which leads it in
 * the root's place. */
bool member_would_lead(int group);

/* Returns whether the calling process owns the state in memory. */
bool member_is_current(void);

#endif
