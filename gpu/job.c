/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which of the processes that use a GPU are members of the run.
 *
 * start.csv has a row for every member, because the sampler writes a row for each member that cannot write its own. It
 * is therefore sufficient to search start.csv for each process that uses a GPU, and for its ancestors. */
#include "gpu/job.h"

#include "core/row.h"
#include "os/file.h"
#include "os/process.h"

#include <stdlib.h>

enum { CHUNK = 65536, GENERATIONS_MAX = 64 };

static struct {
	int file;
	uint64_t offset; /* offset of the next unread row */
	struct process_id *members;
	size_t count;
	size_t capacity;
} job;

void job_open(int at)
{
	job.file = os_open(at, tables[TABLE_start].file);
}

static void add(struct process_id id)
{
	if (job.count == job.capacity) {
		size_t capacity = job.capacity > 0 ? 2 * job.capacity : 64;
		struct process_id *members = realloc(job.members, capacity * sizeof *members);
		if (!members)
			return;
		job.members = members;
		job.capacity = capacity;
	}
	job.members[job.count++] = id;
}

static void take_row(char *line, size_t length)
{
	struct text fields[START_COLUMNS];
	double cells[2];

	if (row_split(line, length, fields, START_COLUMNS) < START_start_ticks + 1 ||
		number_read(fields[START_pid], &cells[0]) != 0 ||
		number_read(fields[START_start_ticks], &cells[1]) != 0)
		return;
	struct process_id id = process_id_of(cells[0], cells[1]);
	if (id.pid > 0)
		add(id);
}

void job_read(void)
{
	static char chunk[CHUNK];
	int64_t length;

	while (job.file >= 0 && (length = os_read_at(job.file, chunk, sizeof chunk, job.offset)) > 0) {
		struct text text = {chunk, (size_t)length};
		size_t start = 0;
		for (size_t end; (end = text_find(text, '\n', start)) < text.length; start = end + 1)
			take_row(chunk + start, end - start);
		job.offset += start;
		if (start == 0)
			return; /* the rest of the row has not been written yet */
	}
}

static bool is_named(struct process_id id)
{
	for (size_t i = job.count; i-- > 0;)
		if (process_is(job.members[i], id))
			return true;
	return false;
}

bool job_has(int pid)
{
	struct process_reading reading;

	for (int i = 0; pid > 1 && i < GENERATIONS_MAX && process_read(pid, false, &reading) == 0; i++) {
		if (is_named(reading.id))
			return true;
		pid = reading.ppid;
	}
	/* Process 1 of a container has no ancestors, so it is a member only if it is in start.csv. */
	return pid == 1 && process_read(pid, false, &reading) == 0 && is_named(reading.id);
}
