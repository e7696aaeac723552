/* The ends of rtrack-run's children, by the kernel's account: waitid(2) leaves each a zombie that can be read, and
 * wait4(2) tells what it and the children that it reaped used. Every orphan of the run is such a child. */
#include "sampler/sampler.h"
#include "sampler/state.h"

/* A child of which nothing can be read any more ends with what was seen of it last; what is missing of its CPU time
 * comes with sampler_reaped. Of one that is unknown (/proc tells of another PID namespace) there is no row at all. */
static void end_unread(struct sampler *sampler, const struct child_end *end)
{
	hear_read(sampler, TABLE_exit);
	int index = ledger_find_alive(&sampler->ledger, end->pid);
	if (index == MEMBER_NONE) {
		/* One that is known may have told of its end. */
		if (ledger_find_latest(&sampler->ledger, end->pid) == MEMBER_NONE)
			sampler->passed.series.truncated = TRUNCATED_RUN;
		return;
	}
	announce_exit(sampler, &sampler->ledger.members[index], end->exit_code, end->exit_signal, "launcher", 0);
	ledger_end(&sampler->ledger, index, NULL, NULL);
}

/* ru_maxrss of a child begins with that of the launcher, since fork copies its memory. If it is no more than that, what
 * the child had itself is unknown. */
static bool is_lent(const struct sampler *sampler, uint64_t peak_kib)
{
	return peak_kib <= sampler->reaped.lent_kib;
}

/* Of a command that has reaped none the largest peak is its own. That of an orphan may be what its parent's memory had
 * when it was forked, as may what a tick has read before it executed a program. */
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

/* The kernel shows what a zombie has read and written to root alone. */
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
	take_bytes(&reading, end);
	hear_read(sampler, TABLE_start);
	hear_read(sampler, TABLE_exit);
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
		/* A zombie has no memory, so that of its last reading is kept. */
		uint64_t rss_kib = member->reading.gauge[GAUGE_RSS_KIB];
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
