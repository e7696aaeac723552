/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one row of system.csv and of process.csv, and rows of member.csv, at each tick. */
#include "sampler/state.h"

/* Sums over the living processes, for a row of process.csv. */
struct sums {
	uint64_t gauges[GAUGE_COUNT];
	unsigned members;
	bool root;
	bool living; /* at least one of the processes is not a zombie */
};

static void write_row(struct sampler *sampler, int file, enum table_id table, const struct cell *cells)
{
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	row_write(&out, &tables[table], cells);
	if (out.full || backoff_write(sampler, file, (struct text){row, out.length}) != (int64_t)out.length)
		sampler->passed.series.truncated = TRUNCATED_RUN;
}

static double usage(uint64_t cpu_ns, int64_t elapsed_ns, unsigned cpus)
{
	if (elapsed_ns <= 0)
		return UNKNOWN;
	double used = (double)cpu_ns / (double)elapsed_ns;
	return used < cpus ? used : cpus;
}

/* Writes the buffered rows of member.csv in one write. */
static void flush_rows(struct sampler *sampler, struct buffer *rows)
{
	if (rows->length > 0) {
		(void)backoff_write(sampler, sampler->files.member, (struct text){rows->data, rows->length});
		sampler->passed.series.member_bytes += rows->length;
	}
	rows->length = 0;
}

/* Returns whether a process's figures differ from its last row in member.csv. */
static bool has_changed(const struct member *member, const uint64_t grown[COUNTER_COUNT])
{
	for (int i = 0; i < GAUGE_COUNT; i++)
		if (gauge_figures[i].column[FIGURES_member] >= 0 && member->gauge[i] != member->row.gauges[i])
			return true;
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (counter_figures[i].column[FIGURES_member] >= 0 && grown[i] > 0)
			return true;
	return false;
}

/* Computes the growth since the last row. User and system time are computed as a sum, because the kernel moves time
 * between the two (cputime_adjust). */
static void measure_growth(const struct member *member, uint64_t grown[COUNTER_COUNT])
{
	enum { USER = COUNTER_USER_NS, SYSTEM = COUNTER_SYSTEM_NS };

	for (int i = 0; i < COUNTER_COUNT; i++)
		grown[i] = figures_above(member_own(member, (enum counter)i), member->row.counters[i]);
	uint64_t all = figures_above(figures_cpu_ns(member->own), figures_cpu_ns(member->row.counters));
	grown[USER] = grown[USER] < all ? grown[USER] : all;
	grown[SYSTEM] = all - grown[USER];
}

static void write_member(
	struct sampler *sampler, struct buffer *rows, struct member *member, double timestamp, int64_t elapsed_ns)
{
	uint64_t grown[COUNTER_COUNT];
	struct cell cells[MEMBER_COLUMNS];

	measure_growth(member, grown);
	if (!has_changed(member, grown))
		return;
	row_begin(cells, &tables[TABLE_member]);
	cells[MEMBER_timestamp].number = timestamp;
	cells[MEMBER_pid].number = member->id.pid;
	cells[MEMBER_cpu_usage].number = usage(figures_cpu_ns(grown), elapsed_ns, system_cpus(sampler->system));
	figures_write_counters(cells, FIGURES_member, grown);
	if (!member->reading.io_known)
		cells[MEMBER_disk_read_bytes].number = cells[MEMBER_disk_write_bytes].number = UNKNOWN;
	if (sampler->backoff.queued_ns < 0)
		cells[MEMBER_cpu_wait].number = UNKNOWN;
	figures_write_gauges(cells, FIGURES_member, member->gauge);
	record_fill_shared(&cells[MEMBER_shared_mib], &member->memory.shared);
	if (rows->capacity - rows->length < SPOOL_ROW_MAX)
		flush_rows(sampler, rows);
	row_write(rows, &tables[TABLE_member], cells);
	for (int i = 0; i < COUNTER_COUNT; i++)
		member->row.counters[i] += grown[i];
	for (int i = 0; i < GAUGE_COUNT; i++)
		member->row.gauges[i] = member->gauge[i];
}

