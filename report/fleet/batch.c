/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/fleet/batch.h"

#include "core/spool.h"
#include "report/say/alloc.h"
#include "report/say/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRITTEN_MAX = 1 << 26, LEVEL = 6, GZIP_WINDOW = 15 + 16, MEMORY = 8 };

/* Reads up to `length` bytes of a file. Returns the number of bytes, or -1 with errno. */
static ssize_t read_at(int file, char *data, size_t length, uint64_t from)
{
	size_t done = 0;

	while (done < length) {
		ssize_t got = pread(file, data + done, length - done, (off_t)(from + done));
		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		done += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)done;
}

static size_t count_lines(const char *data, size_t length)
{
	size_t count = 0;

	for (const char *at = data; (at = memchr(at, '\n', length - (size_t)(at - data))); at++)
		count++;
	return count;
}

uint64_t batch_end(const struct files *files, enum table_id table, uint64_t from, size_t most)
{
	int file = files_get(files, tables[table].file);
	uint64_t end = from;

	if (file < 0)
		return end;
	char *data = xmalloc(most);
	ssize_t length = read_at(file, data, most, from);
	const char *last = length > 0 ? memrchr(data, '\n', (size_t)length) : NULL;
	/* A header alone is not a batch. */
	if (last && count_lines(data, (size_t)length) > (from == 0))
		end = from + (uint64_t)(last + 1 - data);
	free(data);
	close(file);
	return end;
}

static void compress_parts(struct batch *batch, const struct text *parts, size_t count)
{
	z_stream stream = {0};
	size_t whole = 0;
	int result = Z_OK;

	for (size_t i = 0; i < count; i++)
		whole += parts[i].length;
	if (deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		alloc_failed();
	size_t capacity = deflateBound(&stream, (uLong)whole);
	batch->data = xmalloc(capacity);
	stream.next_out = (Bytef *)batch->data;
	stream.avail_out = (uInt)capacity;
	for (size_t i = 0; result == Z_OK && i < count; i++) {
		stream.next_in = (Bytef *)parts[i].data;
		stream.avail_in = (uInt)parts[i].length;
		result = deflate(&stream, i + 1 == count ? Z_FINISH : Z_NO_FLUSH);
	}
	batch->length = stream.total_out;
	deflateEnd(&stream);
}

struct batch batch_of_text(struct text text)
{
	struct batch batch = {0};

	compress_parts(&batch, &text, 1);
	return batch;
}

int batch_of_written(
	struct batch *batch, const struct sent_log *log, bool packed, batch_writer *write, const void *context)
{
	int file = sent_log_scratch(log);

	*batch = (struct batch){0};
	if (file < 0)
		return -1;
	gzFile out = gzdopen(dup(file), packed ? "wb6" : "wT");
	if (out) {
		write(context, out);
		errno = EIO;
		if (gzclose(out) == Z_OK && lseek(file, 0, SEEK_SET) == 0)
			batch->data = file_read_open(file, WRITTEN_MAX, &batch->length);
	}
	int error = errno;
	close(file);
	errno = error;
	return batch->data ? 0 : -1;
}

int batch_make(struct batch *batch, const struct files *files, enum table_id table, uint64_t from, uint64_t end)
{
	char header[SPOOL_ROW_MAX];
	int file = files_get(files, tables[table].file);
	size_t length = (size_t)(end - from), head = 0;

	*batch = (struct batch){0};
	if (file < 0)
		return -1;
	char *data = xmalloc(length <= BATCH_MAX ? length : 0);
	bool whole = length <= BATCH_MAX && read_at(file, data, length, from) == (ssize_t)length;
	if (whole) {
		ssize_t got = from > 0 ? read_at(file, header, sizeof header, 0) : 0;
		const char *newline = got > 0 ? memchr(header, '\n', (size_t)got) : NULL;
		head = newline ? (size_t)(newline + 1 - header) : 0;
		batch->rows = count_lines(data, length) - (from == 0);
		compress_parts(batch, (const struct text[]){{header, head}, {data, length}}, 2);
	}
	free(data);
	close(file);
	errno = EIO;
	return whole ? 0 : -1;
}
