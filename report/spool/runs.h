/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the runs of a spool, newest first, and selects one.
 *
 * Directory names begin with the second of the start, so sorting needs no files and only requested runs are opened.
 * Runs of the same second are sorted by start_time in run.json. */
#ifndef RTRACK_REPORT_SPOOL_RUNS_H
#define RTRACK_REPORT_SPOOL_RUNS_H

#include "report/spool/run.h"

/* The spools that --spool names: directories, or globs such as one directory per node. */
struct spools {
	char **items; /* owned */
	size_t count; /* number of spools, at least 1 */
};

/* Expands `names`: a name that does not exist but matches as a glob is replaced by its matches. Without names, the
 * result is `only`. */
void spools_find(struct spools *spools, const char *const *names, size_t count, const char *only);
void spools_free(struct spools *spools);

struct runs {
	char *spool; /* the first spool if there are several */
	bool several;
	char **spools; /* the listed spools, owned; only used with `several` */
	size_t spool_count;
	char **names; /* names of the runs, newest first */
	size_t count;
	size_t next;
	size_t ordered; /* names before this index are in their final order */
};

/* The spool directory: `chosen` (--spool), or the default of core/spool.h. The caller frees it. */
char *runs_spool(const char *chosen);

/* Lists a spool. Returns 0, or -1 with errno. */
int runs_list(struct runs *runs, const char *spool);
/* Lists the spool that contains the run. */
int runs_list_of(struct runs *runs, const struct run *run);
/* Lists several spools as one. Unreadable spools are skipped and counted for runs_say_all_unread; Returns -1 if no
 * spool can be read. Afterwards, a run's name must be a pointer from `names`, not a copy. */
int runs_list_several(struct runs *runs, const struct spools *spools);
void runs_free(struct runs *runs);

/* The spool that contains the run with that name. */
const char *runs_spool_of(const struct runs *runs, const char *name);

/* The name of the next older run in final order, or NULL at the end. */
const char *runs_next_name(struct runs *runs);

/* Opens the run with that name. Returns 0, or -1 with errno. */
int runs_open(struct run *run, const struct runs *runs, const char *name);

/* Counts a run that a command skips because it cannot be read. A run that has been removed meanwhile is not counted.
 * `error` is the errno of opening its directory. */
void runs_count_unread(const struct runs *runs, const char *name, int error);

/* Counts a spool that cannot be read. */
void runs_count_unlisted(const char *spool, int error);

/* Prints one line with the number of unreadable runs or spools, and the first of them. */
void runs_say_all_unread(void);

/* Opens the next older run. Returns false at the end. Unreadable runs are skipped and counted. */
bool runs_next(struct runs *runs, struct run *run);

enum { RUNS_STAMP_LENGTH = sizeof "20261121T015600Z" - 1, RUNS_SHORT_ID_SIZE = sizeof "20261121T015600Z-xxxx" };

/* Short form of the name at `position`: its timestamp, plus its last four digits if several runs have that
 * timestamp. */
void runs_short_id(const struct runs *runs, size_t position, char id[RUNS_SHORT_ID_SIZE]);

/* Prints why a listing command found nothing in a spool with `count` runs: the spool is empty, or the reason in
 * `otherwise`. If `otherwise` is NULL, no run matched. Returns the exit status: success for an empty spool, failure for
 * an unmatched selection. */
int runs_say_none_listed(const char *spool, size_t count, const char *otherwise);

/* Prints why runs_list failed with `error`: a missing spool has no runs yet. */
void runs_say_unlisted(const char *spool, int error);

/* Opens the run that `selector` names: an id, a unique prefix of one, a short id, a job's name (its latest run), or a
 * directory; NULL is the latest run. A job takes precedence over a directory of the same name without a slash. `words`
 * is a NULL-terminated list of commands to suggest if there is no such run, or NULL. Returns 0, or -1 after a
 * message. */
int runs_select(struct run *run, const char *spool, const char *selector, const char *const *words);

#endif
