/* A directory of Parquet: TABLE/date=YYYY-MM-DD/BATCH_N.parquet, and which runs are in it.
 *
 * A batch is what one export adds. Its files are written beside the tables. When all are whole, its list is, a line for
 * each run: _exported/BATCH. From then on it counts, and its files are moved to the tables, so that nothing stands
 * there that will be taken away again. What a killed export left beside the tables, the next one moves where it has a
 * list, and removes where it has none. Engines pass over names that begin with '_'.
 */
#ifndef RTRACK_REPORT_FLEET_STORE_H
#define RTRACK_REPORT_FLEET_STORE_H

#include <stdbool.h>
#include <stddef.h>

struct store {
	char *path;     /* absolute; owned */
	char batch[64]; /* the name of the one that is being made */
	char **runs;    /* that are in it already, sorted */
	size_t run_count;
	int lock; /* held while it is open */
};

#define STORE_NEW "_new" /* where a batch is written */

/* Opens a directory, which is made if it is not there. Waits for another export into it to end. Returns 0, or -1 with
 * errno. */
int store_open(struct store *store, const char *path);
void store_close(struct store *store);

bool store_has(const struct store *store, const char *run);

/* Makes STORE_NEW. Returns 0, or -1 with errno. */
int store_begin(const struct store *store);

/* Removes what store_begin made, and what is in it. */
void store_drop(const struct store *store);

/* Takes in what lies in STORE_NEW as the batch, which has these runs. Returns 0, or -1 with errno. */
int store_commit(const struct store *store, char *const *runs, size_t count);

#endif
