/* SPDX-License-Identifier: Apache-2.0 */
/* A batch has consecutive rows of a table's file, preceded by the header of the file and compressed with gzip. The same
 * rows always give the same bytes. */
#ifndef RTRACK_REPORT_FLEET_BATCH_H
#define RTRACK_REPORT_FLEET_BATCH_H

#include "core/columns.h"
#include "report/fleet/sent_log.h"
#include "report/spool/files.h"

#include <zlib.h>

enum { BATCH_MAX = 4 << 20 }; /* maximum number of bytes of a table's file in one batch */

struct batch {
	char *data; /* The caller must free it. */
	size_t length;
	uint64_t rows;
};

/* Returns the end of the next batch of a table, which is the end of the last whole line within `most` bytes after
 * `from`. Returns `from` if there is no new row. */
uint64_t batch_end(const struct files *files, enum table_id table, uint64_t from, size_t most);

/* Makes a batch of the bytes from `from` to `end` of a table's file. Returns 0, or -1 with errno. */
int batch_make(struct batch *batch, const struct files *files, enum table_id table, uint64_t from, uint64_t end);

/* Gzips a text. */
struct batch batch_of_text(struct text text);

/* Calls `write` to write a temporary file on the disk of the log, and makes a batch of this file. The batch is
 * compressed with gzip if `packed` is set. A NUL follows the data. Returns 0, or -1 with errno. */
typedef void batch_writer(const void *context, gzFile out);
int batch_of_written(
	struct batch *batch, const struct sent_log *log, bool packed, batch_writer *write, const void *context);

#endif
