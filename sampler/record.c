/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads rows of start.csv, exit.csv and mark.csv. */
#include "sampler/record.h"

#include "os/clock.h"
#include "os/file.h"

#define KIB_PER_MIB 1024.0
#define NJ_PER_WH 3.6e12

struct text record_cut(struct text text, size_t length)
{
	if (text.length <= length)
		return text;
	while (length > 0 && ((unsigned char)text.data[length] & 0xc0) == 0x80)
		length--;
	return (struct text){text.data, length};
}

/* Converts a peak from KiB to MiB. A peak of 0 is unknown. */
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
	struct cell cells[START_COLUMNS];

	row_begin(cells, &tables[TABLE_start]);
	cells[START_timestamp].number = (double)record->time_ns / 1e9;
	cells[START_pid].number = record->id.pid;
	cells[START_start_ticks].number = (double)record->id.start;
	cells[START_ppid].number = record->ppid;
	cells[START_exe].text = record_cut(record->exe, SPOOL_COMMAND_MAX / 2);
	cells[START_command].text = record_cut(record->command, SPOOL_COMMAND_MAX);
	cells[START_earlier_peak_mib].number = known_mib(record->earlier_peak_kib);
	row_write(out, &tables[TABLE_start], cells);
}

static void write_children(struct cell *cells, const uint64_t children[COUNTER_COUNT])
{
	cells[EXIT_children_utime].number = seconds(children[COUNTER_USER_NS]);
	cells[EXIT_children_stime].number = seconds(children[COUNTER_SYSTEM_NS]);
	if (children[COUNTER_DISK_READ] == UINT64_MAX)
		return;
	cells[EXIT_children_read_bytes].number = (double)children[COUNTER_DISK_READ];
	cells[EXIT_children_write_bytes].number = (double)children[COUNTER_DISK_WRITE];
}

static double limited_mib(uint64_t kib)
{
	return kib == UINT64_MAX ? UNKNOWN : known_mib(kib);
}

void record_fill_shared(struct cell cells[3], const struct process_shared *shared)
{
	if (shared->kib == 0)
		return;
	cells[0].number = known_mib(shared->kib);
	cells[1].number = known_mib(shared->size_kib);
	cells[2].text = text_of(shared->object);
}

void record_write_exit(struct buffer *out, const struct exit_record *record)
{
	struct cell cells[EXIT_COLUMNS];

	row_begin(cells, &tables[TABLE_exit]);
	cells[EXIT_timestamp].number = (double)record->time_ns / 1e9;
	cells[EXIT_pid].number = record->id.pid;
	cells[EXIT_start_ticks].number = (double)record->id.start;
	cells[EXIT_ppid].number = record->ppid;
	cells[EXIT_peak_rss_mib].number = record->peak_rss_kib / KIB_PER_MIB;
	cells[EXIT_minor_faults].number = record->minor_faults;
	cells[EXIT_voluntary_switches].number = record->voluntary_switches;
	cells[EXIT_involuntary_switches].number = record->involuntary_switches;
	if (record->exit_code >= 0)
		cells[EXIT_exit_code].number = record->exit_code;
	if (record->exit_signal != 0)
		cells[EXIT_exit_signal].number = record->exit_signal;
	cells[EXIT_source].text = text_of(record->source);
	cells[EXIT_exact].number = record->exact ? 1 : 0;
	cells[EXIT_exact_peak].number = record->exact_peak ? 1 : 0;
	if (record->children_left >= 0)
		cells[EXIT_children_left].number = record->children_left;
	if (record->children_ignored >= 0)
		cells[EXIT_children_ignored].number = record->children_ignored;
	cells[EXIT_children_peak_mib].number = known_mib(record->children_peak_kib);
	if (!record->exact && record->missing_ns >= 0)
		cells[EXIT_missing_cpu].number = (double)record->missing_ns / 1e9;
	if (record->children_minor_faults > 0)
		cells[EXIT_children_minor_faults].number = (double)record->children_minor_faults;
	cells[EXIT_private_mib].number = known_mib(record->private_kib);
	if (record->children)
		write_children(cells, record->children);
	if (record->counters)
		figures_write_counters(cells, FIGURES_exit, record->counters);
	if (cells[EXIT_cpu_wait].number == 0)
		cells[EXIT_cpu_wait].number = UNKNOWN;
	if (!record->io_known)
		cells[EXIT_disk_read_bytes].number = cells[EXIT_disk_write_bytes].number = UNKNOWN;
	if (record->limits) {
		cells[EXIT_address_space_limit_mib].number = limited_mib(record->limits->address_space_kib);
		cells[EXIT_address_space_mib].number = known_mib(record->limits->address_space_peak_kib);
		cells[EXIT_data_limit_mib].number = limited_mib(record->limits->data_kib);
		uint64_t cpu_ns = record->counters ? figures_cpu_ns(record->counters) : 0;
		uint64_t cpu_limit = process_cpu_limit(record->limits, cpu_ns, record->exit_signal);
		if (cpu_limit != UINT64_MAX)
			cells[EXIT_cpu_limit].number = (double)cpu_limit;
	}
	if (record->shared)
		record_fill_shared(&cells[EXIT_shared_mib], record->shared);
	if (record->energy_nj > 0)
		cells[EXIT_energy_wh].number = (double)record->energy_nj / NJ_PER_WH;
	row_write(out, &tables[TABLE_exit], cells);
}

