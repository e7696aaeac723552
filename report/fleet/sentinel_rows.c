/* Rows side by side; see sentinel_rows.h. */
#include "report/fleet/sentinel_rows.h"

#include "report/fleet/rows_out.h"

#include <errno.h>
#include <unistd.h>

struct sides {
	struct rows_out system;
	struct rows_out process;
};

static void close_sides(struct sides *sides)
{
	rows_out_close(&sides->system);
	rows_out_close(&sides->process);
}

static int open_sides(struct sides *sides, const char *run)
{
	*sides = (struct sides){.system = {.open = false}};
	if (rows_out_open(&sides->system, run, TABLE_system) == 0 &&
		rows_out_open(&sides->process, run, TABLE_process) == 0)
		return 0;
	close_sides(sides);
	return -1;
}

uint64_t sentinel_rows_count(const char *run)
{
	struct sides sides;
	uint64_t count = 0;

	if (open_sides(&sides, run) != 0)
		return 0;
	if (sides.system.open && sides.process.open)
		count = sides.system.rows < sides.process.rows ? sides.system.rows : sides.process.rows;
	close_sides(&sides);
	return count;
}

static int write_rows(gzFile out, const char *run, uint64_t first, uint64_t last)
{
	struct sides sides;

	if (open_sides(&sides, run) != 0)
		return -1;
	rows_out_csv_header(&sides.system, out, "system_", true);
	rows_out_csv_header(&sides.process, out, "process_", false);
	gzputc(out, '\n');
	for (uint64_t row = 0; row < last && rows_out_next(&sides.system) && rows_out_next(&sides.process); row++) {
		if (row < first)
			continue;
		rows_out_csv(&sides.system, out, true);
		rows_out_csv(&sides.process, out, false);
		gzputc(out, '\n');
	}
	close_sides(&sides);
	return 0;
}

int sentinel_rows_read(
	struct batch *rows, const char *run, uint64_t first, uint64_t last, bool packed, const struct ledger *ledger)
{
	int file = ledger_scratch(ledger);
	int copy = file < 0 ? -1 : dup(file);
	gzFile out = copy < 0 ? NULL : gzdopen(copy, packed ? "wb6" : "wT");
	int result = out ? write_rows(out, run, first, last) : -1;

	if (out && gzclose(out) != Z_OK) {
		errno = errno ? errno : EIO;
		result = -1;
	}
	if (!out && copy >= 0)
		close(copy);
	if (result == 0)
		result = batch_of_file(rows, file);
	int error = errno;
	if (file >= 0)
		close(file);
	errno = error;
	return result;
}
