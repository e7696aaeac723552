/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes CPython's line tables. */
#include "sampler/lines/table.h"

static int32_t checked(int64_t line)
{
	return line > 0 && line <= INT32_MAX ? (int32_t)line : 0;
}

/* Each entry has two bytes: a number of bytecode bytes, and the line difference that applies after these bytes. */
static int32_t find_lnotab(const uint8_t *table, size_t length, int64_t line, int64_t place)
{
	int64_t end = 0;

	for (size_t i = 0; i + 1 < length; i += 2) {
		end += table[i];
		if (end > place)
			break;
		line += (int8_t)table[i + 1];
	}
	return checked(line);
}

/* Each entry has two bytes: a number of bytecode bytes, and the line difference that applies to these bytes. A
 * difference of -128 means that they have no line. */
static int32_t find_ranges(const uint8_t *table, size_t length, int64_t line, int64_t place)
{
	enum { NO_LINE = -128 };
	int64_t end = 0;

	for (size_t i = 0; i + 1 < length; i += 2) {
		int8_t change = (int8_t)table[i + 1];
		line += change != NO_LINE ? change : 0;
		end += table[i];
		if (end > place)
			return change != NO_LINE ? checked(line) : 0;
	}
	return 0;
}

/* Reads a number stored in groups of six bits, the lowest group first. */
static uint32_t read_number(const uint8_t *table, size_t length, size_t *at)
{
	uint32_t value = 0;

	for (unsigned shift = 0; *at < length && shift < 32; shift += 6) {
		uint8_t byte = table[(*at)++];
		value |= (uint32_t)(byte & 63) << shift;
		if (!(byte & 64))
			break;
	}
	return value;
}

/* Reads a signed number, whose lowest bit is the sign. */
static int64_t read_signed(const uint8_t *table, size_t length, size_t *at)
{
	uint32_t value = read_number(table, length, at);
	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* Decodes entries that have a kind, a length in units of two bytes, and a line difference. Some kinds also have column
 * numbers, which are skipped. */
static int32_t find_locations(const uint8_t *table, size_t length, int64_t line, int64_t place)
{
	enum { SAME_LINE_MAX = 9, ONE_LINE_MAX = 12, NO_COLUMNS = 13, LONG = 14, NO_LINE = 15 };
	int64_t end = 0;

	for (size_t at = 0; at < length;) {
		uint8_t head = table[at++];
		int kind = head >> 3 & 15;
		end += ((head & 7) + 1) * 2;
		if (kind <= SAME_LINE_MAX) {
			at += 1;
		} else if (kind <= ONE_LINE_MAX) {
			line += kind - SAME_LINE_MAX - 1;
			at += 2;
		} else if (kind != NO_LINE) {
			line += read_signed(table, length, &at);
			for (int i = 0; kind == LONG && i < 3; i++)
				(void)read_number(table, length, &at);
		}
		if (end > place)
			return kind != NO_LINE ? checked(line) : 0;
	}
	return 0;
}

int32_t line_table_find(enum line_table format, const uint8_t *table, size_t length, int32_t first, int64_t place)
{
	switch (format) {
	case LINE_TABLE_LNOTAB:
		return find_lnotab(table, length, first, place);
	case LINE_TABLE_RANGES:
		return find_ranges(table, length, first, place);
	default:
		return find_locations(table, length, first, place);
	}
}
