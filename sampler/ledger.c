/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: a hash table of the run's processes, and the arithmetic that attributes usage to them. */
#include "sampler/ledger.h"

#include "os/file.h"
#include "os/memory.h"
#include "os/self.h"

enum { FIRST_CAPACITY = 64, GENERATIONS_MAX = 64 };

static size_t hash(const struct ledger *ledger, int pid)
{
	return ((uint32_t)pid * 2654435761u >> 7) & (ledger->capacity - 1);
}

static void link_member(struct ledger *ledger, int index)
{
	size_t bucket = hash(ledger, ledger->members[index].id.pid);
	ledger->members[index].next = ledger->buckets[bucket];
	ledger->buckets[bucket] = index;
}

static int grow_table(struct ledger *ledger)
{
	size_t capacity = ledger->capacity ? ledger->capacity * 2 : FIRST_CAPACITY;
	int *buckets = os_map_apart(capacity * sizeof *buckets);
	struct member *members = buckets ? os_remap_apart(ledger->members, ledger->capacity * sizeof *members,
						   capacity * sizeof *members)
					 : NULL;
	if (!members) {
		os_unmap(buckets, capacity * sizeof *buckets);
		return -1;
	}
	os_unmap(ledger->buckets, ledger->capacity * sizeof *buckets);
	if (ledger->capacity == 0)
		ledger->free = MEMBER_NONE;
	ledger->buckets = buckets;
	ledger->members = members;
	ledger->capacity = capacity;
	for (size_t i = 0; i < capacity; i++)
		buckets[i] = MEMBER_NONE;
	for (size_t i = 0; i < ledger->top; i++)
		if (members[i].used)
			link_member(ledger, (int)i);
	return 0;
}

int ledger_find(const struct ledger *ledger, struct process_id id)
{
	if (ledger->capacity == 0)
		return MEMBER_NONE;
	int index = ledger->buckets[hash(ledger, id.pid)];
	while (index != MEMBER_NONE && !process_is(ledger->members[index].id, id))
		index = ledger->members[index].next;
	return index;
}

static int find_by_pid(const struct ledger *ledger, int pid, bool ended)
{
	if (ledger->capacity == 0)
		return MEMBER_NONE;
	int index = ledger->buckets[hash(ledger, pid)];
	while (index != MEMBER_NONE && (ledger->members[index].id.pid != pid || ledger->members[index].ended != ended))
		index = ledger->members[index].next;
	return index;
}

int ledger_find_alive(const struct ledger *ledger, int pid)
{
	return find_by_pid(ledger, pid, false);
}

int ledger_find_latest(const struct ledger *ledger, int pid)
{
	int index = find_by_pid(ledger, pid, false);
	return index != MEMBER_NONE ? index : find_by_pid(ledger, pid, true);
}

bool ledger_has_ignoring(const struct ledger *ledger, int pid)
{
	int index = ledger_find_latest(ledger, pid);
	return index != MEMBER_NONE && ledger->members[index].look.ignores;
}

/* Returns whether a process that is not in the ledger may belong to the run. This is impossible for the sampler, for a
 * process outside the PID namespace (pid 0), and for a process that started before the root. It is possible for a
 * process that was gone before it could be read, because its row may follow. */
static bool may_be_member(const struct ledger *ledger, int pid)
{
	const struct process_entry *entry = process_list_find(ledger->others, pid);

	if (!entry || entry->id.start == 0)
		return pid != os_pid() && pid > 0;
	return entry->id.start > ledger->root.start ||
	       (entry->id.start == ledger->root.start && pid > ledger->root.pid);
}

bool ledger_may_descend(const struct ledger *ledger, int pid, int ancestor)
{
	for (int generation = 0; generation < GENERATIONS_MAX && pid != ancestor; generation++) {
		int index = ledger_find_latest(ledger, pid);
		/* The search ends at the root, because ancestors of the root never belong to the run. */
		if (index == MEMBER_NONE || pid == ledger->root.pid)
			return pid != ledger->root.pid && may_be_member(ledger, pid);
		pid = ledger->members[index].ppid;
	}
	return pid == ancestor;
}

static void credit(struct member *member, int counter, uint64_t amount)
{
	member->accounted[counter] += amount;
	member->children[counter] += amount;
}

