/* One row of system.csv and of process.csv, and the rows of member.csv, at each tick. */
#include "sampler/state.h"

/* What of the living members is summed into a row of process.csv. */
struct sums {
	double memory_mib;
	double rss_mib;
	uint64_t threads;
	unsigned members;
	bool root;
};

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void write_row(int file, enum table_id table, const struct cell *cells)
{
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	row_write(&out, &tables[table], cells);
	if (!out.full)
		(void)os_write(file, (struct text){row, out.length});
}

static double usage(uint64_t cpu_ns, int64_t elapsed_ns, unsigned cpus)
{
	if (elapsed_ns <= 0)
		return UNKNOWN;
	double used = (double)cpu_ns / (double)elapsed_ns;
	return used < cpus ? used : cpus;
}

/* Member rows are gathered and written together, whole rows in one write. */
static void flush_rows(struct sampler *sampler, struct buffer *rows)
{
	if (rows->length > 0) {
		(void)os_write(sampler->member_file, (struct text){rows->data, rows->length});
		sampler->member_bytes += rows->length;
	}
	rows->length = 0;
}

static void write_member(struct sampler *sampler, struct buffer *rows, struct member *member, double memory_mib,
	double timestamp, int64_t elapsed_ns)
{
	uint64_t grown[COUNTER_COUNT];
	bool changed = memory_mib != member->row_memory || member->reading.rss_kib != member->row_rss_kib ||
		       member->reading.threads != member->row_threads;

	for (int i = 0; i < COUNTER_COUNT; i++) {
		uint64_t now = member_own(member, (enum counter)i);
		grown[i] = now > member->row_counters[i] ? now - member->row_counters[i] : 0;
		changed |= grown[i] > 0 && i <= COUNTER_DISK_WRITE;
	}
	if (!changed)
		return;
	struct cell cells[MEMBER_COLUMNS] = {
		[MEMBER_timestamp] = CELL_NUMBER(timestamp),
		[MEMBER_pid] = CELL_NUMBER(member->id.pid),
		[MEMBER_utime] = CELL_NUMBER((double)grown[COUNTER_USER_NS] / NS_PER_SECOND),
		[MEMBER_stime] = CELL_NUMBER((double)grown[COUNTER_SYSTEM_NS] / NS_PER_SECOND),
		[MEMBER_cpu_usage] = CELL_NUMBER(usage(
			grown[COUNTER_USER_NS] + grown[COUNTER_SYSTEM_NS], elapsed_ns, system_cpus(sampler->system))),
		[MEMBER_memory_mib] = CELL_NUMBER(memory_mib),
		[MEMBER_rss_mib] = CELL_NUMBER((double)member->reading.rss_kib / KIB_PER_MIB),
		[MEMBER_disk_read_bytes] = CELL_NUMBER(UNKNOWN),
		[MEMBER_disk_write_bytes] = CELL_NUMBER(UNKNOWN),
		[MEMBER_gpu_usage] = CELL_NUMBER(UNKNOWN),
		[MEMBER_gpu_vram_mib] = CELL_NUMBER(UNKNOWN),
		[MEMBER_threads] = CELL_NUMBER(member->reading.threads),
	};
	if (member->reading.io_known) {
		cells[MEMBER_disk_read_bytes].number = (double)grown[COUNTER_DISK_READ];
		cells[MEMBER_disk_write_bytes].number = (double)grown[COUNTER_DISK_WRITE];
	}
	if (rows->capacity - rows->length < SPOOL_ROW_MAX)
		flush_rows(sampler, rows);
	row_write(rows, &tables[TABLE_member], cells);
	for (int i = 0; i < COUNTER_COUNT; i++)
		member->row_counters[i] = larger(member->row_counters[i], member_own(member, (enum counter)i));
	member->row_memory = memory_mib;
	member->row_rss_kib = member->reading.rss_kib;
	member->row_threads = member->reading.threads;
}

static void write_members(struct sampler *sampler, double timestamp, int64_t elapsed_ns, bool last, struct sums *sums)
{
	struct ledger *ledger = &sampler->ledger;
	struct buffer rows = BUFFER(sampler->rows);

	memory_grant(&sampler->memory, elapsed_ns);
	memory_outdate(ledger);
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (!member->used || member->ended || !member->fresh)
			continue;
		double memory_mib = (double)memory_read(&sampler->memory, member, last) / KIB_PER_MIB;
		sums->memory_mib += memory_mib;
		sums->rss_mib += (double)member->reading.rss_kib / KIB_PER_MIB;
		sums->threads += member->reading.threads;
		sums->members++;
		sums->root |= sampler_is_root(sampler, member->id);
		if (!sampler->truncated)
			write_member(sampler, &rows, member, memory_mib, timestamp, elapsed_ns);
	}
	flush_rows(sampler, &rows);
}

