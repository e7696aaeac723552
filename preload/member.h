/* This process as a member of a run: its start record and its exit record. */
#ifndef RTRACK_PRELOAD_MEMBER_H
#define RTRACK_PRELOAD_MEMBER_H

#include "core/settings.h"
#include "core/spool.h"

struct birth;

struct member_start {
	const char *directory; /* of the run */
	const struct settings *settings;
	int pid;
	struct birth *birth; /* with start.csv of this run open, or none open */
	int64_t interval_ns; /* between two rows */
	struct text exe;
	char *const *arguments;
	int count;
	bool hidden; /* the environment that this image was started with does not name the run: see member_forked */
};

/* Makes this process a member of a run and writes its start record. To be called once, from the constructor,
 * where no other thread is. True: member_watch is to follow, as no process has done that just now. */
bool member_begin(const struct member_start *start);

/* Appends a row to mark.csv; -1: it could not be written, or this is no member. */
int member_mark(const char *label);

/* Around fork() in a hidden process: before it in the parent, and after it in the child, which announces itself at
 * once, since the sampler could not tell that it is a member once its parent is gone (a daemon). Elsewhere a forked
 * child's start record is written with its exit record, or by the sampler. member_forking: true if until now the state
 * spoke of another process, the parent of this one. `lodger`: of that process' memory it has no copy, but lives in it;
 * then the state stays that of the other. */
bool member_forking(bool lodger);

/* In a process that the state in memory does not speak of: whether it has that memory in common with the one that it
 * speaks of. */
bool member_is_shared(void);
void member_forked(void);

/* Writes the exit record, once. `exit_code` -1: unknown. `tracker` (may be NULL): what the tracker used inside this
 * process. `current`: member_is_current. In a process that the state in memory does not speak of (a child of fork,
 * vfork, _Fork or clone) the start record comes with it, and nothing is changed in memory, which may be the parent's.
 * True: member_watch is to follow. A process of less than half a second has done that when it started, or another has.
 */
bool member_end(int exit_code, const uint64_t *tracker, bool current);

/* Gives the run a keeper if its sampler was killed: if the last row is older than two intervals, and no process holds
 * the run's lock. Whichever member passes by does this, at its start and at its end, if it is current. */
void member_watch(void);

/* Children are about to be in a PID namespace below, where they may have pids that are others' here; or, `begun`, are
 * in one of their own. When its first process ends, the kernel kills and reaps the others in no account. */
void member_notes_namespace(bool begun);

/* SIGCHLD is ignored from now on (`go`), perhaps for a while only, or no longer: a child that ends meanwhile is in no
 * account. Some shells ask for an instant only, before they have a child, whether it was. */
void member_lets_children_go(bool go);

/* Children will be in a time namespace of their own, or this process is itself: by the clock since boot there every
 * process was born at another time than the sampler sees. What is said there is said by the machine's clock; where it
 * cannot be told, nothing is said, and a process there is followed from outside. */
void member_parts_in_time(bool itself);

/* Whether this process has said that it began, and is not known to have become another since. */
bool member_has_begun(void);

/* Before an exec of `path` by one that has begun: of an image that was larger than a little, though no larger than what
 * this process began with, the next one could not tell. Then it tells itself, in an early record; and so does one that
 * `parts`, as there is nothing of ours in the next, which it names by `path` (NULL: by no name), the root, of which
 * that cannot always be known, and one that has ignored SIGCHLD. With it goes what the tracker used in this process,
 * which the next image's could not know. */
void member_executes(const char *path, bool parts, uint64_t tracker_ns);

/* Before a seccomp filter that may forbid every system call of ours: leaves an early record, marked not exact, and
 * makes no system call from then on, in this process and in its forks. */
void member_fall_silent(void);

/* What a keeper of the run is to be given as its environment (host_start_keeper). It is kept before the run is found:
 * the thread of a new one may ask for it at once. */
void member_keep_settings(const struct settings *settings);
const char *member_keeper_settings(void);

/* Says nothing more from now on. */
void member_silence(void);
bool member_is_silent(void);

/* Whether `root` is the pid of the run's root, and `launcher` that of its sampler when this program began. */
bool member_is_launched(int root, int launcher);

/* Whether the calling process is the root, and `group` the launcher, in the place of which it would lead a process
 * group. */
bool member_leads_as(int group);

/* Whether the calling process is the one that the state in memory speaks of. */
bool member_is_current(void);

#endif
