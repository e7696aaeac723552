/* The sampler's ticks: membership, accounts and the rows of the three series; see sampler.h.
 *
 * The order inside a tick matters. start.csv is read first, so that what registered itself is known;
 * then the living are read; then exit.csv. A process that ends between the last two is accounted by
 * its exit row, and its parent, read before, cannot have reaped it yet in that reading: nothing is
 * counted twice, whatever the timing. What ended is accounted before the living are, so that a
 * parent's growth is only what its children did not bring already. */
#include "sampler/sampler.h"

#include "sampler/ledger.h"
#include "sampler/memory.h"
#include "sampler/record.h"

enum { SAMPLER_SCRATCH_MAX = 65536, ENDED_KEPT_TICKS = 2, UNRECORDED_START_TICKS = 2 };

#define NS_PER_SECOND 1000000000
#define BYTES_PER_MIB 1048576
#define KIB_PER_MIB 1024.0

struct sampler {
	char directory[SPOOL_PATH_MAX];
	int64_t interval_ns;
	int64_t min_ns;
	int root_pid;
	int launcher_pid;
	bool truncated;
	uint64_t limit_bytes;
	uint64_t member_bytes;
	int lock;
	int at; /* the run's directory */
	int system_file;
	int process_file;
	int member_file;
	struct tail start_tail;
	struct tail exit_tail;
	int64_t start_ns; /* since the epoch */
	int64_t last_ns;  /* of the last row, since the epoch */
	int64_t last_monotonic_ns;
	struct ledger ledger;
	struct process_list list;
	struct process_list spare; /* the memory of the list before */
	struct memory_budget memory;
	uint64_t owed[COUNTER_COUNT];  /* accounted in rows before this sampler began, or not the job's */
	uint64_t total[COUNTER_COUNT]; /* in all rows, and `owed` */
	uint64_t kernel_ns[2];         /* what wait4 said */
	uint64_t ended_peak_kib;       /* the largest peak among those that ended since the last row */
	bool has_memory;               /* a row has said what memory is in use */
	double memory_mib;             /* … the last of them */
	double rss_mib;
	uint64_t tracker[COUNTER_COUNT]; /* what we used ourselves; in the root this is in its figures too */
	uint64_t hosted[COUNTER_COUNT];  /* … before the thread began */
	uint64_t tracker_row_ns;
	struct system_state *system;
	char scratch[SAMPLER_SCRATCH_MAX];
	char rows[SAMPLER_SCRATCH_MAX];
};

/* -- records of others ------------------------------------------------------------------------------ */

static void append(const struct sampler *sampler, enum table_id table, const struct buffer *row, uint64_t limit)
{
	if (!row->full)
		(void)os_append(sampler->at, tables[table].file, (struct text){row->data, row->length}, limit);
}

static void record_start(struct sampler *sampler, struct member *member)
{
	char exe[SPOOL_COMMAND_MAX / 2];
	char command[SPOOL_COMMAND_MAX];
	char row[SPOOL_ROW_MAX];
	struct buffer exe_out = BUFFER(exe);
	struct buffer command_out = BUFFER(command);
	struct buffer out = BUFFER(row);

	process_describe(member->pid, &exe_out, &command_out);
	record_write_start(&out, &(struct start_record){.time_ns = os_now_ns(),
					 .pid = member->pid,
					 .start_ticks = member->start_ticks,
					 .ppid = member->ppid,
					 .exe = {exe, exe_out.length},
					 .command = {command, command_out.length}});
	append(sampler, TABLE_start, &out, sampler->limit_bytes);
	member->start_recorded = true;
}

static void record_exit(struct sampler *sampler, const struct member *member, int exit_code, int exit_signal,
	const char *source, bool exact)
{
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	const struct process_reading *last = &member->reading;

	record_write_exit(
		&out, &(struct exit_record){.time_ns = os_now_ns(),
			      .pid = member->pid,
			      .start_ticks = member->start_ticks,
			      .ppid = member->ppid,
			      .counters = member->sampled ? member->own : NULL,
			      .io_known = last->io_known,
			      .peak_rss_kib = member->peak_rss_kib > 0 ? (double)member->peak_rss_kib : UNKNOWN,
			      .minor_faults = member->sampled ? (double)last->minor_faults : UNKNOWN,
			      .voluntary_switches = UNKNOWN,
			      .involuntary_switches = UNKNOWN,
			      .exit_code = exit_code,
			      .exit_signal = exit_signal,
			      .source = source,
			      .exact = exact});
	append(sampler, TABLE_exit, &out, 0);
}

