/* Rows side by side; see sentinel_rows.h. */
#include "report/fleet/sentinel_rows.h"

#include "report/fleet/rows_out.h"

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

struct stretch {
	const char *run;
	uint64_t first, last;
};

static int write_rows(const void *context, gzFile out)
{
	const struct stretch *stretch = context;
	struct sides sides;

	if (open_sides(&sides, stretch->run) != 0)
		return -1;
	rows_out_csv_header(&sides.system, out, "system_", true);
	rows_out_csv_header(&sides.process, out, "process_", false);
	gzputc(out, '\n');
	for (uint64_t row = 0; row < stretch->last && rows_out_next(&sides.system) && rows_out_next(&sides.process);
		row++) {
		if (row < stretch->first)
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
	return batch_of_written(rows, ledger, packed, write_rows, &(struct stretch){run, first, last});
}
