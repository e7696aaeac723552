/* start.csv and exit.csv as the sampler sees them: what members announced is read into the ledger, and
 * rows are written for those that cannot announce themselves (static programs, killed ones). */
#include "sampler/state.h"

uint64_t counter_of(double value, double unit)
{
	return value > 0 && value * unit < 9e18 ? (uint64_t)(value * unit + 0.5) : 0;
}

static void append(const struct sampler *sampler, enum table_id table, const struct buffer *row, uint64_t limit)
{
	if (!row->full)
		(void)os_append(sampler->at, tables[table].file, (struct text){row->data, row->length}, limit);
}

void announce_start(struct sampler *sampler, struct member *member)
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

void announce_exit(struct sampler *sampler, struct member *member, int exit_code, int exit_signal, const char *source,
	int64_t missing_ns)
{
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	const struct process_reading *last = &member->reading;
	uint64_t counters[COUNTER_COUNT];

	if (!member->start_recorded)
		announce_start(sampler, member);
	for (int i = 0; i < COUNTER_COUNT; i++)
		counters[i] = member_own(member, (enum counter)i);
	record_write_exit(
		&out, &(struct exit_record){.time_ns = os_now_ns(),
			      .pid = member->pid,
			      .start_ticks = member->start_ticks,
			      .ppid = member->ppid,
			      .counters = member->sampled ? counters : NULL,
			      .io_known = last->io_known,
			      .peak_rss_kib = member->peak_rss_kib > 0 ? (double)member->peak_rss_kib : UNKNOWN,
			      .minor_faults = member->sampled ? (double)last->minor_faults : UNKNOWN,
			      .voluntary_switches = UNKNOWN,
			      .involuntary_switches = UNKNOWN,
			      .exit_code = exit_code,
			      .exit_signal = exit_signal,
			      .source = source,
			      .exact = missing_ns < 0,
			      .missing_ns = missing_ns});
	append(sampler, TABLE_exit, &out, 0);
}

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

/* What a member's record says of it together with the children that it reaped, if that is clearly more than what is
 * accounted for them already: static and killed ones. True if it is. */
static bool read_inclusive(
	const struct member *member, const struct cell *cells, const uint64_t *own, uint64_t inclusive[COUNTER_COUNT])
{
	enum { CLEAR_NS = 2000000 };
	uint64_t known = member->children[COUNTER_USER_NS] + member->children[COUNTER_SYSTEM_NS];
	for (int i = 0; i < COUNTER_COUNT; i++)
		inclusive[i] = own[i];
	uint64_t user = counter_of(cells[EXIT_children_utime].number, 1e9);
	uint64_t system = counter_of(cells[EXIT_children_stime].number, 1e9);
	uint64_t disk_read = counter_of(cells[EXIT_children_read_bytes].number, 1);
	uint64_t disk_write = counter_of(cells[EXIT_children_write_bytes].number, 1);
	inclusive[COUNTER_USER_NS] += user;
	inclusive[COUNTER_SYSTEM_NS] += system;
	inclusive[COUNTER_DISK_READ] += disk_read;
	inclusive[COUNTER_DISK_WRITE] += disk_write;
	return user + system > known + CLEAR_NS || disk_read > member->children[COUNTER_DISK_READ] ||
	       disk_write > member->children[COUNTER_DISK_WRITE];
}

static void on_exit_row(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	struct ledger *ledger = &sampler->ledger;
	int pid = (int)cells[EXIT_pid].number;
	uint64_t ticks = (uint64_t)cells[EXIT_start_ticks].number;
	uint64_t own[COUNTER_COUNT] = {0};
	uint64_t peak_kib = counter_of(cells[EXIT_peak_rss_mib].number, KIB_PER_MIB);
	int index = ledger_find(ledger, pid, ticks);

	if (index == MEMBER_NONE)
		index = ledger_add(ledger, pid, ticks, (int)cells[EXIT_ppid].number);
	if (index == MEMBER_NONE || ledger->members[index].ended)
		return;
	struct member *member = &ledger->members[index];
	own[COUNTER_USER_NS] = counter_of(cells[EXIT_utime].number, 1e9);
	own[COUNTER_SYSTEM_NS] = counter_of(cells[EXIT_stime].number, 1e9);
	own[COUNTER_DISK_READ] = counter_of(cells[EXIT_disk_read_bytes].number, 1);
	own[COUNTER_DISK_WRITE] = counter_of(cells[EXIT_disk_write_bytes].number, 1);
	own[COUNTER_MAJOR_FAULTS] = counter_of(cells[EXIT_major_faults].number, 1);
	/* The early record of a process that gave up system calls (seccomp): it lives on. */
	if (cells[EXIT_exact].number == 0 && text_is(cells[EXIT_source].text, "self"))
		return;
	for (int i = 0; pid == sampler->root_pid && i < COUNTER_COUNT; i++)
		own[i] += sampler->root_extra[i];
	member->ppid = (int)cells[EXIT_ppid].number;
	if (pid == sampler->root_pid && !sampler->root_ended) {
		sampler->root_ended = true;
		sampler->exit_code =
			number_known(cells[EXIT_exit_code].number) ? (int)cells[EXIT_exit_code].number : -1;
		sampler->exit_signal = (int)counter_of(cells[EXIT_exit_signal].number, 1);
	}
	/* The root hosts the sampler: its own record includes us, its reading at the end does not. */
	if (pid == sampler->root_pid && sampler->place == SAMPLER_IN_ROOT)
		return;
	if (peak_kib > sampler->ended_peak_kib)
		sampler->ended_peak_kib = peak_kib;
	uint64_t inclusive[COUNTER_COUNT];
	bool more = read_inclusive(member, cells, own, inclusive);
	if (more) {
		accounts_end_descendants(sampler, pid);
		member = &ledger->members[index];
		more = read_inclusive(member, cells, own, inclusive);
	}
	ledger_end(ledger, index, own, more ? inclusive : NULL);
}

void announce_read(struct sampler *sampler, enum table_id table)
{
	if (table == TABLE_start)
		tail_read(
			&sampler->start_tail, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, on_start, sampler);
	else
		tail_read(&sampler->exit_tail, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, on_exit_row,
			sampler);
}