/* -- what members say of themselves ------------------------------------------------------------------- */

static void on_start(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	int pid = (int)cells[START_pid].number;
	uint64_t ticks = (uint64_t)cells[START_start_ticks].number;
	int index = ledger_find(&sampler->ledger, pid, ticks);

	if (index == MEMBER_NONE)
		index = ledger_add(&sampler->ledger, pid, ticks, (int)cells[START_ppid].number);
	if (index != MEMBER_NONE)
		sampler->ledger.members[index].start_recorded = true;
}

static uint64_t positive(double value, double unit)
{
	return value > 0 && value * unit < 9e18 ? (uint64_t)(value * unit + 0.5) : 0;
}

static void on_exit_row(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	struct ledger *ledger = &sampler->ledger;
	int pid = (int)cells[EXIT_pid].number;
	uint64_t ticks = (uint64_t)cells[EXIT_start_ticks].number;
	uint64_t own[COUNTER_COUNT] = {0};
	uint64_t peak_kib = positive(cells[EXIT_peak_rss_mib].number, KIB_PER_MIB);
	int index = ledger_find(ledger, pid, ticks);

	if (index == MEMBER_NONE)
		index = ledger_add(ledger, pid, ticks, (int)cells[EXIT_ppid].number);
	if (index == MEMBER_NONE || ledger->members[index].ended)
		return;
	struct member *member = &ledger->members[index];
	own[COUNTER_USER_NS] = positive(cells[EXIT_utime].number, 1e9);
	own[COUNTER_SYSTEM_NS] = positive(cells[EXIT_stime].number, 1e9);
	own[COUNTER_DISK_READ] = positive(cells[EXIT_disk_read_bytes].number, 1);
	own[COUNTER_DISK_WRITE] = positive(cells[EXIT_disk_write_bytes].number, 1);
	own[COUNTER_MAJOR_FAULTS] = positive(cells[EXIT_major_faults].number, 1);
	own[COUNTER_READ_CHARS] = member->accounted[COUNTER_READ_CHARS];
	own[COUNTER_WRITE_CHARS] = member->accounted[COUNTER_WRITE_CHARS];
	member->ppid = (int)cells[EXIT_ppid].number;
	/* The root hosts the sampler: its own record includes us, its reading at the end does not. */
	if (pid == sampler->root_pid && sampler->launcher_pid == 0)
		return;
	if (peak_kib > sampler->ended_peak_kib)
		sampler->ended_peak_kib = peak_kib;
	ledger_end(ledger, index, own, NULL);
}

/* -- membership --------------------------------------------------------------------------------------- */

/* Whether a process that nobody announced belongs to the run by its descent. */
static bool is_descendant(const struct sampler *sampler, int ppid)
{
	return (sampler->launcher_pid > 0 && ppid == sampler->launcher_pid) ||
	       ledger_find_alive(&sampler->ledger, ppid) != MEMBER_NONE;
}

/* Makes a process a member if it is one, by its own announcement or by its descent: true when it was. */
static bool adopt(struct sampler *sampler, struct process_entry *entry)
{
	if (entry->pid == sampler->launcher_pid)
		return false;
	if (entry->start_ticks == 0) {
		struct process_reading reading;
		if (process_read(entry->pid, false, &reading) != 0)
			return false;
		entry->start_ticks = reading.start_ticks;
		entry->ppid = reading.ppid;
	}
	int index = ledger_find(&sampler->ledger, entry->pid, entry->start_ticks);
	if (index == MEMBER_NONE && (entry->pid == sampler->root_pid || is_descendant(sampler, entry->ppid)))
		index = ledger_add(&sampler->ledger, entry->pid, entry->start_ticks, entry->ppid);
	entry->member = index;
	return index != MEMBER_NONE;
}