/* Removes up to `amount` from the unattributed usage. Returns the amount removed. */
static uint64_t land(struct ledger *ledger, int counter, uint64_t amount)
{
	amount = amount < ledger->adrift.all[counter] ? amount : ledger->adrift.all[counter];
	ledger->adrift.all[counter] -= amount;
	ledger->adrift.stale[counter] = figures_above(ledger->adrift.stale[counter], amount);
	return amount;
}

/* Attributes the usage of children that ended while `parent` was unknown to the parent, because the parent's inclusive
 * figure includes this usage or will include it. */
static void take_up_children(struct ledger *ledger, struct member *parent)
{
	ledger->adrift.any = false;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *child = &ledger->members[i];
		if (!child->used || !child->adrift)
			continue;
		child->adrift = child->ppid != parent->id.pid || child->id.start < parent->id.start;
		ledger->adrift.any |= child->adrift;
		for (int j = 0; j < COUNTER_COUNT && !child->adrift; j++) {
			(void)land(ledger, j, child->accounted[j]);
			credit(parent, j, child->accounted[j]);
		}
	}
}

int ledger_add(struct ledger *ledger, struct process_id id, int ppid)
{
	int index;
	if (ledger->capacity > 0 && ledger->free != MEMBER_NONE) {
		index = ledger->free;
		ledger->free = ledger->members[index].next;
	} else {
		if (ledger->top == ledger->capacity && grow_table(ledger) != 0)
			return MEMBER_NONE;
		index = (int)ledger->top++;
	}
	struct member *member = &ledger->members[index];
	*member = (struct member){.id = id, .ppid = ppid, .used = true, .look.followed = -1};
	for (int i = 0; i < GAUGE_COUNT; i++)
		member->reading.gauge[i] = member->memory.slow_gauges[i] = member->gauge[i] = member->row.gauges[i] =
			GAUGE_UNKNOWN;
	member->memory.file_kib = GAUGE_UNKNOWN;
	link_member(ledger, index);
	ledger->alive++;
	if (ledger->adrift.any)
		take_up_children(ledger, member);
	return index;
}

void ledger_remove(struct ledger *ledger, int index)
{
	struct member *member = &ledger->members[index];
	int *place = &ledger->buckets[hash(ledger, member->id.pid)];
	while (*place != index)
		place = &ledger->members[*place].next;
	*place = member->next;
	if (!member->ended)
		ledger->alive--;
	os_close(member->look.followed);
	member->used = false;
	member->next = ledger->free;
	ledger->free = index;
}

void ledger_release(struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->top; i++)
		if (ledger->members[i].used)
			os_close(ledger->members[i].look.followed);
	os_unmap(ledger->members, ledger->capacity * sizeof *ledger->members);
	os_unmap(ledger->buckets, ledger->capacity * sizeof *ledger->buckets);
	*ledger = (struct ledger){.free = MEMBER_NONE};
}

static void account(struct ledger *ledger, struct member *member, int counter, uint64_t amount)
{
	ledger->delta[counter] += amount;
	member->accounted[counter] += amount;
}

/* Raises each counter to its value in `other`, if that is larger. User and system time are compared as a sum, because
 * the kernel moves time between the two (cputime_adjust). */
static void raise(uint64_t *counters, const uint64_t *other)
{
	enum { USER = COUNTER_USER_NS, SYSTEM = COUNTER_SYSTEM_NS };
	if (figures_cpu_ns(other) > figures_cpu_ns(counters)) {
		counters[USER] = other[USER];
		counters[SYSTEM] = other[SYSTEM];
	}
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (i != USER && i != SYSTEM)
			counters[i] = figures_larger(counters[i], other[i]);
}

/* Subtracts amounts from counters, but not below 0. CPU time is subtracted as a sum of user and system time, first from
 * user time. Stores the subtracted amounts in `taken`. */
static void take_out(uint64_t counters[COUNTER_COUNT], const uint64_t amounts[COUNTER_COUNT], uint64_t *taken)
{
	enum { USER = COUNTER_USER_NS, SYSTEM = COUNTER_SYSTEM_NS };
	uint64_t cpu_ns = figures_cpu_ns(amounts);

	for (int i = 0; i < COUNTER_COUNT; i++) {
		uint64_t wanted = i == USER ? cpu_ns : i == SYSTEM ? cpu_ns - taken[USER] : amounts[i];
		taken[i] = wanted < counters[i] ? wanted : counters[i];
		counters[i] -= taken[i];
	}
}

