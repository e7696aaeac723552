/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the final record of a killed root, and appends it to the tables. */
#include "os/last_word.h"

#include "core/figures.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/self.h"
#include "os/system.h"

enum last_place last_find_place(int at, struct process_id root)
{
	char text[SPOOL_LOCK_MAX], boot[OS_BOOT_MAX];
	int64_t length = os_read(at, SPOOL_LOCK_FILE, text, sizeof text);
	struct spool_lock lock = spool_parse_lock((struct text){text, length > 0 ? (size_t)length : 0});
	bool told = lock.boot.length > 0, same_boot = told && text_equal(lock.boot, os_boot(boot));

	if (lock.namespace == 0 || (told && !same_boot))
		return LAST_UNKNOWN;
	if (lock.namespace == os_pid_namespace())
		return told ? LAST_HERE : LAST_HERE_OR_BEFORE;
	return told && os_pid_namespace_is_gone(lock.namespace, root.start) ? LAST_GONE : LAST_UNKNOWN;
}

bool last_has_ended(struct process_id id, int *wait_status)
{
	struct process_reading reading;
	int result = process_read(id.pid, false, &reading);

	*wait_status = -1;
	if (result != 0)
		return process_is_gone(result);
	if (!process_is(reading.id, id))
		return true;
	if (reading.state != 'Z' || reading.gauge[GAUGE_THREADS] > 1)
		return false;
	*wait_status = (int)reading.wait_status;
	return true;
}

/* Parses a row of a table into cells. The row is copied to `line`, and the texts of the cells point into that copy.
 * Returns false if the row does not match the table. */
static bool read_cells(struct text row, enum table_id table, char line[SPOOL_LAST_SIZE], struct cell *cells)
{
	struct text fields[COLUMNS_MAX];

	for (size_t i = 0; i < row.length; i++)
		line[i] = row.data[i];
	if (row_split(line, row.length, fields, COLUMNS_MAX) != (int)tables[table].count)
		return false;
	for (size_t i = 0; i < tables[table].count; i++) {
		cells[i] = CELL_TEXT(fields[i]);
		if (table_columns(&tables[table])[i].kind != KIND_TEXT && number_read(fields[i], &cells[i].number) != 0)
			return false;
	}
	return true;
}

bool last_read(struct last *last, int at, struct process_id root)
{
	char line[SPOOL_LAST_SIZE];
	struct cell cells[COLUMNS_MAX];
	int64_t length = os_read(at, SPOOL_LAST_FILE, last->text, sizeof last->text);

	if (length <= 0 || !spool_parse_last((struct text){last->text, (size_t)length}, &last->said) ||
		!read_cells(last->said.process_row, TABLE_process, line, cells) ||
		!read_cells(last->said.exit_row, TABLE_exit, line, cells))
		return false;
	last->peak_mib = cells[EXIT_peak_rss_mib].number;
	last->time = cells[EXIT_timestamp].number;
	double used = cells[EXIT_utime].number + cells[EXIT_stime].number + cells[EXIT_missing_cpu].number;
	last->at_cpu_limit = process_is_at_cpu_limit(cells[EXIT_cpu_limit].number, used, 0);
	return cells[EXIT_pid].number == (double)root.pid && cells[EXIT_start_ticks].number == (double)root.start;
}

enum killer last_killer_since(const char *file, uint64_t kills)
{
	uint64_t now = 0;

	if (*file == '\0' || system_oom_kills(file, &now) != 0)
		return KILLER_UNKNOWN;
	return now > kills ? KILLER_OOM : KILLER_SIGNAL;
}

enum killer last_killer(const struct spool_kills *kills)
{
	char path[SPOOL_LAST_SIZE];
	struct buffer out = BUFFER(path);

	buffer_text(&out, kills->file);
	return last_killer_since(buffer_terminate(&out), kills->count);
}

enum killer last_killer_or_limit(const struct last *last, enum killer killer)
{
	return last->at_cpu_limit && killer != KILLER_OOM ? KILLER_CPU_LIMIT : killer;
}

void last_append_exit(const struct last *last, int at, int exit_code, int exit_signal, double missing_seconds)
{
	char line[SPOOL_LAST_SIZE], row[SPOOL_LAST_SIZE];
	struct cell cells[COLUMNS_MAX];
	struct buffer out = BUFFER(row);

	if (!read_cells(last->said.exit_row, TABLE_exit, line, cells))
		return;
	if (exit_code >= 0)
		cells[EXIT_exit_code].number = exit_code;
	if (exit_signal > 0)
		cells[EXIT_exit_signal].number = exit_signal;
	if (number_known(missing_seconds))
		cells[EXIT_missing_cpu].number = missing_seconds;
	row_write(&out, &tables[TABLE_exit], cells);
	if (!out.full)
		(void)os_append(at, tables[TABLE_exit].file, (struct text){row, out.length}, 0);
}

double last_time(int at, enum table_id table)
{
	char end[SPOOL_LAST_SIZE];
	int file = os_open(at, tables[table].file);
	int64_t size = file < 0 ? 0 : os_size(file);
	uint64_t from = size > SPOOL_LAST_SIZE ? (uint64_t)size - SPOOL_LAST_SIZE : 0;
	int64_t length = size > 0 ? os_read_at(file, end, sizeof end, from) : 0;
	double time = UNKNOWN;

	os_close(file);
	if (length < 2 || end[length - 1] != '\n')
		return UNKNOWN;
	size_t start = (size_t)length - 1;
	while (start > 0 && end[start - 1] != '\n')
		start--;
	struct text row = {end + start, (size_t)length - 1 - start};
	(void)number_read((struct text){row.data, text_find(row, ',', 0)}, &time);
	return number_known(time) ? time : 0; /* The last line is the header, so the table has no row. */
}

double last_row_time(int at)
{
	double last = UNKNOWN;

	for (int i = 0; i < TABLE_COUNT; i++) {
		double time = last_time(at, (enum table_id)i);
		bool said = number_known(time) && time > 0;
		int64_t age_ns = said ? 0 : os_age_ns(at, tables[i].file);
		if (!said && os_exists(at, tables[i].file))
			time = (double)(os_now_ns() - age_ns) / 1e9;
		last = known_larger(last, time);
	}
	return last;
}

void last_append_process(const struct last *last, int at)
{
	struct text row = last->said.process_row;
	double there = last_time(at, TABLE_process), due = UNKNOWN;

	/* The newline after the row is also written. */
	if (number_read((struct text){row.data, text_find(row, ',', 0)}, &due) == 0 && due > there)
		(void)os_append(at, tables[TABLE_process].file, (struct text){row.data, row.length + 1}, 0);
}