static void write_members(struct sampler *sampler, double timestamp, int64_t elapsed_ns, struct sums *sums)
{
	struct ledger *ledger = &sampler->ledger;
	struct buffer rows = BUFFER(sampler->rows);

	memory_read(&sampler->passed.memory, ledger, elapsed_ns);
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		/* Skips a process that was found only after the others were read, because it may have started later or
		 * have ended. */
		if (!member->used || member->ended || member->look.off ||
			!(member->look.fresh || (member->look.unknown && member->look.looked)))
			continue;
		sums->members++;
		sums->root |= sampler_is_root(sampler, member->id);
		sums->living |= !members_is_dead(&member->reading);
		if (member->look.unknown) { /* The process could not be read, so its last reading is used. */
			figures_add_gauges(sums->gauges, member->gauge);
			continue;
		}
		gpus_write_member(sampler, member);
		figures_add_gauges(sums->gauges, member->gauge);
		if (sampler->passed.series.truncated != TRUNCATED_MEMBERS)
			write_member(sampler, &rows, member, timestamp, elapsed_ns);
	}
	flush_rows(sampler, &rows);
}

/* Estimates the size in MiB of the files that the run wrote to tmpfs and that no process maps. The kernel reports only
 * the size of all files on the machine. Its growth since the last row is attributed to the run, up to the number of
 * bytes that the run wrote. If the size falls, the fall is attributed to the run, although others may have removed the
 * files: a run that writes and removes many files would otherwise seem to keep them all. A write may be counted one row
 * after the growth. `used_mib`: size of all files. `written`: bytes since the last row. */
static double tmpfs_files_mib(struct tmpfs *tmpfs, double used_mib, uint64_t written)
{
	double grown = used_mib - tmpfs->used_mib, written_mib = (double)written / (KIB_PER_MIB * KIB_PER_MIB);

	if (number_known(grown)) {
		double all = grown + tmpfs->pending_mib;
		double own = all < written_mib ? all : written_mib;
		tmpfs->files_mib = tmpfs->files_mib + own > 0 ? tmpfs->files_mib + own : 0;
		tmpfs->pending_mib = all - own < grown ? all - own : known_larger(grown, 0);
	}
	tmpfs->used_mib = known_first(used_mib, tmpfs->used_mib);
	return tmpfs->files_mib > tmpfs->mapped_mib ? tmpfs->files_mib - tmpfs->mapped_mib : 0;
}

/* `tmpfs_used_mib`: the figure in the row of system.csv at the same tick. */
static void write_process(
	struct sampler *sampler, double timestamp, int64_t elapsed_ns, const struct sums *sums, double tmpfs_used_mib)
{
	uint64_t amounts[COUNTER_COUNT];
	struct cell cells[PROCESS_COLUMNS];

	accounts_settle(sampler, amounts);
	row_begin(cells, &tables[TABLE_process]);
	cells[PROCESS_timestamp].number = timestamp;
	cells[PROCESS_pid].number = sampler->passed.root.id.pid;
	cells[PROCESS_children].number = sums->members - (sums->root ? 1u : 0u);
	cells[PROCESS_members].number = sums->members;
	cells[PROCESS_cpu_usage].number = usage(figures_cpu_ns(amounts), elapsed_ns, system_cpus(sampler->system));
	figures_write_counters(cells, FIGURES_process, amounts);
	process_leave_empty(cells);
	if (sampler->backoff.queued_ns < 0)
		cells[PROCESS_cpu_wait].number = UNKNOWN;
	figures_write_gauges(cells, FIGURES_process, sums->gauges);
	gpus_write_process(sampler, cells);
	double files_mib = tmpfs_files_mib(&sampler->passed.tmpfs, tmpfs_used_mib, amounts[COUNTER_WRITE_CHARS]);
	if (sampler->passed.memory.pss && number_known(tmpfs_used_mib))
		cells[PROCESS_tmpfs_mib].number = files_mib;
	write_row(sampler, sampler->files.process, TABLE_process, cells);
}

/* Returns the CPU time of the tracker's helper processes since it was last written. Only the last row includes it,
 * because a root that calls exec attributes the tracker's CPU time in earlier rows to its own thread. If rtrack-gpu
 * continues with a keeper, the keeper's last row contains its later usage. */
static uint64_t helpers_ns(struct sampler *sampler)
{
	uint64_t sum = 0;

	for (int i = 0; i < SAMPLER_HELPERS; i++) {
		uint64_t used_ns =
			sampler->tracker.helper_pid[i] > 0 ? process_cpu_ns(sampler->tracker.helper_pid[i]) : 0;
		uint64_t *written_ns = &sampler->passed.series.helper_ns[i];
		sum += figures_above(used_ns, *written_ns);
		*written_ns = figures_larger(*written_ns, used_ns);
	}
	return sum;
}

