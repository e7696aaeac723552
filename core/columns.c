/* SPDX-License-Identifier: Apache-2.0 */
/* The table of columns, generated from columns.def. */
#include "core/columns.h"

/* All column names in one string. Each column stores an offset into the string instead of a pointer, because every
 * process that loads the library would have to relocate the pointers. */
static const struct {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label) char table##_##name[sizeof #name];
#include "core/columns.def"
} names = {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label) #name,
#include "core/columns.def"
};

static const struct column columns[COLUMN_ANY_COUNT] = {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label)                                               \
	{offsetof(__typeof__(names), table##_##name), digits, KIND_##kind},
#include "core/columns.def"
};

_Static_assert((int)SYSTEM_COLUMNS <= (int)COLUMNS_MAX, "COLUMNS_MAX is too small");
_Static_assert((int)COLUMN_ANY_COUNT <= UINT8_MAX, "a table's first column has no room");

const struct table tables[TABLE_COUNT] = {
	{"system.csv", "system", COLUMN_ANY_system_timestamp, SYSTEM_COLUMNS},
	{"process.csv", "process", COLUMN_ANY_process_timestamp, PROCESS_COLUMNS},
	{"member.csv", "member", COLUMN_ANY_member_timestamp, MEMBER_COLUMNS},
	{"start.csv", "start", COLUMN_ANY_start_timestamp, START_COLUMNS},
	{"exit.csv", "exit", COLUMN_ANY_exit_timestamp, EXIT_COLUMNS},
	{"mark.csv", "mark", COLUMN_ANY_mark_timestamp, MARK_COLUMNS},
	{"gpu.csv", "gpu", COLUMN_ANY_gpu_timestamp, GPU_COLUMNS},
	{"line.csv", "line", COLUMN_ANY_line_timestamp, LINE_COLUMNS},
	{"stack.csv", "stack", COLUMN_ANY_stack_timestamp, STACK_COLUMNS},
};

const struct column *table_columns(const struct table *table)
{
	return columns + table->first;
}

const char *column_name(const struct column *column)
{
	return (const char *)&names + column->name;
}

int column_find(const struct table *table, struct text name)
{
	for (size_t i = 0; i < table->count; i++)
		if (text_is(name, column_name(&table_columns(table)[i])))
			return (int)i;
	return -1;
}
