/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table's file, gzipped, with the file's header. The same rows always give the same bytes. */
#ifndef RTRACK_REPORT_FLEET_BATCH_H
#define RTRACK_REPORT_FLEET_BATCH_H

#include "core/columns.h"
#include "report/fleet/sent_log.h"
#include "report/spool/files.h"

#include <zlib.h>

enum { BATCH_MAX = 4 << 20 }; /* bytes of a file in one batch */

struct batch {
	char *data; /* owned by the caller, who frees it */
	size_t length;
	uint64_t rows;
};

/* The end of the next batch of a table: the end of its last whole line within `most` bytes after `from`. Returns `from`
 * if there is no new row. */
uint64_t batch_end(const struct files *files, enum table_id table, uint64_t from, size_t most);

/* Makes the batch of the bytes from `from` to `end`. Returns 0, or -1 with errno. */
int batch_make(struct batch *batch, const struct files *files, enum table_id table, uint64_t from, uint64_t end);

/* Gzips a text. */
struct batch batch_of_text(struct text text);

/* Calls `write`, which writes to a temporary file beside the log, and makes a batch of that file, gzipped if `packed`.
 * A NUL follows the data. Returns 0, or -1 with errno. */
typedef void batch_writer(const void *context, gzFile out);
int batch_of_written(
	struct batch *batch, const struct sent_log *log, bool packed, batch_writer *write, const void *context);

#endif