/* Removes from a process's account the amounts that its children have added. */
static void debit(struct member *member, const uint64_t amounts[COUNTER_COUNT])
{
	uint64_t taken[COUNTER_COUNT];

	take_out(member->accounted, amounts, taken);
	take_out(member->children, amounts, taken);
}

/* Attributes up to `amount` of the unattributed usage to a process, and returns how much was attributed. The growth of
 * its inclusive figure may come from grandchildren whose exit rows are already counted. */
static uint64_t claim(struct ledger *ledger, struct member *member, int counter, uint64_t amount)
{
	amount = land(ledger, counter, amount);
	credit(member, counter, amount);
	return amount;
}

/* Raises what the run has counted for a process to `inclusive`. User and system time are raised as a sum, which is then
 * divided. If each were raised separately, the sum could exceed the time used. */
static void bring_up(
	struct ledger *ledger, struct member *member, const uint64_t *inclusive, const uint64_t *own_growth)
{
	enum { USER = COUNTER_USER_NS, SYSTEM = COUNTER_SYSTEM_NS };
	uint64_t brought = figures_above(
		figures_above(figures_cpu_ns(inclusive), figures_cpu_ns(member->accounted)), own_growth[USER]);
	brought -= claim(ledger, member, USER, brought);
	(void)claim(ledger, member, SYSTEM, brought);
	uint64_t sum = figures_larger(
		figures_above(figures_cpu_ns(inclusive), figures_cpu_ns(member->accounted)), own_growth[USER]);
	uint64_t user = figures_above(inclusive[USER], member->accounted[USER]);
	user = user < sum ? user : sum;
	account(ledger, member, USER, user);
	account(ledger, member, SYSTEM, sum - user);
	for (int i = 0; i < COUNTER_COUNT; i++) {
		if (i == USER || i == SYSTEM)
			continue;
		uint64_t amount = figures_above(inclusive[i], member->accounted[i]);
		amount -= claim(ledger, member, i, figures_above(amount, own_growth[i]));
		account(ledger, member, i, figures_larger(amount, own_growth[i]));
	}
}

/* Computes by how much a process's own usage has grown since its last reading. The result has all CPU time in the user
 * counter. It has no I/O, because the kernel does not report I/O without children. */
static void measure_growth(const struct member *member, const uint64_t *own, uint64_t growth[COUNTER_COUNT])
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		growth[i] = 0;
	growth[COUNTER_USER_NS] = figures_above(figures_cpu_ns(own), figures_cpu_ns(member->own));
	growth[COUNTER_MAJOR_FAULTS] = figures_above(own[COUNTER_MAJOR_FAULTS], member->own[COUNTER_MAJOR_FAULTS]);
	growth[COUNTER_CPU_WAIT] = figures_above(own[COUNTER_CPU_WAIT], member->own[COUNTER_CPU_WAIT]);
}

void ledger_read(struct ledger *ledger, int index, const struct process_reading *reading)
{
	struct member *member = &ledger->members[index];
	uint64_t growth[COUNTER_COUNT];

	measure_growth(member, reading->own, growth);
	bring_up(ledger, member, reading->inclusive, growth);
	raise(member->own, reading->own);
	member->ppid = reading->ppid;
	member->peak_rss_kib = figures_larger(member->peak_rss_kib, reading->gauge[GAUGE_RSS_KIB]);
	member->look.sampled = true;
}

/* Adds the usage of an ended child to the account of process `pid`, whose inclusive figure will include the child. If
 * that process has ended too, the usage is also added to the account of its parent, and so on. If a parent is unknown,
 * the usage becomes unattributed. */
