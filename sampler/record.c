/* Rows of start.csv and exit.csv; see record.h. */
#include "sampler/record.h"

#include "os/file.h"

#define KIB_PER_MIB 1024.0

struct text record_cut(struct text text, size_t length)
{
	if (text.length <= length)
		return text;
	while (length > 0 && ((unsigned char)text.data[length] & 0xc0) == 0x80)
		length--;
	return (struct text){text.data, length};
}

/* 0 stands for what is not known. */
static double known_mib(uint64_t kib)
{
	return kib > 0 ? (double)kib / KIB_PER_MIB : UNKNOWN;
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

void record_write_start(struct buffer *out, const struct start_record *record)
{
	struct cell cells[START_COLUMNS] = {
		[START_timestamp] = CELL_NUMBER((double)record->time_ns / 1e9),
		[START_pid] = CELL_NUMBER(record->id.pid),
		[START_start_ticks] = CELL_NUMBER((double)record->id.start),
		[START_ppid] = CELL_NUMBER(record->ppid),
		[START_exe] = CELL_TEXT(record_cut(record->exe, SPOOL_COMMAND_MAX / 2)),
		[START_command] = CELL_TEXT(record_cut(record->command, SPOOL_COMMAND_MAX)),
		[START_earlier_peak_mib] = CELL_NUMBER(known_mib(record->earlier_peak_kib)),
	};
	row_write(out, &tables[TABLE_start], cells);
}

void record_write_exit(struct buffer *out, const struct exit_record *record)
{
	struct cell cells[EXIT_COLUMNS] = {
		[EXIT_timestamp] = CELL_NUMBER((double)record->time_ns / 1e9),
		[EXIT_pid] = CELL_NUMBER(record->id.pid),
		[EXIT_start_ticks] = CELL_NUMBER((double)record->id.start),
		[EXIT_ppid] = CELL_NUMBER(record->ppid),
		[EXIT_utime] = CELL_NUMBER(UNKNOWN),
		[EXIT_stime] = CELL_NUMBER(UNKNOWN),
		[EXIT_peak_rss_mib] = CELL_NUMBER(record->peak_rss_kib / KIB_PER_MIB),
		[EXIT_disk_read_bytes] = CELL_NUMBER(UNKNOWN),
		[EXIT_disk_write_bytes] = CELL_NUMBER(UNKNOWN),
		[EXIT_minor_faults] = CELL_NUMBER(record->minor_faults),
		[EXIT_major_faults] = CELL_NUMBER(UNKNOWN),
		[EXIT_voluntary_switches] = CELL_NUMBER(record->voluntary_switches),
		[EXIT_involuntary_switches] = CELL_NUMBER(record->involuntary_switches),
		[EXIT_exit_code] = CELL_NUMBER(record->exit_code < 0 ? UNKNOWN : record->exit_code),
		[EXIT_exit_signal] = CELL_NUMBER(record->exit_signal == 0 ? UNKNOWN : record->exit_signal),
		[EXIT_source] = CELL_TEXT(text_of(record->source)),
		[EXIT_exact] = CELL_NUMBER(record->exact ? 1 : 0),
		[EXIT_children_peak_mib] = CELL_NUMBER(known_mib(record->children_peak_kib)),
		[EXIT_missing_cpu] = CELL_NUMBER(record->exact ? UNKNOWN : (double)record->missing_ns / 1e9),
		[EXIT_children_utime] = CELL_NUMBER(UNKNOWN),
		[EXIT_children_stime] = CELL_NUMBER(UNKNOWN),
		[EXIT_children_read_bytes] = CELL_NUMBER(UNKNOWN),
		[EXIT_children_write_bytes] = CELL_NUMBER(UNKNOWN),
	};
	if (record->children) {
		cells[EXIT_children_utime].number = seconds(record->children[COUNTER_USER_NS]);
		cells[EXIT_children_stime].number = seconds(record->children[COUNTER_SYSTEM_NS]);
		cells[EXIT_children_read_bytes].number = (double)record->children[COUNTER_DISK_READ];
		cells[EXIT_children_write_bytes].number = (double)record->children[COUNTER_DISK_WRITE];
	}
	if (record->counters) {
		cells[EXIT_utime].number = seconds(record->counters[COUNTER_USER_NS]);
		cells[EXIT_stime].number = seconds(record->counters[COUNTER_SYSTEM_NS]);
		cells[EXIT_major_faults].number = (double)record->counters[COUNTER_MAJOR_FAULTS];
		if (record->io_known) {
			cells[EXIT_disk_read_bytes].number = (double)record->counters[COUNTER_DISK_READ];
			cells[EXIT_disk_write_bytes].number = (double)record->counters[COUNTER_DISK_WRITE];
		}
	}
	row_write(out, &tables[TABLE_exit], cells);
}

void record_from_self(struct exit_record *record, const struct process_usage *usage)
{
	record->counters = usage->own;
	record->io_known = true;
	record->peak_rss_kib = usage->peak_rss_kib > 0 ? (double)usage->peak_rss_kib : UNKNOWN;
	record->children = usage->children;
	record->children_peak_kib = usage->children_peak_kib;
	record->minor_faults = (double)usage->minor_faults;
	record->voluntary_switches = (double)usage->voluntary_switches;
	record->involuntary_switches = (double)usage->involuntary_switches;
}

/* The cells of a row; -1 when it has another shape. */
static int read_cells(const struct table *table, char *line, size_t length, struct cell *cells)
{
	struct text fields[COLUMNS_MAX];
	int count = row_split(line, length, fields, COLUMNS_MAX);
	if (count != (int)table->count)
		return -1;
	for (size_t i = 0; i < table->count; i++) {
		cells[i] = CELL_TEXT(fields[i]);
		if (table->columns[i].kind != KIND_TEXT && number_read(fields[i], &cells[i].number) != 0)
			return -1;
	}
	return 0;
}

void tail_read(struct tail *tail, const struct table *table, char *scratch, size_t capacity,
	void (*row)(void *context, const struct cell *cells), void *context)
{
	struct cell cells[COLUMNS_MAX];
	int64_t length;

	while ((length = os_read_at(tail->file, scratch, capacity, tail->offset)) > 0) {
		struct text text = {scratch, (size_t)length};
		size_t start = 0;
		for (;;) {
			size_t end = text_find(text, '\n', start);
			if (end == text.length)
				break;
			if (read_cells(table, scratch + start, end - start, cells) == 0)
				row(context, cells);
			start = end + 1;
		}
		if (start == 0 && text.length < capacity)
			return; /* a row that is still being written */
		tail->offset += start > 0 ? start : text.length;
		if (text.length < capacity)
			return;
	}
}
