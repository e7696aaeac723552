/* SPDX-License-Identifier: Apache-2.0 */
/* Reads each process of the run at a tick, and subtracts the tracker's usage from the root's. */
#include "sampler/sampler.h"
#include "sampler/state.h"

enum { FOLLOWED_MAX = 256 }; /* maximum number of descriptors for observing the ends of processes */

enum sight members_look(const struct member *member, bool with_io, struct process_reading *reading)
{
	int result = process_read(member->id.pid, with_io, reading);
	if (result != 0)
		return process_is_gone(result) ? SIGHT_GONE : SIGHT_UNKNOWN;
	return process_is(reading->id, member->id) ? SIGHT_SEEN : SIGHT_GONE;
}

void members_measure_tracker(struct sampler *sampler)
{
	if (sampler->place != SAMPLER_IN_ROOT) {
		process_own_usage(&sampler->tracker.used[COUNTER_USER_NS]);
		return;
	}
	uint64_t used[COUNTER_COUNT] = {0};
	thread_usage(&used[COUNTER_USER_NS]);
	(void)thread_io(used);
	for (int i = 0; i < COUNTER_COUNT; i++)
		sampler->tracker.used[i] = sampler->tracker.hosted[i] + used[i];
}

/* Subtracts the tracker's usage from the root, which hosts the sampling thread. The tracker is read just after the
 * root, so that the cost of reading the root is not attributed to the root. */
static void subtract_tracker(struct sampler *sampler, struct process_reading *reading)
{
	uint64_t children_ns[2];

	process_children_usage(children_ns);
	process_own_usage(&reading->own[COUNTER_USER_NS]);
	members_measure_tracker(sampler);
	figures_take_out(reading->own, sampler->tracker.used);
	for (int i = 0; i < 2; i++)
		reading->inclusive[COUNTER_USER_NS + i] = reading->own[COUNTER_USER_NS + i] + children_ns[i];
	for (int i = COUNTER_DISK_READ; i <= COUNTER_WRITE_CHARS; i++)
		reading->inclusive[i] = reading->own[i];
	if (reading->gauge[GAUGE_THREADS] > 1)
		reading->gauge[GAUGE_THREADS]--;
}

bool members_is_dead(const struct process_reading *reading)
{
	return reading->state == 'Z' && reading->gauge[GAUGE_THREADS] <= 1;
}

void sampler_catch(struct sampler *sampler)
{
	struct process_reading reading;
	for (size_t i = 0; i < sampler->ledger.top; i++) {
		struct member *member = &sampler->ledger.members[i];
		if (member->used && !member->ended && members_look(member, true, &reading) == SIGHT_SEEN &&
			members_is_dead(&reading)) {
			member->reading = reading;
			member->look.ignores |= reading.ignores_children;
			member->look.listed = member->look.fresh = member->look.caught = true;
		}
	}
}

/* Opens a descriptor that reports how a process ends. A quarter of all descriptors stays free for other files. */
static void follow(struct sampler *sampler, struct member *member)
{
	int limit = sampler->search.followed_below == 0 ? os_descriptor_limit() : 0;

	if (limit > 0)
		sampler->search.followed_below = limit - limit / 4;
	if (member->look.followed < 0 && sampler->ledger.alive <= FOLLOWED_MAX)
		member->look.followed = process_follow(member->id.pid);
	if (member->look.followed < sampler->search.followed_below)
		return;
	os_close(member->look.followed);
	member->look.followed = -1;
}

/* Returns whether a process still has the parent from its last reading. A parent loses its children when it dies, but
 * it may stay in the list as a zombie. */
static bool has_parent(const struct sampler *sampler, const struct process_reading *reading)
{
	int index = ledger_find_alive(&sampler->ledger, reading->ppid);
	const struct process_entry *entry = process_list_find(&sampler->search.list, reading->ppid);

	if (index != MEMBER_NONE) {
		const struct member *parent = &sampler->ledger.members[index];
		return parent->look.fresh && !parent->look.unknown && parent->reading.state != 'Z';
	}
	return reading->ppid == 0 || sampler_reaps(sampler, reading->ppid) ||
	       (entry && entry->member == MEMBER_NONE && entry->id.start != 0 && entry->id.start <= reading->id.start);
}

/* Returns whether the last reading of a process is still valid, because its CPU time has not grown. Such a process is
 * alive. Its parent and its memory can change without CPU time, so it is still read from time to time. */
static bool stands(const struct sampler *sampler, const struct member *member)
{
	enum { READ_ANYWAY_TICKS = 128 };
	const struct process_reading *last = &member->reading;

	return member->look.sampled && !member->ended && !sampler->search.thorough && !sampler->search.blind &&
	       last->cpu_ns != 0 && last->state != 'R' && last->state != 'Z' &&
	       ((uint32_t)member->id.pid + sampler->search.ticks) % READ_ANYWAY_TICKS != 0 &&
	       has_parent(sampler, last) && process_cpu_ns(member->id.pid) == last->cpu_ns;
}

