/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of Parquet files, TABLE/date=YYYY-MM-DD/BATCH_N.parquet, with lists of the exported runs.
 *
 * Each export adds a batch. It first writes the batch's files below _new. When all files are complete, it writes the
 * list of runs to _exported/BATCH. This commits the batch. Then the files are moved to the tables, and are never
 * removed again. If an export is killed, the next export moves the files of committed batches, and removes the others.
 * Engines ignore names that begin with '_'. */
#ifndef RTRACK_REPORT_FLEET_STORE_H
#define RTRACK_REPORT_FLEET_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct store {
	char *path;     /* absolute; owned */
	char batch[64]; /* name of the batch of this export */
	char **runs;    /* keys of the exported runs, sorted; owned */
	size_t run_count;
	int lock; /* descriptor of the lock file while the store is open, or -1 */
};

#define STORE_NEW "_new" /* directory for an incomplete batch */

/* Opens the store in a directory, and creates the directory if it is missing. Waits while another export uses the
 * store. Returns 0, or -1 with errno. */
int store_open(struct store *store, const char *path);
void store_close(struct store *store);

/* Returns the key of a run in the lists of the store: the name of the run, and the owner's number if the run belongs to
 * another user. The caller must free it. */
char *store_key(const char *name, uid_t owner);

bool store_has(const struct store *store, const char *name, uid_t owner);

/* Makes STORE_NEW. Returns 0, or -1 with errno. */
int store_begin(const struct store *store);

/* Removes STORE_NEW and its files. */
void store_drop(const struct store *store);

/* Commits the files in STORE_NEW as the batch of runs with these keys. Returns 0, or -1 with errno. */
int store_commit(const struct store *store, char *const *keys, size_t count);

#endif
