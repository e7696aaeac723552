/* SPDX-License-Identifier: Apache-2.0 */
/* Converts CSV with both series to a snapshot. All cells are numbers, so every comma separates cells. */
#define _GNU_SOURCE
#include "report/fleet/snapshot.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/spool/reader.h"

#include <math.h>
#include <string.h>

static const char *const prefixes[] = {"process_", "system_"};

struct header {
	struct text names[READER_FIELDS_MAX];
	int count;
};

/* upper limit of timestamps, in seconds since the epoch */
static const double TIME_MAX = 1e12;

/* Figures that are taken from the rows: three timestamps, and the pid. */
struct told {
	double first, second, last, pid;
};

/* Returns the text before the next `end`. Removes this text and `end` from *rest. */
static struct text take_until(struct text *rest, char end)
{
	const char *found = memchr(rest->data, end, rest->length);
	struct text part = {rest->data, found ? (size_t)(found - rest->data) : rest->length};
	size_t taken = part.length + (found != NULL);

	rest->data += taken;
	rest->length -= taken;
	return part;
}

/* Removes the next cell from *line, and returns it without its quotes. */
static struct text take_cell(struct text *line)
{
	struct text cell = take_until(line, ',');

	if (cell.length > 0 && cell.data[cell.length - 1] == '\r')
		cell.length--;
	if (cell.length > 1 && cell.data[0] == '"' && cell.data[cell.length - 1] == '"')
		cell = (struct text){cell.data + 1, cell.length - 2};
	return cell;
}

static double number_of(struct text cell)
{
	double value;

	return number_read(cell, &value) == 0 && isfinite(value) ? value : UNKNOWN;
}

static bool is_plain(struct text name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	for (size_t i = 0; i < name.length; i++)
		if (!memchr(plain, name.data[i], sizeof plain - 1))
			return false;
	return true;
}

/* Returns the column's name in our table, or "" if the column belongs to the other series. The Rust resource-tracker
 * names stolen CPU time differently. */
static struct text column_of(struct text name, const char *prefix)
{
	if (text_is(name, "timestamp"))
		return name;
	if (!text_starts(name, prefix) || !is_plain(name))
		return (struct text){name.data, 0};
	struct text column = {name.data + strlen(prefix), name.length - strlen(prefix)};
	return text_is(column, "steal_time") ? TEXT("cpu_steal") : column;
}

static void write_row(FILE *out, const struct header *header, struct text line, const char *prefix)
{
	const char *between = "{";

	for (int i = 0; i < header->count; i++) {
		double value = number_of(take_cell(&line));
		struct text column = column_of(header->names[i], prefix);
		if (!number_known(value) || column.length == 0)
			continue;
		fprintf(out, "%s\"%.*s\":%.15g", between, (int)column.length, column.data, value);
		between = ",";
	}
	fputs(*between == ',' ? "}" : "{}", out);
}

static void examine_row(struct told *told, const struct header *header, struct text line)
{
	for (int i = 0; i < header->count; i++) {
		double value = number_of(take_cell(&line));
		if (text_is(header->names[i], "process_pid") && number_known(value))
			told->pid = value;
		if (!text_is(header->names[i], "timestamp") || !(value >= 0 && value < TIME_MAX))
			continue;
		if (number_known(told->first) && !number_known(told->second))
			told->second = value;
		told->first = number_known(told->first) ? told->first : value;
		told->last = value;
	}
}

static void write_series(FILE *out, const struct header *header, struct text rows, const char *prefix)
{
	const char *between = "";
	bool any = false;

	for (int i = 0; i < header->count; i++)
		any |= text_starts(header->names[i], prefix);
	rows.length = any ? rows.length : 0;
	fprintf(out, ",\"%smetrics\":[", prefix);
	while (rows.length > 0) {
		struct text line = take_until(&rows, '\n');
		if (line.length == 0)
			continue;
		fputs(between, out);
		write_row(out, header, line, prefix);
		between = ",";
	}
	fputc(']', out);
}

bool snapshot_is_csv(const char *text, size_t length)
{
	struct text rest = {text, length};
	struct text line = take_until(&rest, '\n');

	return text_is(take_cell(&line), "timestamp");
}

const char *snapshot_of_csv(char **json, const char *text, size_t length)
{
	struct told told = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
	struct header header;
	struct text rows = {text, length};
	size_t size;

	*json = NULL;
	struct text names = take_until(&rows, '\n');
	for (header.count = 0; names.length > 0 && header.count < READER_FIELDS_MAX;)
		header.names[header.count++] = take_cell(&names);
	for (struct text rest = rows; rest.length > 0;)
		examine_row(&told, &header, take_until(&rest, '\n'));
	if (!number_known(told.first))
		return "it has no row with a timestamp";
	FILE *out = xopen_memstream(json, &size);
	double interval = told.second > told.first ? told.second - told.first : 1;
	fprintf(out, "{\"metadata\":{\"interval\":%.15g,\"start_time\":%.15g,\"stop_time\":%.15g", interval,
		told.first - interval, told.last);
	if (number_known(told.pid))
		fprintf(out, ",\"pid\":%.15g", told.pid);
	fputc('}', out);
	for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++)
		write_series(out, &header, rows, prefixes[i]);
	fputc('}', out);
	xclose_memstream(out);
	return NULL;
}