/* Matches the list of all processes against the one before: what was looked at stays what it was, what
 * is new is looked at, again and again as long as that finds members, for a child's pid may be smaller
 * than its parent's. A later announcement makes a member of what was none. */
static void find_members(struct sampler *sampler)
{
	struct process_list before = sampler->list;
	struct process_list *list = &sampler->list;
	size_t old = 0;

	*list = sampler->spare;
	sampler->spare = before;
	if (process_list(list) < 0)
		list->count = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct process_entry *entry = &list->entries[i];
		while (old < before.count && before.entries[old].pid < entry->pid)
			old++;
		if (old < before.count && before.entries[old].pid == entry->pid &&
			before.entries[old].identity == entry->identity)
			*entry = before.entries[old];
		else
			entry->member = MEMBER_NONE;
	}
	for (bool found = true; found;) {
		found = false;
		for (size_t i = 0; i < list->count; i++)
			if (list->entries[i].member == MEMBER_NONE)
				found |= adopt(sampler, &list->entries[i]);
	}
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The root hosts the thread that samples: what the tracker used is taken out of its figures. */
static void subtract_tracker(const struct sampler *sampler, struct process_reading *reading)
{
	uint64_t own_ns[2];
	uint64_t children_ns[2];

	process_own_usage(own_ns);
	process_children_usage(children_ns);
	for (int i = 0; i < 2; i++) {
		int counter = COUNTER_USER_NS + i;
		reading->own[counter] = less(own_ns[i], sampler->tracker[counter]);
		reading->inclusive[counter] = reading->own[counter] + children_ns[i];
	}
	for (int i = COUNTER_DISK_READ; i <= COUNTER_WRITE_CHARS; i++)
		reading->own[i] = reading->inclusive[i] = less(reading->own[i], sampler->tracker[i]);
	if (reading->threads > 1)
		reading->threads--;
}

static void measure_tracker(struct sampler *sampler)
{
	if (sampler->launcher_pid > 0) {
		process_own_usage(&sampler->tracker[COUNTER_USER_NS]);
		return;
	}
	thread_usage(&sampler->tracker[COUNTER_USER_NS]);
	(void)thread_io(sampler->tracker);
	for (int i = 0; i < COUNTER_COUNT; i++)
		sampler->tracker[i] += sampler->hosted[i];
}

static void read_members(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->list.count; i++) {
		int index = sampler->list.entries[i].member;
		if (index == MEMBER_NONE)
			continue;
		struct member *member = &sampler->ledger.members[index];
		struct process_reading reading;
		member->listed = true;
		if (member->ended || process_read(member->pid, true, &reading) != 0 ||
			reading.start_ticks != member->start_ticks)
			continue;
		if (sampler->launcher_pid == 0 && member->pid == sampler->root_pid)
			subtract_tracker(sampler, &reading);
		member->reading = reading;
		member->fresh = true;
	}
}

/* -- accounts ------------------------------------------------------------------------------------------ */

/* A zombie without threads left, which says its final figures until it is reaped. */
static bool is_dead(const struct process_reading *reading)
{
	return reading->state == 'Z' && reading->threads == 0;
}

static void keep_own(struct member *member, const struct process_reading *reading)
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		member->own[i] = reading->own[i];
	member->sampled = true;
}

/* Members that ended without a word: as zombies, exactly; gone altogether, as last seen. */
static void account_unannounced_ends(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (!member->used || member->ended)
			continue;
		if (member->fresh && is_dead(&member->reading) && member->reading.ppid != sampler->launcher_pid) {
			keep_own(member, &member->reading);
			record_exit(sampler, member, -1, 0, "sampler", true);
			ledger_end(ledger, (int)i, member->own, member->reading.inclusive);
		} else if (!member->listed) {
			record_exit(sampler, member, -1, 0, "sampler", false);
			ledger_end(ledger, (int)i, member->sampled ? member->own : NULL, NULL);
		}
	}
}

static void account_living(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (!member->used || member->ended || !member->fresh)
			continue;
		ledger_read(ledger, (int)i, &member->reading);
		if (!member->start_recorded && ++member->age >= UNRECORDED_START_TICKS)
			record_start(sampler, member);
	}
}

