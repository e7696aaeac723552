/* Batches; see batch.h. */
#define _GNU_SOURCE
#include "report/fleet/batch.h"

#include "core/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 26, LEVEL = 6, WINDOW_OF_GZIP = 15 + 16, MEMORY = 8 };

static int open_table(const char *run, enum table_id table)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);

	buffer_string(&out, run);
	buffer_byte(&out, '/');
	buffer_string(&out, tables[table].file);
	buffer_terminate(&out);
	if (out.full) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* Reads up to `length` bytes; how many there are, or -1 with errno. */
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

uint64_t batch_end(const char *run, enum table_id table, uint64_t from, size_t most)
{
	int file = open_table(run, table);
	char *data = file < 0 ? NULL : malloc(most);
	ssize_t length = data ? read_at(file, data, most, from) : 0;
	const char *last = length > 0 ? memrchr(data, '\n', (size_t)length) : NULL;
	uint64_t end = from;

	/* The header alone is no batch. */
	if (last && count_lines(data, (size_t)length) > (from == 0))
		end = from + (uint64_t)(last + 1 - data);
	free(data);
	if (file >= 0)
		close(file);
	return end;
}

/* -- compressing ----------------------------------------------------------------------------------- */

static int compress_parts(struct batch *batch, const struct text *parts, size_t count)
{
	z_stream stream = {0};
	size_t whole = 0;
	int result = Z_OK;

	for (size_t i = 0; i < count; i++)
		whole += parts[i].length;
	if (deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_OF_GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return -1;
	size_t capacity = deflateBound(&stream, (uLong)whole);
	batch->data = malloc(capacity);
	stream.next_out = (Bytef *)batch->data;
	stream.avail_out = (uInt)capacity;
	for (size_t i = 0; batch->data && result == Z_OK && i < count; i++) {
		stream.next_in = (Bytef *)parts[i].data;
		stream.avail_in = (uInt)parts[i].length;
		result = deflate(&stream, i + 1 == count ? Z_FINISH : Z_NO_FLUSH);
	}
	batch->length = stream.total_out;
	deflateEnd(&stream);
	if (batch->data && result == Z_STREAM_END)
		return 0;
	batch_free(batch);
	return -1;
}

int batch_of_text(struct batch *batch, struct text text)
{
	*batch = (struct batch){0};
	if (compress_parts(batch, &text, 1) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

/* Reads all that a file has. */
static int read_file(struct batch *batch, int file)
{
	struct stat status;

	*batch = (struct batch){0};
	if (fstat(file, &status) != 0)
		return -1;
	if (status.st_size >= FILE_MOST) {
		errno = EFBIG;
		return -1;
	}
	batch->data = malloc((size_t)status.st_size + 1);
	batch->length = (size_t)status.st_size;
	if (batch->data && read_at(file, batch->data, batch->length, 0) == (ssize_t)batch->length) {
		batch->data[batch->length] = '\0';
		return 0;
	}
	errno = batch->data ? EIO : ENOMEM;
	batch_free(batch);
	return -1;
}

int batch_of_written(
	struct batch *batch, const struct ledger *ledger, bool packed, batch_writer *write, const void *context)
{
	int file = ledger_scratch(ledger);
	int copy = file < 0 ? -1 : dup(file);
	gzFile out = copy < 0 ? NULL : gzdopen(copy, packed ? "wb6" : "wT");
	int result = out ? write(context, out) : -1;

	if (!out && copy >= 0)
		close(copy);
	errno = result == 0 ? EIO : errno;
	if (out && gzclose(out) != Z_OK)
		result = -1;
	if (result == 0)
		result = read_file(batch, file);
	int error = errno;
	if (file >= 0)
		close(file);
	errno = error;
	return result;
}

/* The first line of the file with its end. */
static size_t read_header(int file, char *header, size_t size)
{
	ssize_t length = read_at(file, header, size, 0);
	const char *end = length > 0 ? memchr(header, '\n', (size_t)length) : NULL;
	return end ? (size_t)(end + 1 - header) : 0;
}

int batch_make(struct batch *batch, const char *run, enum table_id table, uint64_t from, uint64_t end)
{
	char header[SPOOL_ROW_MAX];
	int file = open_table(run, table);
	size_t length = (size_t)(end - from);
	char *data = file < 0 || length > BATCH_MAX ? NULL : malloc(length);
	int result = -1;

	*batch = (struct batch){0};
	if (data && read_at(file, data, length, from) == (ssize_t)length) {
		size_t head = from == 0 ? 0 : read_header(file, header, sizeof header);
		const struct text parts[] = {{header, head}, {data, length}};
		batch->rows = count_lines(data, length) - (from == 0);
		result = compress_parts(batch, parts, ARRAY_LENGTH(parts));
	} else if (file >= 0) {
		errno = EIO;
	}
	int error = errno;
	free(data);
	if (file >= 0)
		close(file);
	errno = error;
	return result;
}

void batch_free(struct batch *batch)
{
	free(batch->data);
	*batch = (struct batch){0};
}
