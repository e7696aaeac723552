/* SPDX-License-Identifier: Apache-2.0 */
/* The table of columns: one row of columns.def for each column. The writer, the reader, the statistics, the labels and
 * the documents loop over this table. */
#ifndef RTRACK_CORE_COLUMNS_H
#define RTRACK_CORE_COLUMNS_H

#include "core/base.h"

enum column_kind { KIND_TIME, KIND_GAUGE, KIND_COUNTER, KIND_KEY, KIND_TEXT };

enum column_aggregate { AGGREGATE_NONE, AGGREGATE_MEAN_MAX, AGGREGATE_MAX, AGGREGATE_SUM, AGGREGATE_DURATION };

enum table_id {
	TABLE_system,
	TABLE_process,
	TABLE_member,
	TABLE_start,
	TABLE_exit,
	TABLE_mark,
	TABLE_gpu,
	TABLE_line,
	TABLE_stack,
	TABLE_COUNT
};

/* The last table that exists from the start of a run. A later table is created with its first row. */
enum { TABLES_AT_START = TABLE_mark };

/* SYSTEM_x, PROCESS_x, MEMBER_x, START_x, EXIT_x, MARK_x, GPU_x, LINE_x and STACK_x are the positions of column x in
 * its file. */
#define COLUMN_FAMILY_system(name) SYSTEM_##name
#define COLUMN_FAMILY_process(name) PROCESS_##name
#define COLUMN_FAMILY_member(name) MEMBER_##name
#define COLUMN_FAMILY_start(name) START_##name
#define COLUMN_FAMILY_exit(name) EXIT_##name
#define COLUMN_FAMILY_mark(name) MARK_##name
#define COLUMN_FAMILY_gpu(name) GPU_##name
#define COLUMN_FAMILY_line(name) LINE_##name
#define COLUMN_FAMILY_stack(name) STACK_##name

/* All columns in file order. Each table's own enum is derived from these constants. */
enum column_any {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label) COLUMN_ANY_##table##_##name,
#include "core/columns.def"
	COLUMN_ANY_COUNT
};

enum {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label)                                               \
	COLUMN_FAMILY_##table(name) = (int)COLUMN_ANY_##table##_##name - (int)COLUMN_ANY_##table##_timestamp,
#include "core/columns.def"
	SYSTEM_COLUMNS = (int)COLUMN_ANY_process_timestamp - (int)COLUMN_ANY_system_timestamp,
	PROCESS_COLUMNS = (int)COLUMN_ANY_member_timestamp - (int)COLUMN_ANY_process_timestamp,
	MEMBER_COLUMNS = (int)COLUMN_ANY_start_timestamp - (int)COLUMN_ANY_member_timestamp,
	START_COLUMNS = (int)COLUMN_ANY_exit_timestamp - (int)COLUMN_ANY_start_timestamp,
	EXIT_COLUMNS = (int)COLUMN_ANY_mark_timestamp - (int)COLUMN_ANY_exit_timestamp,
	MARK_COLUMNS = (int)COLUMN_ANY_gpu_timestamp - (int)COLUMN_ANY_mark_timestamp,
	GPU_COLUMNS = (int)COLUMN_ANY_line_timestamp - (int)COLUMN_ANY_gpu_timestamp,
	LINE_COLUMNS = (int)COLUMN_ANY_stack_timestamp - (int)COLUMN_ANY_line_timestamp,
	STACK_COLUMNS = (int)COLUMN_ANY_COUNT - (int)COLUMN_ANY_stack_timestamp,
	COLUMNS_MAX = 48 /* maximum number of columns in a table; checked in columns.c */
};

/* The properties of columns and tables that the library needs. The structs contain no pointers, because every process
 * that loads the library would have to relocate them. */
struct column {
	uint16_t name; /* offset in the string `names` of columns.c */
	uint8_t digits;
	uint8_t kind; /* enum column_kind */
};

struct table {
	char file[sizeof "process.csv"]; /* file name in a run's directory, such as "system.csv" */
	char name[sizeof "process"];     /* file name without the extension */
	uint8_t first;                   /* index of the table's first column among all columns */
	uint8_t count;
};

/* The symbol is hidden, because the address of a visible symbol would have to be relocated when the library is
 * loaded. */
extern __attribute__((visibility("hidden"))) const struct table tables[TABLE_COUNT];

/* Returns the array of the table's columns, in file order. Its length is table->count. */
const struct column *table_columns(const struct table *table);

const char *column_name(const struct column *column);

/* Return the label, the unit and the aggregate of a column, for display. The unit is "" for texts and plain numbers. */
const char *column_label(const struct column *column);
const char *column_unit(const struct column *column);
uint8_t column_aggregate(const struct column *column);

/* Returns the position of the named column, or -1. */
int column_find(const struct table *table, struct text name);

#endif
