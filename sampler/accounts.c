/* What the run used between two rows, by all of its processes, however they ended.
 *
 * The order matters. start.csv is read first, so that members that registered themselves are known; then the living are
 * read; then exit.csv. So the end of a process that ends between the last two is accounted by its exit row, and its
 * parent, which was read before, cannot have reaped it yet in that reading: nothing is counted twice, whatever the
 * timing. Ends are accounted before the living, so that a parent's growth is only what its children did not bring
 * already. */
#include "sampler/state.h"

enum { SETTLED_NS = 100000000 }; /* a process of this age that has written no start row will hardly write one */

static void account_living(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (!member->used || member->ended || !member->look.fresh)
			continue;
		ledger_read(ledger, (int)i, &member->reading);
		member->look.age += !member->record.start_written;
		/* A process that loads the library writes its start row at once; a fork does not. The others are
		 * described by a look, and may be gone at the next. */
		if (!member->record.start_written &&
			(member->look.age >= UNRECORDED_START_TICKS ||
				os_since_boot_ns() - process_started_ns(member->id.start) > SETTLED_NS))
			announce_start(sampler, member);
	}
}

/* Ended members are kept for some ticks, since their rows may be read again in the next one. */
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
	/* In a blind tick no growth may have been read, so what is adrift may still come with it. */
	if (!sampler->search.blind)
		ledger_settle(ledger);
}

void accounts_update(struct sampler *sampler)
{
	hear_read(sampler, TABLE_start);
	search_members(sampler);
	members_read(sampler);
	ends_take_last_word(sampler);
	hear_read(sampler, TABLE_exit);
	ends_find(sampler);
	account_living(sampler);
}

/* The CPU time of members that are not reaped yet, so that wait4 has not told of it. */
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
	/* The kernel divides a process' time anew as it goes on, and a zombie's otherwise than that of the thread in
	 * it: what a row had as system time may come as user time now. */
	pay(&amounts[COUNTER_USER_NS], &owed[COUNTER_SYSTEM_NS]);
	pay(&amounts[COUNTER_SYSTEM_NS], &owed[COUNTER_USER_NS]);
	/* What the rows hold beyond all that a new ledger finds was used by processes that left nothing else:
	 * it is in no figure to come. */
	for (int i = 0; sampler->rows_unfounded && !sampler->search.blind && i < COUNTER_COUNT; i++)
		owed[i] = 0;
	sampler->rows_unfounded = sampler->rows_unfounded && sampler->search.blind;
}