void record_from_self(struct exit_record *record, const struct process_usage *usage)
{
	record->counters = usage->own;
	record->io_known = true;
	record->energy_nj = usage->energy_nj;
	record->peak_rss_kib = usage->peak_rss_kib > 0 ? (double)usage->peak_rss_kib : UNKNOWN;
	record->exact_peak = record->exact && usage->peak_is_own;
	record->children = usage->children;
	record->children_peak_kib = usage->children_peak_kib;
	record->minor_faults = (double)usage->minor_faults;
	record->children_minor_faults = usage->children_minor_faults;
	record->voluntary_switches = (double)usage->voluntary_switches;
	record->involuntary_switches = (double)usage->involuntary_switches;
}

/* Parses a row into cells. Returns 0, or -1 if it does not match the table. */
static int read_cells(const struct table *table, char *line, size_t length, struct cell *cells)
{
	struct text fields[COLUMNS_MAX];
	int count = row_split(line, length, fields, COLUMNS_MAX);
	if (count != (int)table->count)
		return -1;
	for (size_t i = 0; i < table->count; i++) {
		cells[i] = CELL_TEXT(fields[i]);
		if (table_columns(table)[i].kind != KIND_TEXT && number_read(fields[i], &cells[i].number) != 0)
			return -1;
	}
	return 0;
}

void tail_read(int file, uint64_t *offset, const struct table *table, char *scratch, size_t capacity,
	void (*row)(void *context, const struct cell *cells), void *context)
{
	struct cell cells[COLUMNS_MAX];
	int64_t length;

	while ((length = os_read_at(file, scratch, capacity, *offset)) > 0) {
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
			return; /* the next row is still being written */
		*offset += start > 0 ? start : text.length;
		if (text.length < capacity)
			return;
	}
}

void record_mark_self(struct mark_record *mark, const char *label, uint64_t before_kib)
{
	struct process_usage usage;

	process_read_self(&usage, before_kib, SPOOL_SMALL_PEAK_KIB);
	*mark = (struct mark_record){.pid = os_pid(), .label = label, .peak_kib = usage.peak_rss_kib, .io_known = true};
	for (int i = 0; i < COUNTER_COUNT; i++)
		mark->inclusive[i] = usage.own[i] + usage.children[i];
}

static void write_mark_usage(struct cell *cells, const struct mark_record *mark)
{
	cells[MARK_peak_rss_mib].number = known_mib(mark->peak_kib);
	if (figures_cpu_ns(mark->inclusive) == 0)
		return;
	cells[MARK_utime].number = seconds(mark->inclusive[COUNTER_USER_NS]);
	cells[MARK_stime].number = seconds(mark->inclusive[COUNTER_SYSTEM_NS]);
	if (!mark->io_known)
		return;
	cells[MARK_disk_read_bytes].number = (double)mark->inclusive[COUNTER_DISK_READ];
	cells[MARK_disk_write_bytes].number = (double)mark->inclusive[COUNTER_DISK_WRITE];
}

int record_append_mark(const char *path, const struct mark_record *mark, uint64_t limit)
{
	enum { LABEL_MAX = 512, ROWS_MAX = 2 * LABEL_MAX + 384 };
	struct cell cells[MARK_COLUMNS];
	char data[ROWS_MAX];
	struct buffer rows = BUFFER(data);

	row_begin(cells, &tables[TABLE_mark]);
	cells[MARK_timestamp].number = (double)os_now_ns() / 1e9;
	cells[MARK_pid].number = mark->pid;
	cells[MARK_label].text = record_cut(text_of(mark->label), LABEL_MAX);
	write_mark_usage(cells, mark);
	(void)os_create(OS_HERE, path, TEXT(""));
	int file = os_open(OS_HERE, path);
	/* Several processes may find the file empty at the same time. Each writes the header together with its row in
	 * one write, because a header alone could follow another process's row. */
	if (file >= 0 && os_size(file) == 0)
		row_write_header(&rows, &tables[TABLE_mark]);
	os_close(file);
	row_write(&rows, &tables[TABLE_mark], cells);
	return os_append(OS_HERE, path, (struct text){data, rows.length}, limit);
}
