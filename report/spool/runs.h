/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the runs of a spool, newest first, and selects one.
 *
 * The name of a run's directory begins with its start time in seconds. Therefore, runs can be sorted without opening
 * them. Only runs that began in the same second are sorted by start_time in run.json. */
#ifndef RTRACK_REPORT_SPOOL_RUNS_H
#define RTRACK_REPORT_SPOOL_RUNS_H

#include "report/spool/run.h"

/* The spools that the user chose with --spool. Each value is a directory or a glob, for example to select one directory
 * per node. */
struct spools {
	char **items; /* owned */
	size_t count; /* number of spools, at least 1 */
};

/* Expands the globs in `names`. A name is treated as a glob if no file has that name and the pattern matches at least
 * one file. If there are no names, the result is the single spool `only`. */
void spools_find(struct spools *spools, const char *const *names, size_t count, const char *only);
void spools_free(struct spools *spools);

struct runs {
	char *spool; /* path of the spool; if there are several, path of the first */
	bool several;
	char **spools; /* the listed spools, owned; NULL unless `several` */
	size_t spool_count;
	char **names; /* names of the runs, newest first */
	size_t count;
	size_t next;
	size_t ordered; /* names before this index are in their final order */
};

/* Returns the spool directory: `chosen` (the value of --spool), or the default if `chosen` is NULL. The caller must
 * free it. */
char *runs_spool(const char *chosen);
/* Returns a copy of the path of a directory without slashes at its end. The caller must free it. */
char *runs_copy_path(const char *directory);

/* Lists a spool. Returns 0, or -1 with errno. */
int runs_list(struct runs *runs, const char *spool);
/* Lists the spool that contains the run. */
int runs_list_of(struct runs *runs, const struct run *run);
/* Lists several spools as one. Spools that cannot be read are skipped, and runs_say_all_unread reports them later.
 * Returns -1 if no spool can be read, else 0. After this call, pass a name to the functions below as a pointer from
 * `names`, not as a copy. */
int runs_list_several(struct runs *runs, const struct spools *spools);
void runs_free(struct runs *runs);

/* Returns the spool that contains the run with that name. */
const char *runs_spool_of(const struct runs *runs, const char *name);

/* Returns the name of the next older run, or NULL at the end. */
const char *runs_next_name(struct runs *runs);

/* Opens the run with that name. Returns 0, or -1 with errno. */
int runs_open(struct run *run, const struct runs *runs, const char *name);

/* Counts a run that a command skips because its directory cannot be opened. `error` is the errno of opening it. A run
 * that was removed in the meantime is not counted. */
void runs_count_unread(const struct runs *runs, const char *name, int error);

/* Counts a spool that cannot be read. */
void runs_count_unlisted(const char *spool, int error);

/* Prints one message with the number of runs or spools that could not be read, and the path of the first of them. */
void runs_say_all_unread(void);

/* Opens the next older run. Returns false at the end. Unreadable runs are skipped and counted. */
bool runs_next(struct runs *runs, struct run *run);

enum { RUNS_STAMP_LENGTH = sizeof "20261121T015600Z" - 1, RUNS_SHORT_ID_SIZE = sizeof "20261121T015600Z-xxxx" };

/* Stores a short form of the name at `position`: the timestamp, and the last four digits if other runs have the same
 * timestamp. */
void runs_short_id(const struct runs *runs, size_t position, char id[RUNS_SHORT_ID_SIZE]);

/* Prints why a command has no runs to show. If `count`, the number of runs in the spool, is 0, the spool is empty.
 * Otherwise, prints the text `otherwise`, or that no run matches if `otherwise` is NULL. Returns the exit status:
 * success for an empty spool, failure otherwise. */
int runs_say_none_listed(const char *spool, size_t count, const char *otherwise);

/* Prints why runs_list failed with `error`. If the spool does not exist, prints that it has no runs yet. */
void runs_say_unlisted(const char *spool, int error);

/* Opens a run. `selector` may be an id, a unique prefix of an id, a short id, a job's name (selects its latest run), a
 * job's name without its ending such as ".py", or a directory. NULL selects the latest run. If a selector without a
 * slash is both a job's name and a directory, the job is selected. `words` is a NULL-terminated list of commands to
 * suggest if there is no such run, or NULL. Only runs with all `labels` (run_has_labels) are selected; "" for all.
 * Returns 0, or -1 after a message. */
int runs_select(struct run *run, const struct spools *spools, const char *labels, const char *selector,
	const char *const *words);

#endif
