/* Members that end without an exit row of their own: their last figures, what may be missing, and the row that the
 * sampler writes for them.
 *
 * A zombie's figures are final until it is reaped, so a member that is found as a zombie ends exactly. A member that is
 * gone ends with the figures of its last reading; its parent's inclusive figure may bring the rest. */
#include "sampler/state.h"

/* Whether the launcher will reap it: then it is ended by sampler_ended, when the launcher does. */
static bool is_reaped_by_us(const struct sampler *sampler, const struct process_reading *reading)
{
	return sampler->place == SAMPLER_IN_LAUNCHER && reading->ppid == sampler->tracker_pid;
}

/* Announces the end of a member with a status as wait(2) gives it. */
static void announce_status(struct sampler *sampler, struct member *member, uint32_t status, int64_t missing_ns)
{
	int signal = (int)(status & 0x7f);
	int code = signal ? -1 : (int)(status >> 8 & 0xff);
	announce_exit(sampler, member, code, signal, "sampler", missing_ns);
	if (sampler_is_root(sampler, member->id) && !sampler->passed.root_ended) {
		sampler->passed.root_ended = true;
		sampler->passed.exit_code = code;
		sampler->passed.exit_signal = signal;
	}
}

static uint64_t cpu_of(const uint64_t counters[COUNTER_COUNT])
{
	return counters[COUNTER_USER_NS] + counters[COUNTER_SYSTEM_NS];
}

/* Whether the account of a parent that lives may hold a member that is gone, by what is known of both. The kernel tells
 * the parent's in ticks of 10 ms, so small members cannot be judged. */
static bool may_hold(const struct member *parent, const struct member *member)
{
	enum { TOLD_NS = 20000000, CLEAR_NS = 2 * TOLD_NS };
	if (!parent->fresh || cpu_of(member->accounted) < CLEAR_NS)
		return true;
	return cpu_of(parent->reading.inclusive) - cpu_of(parent->reading.own) + TOLD_NS >=
	       cpu_of(parent->children) + cpu_of(member->accounted);
}

/* Whether a member that is gone was reaped by its parent, so that the parent's growth brings what is not known of it.
 * While a parent lives nobody else reaps its children, but for the kernel, if it ignores SIGCHLD. When the parent has
 * ended, its child may have been left to a process outside of the run; the launcher is told of each that is left to
 * it. */
static bool is_reaped(const struct sampler *sampler, const struct member *member)
{
	int index = ledger_find_alive(&sampler->ledger, member->ppid);
	if (index == MEMBER_NONE)
		return sampler->place == SAMPLER_IN_LAUNCHER && !ledger_has_ignoring(&sampler->ledger, member->ppid);
	const struct member *parent = &sampler->ledger.members[index];
	return !parent->ignores && may_hold(parent, member);
}

/* What a member that is gone may have used since its last reading, at most: all CPUs for all of that time. */
static int64_t missing_ns(const struct sampler *sampler, const struct member *member)
{
	int64_t since_ns = process_started_ns(member->id.start);
	if (is_reaped(sampler, member))
		return 0;
	if (member->sampled && sampler->passed.clock.last_boot_ns > since_ns)
		since_ns = sampler->passed.clock.last_boot_ns;
	int64_t lived_ns = os_since_boot_ns() - since_ns;
	return lived_ns > 0 ? lived_ns * system_cpus(sampler->system) : 0;
}

/* Accounts the end of a member that is gone, with the figures of its last reading. */
static void account_gone(struct sampler *sampler, int index)
{
	struct member *member = &sampler->ledger.members[index];
	int64_t missing = missing_ns(sampler, member);
	uint32_t status;
	if (process_wait_status(member->followed, &status) == 0)
		announce_status(sampler, member, status, missing);
	else
		announce_exit(sampler, member, -1, 0, "sampler", missing);
	ledger_end(&sampler->ledger, index, NULL, NULL);
	sampler->ledger.members[index].lost = true;
}

/* Members that are gone come before zombies: a zombie's inclusive figure holds the children that it reaped. */
void ends_find(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		const struct member *member = &ledger->members[i];
		if (member->used && !member->ended && !member->listed && !member->unseen)
			account_gone(sampler, (int)i);
	}
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (!member->used || member->ended || !member->fresh || !members_is_dead(&member->reading) ||
			is_reaped_by_us(sampler, &member->reading))
			continue;
		members_keep(member, &member->reading);
		announce_status(sampler, member, member->reading.wait_status, EXACT);
		ledger_end(ledger, (int)i, NULL, member->reading.inclusive);
	}
}

void ends_of_descendants(struct sampler *sampler, int pid)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		struct process_reading reading;
		if (!member->used || member->ended || !ledger_descends(ledger, member->ppid, pid))
			continue;
		enum sight sight = members_look(member, false, &reading);
		if (sight == SIGHT_SEEN)
			member->ppid = reading.ppid;
		else if (sight == SIGHT_GONE)
			account_gone(sampler, (int)i);
	}
}