/* Determines whether a process was started with RTRACK=off, for example by a script that has set this variable. The
 * usage of such a process is still part of the run, in its parent's figures. */
static void look_for_off(struct sampler *sampler, struct member *member, const struct process_reading *reading)
{
	if ((member->look.sampled && reading->image == member->look.environment_of) ||
		sampler_is_root(sampler, member->id))
		return;
	member->look.off = search_is_off(sampler, member->id.pid);
	/* During exec a process has no environment, so it will be examined again. */
	if (!sampler->search.environment_empty)
		member->look.environment_of = reading->image;
}

static void read_member(struct sampler *sampler, int index, bool in_list)
{
	struct member *member = &sampler->ledger.members[index];
	struct process_reading reading;

	if (member->look.fresh) /* sampler_catch has already read it */
		return;
	if (in_list && stands(sampler, member)) {
		member->look.listed = member->look.fresh = true;
		member->look.unknown = false;
		member->look.still = (uint8_t)(member->look.still < 2 ? member->look.still + 1 : 2);
		return;
	}
	member->look.still = 0;
	member->look.looked = true;
	enum sight sight = members_look(member, !member->ended, &reading);
	member->look.listed = sight == SIGHT_SEEN;
	member->look.unknown = sight == SIGHT_UNKNOWN;
	member->look.fresh = member->look.listed && !member->ended;
	if (member->look.listed && member->ended)
		ledger_move(&sampler->ledger, index, reading.ppid);
	if (!member->look.fresh)
		return;
	if (sampler->place == SAMPLER_IN_ROOT && sampler_is_root(sampler, member->id))
		subtract_tracker(sampler, &reading);
	if (sampler_is_root(sampler, member->id))
		search_note_root(sampler, &reading);
	/* While the kernel frees the memory of a dying process, /proc shows no memory and no addresses. To free 1.5 GiB
	 * takes about 0.2 s. /proc may also show 0 for a living process with very little memory. */
	member->look.dies =
		member->look.sampled && reading.gauge[GAUGE_RSS_KIB] == 0 && reading.image == 0 && reading.state != 'Z';
	if (member->look.dies) {
		reading.gauge[GAUGE_RSS_KIB] = member->reading.gauge[GAUGE_RSS_KIB];
		reading.image = member->reading.image;
	}
	look_for_off(sampler, member, &reading);
	if (!members_is_dead(&reading))
		cpu_wait_read(sampler, member, &reading);
	if (member->look.sampled && member->reading.image != reading.image)
		memory_forget(member);
	/* The value is at most 1 here, so the memory is still read in this tick. If the process uses no CPU time until
	 * the next tick, the memory is not read then. */
	member->look.still = member->look.sampled && reading.cpu_ns != 0 && reading.cpu_ns == member->reading.cpu_ns;
	member->reading = reading;
	member->look.ignores |= reading.ignores_children;
	follow(sampler, member);
}

/* Reads the processes in the order of their pids, so that parents precede their children. A parent's figures then
 * cannot contain a child that is read alive afterwards. Pids ascend until they wrap around. A child with a smaller pid
 * than its parent is checked again after the parent, and is treated as gone if it is gone by then. */
void members_read(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	const struct process_list *list = &sampler->search.list;

	cpu_wait_begin(sampler);
	sampler->search.followed_below = 0; /* 0 means unknown; the first call of follow in this tick sets it */
	for (size_t i = 0; i < list->count; i++)
		if (list->entries[i].member != MEMBER_NONE)
			read_member(sampler, list->entries[i].member, true);
	/* Processes that are not in the list are gone, unless /proc hides them or is incomplete. */
	for (size_t i = 0; i < ledger->top; i++)
		if (ledger->members[i].used && !ledger->members[i].ended && !ledger->members[i].look.listed)
			read_member(sampler, (int)i, false);
	for (size_t i = 0; i < list->count; i++) {
		if (list->entries[i].member == MEMBER_NONE)
			continue;
		struct member *member = &ledger->members[list->entries[i].member];
		struct process_reading again;
		if (member->look.fresh && member->look.still == 0 && !members_is_dead(&member->reading) &&
			member->reading.ppid > member->id.pid &&
			ledger_find_alive(ledger, member->reading.ppid) != MEMBER_NONE &&
			members_look(member, false, &again) == SIGHT_GONE)
			member->look.fresh = member->look.listed = false;
	}
}

void members_keep(struct member *member, const struct process_reading *reading)
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		member->own[i] = reading->own[i];
	member->look.sampled = true;
}
