/* SPDX-License-Identifier: Apache-2.0 */
/* Derives facts about a new process from the last rows of start.csv. */
#include "preload/start_rows.h"

#include "core/columns.h"
#include "core/number.h"

/* Returns the boot time according to the clock of the process that wrote a row. It is the row's time, which is the
 * first column, minus the process's start time. */
static int64_t boot_of(struct text row, const struct process_id *id)
{
	double seconds = 0;
	(void)number_read((struct text){row.data, text_find(row, ',', 0)}, &seconds);
	return (int64_t)(seconds * 1e9) - process_started_ns(id->start);
}

/* Parses a row up to `exe`, which is quoted. Returns false if it is not a start row. */
static bool read_fields(struct text row, struct process_id *id, uint64_t *ppid, struct text *exe)
{
	uint64_t numbers[START_exe] = {0};
	size_t start = 0;

	for (int i = 0; i < START_exe; i++) {
		size_t end = text_find(row, ',', start);
		if (i > START_timestamp &&
			number_read_unsigned((struct text){row.data + start, end - start}, &numbers[i]) != 0)
			return false;
		start = end + 1;
	}
	if (start >= row.length || row.data[start] != '"')
		return false;
	size_t end = text_find(row, '"', start + 1);
	*id = (struct process_id){(int)numbers[START_pid], numbers[START_start_ticks]};
	*ppid = numbers[START_ppid];
	*exe = (struct text){row.data + start + 1, end - start - 1};
	return end + 1 < row.length && row.data[end + 1] == ',';
}

/* Removes the last complete row from `rows` and returns it. */
static struct text take_last(struct text *rows)
{
	size_t end = rows->length > 0 ? rows->length - 1 : 0; /* offset of the row's newline */
	size_t start = end;
	while (start > 0 && rows->data[start - 1] != '\n')
		start--;
	rows->length = start;
	return (struct text){rows->data + start, end - start};
}

void start_rows_open(struct start_rows *start_rows, const char *path, uint32_t user)
{
	start_rows->exe = start_rows->rows = (struct text){start_rows->data, 0};
	start_rows->table.file = OS_ERROR_MISSING;
	start_rows->holder = path && os_open_table(OS_HERE, path, user, &start_rows->table) == 0
				     ? os_holder(start_rows->table.file)
				     : 0;
}

void start_rows_read(struct start_rows *start_rows)
{
	struct process_id id;
	uint64_t ppid;

	if (start_rows->table.file < 0)
		return;
	uint64_t size = start_rows->table.size;
	uint64_t from = size > sizeof start_rows->data ? size - sizeof start_rows->data : 0;
	int64_t length = os_read_at(start_rows->table.file, start_rows->data, sizeof start_rows->data, from);
	struct text read = {start_rows->data, length > 0 ? (size_t)length : 0};
	/* The first row may lack its beginning, and the last row may lack its end because it is being written. */
	size_t begin = text_find(read, '\n', 0) + 1;
	while (read.length > begin && read.data[read.length - 1] != '\n')
		read.length--;
	if (read.length <= begin)
		return;
	start_rows->rows = (struct text){read.data + begin, read.length - begin};
	struct text rest = start_rows->rows;
	if (!read_fields(take_last(&rest), &id, &ppid, &start_rows->exe))
		start_rows->exe.length = 0;
}

bool start_rows_have_other_boot(const struct start_rows *start_rows, int64_t now_ns, int64_t boot_ns)
{
	const int64_t near_ns = 1000000000;
	/* This value is returned if no row is readable. In a file larger than the buffer, the last row may not fit
	 * into the buffer, so the boot time is unknown and assumed to differ. */
	bool elsewhen = start_rows->table.size > sizeof start_rows->data;

	for (struct text rest = start_rows->rows; rest.length > 0;) {
		struct process_id id;
		uint64_t ppid;
		struct text exe, row = take_last(&rest);
		if (!read_fields(row, &id, &ppid, &exe))
			continue;
		int64_t apart_ns = boot_of(row, &id) - (now_ns - boot_ns);
		elsewhen = apart_ns > near_ns || apart_ns < -near_ns;
		if (!elsewhen)
			break;
	}
	return elsewhen;
}

uint64_t start_rows_find_start(const struct start_rows *start_rows, int pid, int ppid, int64_t now_ns)
{
	for (struct text rest = start_rows->rows; rest.length > 0 && !start_rows->waited;) {
		struct process_id id;
		uint64_t its_ppid;
		struct text exe;
		if (!read_fields(take_last(&rest), &id, &its_ppid, &exe) || id.pid > pid)
			continue;
		if (id.pid != ppid && its_ppid != (uint64_t)ppid)
			continue;
		uint64_t start = process_start_between(process_started_ns(id.start), now_ns);
		if (start != 0)
			return start;
	}
	return 0;
}