/* system_read must have filled `cells`. */
static void write_system(struct sampler *sampler, double timestamp, struct cell *cells, bool last)
{
	uint64_t tracker = figures_cpu_ns(sampler->tracker.used) + (last ? helpers_ns(sampler) : 0);

	gpus_write_system(sampler, cells);
	uint64_t *oom_kills = sampler->passed.series.oom_kills;
	oom_kills[0] = oom_kills[1];
	oom_kills[1] = oom_kills[2];
	oom_kills[2] = system_oom(sampler->system).kills;
	cells[SYSTEM_timestamp].number = timestamp;
	if (sampler->search.list.count > 0 && !sampler->search.blind)
		cells[SYSTEM_processes].number = (double)sampler->search.list.count;
	cells[SYSTEM_tracker_cpu].number = (double)(tracker - sampler->tracker.row_ns) / NS_PER_SECOND;
	sampler->tracker.row_ns = tracker;
	write_row(sampler, sampler->files.system, TABLE_system, cells);
}

/* Fills in the memory figures of a row without living processes. They are copied from the last row with a living
 * process. If there was none, the largest peak of an ended process is used. */
static void stand_in(const struct sampler *sampler, struct sums *sums)
{
	const uint64_t *before = sampler->passed.series.gauges;
	bool seen = before[GAUGE_RSS_KIB] != GAUGE_UNKNOWN;

	sums->gauges[GAUGE_THREADS] = 0;
	sums->gauges[GAUGE_MEMORY_KIB] = seen ? before[GAUGE_MEMORY_KIB] : sampler->passed.series.ended_peak_kib;
	sums->gauges[GAUGE_RSS_KIB] = seen ? before[GAUGE_RSS_KIB] : sampler->passed.series.ended_peak_kib;
	sums->gauges[GAUGE_FILE_KIB] = seen ? before[GAUGE_FILE_KIB] : GAUGE_UNKNOWN;
	sums->gauges[GAUGE_HUGETLB_KIB] = seen ? before[GAUGE_HUGETLB_KIB] : GAUGE_UNKNOWN;
}

/* Limits a memory sum that contains estimates to the memory in use on the machine or in the control group. */
static void bound_guess(const struct sampler *sampler, struct sums *sums)
{
	uint64_t *memory_kib = &sums->gauges[GAUGE_MEMORY_KIB];
	uint64_t guessed_kib = sampler->passed.memory.guessed_kib;

	if (guessed_kib == 0 || *memory_kib == GAUGE_UNKNOWN)
		return;
	uint64_t in_use_kib = system_memory_in_use_kib(sampler->system);
	uint64_t most_kib = in_use_kib > 0 ? figures_larger(in_use_kib, *memory_kib - guessed_kib) : *memory_kib;
	if (*memory_kib > most_kib)
		*memory_kib = most_kib;
}

void rows_write(struct sampler *sampler, int64_t now_ns, int64_t elapsed_ns, bool last)
{
	double timestamp = (double)now_ns / 1e9;
	struct sums sums = {.members = 0};
	struct cell system[SYSTEM_COLUMNS];

	for (int i = 0; i < GAUGE_COUNT; i++)
		sums.gauges[i] = GAUGE_UNKNOWN;
	(void)gpus_read(sampler);
	write_members(sampler, timestamp, elapsed_ns, &sums);
	bound_guess(sampler, &sums);
	if (!sums.living)
		stand_in(sampler, &sums);
	else
		for (int i = 0; i < GAUGE_COUNT; i++)
			sampler->passed.series.gauges[i] = sums.gauges[i];
	if (sums.living)
		sampler->passed.tmpfs.mapped_mib = (double)sampler->passed.memory.mapped_kib / KIB_PER_MIB;
	system_read(sampler->system, elapsed_ns, system);
	write_process(sampler, timestamp, elapsed_ns, &sums, system[SYSTEM_tmpfs_used_mib].number);
	write_system(sampler, timestamp, system, last);
	const struct passed_on *passed = &sampler->passed;
	uint64_t bytes = passed->series.member_bytes + passed->offsets.start_offset + passed->offsets.exit_offset;
	if (passed->series.truncated == TRUNCATED_NOT && bytes >= passed->given.limit_bytes)
		sampler->passed.series.truncated = TRUNCATED_MEMBERS;
}
