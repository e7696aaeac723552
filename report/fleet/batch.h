/* A piece of a table's file, gzipped, with the file's header. The same piece gives the same bytes. */
#ifndef RTRACK_REPORT_FLEET_BATCH_H
#define RTRACK_REPORT_FLEET_BATCH_H

#include "core/columns.h"

enum { BATCH_MAX = 4 << 20 }; /* bytes of a file in one batch */

struct batch {
	char *data; /* owned */
	size_t length;
	uint64_t rows;
};

/* Where a batch of the table that begins at `from` may end: behind a line, `most` bytes further at most. No more than
 * `from`: there is no row yet. */
uint64_t batch_end(const char *run, enum table_id table, uint64_t from, size_t most);

/* Makes the batch of these bytes. Returns 0, or -1 with errno. */
int batch_make(struct batch *batch, const char *run, enum table_id table, uint64_t from, uint64_t end);

/* The same of a text that is no table. */
int batch_of_text(struct batch *batch, struct text text);

/* Reads all that a file has, as it is and with a NUL behind it. Returns 0, or -1 with errno. */
int batch_of_file(struct batch *batch, int file);

void batch_free(struct batch *batch);

#endif
