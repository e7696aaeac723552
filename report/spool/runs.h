/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a spool, the newest first, and how one is chosen.
 *
 * The names of the directories sort by their second of start, so only the runs that are asked for are opened; runs of
 * the same second are sorted by the start_time of their run.json. */
#ifndef RTRACK_REPORT_SPOOL_RUNS_H
#define RTRACK_REPORT_SPOOL_RUNS_H

#include "report/spool/run.h"
#include "report/spool/spools.h"

struct runs {
	char *spool; /* of several the first */
	bool several;
	char **spools; /* with `several` only: those that are listed, owned */
	size_t spool_count;
	char **names; /* the newest first */
	size_t count;
	size_t next;
	size_t ordered; /* names before this position are in their final order */
};

/* The spool's directory: `chosen` (--spool), else as core/spool.h has it. The caller frees it. */
char *runs_spool(const char *chosen);

/* Lists a spool. Returns 0, or -1 with errno. */
int runs_list(struct runs *runs, const char *spool);
/* Lists several as one. Those that cannot be read are passed over, and counted (runs_say_all_unread), unless none can.
 * From then on a run's name is one of `names`, and no copy. */
int runs_list_several(struct runs *runs, const struct spools *spools);
void runs_free(struct runs *runs);

/* The spool that the run of that name lies in. */
const char *runs_spool_of(const struct runs *runs, const char *name);

/* The name of the next older run, in its final order; NULL at the end. */
const char *runs_next_name(struct runs *runs);

/* Opens the run of that name. Returns 0, or -1 with errno. */
int runs_open(struct run *run, const struct runs *runs, const char *name);

/* Counts a run that may not be read, as a command that goes through a spool passes over it. A run that is gone by now
 * is none. `error`: errno of opening its directory. */
void runs_count_unread(const struct runs *runs, const char *name, int error);

/* The same of a spool. */
void runs_count_unlisted(const char *spool, int error);

/* Says in one line how many runs, or spools, could not be read, and which was the first. */
void runs_say_all_unread(void);

/* Opens the next older run; false at the end. What cannot be opened is passed over, and said. */
bool runs_next(struct runs *runs, struct run *run);

enum { RUNS_STAMP_LENGTH = sizeof "20261121T015600Z" - 1, RUNS_SHORT_ID_SIZE = sizeof "20261121T015600Z-xxxx" };

/* A short form of the run's name at `position`: its second, and its last four digits if that second had several. */
void runs_short_id(const struct runs *runs, size_t position, char id[RUNS_SHORT_ID_SIZE]);

/* Says to people that a command which lists many runs lists none of a spool with `count` runs: that there is none yet,
 * else `otherwise`, or that there is no such run (NULL). Returns its exit status: an empty spool is listed, and what
 * was asked for in vain is not. */
int runs_say_none_listed(const char *spool, size_t count, const char *otherwise);

/* Says why runs_list failed with `error`: a spool that is not there has no run yet. */
void runs_say_unlisted(const char *spool, int error);

/* Opens the run that `selector` means: an id, the unique beginning of one, its short form, a job's name (its latest
 * run), or a directory; NULL means the latest run. A job goes before a directory of the same name, unless there is a
 * slash in it. `words`, up to a NULL, are commands that might have been meant where there is no such run (NULL: none).
 * Returns 0; or -1 after a message. */
int runs_select(struct run *run, const char *spool, const char *selector, const char *const *words);

#endif