/* Forgets what ended and is gone; not at once, since its rows are read again in the next tick. */
static void forget_ended(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (member->used && member->ended && !member->listed && ++member->age > ENDED_KEPT_TICKS)
			ledger_remove(ledger, (int)i);
		member->listed = member->fresh = false;
	}
}

static void read_announcements(struct sampler *sampler, enum table_id table)
{
	if (table == TABLE_start)
		tail_read(
			&sampler->start_tail, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, on_start, sampler);
	else
		tail_read(&sampler->exit_tail, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, on_exit_row,
			sampler);
}

static void update_accounts(struct sampler *sampler)
{
	read_announcements(sampler, TABLE_start);
	find_members(sampler);
	read_members(sampler);
	read_announcements(sampler, TABLE_exit);
	account_unannounced_ends(sampler);
	account_living(sampler);
}

/* What the kernel says of the whole tree and no row has: the rest of children that nobody saw. */
static void close_accounts(struct sampler *sampler)
{
	const uint64_t *total = sampler->total;
	const uint64_t *delta = sampler->ledger.delta;
	uint64_t user = total[COUNTER_USER_NS] + delta[COUNTER_USER_NS];
	uint64_t system = total[COUNTER_SYSTEM_NS] + delta[COUNTER_SYSTEM_NS];
	uint64_t kernel = sampler->kernel_ns[0] + sampler->kernel_ns[1];
	if (kernel <= user + system)
		return;
	uint64_t missing = kernel - user - system;
	uint64_t missing_user = sampler->kernel_ns[0] > user ? sampler->kernel_ns[0] - user : 0;
	missing_user = missing_user < missing ? missing_user : missing;
	ledger_add_cpu(&sampler->ledger, missing_user, missing - missing_user);
}

/* Moves what was accounted since the last row into `amounts`, less what earlier rows have already. */
static void settle(struct sampler *sampler, uint64_t amounts[COUNTER_COUNT])
{
	for (int i = 0; i < COUNTER_COUNT; i++) {
		uint64_t amount = sampler->ledger.delta[i];
		uint64_t paid = amount < sampler->owed[i] ? amount : sampler->owed[i];
		sampler->owed[i] -= paid;
		sampler->total[i] += amount;
		amounts[i] = amount - paid;
		sampler->ledger.delta[i] = 0;
	}
}

/* -- rows ------------------------------------------------------------------------------------------------ */

/* What of the living members is summed into a row of process.csv. */
struct sums {
	double memory_mib;
	double rss_mib;
	uint64_t threads;
	unsigned members;
	bool root;
};

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
		uint64_t now = member->own[i];
		grown[i] = now > member->row_counters[i] ? now - member->row_counters[i] : 0;
		changed |= grown[i] > 0 && i <= COUNTER_DISK_WRITE;
	}
	if (!changed)
		return;
	struct cell cells[MEMBER_COLUMNS] = {
		[MEMBER_timestamp] = CELL_NUMBER(timestamp),
		[MEMBER_pid] = CELL_NUMBER(member->pid),
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
		member->row_counters[i] = member->own[i];
	member->row_memory = memory_mib;
	member->row_rss_kib = member->reading.rss_kib;
	member->row_threads = member->reading.threads;
}

static void write_members(struct sampler *sampler, double timestamp, int64_t elapsed_ns, bool last, struct sums *sums)
{
	struct ledger *ledger = &sampler->ledger;
	struct buffer rows = BUFFER(sampler->rows);

	memory_grant(&sampler->memory, elapsed_ns);
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (!member->used || member->ended || !member->fresh)
			continue;
		double memory_mib = (double)memory_read(&sampler->memory, member, last) / KIB_PER_MIB;
		sums->memory_mib += memory_mib;
		sums->rss_mib += (double)member->reading.rss_kib / KIB_PER_MIB;
		sums->threads += member->reading.threads;
		sums->members++;
		sums->root |= member->pid == sampler->root_pid;
		if (!sampler->truncated)
			write_member(sampler, &rows, member, memory_mib, timestamp, elapsed_ns);
	}
	flush_rows(sampler, &rows);
}