static void pass_on(struct ledger *ledger, int pid, const uint64_t amounts[COUNTER_COUNT])
{
	for (int generation = 0; generation < GENERATIONS_MAX; generation++) {
		int index = ledger_find_latest(ledger, pid);
		bool adrift = index == MEMBER_NONE && may_be_member(ledger, pid);
		for (int i = 0; adrift && i < COUNTER_COUNT; i++)
			ledger->adrift.all[i] += amounts[i];
		if (index == MEMBER_NONE)
			return;
		struct member *member = &ledger->members[index];
		for (int i = 0; i < COUNTER_COUNT; i++)
			credit(member, i, amounts[i]);
		if (!member->ended || member->ppid == pid)
			return;
		pid = member->ppid;
	}
}

/* Undoes pass_on. If the chain of parents ends at an unknown process, returns the last ended process before it,
 * otherwise MEMBER_NONE. */
static int take_on_back(struct ledger *ledger, int pid, const uint64_t amounts[COUNTER_COUNT])
{
	int last = MEMBER_NONE;

	for (int generation = 0; generation < GENERATIONS_MAX; generation++) {
		int index = ledger_find_latest(ledger, pid);
		bool adrift = index == MEMBER_NONE && may_be_member(ledger, pid);
		for (int i = 0; adrift && i < COUNTER_COUNT; i++)
			(void)land(ledger, i, amounts[i]);
		if (index == MEMBER_NONE)
			return last;
		struct member *member = &ledger->members[index];
		debit(member, amounts);
		if (!member->ended)
			return MEMBER_NONE;
		last = index;
		pid = member->ppid;
	}
	return MEMBER_NONE;
}

/* Adds the usage of an ended process to the account of process `ppid`, usually its parent. */
static void pass_to(struct ledger *ledger, struct member *member, int ppid)
{
	pass_on(ledger, ppid, member->accounted);
	member->adrift = ledger_find_latest(ledger, ppid) == MEMBER_NONE && may_be_member(ledger, ppid);
	ledger->adrift.any |= member->adrift;
}

uint64_t member_own(const struct member *member, enum counter counter)
{
	bool inclusive = counter >= COUNTER_DISK_READ && counter <= COUNTER_WRITE_CHARS;
	return inclusive ? figures_above(member->own[counter], member->children[counter]) : member->own[counter];
}

void ledger_end(struct ledger *ledger, int index, const uint64_t *own, const uint64_t *inclusive)
{
	struct member *member = &ledger->members[index];
	uint64_t growth[COUNTER_COUNT] = {0};
	uint64_t final[COUNTER_COUNT];

	if (member->ended) {
		if (inclusive)
			bring_up(ledger, member, inclusive, growth);
		return;
	}
	for (int i = 0; i < COUNTER_COUNT; i++)
		final[i] = own ? own[i] + member->children[i] : member->accounted[i];
	if (inclusive)
		raise(final, inclusive);
	if (own)
		measure_growth(member, own, growth);
	bring_up(ledger, member, final, growth);
	if (own)
		raise(member->own, own);
	member->ended = true;
	member->look.age = 0;
	ledger->alive--;
	pass_to(ledger, member, member->ppid);
}

/* Undoes what the end of a process has added to other accounts. */
static void take_back(struct ledger *ledger, const struct member *member)
{
	int last = take_on_back(ledger, member->ppid, member->accounted);
	/* If the parent has ended too, its last reading may include other children that used the same amount. The end
	 * of the parent is therefore counted again. */
	if (last != MEMBER_NONE)
		ledger_end(ledger, last, NULL, ledger->members[last].reading.inclusive);
}

void ledger_reopen(struct ledger *ledger, int index)
{
	struct member *member = &ledger->members[index];
	if (!member->ended)
		return;
	take_back(ledger, member);
	member->ended = member->record.gone_without_row = member->adrift = false;
	ledger->alive++;
}

void ledger_move(struct ledger *ledger, int index, int ppid)
{
	struct member *member = &ledger->members[index];
	if (member->ended && member->ppid != ppid) {
		pass_to(ledger, member, ppid);
		take_back(ledger, member);
	}
	member->ppid = ppid;
}

void ledger_settle(struct ledger *ledger)
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		ledger->adrift.stale[i] = ledger->adrift.all[i] -= ledger->adrift.stale[i];
}

void ledger_add_cpu(struct ledger *ledger, uint64_t user_ns, uint64_t system_ns)
{
	ledger->delta[COUNTER_USER_NS] += user_ns;
	ledger->delta[COUNTER_SYSTEM_NS] += system_ns;
}
