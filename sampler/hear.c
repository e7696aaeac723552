/* What members say of themselves in start.csv and exit.csv, taken into the ledger. */
#include "sampler/state.h"

uint64_t counter_of(double value, double unit)
{
	return value > 0 && value * unit < 9e18 ? (uint64_t)(value * unit + 0.5) : 0;
}

/* Whoever can write to the spool has written the row: what is no number of a process becomes 0. */
static struct process_id id_of(const struct cell *pid, const struct cell *start)
{
	return (struct process_id){(int)counter_of(pid->number, 1), counter_of(start->number, 1)};
}

static void on_start(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	struct process_id id = id_of(&cells[START_pid], &cells[START_start_ticks]);
	int index = ledger_find(&sampler->ledger, id);

	if (index == MEMBER_NONE)
		index = ledger_add(&sampler->ledger, id, (int)counter_of(cells[START_ppid].number, 1));
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
	struct process_id id = id_of(&cells[EXIT_pid], &cells[EXIT_start_ticks]);
	uint64_t own[COUNTER_COUNT] = {0};
	uint64_t peak_kib = counter_of(cells[EXIT_peak_rss_mib].number, KIB_PER_MIB);
	int index = ledger_find(ledger, id);

	if (index == MEMBER_NONE)
		index = ledger_add(ledger, id, (int)counter_of(cells[EXIT_ppid].number, 1));
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
	bool root = sampler_is_root(sampler, id);
	for (int i = 0; root && i < COUNTER_COUNT; i++)
		own[i] += sampler->root_extra[i];
	member->ppid = (int)counter_of(cells[EXIT_ppid].number, 1);
	if (root && !sampler->root_ended) {
		sampler->root_ended = true;
		sampler->exit_code = number_known(cells[EXIT_exit_code].number)
					     ? (int)counter_of(cells[EXIT_exit_code].number, 1)
					     : -1;
		sampler->exit_signal = (int)counter_of(cells[EXIT_exit_signal].number, 1);
	}
	/* The root hosts the sampler: its own record includes us, its reading at the end does not. */
	if (root && sampler->place == SAMPLER_IN_ROOT)
		return;
	if (peak_kib > sampler->ended_peak_kib)
		sampler->ended_peak_kib = peak_kib;
	uint64_t inclusive[COUNTER_COUNT];
	bool more = read_inclusive(member, cells, own, inclusive);
	if (more) {
		ends_of_descendants(sampler, id.pid);
		member = &ledger->members[index];
		more = read_inclusive(member, cells, own, inclusive);
	}
	ledger_end(ledger, index, own, more ? inclusive : NULL);
}

void hear_read(struct sampler *sampler, enum table_id table)
{
	if (table == TABLE_start)
		tail_read(
			&sampler->start_tail, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, on_start, sampler);
	else
		tail_read(&sampler->exit_tail, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, on_exit_row,
			sampler);
}
