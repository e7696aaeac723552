/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the column table: its own rules, and the columns that other people's scripts depend on. */
#include "core/columns.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

/* Columns of resource-tracker, the predecessor. Their names and order are fixed. New columns come after these. */
static const char *const fixed_system[] = {"timestamp", "processes", "utime", "stime", "cpu_usage", "memory_free_mib",
	"memory_used_mib", "memory_buffers_mib", "memory_cached_mib", "memory_active_mib", "memory_inactive_mib",
	"disk_read_bytes", "disk_write_bytes", "disk_space_total_gb", "disk_space_used_gb", "disk_space_free_gb",
	"net_recv_bytes", "net_sent_bytes", "gpu_usage", "gpu_vram_mib", "gpu_utilized"};
static const char *const fixed_process[] = {"timestamp", "pid", "children", "utime", "stime", "cpu_usage", "memory_mib",
	"disk_read_bytes", "disk_write_bytes", "gpu_usage", "gpu_vram_mib", "gpu_utilized"};
static const char *const fixed_member[] = {"timestamp", "pid", "utime", "stime", "cpu_usage", "memory_mib", "rss_mib",
	"disk_read_bytes", "disk_write_bytes", "gpu_usage", "gpu_vram_mib", "threads"};
static const char *const fixed_start[] = {"timestamp", "pid", "start_ticks", "ppid", "exe", "command"};
static const char *const fixed_exit[] = {"timestamp", "pid", "start_ticks", "ppid", "utime", "stime", "peak_rss_mib",
	"disk_read_bytes", "disk_write_bytes", "minor_faults", "major_faults", "voluntary_switches",
	"involuntary_switches", "exit_code", "exit_signal", "source", "exact"};

static void check_fixed(void)
{
	static const struct {
		enum table_id table;
		const char *const *names;
		size_t count;
	} rows[] = {
		{TABLE_system, fixed_system, ARRAY_LENGTH(fixed_system)},
		{TABLE_process, fixed_process, ARRAY_LENGTH(fixed_process)},
		{TABLE_member, fixed_member, ARRAY_LENGTH(fixed_member)},
		{TABLE_start, fixed_start, ARRAY_LENGTH(fixed_start)},
		{TABLE_exit, fixed_exit, ARRAY_LENGTH(fixed_exit)},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		for (size_t column = 0; column < rows[i].count; column++)
			is_text(column_name(&table_columns(&tables[rows[i].table])[column]), rows[i].names[column],
				tables[rows[i].table].file);
}

static void check_rules(void)
{
	for (int id = 0; id < TABLE_COUNT; id++) {
		const struct table *table = &tables[id];
		unsigned wrong = 0;
		ok(table->count > 0 && table->count <= COLUMNS_MAX, table->file);
		ok(table_columns(table)[0].kind == KIND_TIME, "the first column is a time");
		ok(text_starts(text_of(table->file), table->name) && text_ends(text_of(table->file), ".csv"),
			"the name of the table's file");
		for (size_t i = 0; i < table->count; i++) {
			const struct column *column = &table_columns(table)[i];
			wrong += column_find(table, text_of(column_name(column))) != (int)i;
			wrong += column_label(column)[0] == '\0' || column->digits > 9;
			/* If the name ends in a unit, the column must have that unit. */
			wrong += text_ends(text_of(column_name(column)), "_mib") &&
				 !text_is(text_of(column_unit(column)), "MiB");
			wrong += text_ends(text_of(column_name(column)), "_bytes") &&
				 !text_is(text_of(column_unit(column)), "B");
		}
		is_number(wrong, 0, "names are found again, labels exist, and units match the names");
	}
	ok(column_find(&tables[TABLE_member], TEXT("exe")) == -1, "an unknown name is not found");
	ok(column_find(&tables[TABLE_member], TEXT("")) == -1, "an empty name is not found");
	is_text(column_label(&table_columns(&tables[TABLE_exit])[EXIT_peak_rss_mib]), "Peak resident memory",
		"the label of a column");
}

int main(void)
{
	check_fixed();
	check_rules();
	return done();
}
