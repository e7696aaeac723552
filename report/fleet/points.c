/* Rows as points; see points.h. The rows before the batch are read for their sums: nothing but the file has to be kept,
 * and a sender that was killed sends the same sums again. */
#include "report/fleet/points.h"

#include "core/number.h"
#include "report/spool/reader.h"

#include <stdlib.h>

/* The number of the line that ends at a byte. */
static uint64_t line_at(const char *path, uint64_t byte)
{
	struct lines lines;
	struct line line;
	uint64_t at = 0, number = 0;

	if (lines_open(&lines, path, "") != 0)
		return 0;
	while (at < byte && lines_next(&lines, &line)) {
		number = line.number;
		at += line.length + 1;
		if (line.cut)
			break;
	}
	lines_close(&lines);
	return number;
}

static void take_row(struct points *points, struct reader *reader, double *sums, bool kept)
{
	double *values = points->values[points->rows];

	for (size_t i = 0; i < points->table->count; i++) {
		double value = reader_number(reader, (int)i);
		bool counter = table_columns(points->table)[i].kind == KIND_COUNTER;
		if (counter && number_known(value))
			value = sums[i] += value;
		if (kept)
			values[i] = value;
	}
	points->rows += kept;
}

struct points *points_read(const char *run, enum table_id table, uint64_t from, uint64_t end)
{
	struct points *points = malloc(sizeof *points);
	double sums[COLUMNS_MAX] = {0};
	struct reader reader;

	if (!points || reader_open(&reader, run, table) != 0) {
		free(points);
		return NULL;
	}
	points->table = &tables[table];
	points->rows = 0;
	reader.quiet = true;
	uint64_t before = line_at(reader.path, from), last = line_at(reader.path, end);
	while (points->rows < POINTS_MAX && reader_next(&reader) && reader.line.number <= last)
		take_row(points, &reader, sums, reader.line.number > before);
	reader_close(&reader);
	return points;
}
