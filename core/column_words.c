/* SPDX-License-Identifier: Apache-2.0 */
/* Unit, label and aggregate of each column, for display. The library does not use them. They are in a file of their
 * own, because the linker then leaves them out of the library. */
#include "core/columns.h"

static const struct {
	const char *unit;
	const char *label;
	uint8_t aggregate;
} words[COLUMN_ANY_COUNT] = {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label) {unit, label, AGGREGATE_##aggregate},
#include "core/columns.def"
};

static size_t position(const struct column *column)
{
	return (size_t)(column - table_columns(&tables[0]));
}

const char *column_label(const struct column *column)
{
	return words[position(column)].label;
}

const char *column_unit(const struct column *column)
{
	return words[position(column)].unit;
}

uint8_t column_aggregate(const struct column *column)
{
	return words[position(column)].aggregate;
}