static void write_process(struct sampler *sampler, double timestamp, int64_t elapsed_ns, const struct sums *sums)
{
	uint64_t amounts[COUNTER_COUNT];
	accounts_settle(sampler, amounts);
	struct cell cells[PROCESS_COLUMNS] = {
		[PROCESS_timestamp] = CELL_NUMBER(timestamp),
		[PROCESS_pid] = CELL_NUMBER(sampler->root.pid),
		[PROCESS_children] = CELL_NUMBER(sums->members - (sums->root ? 1u : 0u)),
		[PROCESS_utime] = CELL_NUMBER((double)amounts[COUNTER_USER_NS] / NS_PER_SECOND),
		[PROCESS_stime] = CELL_NUMBER((double)amounts[COUNTER_SYSTEM_NS] / NS_PER_SECOND),
		[PROCESS_cpu_usage] = CELL_NUMBER(usage(amounts[COUNTER_USER_NS] + amounts[COUNTER_SYSTEM_NS],
			elapsed_ns, system_cpus(sampler->system))),
		[PROCESS_memory_mib] = CELL_NUMBER(sums->memory_mib),
		[PROCESS_disk_read_bytes] = CELL_NUMBER((double)amounts[COUNTER_DISK_READ]),
		[PROCESS_disk_write_bytes] = CELL_NUMBER((double)amounts[COUNTER_DISK_WRITE]),
		[PROCESS_gpu_usage] = CELL_NUMBER(UNKNOWN),
		[PROCESS_gpu_vram_mib] = CELL_NUMBER(UNKNOWN),
		[PROCESS_gpu_utilized] = CELL_NUMBER(UNKNOWN),
		[PROCESS_rss_mib] = CELL_NUMBER(sums->rss_mib),
		[PROCESS_threads] = CELL_NUMBER((double)sums->threads),
		[PROCESS_members] = CELL_NUMBER(sums->members),
		[PROCESS_read_chars] = CELL_NUMBER((double)amounts[COUNTER_READ_CHARS]),
		[PROCESS_write_chars] = CELL_NUMBER((double)amounts[COUNTER_WRITE_CHARS]),
		[PROCESS_major_faults] = CELL_NUMBER((double)amounts[COUNTER_MAJOR_FAULTS]),
	};
	write_row(sampler->process_file, TABLE_process, cells);
}

static void write_system(struct sampler *sampler, double timestamp, int64_t elapsed_ns)
{
	struct cell cells[SYSTEM_COLUMNS];
	uint64_t tracker = sampler->tracker[COUNTER_USER_NS] + sampler->tracker[COUNTER_SYSTEM_NS];

	system_read(sampler->system, elapsed_ns, cells);
	cells[SYSTEM_timestamp].number = timestamp;
	if (sampler->list.count > 0)
		cells[SYSTEM_processes].number = (double)sampler->list.count;
	cells[SYSTEM_tracker_cpu].number = (double)(tracker - sampler->tracker_row_ns) / NS_PER_SECOND;
	sampler->tracker_row_ns = tracker;
	write_row(sampler->system_file, TABLE_system, cells);
}

static void check_size(struct sampler *sampler)
{
	if (sampler->member_bytes + sampler->start_tail.offset + sampler->exit_tail.offset >= sampler->limit_bytes)
		sampler->truncated = true;
}

void rows_write(struct sampler *sampler, int64_t now_ns, int64_t elapsed_ns, bool last)
{
	double timestamp = (double)now_ns / 1e9;
	struct sums sums = {0};

	write_members(sampler, timestamp, elapsed_ns, last, &sums);
	if (sums.members > 0) {
		sampler->memory_mib = sums.memory_mib;
		sampler->rss_mib = sums.rss_mib;
		sampler->has_memory = true;
	} else if (!sampler->has_memory) {
		/* Nobody was seen alive: the largest peak among those that came and went is the best figure. */
		sums.memory_mib = sums.rss_mib = (double)sampler->ended_peak_kib / KIB_PER_MIB;
	} else {
		sums.memory_mib = sampler->memory_mib;
		sums.rss_mib = sampler->rss_mib;
	}
	write_process(sampler, timestamp, elapsed_ns, &sums);
	write_system(sampler, timestamp, elapsed_ns);
	check_size(sampler);
}
