/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows that processes have written to start.csv and exit.csv. */
#include "sampler/state.h"

/* Returns the process identified by two cells. The job may have written the row, so invalid numbers become 0. */
static struct process_id id_of(const struct cell *pid, const struct cell *start)
{
	return (struct process_id){(int)figures_whole(pid->number, 1), figures_whole(start->number, 1)};
}

static void on_start(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	struct process_id id = id_of(&cells[START_pid], &cells[START_start_ticks]);
	int index = ledger_find(&sampler->ledger, id);

	/* A process that adopts orphans may also write rows for the tracker's helpers, because they are its
	 * children. */
	if (search_is_tracker(sampler, id.pid))
		return;
	bool known = index != MEMBER_NONE;
	if (!known)
		index = ledger_add(&sampler->ledger, id, (int)figures_whole(cells[START_ppid].number, 1));
	if (index == MEMBER_NONE)
		return;
	struct member *member = &sampler->ledger.members[index];
	/* The process may already have ended, because exit.csv is read later. */
	member->look.unknown |= !known;
	bool named = cells[START_exe].text.length > 0 || cells[START_command].text.length > 0;
	/* A row without a name was written by a parent that ended before this process. */
	member->record.start_written |= named;
	/* Only the process itself writes earlier_peak_mib, so this row proves that the process is alive. */
	if (member->record.gone_without_row && number_known(cells[START_earlier_peak_mib].number))
		ledger_reopen(&sampler->ledger, index);
}

/* Reads the figures with reaped children from an exit row. Returns true if they clearly exceed what the run has counted
 * for the children. In that case, some children wrote no exit row, because they were static programs or were killed. */
static bool read_inclusive(
	const struct member *member, const struct cell *cells, const uint64_t *own, uint64_t inclusive[COUNTER_COUNT])
{
	enum { CLEAR_NS = 2000000 };
	uint64_t known = figures_cpu_ns(member->children);
	for (int i = 0; i < COUNTER_COUNT; i++)
		inclusive[i] = own[i];
	uint64_t user = figures_whole(cells[EXIT_children_utime].number, 1e9);
	uint64_t system = figures_whole(cells[EXIT_children_stime].number, 1e9);
	uint64_t disk_read = figures_whole(cells[EXIT_children_read_bytes].number, 1);
	uint64_t disk_write = figures_whole(cells[EXIT_children_write_bytes].number, 1);
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
	struct process_id id = id_of(&cells[EXIT_pid], &cells[EXIT_start_ticks]);
	uint64_t own[COUNTER_COUNT];
	uint64_t peak_kib = figures_whole(cells[EXIT_peak_rss_mib].number, KIB_PER_MIB);
	int index = ledger_find(ledger, id);

	int ppid = (int)figures_whole(cells[EXIT_ppid].number, 1);

	/* The parent may be unknown. It is added first, so that it receives the child's usage. */
	(void)search_known(sampler, ppid);
	bool anew = index == MEMBER_NONE;
	if (anew)
		index = ledger_add(ledger, id, ppid);
	if (index == MEMBER_NONE)
		return;
	if (ledger->members[index].record.gone_without_row && text_is(cells[EXIT_source].text, "self"))
		ledger_reopen(ledger, index);
	if (ledger->members[index].ended)
		return;
	struct member *member = &ledger->members[index];
	figures_read_counters(cells, FIGURES_exit, own);
	bool root = sampler_is_root(sampler, id);
	/* A process writes this row before it installs a seccomp filter or calls exec, so it is still alive. The
	 * records of the root's next program include the sampling thread's usage until now. */
	if (cells[EXIT_exact].number == 0 && text_is(cells[EXIT_source].text, "self")) {
		for (int i = 0; root && i < COUNTER_COUNT; i++)
			sampler->passed.root.tracker[i] = 0;
		member->look.unknown |= anew;
		return;
	}
	for (int i = 0; root && i < COUNTER_COUNT; i++)
		own[i] += sampler->passed.root.tracker[i];
	if (root && sampler->baseline_ns > 0) /* the time would include waiting before the run */
		own[COUNTER_CPU_WAIT] = 0;
	member->ppid = ppid;
	member->look.ignores |= cells[EXIT_children_ignored].number == 1;
	if (root) {
		bool coded = number_known(cells[EXIT_exit_code].number);
		int exit_signal = (int)figures_whole(cells[EXIT_exit_signal].number, 1);
		/* If the row comes from another writer and has no status, the root was killed. */
		ends_note_root(sampler, coded ? (int)figures_whole(cells[EXIT_exit_code].number, 1) : -1, exit_signal,
			cells[EXIT_exact].number == 0 && !coded && exit_signal == 0);
	}
	/* If the root hosts the sampler, its exit row includes the tracker's usage. The row is therefore not counted.
	 * The sampler's final reading excludes that usage. */
	if (root && sampler->place == SAMPLER_IN_ROOT)
		return;
	if (peak_kib > sampler->passed.series.ended_peak_kib)
		sampler->passed.series.ended_peak_kib = peak_kib;
	uint64_t inclusive[COUNTER_COUNT];
	bool more = read_inclusive(member, cells, own, inclusive);
	if (more) {
		ends_of_descendants(sampler, id.pid);
		member = &ledger->members[index];
		more = read_inclusive(member, cells, own, inclusive);
	}
	ledger_end(ledger, index, own, more ? inclusive : NULL);
}

void member_rows_read(struct sampler *sampler, enum table_id table)
{
	uint64_t before = sampler->passed.offsets.exit_offset;

	if (table == TABLE_exit)
		tail_read(sampler->files.exit, &sampler->passed.offsets.exit_offset, &tables[table], sampler->scratch,
			SAMPLER_SCRATCH_MAX, on_exit_row, sampler);
	/* A process first writes start rows for the children that it leaves, and then its exit row. After new exit
	 * rows, start.csv is therefore read again. */
	if (table == TABLE_start || sampler->passed.offsets.exit_offset != before)
		tail_read(sampler->files.start, &sampler->passed.offsets.start_offset, &tables[TABLE_start],
			sampler->scratch, SAMPLER_SCRATCH_MAX, on_start, sampler);
	ends_say_gone(sampler);
}
