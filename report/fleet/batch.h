/* A piece of a table's file, gzipped, with the file's header. The same piece gives the same bytes. */
#ifndef RTRACK_REPORT_FLEET_BATCH_H
#define RTRACK_REPORT_FLEET_BATCH_H

#include "core/columns.h"
#include "report/fleet/ledger.h"

#include <zlib.h>

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

/* What `write` writes by way of a scratch file of the ledger, gzipped if `packed`, with a NUL behind it. `write`
 * returns 0, or -1 with errno, and so does this. */
typedef int batch_writer(const void *context, gzFile out);
int batch_of_written(
	struct batch *batch, const struct ledger *ledger, bool packed, batch_writer *write, const void *context);

void batch_free(struct batch *batch);

#endif
