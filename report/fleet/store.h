/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of Parquet, TABLE/date=YYYY-MM-DD/BATCH_N.parquet, and which runs are in it.
 *
 * Each export adds a batch. Its files are written below _new. Once all of them are whole, a list of the runs is
 * written, _exported/BATCH, and from then on the batch counts: its files are moved to the tables, where no file is ever
 * removed again. After a killed export the next one moves the files with a list, and removes those without. Engines
 * ignore names that begin with '_'. */
#ifndef RTRACK_REPORT_FLEET_STORE_H
#define RTRACK_REPORT_FLEET_STORE_H

#include <stdbool.h>
#include <stddef.h>

struct store {
	char *path;     /* absolute; owned */
	char batch[64]; /* name of the batch of this export */
	char **runs;    /* runs that are in it, sorted; owned */
	size_t run_count;
	int lock; /* held while the store is open; -1 if it is closed */
};

#define STORE_NEW "_new" /* where a batch is written */

/* Opens a directory, and makes it if it is missing. Waits for the end of another export into it. Returns 0, or -1 with
 * errno. */
int store_open(struct store *store, const char *path);
void store_close(struct store *store);

bool store_has(const struct store *store, const char *run);

/* Makes STORE_NEW. Returns 0, or -1 with errno. */
int store_begin(const struct store *store);

/* Removes STORE_NEW and all in it. */
void store_drop(const struct store *store);

/* Takes the content of STORE_NEW in, as the batch with these runs. Returns 0, or -1 with errno. */
int store_commit(const struct store *store, char *const *runs, size_t count);

#endif