static void write_process(struct sampler *sampler, double timestamp, int64_t elapsed_ns, const struct sums *sums)
{
	uint64_t amounts[COUNTER_COUNT];
	settle(sampler, amounts);
	struct cell cells[PROCESS_COLUMNS] = {
		[PROCESS_timestamp] = CELL_NUMBER(timestamp),
		[PROCESS_pid] = CELL_NUMBER(sampler->root_pid),
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

static void tick(struct sampler *sampler, bool last)
{
	struct sums sums = {0};
	int64_t now_ns = os_now_ns();
	int64_t monotonic_ns = os_monotonic_ns();
	int64_t elapsed_ns = monotonic_ns - sampler->last_monotonic_ns;

	measure_tracker(sampler);
	/* Rows stay in order when the clock was set back. */
	if (now_ns < sampler->last_ns)
		now_ns = sampler->last_ns;
	double timestamp = (double)now_ns / 1e9;

	update_accounts(sampler);
	if (last)
		close_accounts(sampler);
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
	forget_ended(sampler);
	sampler->last_ns = now_ns;
	sampler->last_monotonic_ns = monotonic_ns;
}

/* -- the public side --------------------------------------------------------------------------------------- */

int64_t sampler_next_tick_ns(const struct sampler *sampler)
{
	return (os_now_ns() / sampler->interval_ns + 1) * sampler->interval_ns;
}

void sampler_tick(struct sampler *sampler)
{
	tick(sampler, false);
}

void sampler_ended(struct sampler *sampler, int pid, int exit_code, int exit_signal)
{
	struct process_reading reading;
	if (process_read(pid, true, &reading) != 0)
		return;
	read_announcements(sampler, TABLE_start);
	read_announcements(sampler, TABLE_exit);
	int index = ledger_find(&sampler->ledger, pid, reading.start_ticks);
	if (index == MEMBER_NONE)
		index = ledger_add(&sampler->ledger, pid, reading.start_ticks, reading.ppid);
	if (index == MEMBER_NONE)
		return;
	struct member *member = &sampler->ledger.members[index];
	if (!member->ended) {
		uint64_t rss_kib = member->reading.rss_kib;
		member->reading = reading;
		member->reading.rss_kib = rss_kib;
		keep_own(member, &reading);
		record_exit(sampler, member, exit_code, exit_signal, "launcher", true);
	}
	ledger_end(&sampler->ledger, index, reading.own, reading.inclusive);
}

void sampler_reaped(struct sampler *sampler, int pid, int64_t utime_ns, int64_t stime_ns)
{
	(void)pid;
	sampler->kernel_ns[0] += (uint64_t)utime_ns;
	sampler->kernel_ns[1] += (uint64_t)stime_ns;
}

/* Rows of an earlier sampler of the same run: their sums are not to be written again. */
static void on_earlier_row(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	static const struct {
		int column;
		enum counter counter;
		double unit;
	} sums[] = {
		{PROCESS_utime, COUNTER_USER_NS, 1e9},
		{PROCESS_stime, COUNTER_SYSTEM_NS, 1e9},
		{PROCESS_disk_read_bytes, COUNTER_DISK_READ, 1},
		{PROCESS_disk_write_bytes, COUNTER_DISK_WRITE, 1},
		{PROCESS_read_chars, COUNTER_READ_CHARS, 1},
		{PROCESS_write_chars, COUNTER_WRITE_CHARS, 1},
		{PROCESS_major_faults, COUNTER_MAJOR_FAULTS, 1},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(sums); i++)
		sampler->owed[sums[i].counter] += positive(cells[sums[i].column].number, sums[i].unit);
	int64_t time_ns = (int64_t)positive(cells[PROCESS_timestamp].number, 1e9);
	if (time_ns > sampler->last_ns)
		sampler->last_ns = time_ns;
}

static void read_earlier_rows(struct sampler *sampler)
{
	struct tail tail = {os_open(sampler->at, tables[TABLE_process].file), 0};
	tail_read(&tail, &tables[TABLE_process], sampler->scratch, SAMPLER_SCRATCH_MAX, on_earlier_row, sampler);
	os_close(tail.file);
}

static void release(struct sampler *sampler)
{
	if (sampler->system) {
		system_close(sampler->system);
		os_unmap(sampler->system, system_state_size());
	}
	process_list_release(&sampler->list);
	process_list_release(&sampler->spare);
	ledger_release(&sampler->ledger);
	os_close(sampler->system_file);
	os_close(sampler->process_file);
	os_close(sampler->member_file);
	os_close(sampler->start_tail.file);
	os_close(sampler->exit_tail.file);
	os_close(sampler->at);
	os_close(sampler->lock);
	os_unmap(sampler, sizeof *sampler);
}

static int open_files(struct sampler *sampler)
{
	sampler->at = os_open_directory(OS_HERE, sampler->directory);
	sampler->lock = os_open_append(sampler->at, SPOOL_LOCK_FILE);
	sampler->system_file = os_open_append(sampler->at, tables[TABLE_system].file);
	sampler->process_file = os_open_append(sampler->at, tables[TABLE_process].file);
	sampler->member_file = os_open_append(sampler->at, tables[TABLE_member].file);
	sampler->start_tail.file = os_open(sampler->at, tables[TABLE_start].file);
	sampler->exit_tail.file = os_open(sampler->at, tables[TABLE_exit].file);
	if (sampler->lock < 0 || os_lock(sampler->lock) != 0)
		return -1;
	return sampler->system_file < 0 || sampler->process_file < 0 ? -1 : 0;
}

struct sampler *sampler_open(const struct sampler_options *options)
{
	struct sampler *sampler = os_map(sizeof *sampler);
	struct buffer directory = {0};
	struct run_facts facts;

	if (!sampler)
		return NULL;
	directory = BUFFER(sampler->directory);
	buffer_string(&directory, options->directory);
	(void)buffer_terminate(&directory);
	sampler->root_pid = options->root_pid;
	sampler->launcher_pid = options->launcher_pid;
	for (int i = 0; options->hosted && i < COUNTER_COUNT; i++)
		sampler->hosted[i] = options->hosted[i];
	sampler->ledger.free = MEMBER_NONE;
	sampler->min_ns = (int64_t)(options->settings->number[SETTING_ID_MIN_SECONDS] * NS_PER_SECOND);
	sampler->limit_bytes = (uint64_t)(options->settings->number[SETTING_ID_SPOOL_MAX_MIB] * BYTES_PER_MIB);
	sampler->system = os_map(system_state_size());
	if (open_files(sampler) != 0 || !sampler->system || run_facts(sampler->directory, &facts) != 0) {
		if (sampler->system)
			os_unmap(sampler->system, system_state_size());
		sampler->system = NULL;
		release(sampler);
		return NULL;
	}
	sampler->interval_ns =
		options->interval_ns > 0 ? options->interval_ns : (int64_t)(facts.interval * NS_PER_SECOND + 0.5);
	sampler->start_ns = sampler->last_ns = (int64_t)(facts.start_time * NS_PER_SECOND);
	for (int i = 0; i < 2; i++)
		sampler->owed[COUNTER_USER_NS + i] = (uint64_t)facts.baseline_ns[i];
	read_earlier_rows(sampler);
	(void)system_open(sampler->system);
	memory_open(&sampler->memory, settings_is(options->settings, SETTING_ID_MEMORY, "pss"));
	int64_t behind_ns = os_now_ns() - sampler->last_ns;
	sampler->last_monotonic_ns = os_monotonic_ns() - (behind_ns > 0 ? behind_ns : 0);
	return sampler;
}

void sampler_finish(struct sampler *sampler, int exit_code, int exit_signal)
{
	tick(sampler, true);
	int64_t now_ns = os_now_ns();
	if (now_ns - sampler->start_ns < sampler->min_ns)
		run_remove(sampler->directory);
	else
		(void)run_finish(sampler->directory, &(struct run_end){.time_ns = now_ns,
							     .exit_code = exit_code,
							     .exit_signal = exit_signal,
							     .truncated = sampler->truncated});
	release(sampler);
}
