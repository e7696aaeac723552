/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the usage of all processes of the run between two rows, however they ended.
 *
 * The order of the steps prevents double counting. start.csv is read first, so that processes that registered
 * themselves are known. Then the living processes are read, then exit.csv. If a process ends between the last two
 * steps, only its exit row contains its end. Its parent was read before and had not reaped it, so the parent's reading
 * does not include it. Ends are added before the growth of living parents, which counts only beyond the usage of ended
 * children. */
#include "sampler/state.h"

enum { SETTLED_NS = 100000000 }; /* age at which a process without a start row will probably not write one */

static void account_living(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (!member->used || member->ended || !member->look.fresh)
			continue;
		ledger_read(ledger, (int)i, &member->reading);
		member->look.age += !member->record.start_written;
		/* Processes that load the library write their start rows immediately. Rows for other processes, which
		 * are forks and static programs, are written here, because these processes may be gone at the next
		 * tick. */
		if (!member->record.start_written &&
			(member->look.age >= UNRECORDED_START_TICKS ||
				os_since_boot_ns() - process_started_ns(member->id.start) > SETTLED_NS))
			announce_start(sampler, member);
	}
}

/* Removes ended processes some ticks after their end, because their rows may still be read at the next tick. */
void accounts_forget(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		bool gone = member->used && member->ended && !member->look.listed && !member->look.unknown &&
			    !sampler->search.blind;
		if (gone && ++member->look.age > ENDED_KEPT_TICKS)
			ledger_remove(ledger, (int)i);
		member->look.listed = member->look.fresh = member->look.unknown = member->look.caught = false;
	}
	/* If processes could not be listed, some were not read. Unattributed usage is then kept, because later readings
	 * may claim it. */
	if (!sampler->search.blind)
		ledger_settle(ledger);
}

void accounts_update(struct sampler *sampler)
{
	member_rows_read(sampler, TABLE_start);
	search_members(sampler);
	members_read(sampler);
	ends_take_last_word(sampler);
	member_rows_read(sampler, TABLE_exit);
	ends_find(sampler);
	account_living(sampler);
}

/* Returns the CPU time of living processes, which wait4 has not reported yet. */
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
	const uint64_t *total = sampler->passed.accounts.total;
	const uint64_t *delta = sampler->ledger.delta;
	uint64_t user = total[COUNTER_USER_NS] + delta[COUNTER_USER_NS];
	uint64_t system = total[COUNTER_SYSTEM_NS] + delta[COUNTER_SYSTEM_NS];
	uint64_t kernel = sampler->reaped.cpu_ns[0] + sampler->reaped.cpu_ns[1] + unreaped(&sampler->ledger);
	if (kernel <= user + system)
		return;
	uint64_t missing = kernel - user - system;
	uint64_t missing_user = figures_above(sampler->reaped.cpu_ns[0], user);
	missing_user = missing_user < missing ? missing_user : missing;
	ledger_add_cpu(&sampler->ledger, missing_user, missing - missing_user);
}

static void pay(uint64_t *amount, uint64_t *owed)
{
	uint64_t paid = *amount < *owed ? *amount : *owed;

	*amount -= paid;
	*owed -= paid;
}

void accounts_settle(struct sampler *sampler, uint64_t amounts[COUNTER_COUNT])
{
	uint64_t *owed = sampler->passed.accounts.owed;

	for (int i = 0; i < COUNTER_COUNT; i++) {
		amounts[i] = sampler->ledger.delta[i];
		sampler->passed.accounts.total[i] += amounts[i];
		sampler->ledger.delta[i] = 0;
		pay(&amounts[i], &owed[i]);
	}
	/* The kernel recomputes the split between user and system time while a process runs, and splits it differently
	 * for a zombie. System time of an earlier row may therefore be user time now. */
	pay(&amounts[COUNTER_USER_NS], &owed[COUNTER_SYSTEM_NS]);
	pay(&amounts[COUNTER_SYSTEM_NS], &owed[COUNTER_USER_NS]);
	/* A new ledger is complete after one full search, because it includes all living processes and all records.
	 * Usage that is still owed then came from processes without a record. The ledger will not count it again, so it
	 * is no longer owed. */
	for (int i = 0; sampler->rows_unfounded && !sampler->search.blind && i < COUNTER_COUNT; i++)
		owed[i] = 0;
	sampler->rows_unfounded = sampler->rows_unfounded && sampler->search.blind;
}
