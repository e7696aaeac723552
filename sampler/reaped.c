/* SPDX-License-Identifier: Apache-2.0 */
/* Records the ends of rtrack-run's children with the kernel's figures.
 *
 * After waitid(2) with WNOWAIT, a child is still a readable zombie. wait4(2) then returns its usage with reaped
 * children. Every orphan of the run becomes a child of rtrack-run. */
#include "sampler/sampler.h"
#include "sampler/state.h"

/* Records the end of a child that cannot be read, with the figures of its last reading. sampler_reaped adds its missing
 * CPU time. If the child is unknown, because /proc belongs to another PID namespace, it gets no row. */
static void end_unread(struct sampler *sampler, const struct child_end *end)
{
	member_rows_read(sampler, TABLE_exit);
	int index = ledger_find_alive(&sampler->ledger, end->pid);
	if (index == MEMBER_NONE) {
		/* A known child has written an exit row of its own. If the child is unknown, rows are missing. */
		if (ledger_find_latest(&sampler->ledger, end->pid) == MEMBER_NONE)
			sampler->passed.series.truncated = TRUNCATED_RUN;
		return;
	}
	announce_exit(sampler, &sampler->ledger.members[index], end->exit_code, end->exit_signal, "launcher", 0);
	ledger_end(&sampler->ledger, index, NULL, NULL);
}

/* Returns whether the peak of a child may be the peak of rtrack-run. After a fork, ru_maxrss of the child starts with
 * rtrack-run's value. */
static bool is_lent(const struct sampler *sampler, uint64_t peak_kib)
{
	return peak_kib <= sampler->reaped.lent_kib;
}

/* Stores the peak that wait4 returned. If the root has reaped no children, that peak is its own. The peak of an orphan
 * may be its parent's memory at the fork, or come from the program before its exec. */
static void take_peak(
	struct sampler *sampler, struct member *member, const struct process_reading *reading, uint64_t peak_kib)
{
	bool lone = !reading->has_reaped;

	if (is_lent(sampler, peak_kib))
		return;
	member->record.children_peak_kib = peak_kib;
	member->record.peak_final = sampler_is_root(sampler, member->id) && (lone || member->peak_rss_kib >= peak_kib);
	if (member->record.peak_final || (lone && member->peak_rss_kib == 0))
		member->peak_rss_kib = peak_kib;
	sampler->passed.series.ended_peak_kib =
		figures_larger(sampler->passed.series.ended_peak_kib, member->peak_rss_kib);
}

/* Takes the I/O figures from waitid, because only root may read /proc/PID/io of a zombie. */
static void take_bytes(struct process_reading *reading, const struct child_end *end)
{
	if (reading->io_known || end->read_bytes == UINT64_MAX)
		return;
	reading->own[COUNTER_DISK_READ] = reading->inclusive[COUNTER_DISK_READ] = end->read_bytes;
	reading->own[COUNTER_DISK_WRITE] = reading->inclusive[COUNTER_DISK_WRITE] = end->write_bytes;
	reading->io_known = true;
}

bool sampler_ended(struct sampler *sampler, const struct child_end *end)
{
	struct process_reading reading;
	if (process_read(end->pid, true, &reading) != 0) {
		end_unread(sampler, end);
		return true;
	}
	if (reading.is_tracker)
		return false;
	if (!reading.io_known && sampler_is_root(sampler, reading.id))
		process_read_io(sampler->root_io, &reading);
	take_bytes(&reading, end);
	member_rows_read(sampler, TABLE_start);
	member_rows_read(sampler, TABLE_exit);
	ends_of_descendants(sampler, end->pid);
	ends_say_gone(sampler);
	int index = ledger_find(&sampler->ledger, reading.id);
	if (index == MEMBER_NONE)
		index = ledger_add(&sampler->ledger, reading.id, reading.ppid);
	if (index == MEMBER_NONE)
		return true;
	struct member *member = &sampler->ledger.members[index];
	ledger_move(&sampler->ledger, index, reading.ppid);
	member->look.ignores |= reading.ignores_children;
	if (!member->ended) {
		/* A zombie has no memory, so RSS stays as it was last read. */
		uint64_t rss_kib = member->reading.gauge[GAUGE_RSS_KIB];
		cpu_wait_end(sampler, member, &reading);
		member->reading = reading;
		member->reading.gauge[GAUGE_RSS_KIB] = rss_kib;
		members_keep(member, &reading);
		take_peak(sampler, member, &reading, end->peak_kib);
		announce_exit(sampler, member, end->exit_code, end->exit_signal, "launcher", EXACT);
	}
	ledger_end(&sampler->ledger, index, NULL, reading.inclusive);
	return true;
}

void sampler_reaped(struct sampler *sampler, int64_t utime_ns, int64_t stime_ns, uint64_t peak_kib)
{
	sampler->reaped.cpu_ns[0] += (uint64_t)utime_ns;
	sampler->reaped.cpu_ns[1] += (uint64_t)stime_ns;
	if (peak_kib > sampler->reaped.peak_kib && !is_lent(sampler, peak_kib))
		sampler->reaped.peak_kib = peak_kib;
}
