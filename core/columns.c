/* The column table of columns.def as data. */
#include "core/columns.h"

static const struct column columns[COLUMN_ANY_COUNT] = {
#define COLUMN(table, name, unit, digits, kind, aggregate, label)                                                      \
	{#name, unit, digits, KIND_##kind, AGGREGATE_##aggregate},
#include "core/columns.def"
#undef COLUMN
};

_Static_assert((int)SYSTEM_COLUMNS <= (int)COLUMNS_MAX, "COLUMNS_MAX is too small");

const struct table tables[TABLE_COUNT] = {
	{"system.csv", "system", columns + COLUMN_ANY_system_timestamp, SYSTEM_COLUMNS},
	{"process.csv", "process", columns + COLUMN_ANY_process_timestamp, PROCESS_COLUMNS},
	{"member.csv", "member", columns + COLUMN_ANY_member_timestamp, MEMBER_COLUMNS},
	{"start.csv", "start", columns + COLUMN_ANY_start_timestamp, START_COLUMNS},
	{"exit.csv", "exit", columns + COLUMN_ANY_exit_timestamp, EXIT_COLUMNS},
	{"mark.csv", "mark", columns + COLUMN_ANY_mark_timestamp, MARK_COLUMNS},
};

static const char *const labels[COLUMN_ANY_COUNT] = {
#define COLUMN(table, name, unit, digits, kind, aggregate, label) label,
#include "core/columns.def"
#undef COLUMN
};

const char *column_label(const struct column *column)
{
	return labels[column - columns];
}

int column_find(const struct table *table, struct text name)
{
	for (size_t i = 0; i < table->count; i++)
		if (text_is(name, table->columns[i].name))
			return (int)i;
	return -1;
}
