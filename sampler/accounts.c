/* What the run used between two rows, whoever used it and however it ended.
 *
 * The order matters. start.csv is read first, so that what registered itself is known; then the living
 * are read; then exit.csv. A process that ends between the last two is accounted by its exit row, and
 * its parent, read before, cannot have reaped it yet in that reading: nothing is counted twice, whatever
 * the timing. What ended is accounted before the living are, so that a parent's growth is only what
 * its children did not bring already. */
#include "sampler/state.h"

/* The launcher's own children are ended when it reaps them (sampler_ended). */
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
	if (member->pid == sampler->root_pid && !sampler->root_ended) {
		sampler->root_ended = true;
		sampler->exit_code = code;
		sampler->exit_signal = signal;
	}
}

static uint64_t cpu_of(const uint64_t counters[COUNTER_COUNT])
{
	return counters[COUNTER_USER_NS] + counters[COUNTER_SYSTEM_NS];
}

/* Whether the parent's figure of this tick holds all that is known of a member: then it has reaped it, and its growth
 * brings the rest. A parent that ignores SIGCHLD never gets it. The kernel tells that figure in ticks of 10 ms. */
static bool is_reaped(const struct sampler *sampler, const struct member *member)
{
	enum { TOLD_NS = 20000000, CLEAR_NS = 2 * TOLD_NS };
	int index = ledger_find_alive(&sampler->ledger, member->ppid);
	if (index == MEMBER_NONE || !sampler->ledger.members[index].fresh || cpu_of(member->accounted) < CLEAR_NS)
		return false;
	const struct member *parent = &sampler->ledger.members[index];
	return cpu_of(parent->reading.inclusive) - cpu_of(parent->reading.own) + TOLD_NS >=
	       cpu_of(parent->children) + cpu_of(member->accounted);
}

/* What a member that is gone may have used since it was read, at most: every CPU for all of that time. */
static int64_t missing_ns(const struct sampler *sampler, const struct member *member)
{
	int64_t since_ns = (int64_t)member->start_ticks * NS_PER_TICK;
	if (is_reaped(sampler, member))
		return 0;
	if (member->sampled && sampler->clock.last_boot_ns > since_ns)
		since_ns = sampler->clock.last_boot_ns;
	int64_t lived_ns = os_since_boot_ns() - since_ns;
	return lived_ns > 0 ? lived_ns * system_cpus(sampler->system) : 0;
}

/* A member that is gone ends as it was seen last. */
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
}

/* Members that ended without a word: gone altogether, as last seen; as zombies, exactly. Those gone
 * first: a zombie's inclusive figure holds the children that it reaped. */
static void account_unannounced_ends(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		const struct member *member = &ledger->members[i];
		if (member->used && !member->ended && !member->listed)
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

void accounts_end_descendants(struct sampler *sampler, int pid)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		struct process_reading reading;
		if (!member->used || member->ended || !ledger_descends(ledger, member->ppid, pid))
			continue;
		if (process_read(member->pid, false, &reading) == 0 && reading.start_ticks == member->start_ticks)
			member->ppid = reading.ppid;
		else
			account_gone(sampler, (int)i);
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
			announce_start(sampler, member);
	}
}

/* Not at once: its rows are read again in the next tick. */
void accounts_forget(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (member->used && member->ended && !member->listed && ++member->age > ENDED_KEPT_TICKS)
			ledger_remove(ledger, (int)i);
		member->listed = member->fresh = false;
	}
	ledger_settle(ledger);
}

void accounts_update(struct sampler *sampler)
{
	announce_read(sampler, TABLE_start);
	members_find(sampler);
	members_read(sampler);
	announce_read(sampler, TABLE_exit);
	account_unannounced_ends(sampler);
	account_living(sampler);
}

/* The CPU time of members that nobody has reaped yet, which wait4 has not told of. */
static uint64_t unreaped(const struct ledger *ledger)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < ledger->top; i++) {
		const struct member *member = &ledger->members[i];
		if (member->used && !member->ended)
			sum += member->accounted[COUNTER_USER_NS] + member->accounted[COUNTER_SYSTEM_NS];
	}
	return sum;
}

void accounts_close(struct sampler *sampler)
{
	const uint64_t *total = sampler->total;
	const uint64_t *delta = sampler->ledger.delta;
	uint64_t user = total[COUNTER_USER_NS] + delta[COUNTER_USER_NS];
	uint64_t system = total[COUNTER_SYSTEM_NS] + delta[COUNTER_SYSTEM_NS];
	uint64_t kernel = sampler->kernel_ns[0] + sampler->kernel_ns[1] + unreaped(&sampler->ledger);
	if (kernel <= user + system)
		return;
	uint64_t missing = kernel - user - system;
	uint64_t missing_user = sampler->kernel_ns[0] > user ? sampler->kernel_ns[0] - user : 0;
	missing_user = missing_user < missing ? missing_user : missing;
	ledger_add_cpu(&sampler->ledger, missing_user, missing - missing_user);
}

void accounts_settle(struct sampler *sampler, uint64_t amounts[COUNTER_COUNT])
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
