/* Membership: a process belongs to the run if it announced itself in start.csv, or if its parent belongs to it. The
 * list of all processes is brought up to date at each tick, and only new processes are looked at. */
#include "sampler/sampler.h"
#include "sampler/state.h"

enum { GENERATIONS_MAX = 16 }; /* of silent ancestors that a row makes known */
enum { FOLLOWED_MAX = 256 };   /* descriptors that may be kept for the ends of members */

enum sight members_look(const struct member *member, bool with_io, struct process_reading *reading)
{
	int result = process_read(member->id.pid, with_io, reading);
	if (result != 0)
		return process_is_gone(result) ? SIGHT_GONE : SIGHT_UNKNOWN;
	return process_is(reading->id, member->id) ? SIGHT_SEEN : SIGHT_GONE;
}

/* Whether the process that has a pid now is a member. A member may be gone, whatever the last tick saw of it, and
 * another process may have its pid: the list of this tick tells them apart, and for those that it lacks, a look. */
static bool is_living_member(const struct sampler *sampler, int pid)
{
	struct process_reading reading;
	int index = ledger_find_alive(&sampler->ledger, pid);
	if (index == MEMBER_NONE)
		return false;
	const struct process_entry *entry =
		sampler->search.blind ? NULL : process_list_find(&sampler->search.list, pid);
	if (entry && entry->id.start != 0)
		return entry->member == index;
	return members_look(&sampler->ledger.members[index], false, &reading) == SIGHT_SEEN;
}

/* Whether a process that wrote no start row belongs to the run by its descent. */
static bool is_descendant(const struct sampler *sampler, int ppid)
{
	return sampler_reaps(sampler, ppid) || is_living_member(sampler, ppid);
}

/* Whether the environment that a process was started with names this run. */
static bool is_named(struct sampler *sampler, const struct process_entry *entry)
{
	int64_t length = process_read_environment(entry->id.pid, sampler->scratch, SAMPLER_SCRATCH_MAX);
	struct text all = {sampler->scratch, length > 0 ? (size_t)length : 0};
	sampler->search.environment_empty = length == 0;
	for (size_t start = 0; start < all.length;) {
		size_t end = text_find(all, '\0', start);
		struct text variable = {all.data + start, end - start};
		if (text_starts(variable, "RTRACK_RUN="))
			return text_ends(variable, sampler->directory) &&
			       variable.length == sizeof "RTRACK_RUN=" - 1 + text_length(sampler->directory);
		start = end + 1;
	}
	return false;
}

static void note_root(struct sampler *sampler, const struct process_reading *reading)
{
	if (reading->image != 0)
		sampler->passed.root.image = reading->image;
	if (sampler->passed.root.id.start == 0)
		sampler->passed.root.id.start = reading->id.start;
}

/* Whether a process was forked from a member and has called no exec since: it runs the member's image. */
static bool is_forked(const struct sampler *sampler, uint64_t image)
{
	const struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++)
		if (ledger->members[i].used && ledger->members[i].reading.image == image)
			return image != 0;
	return image != 0 && image == sampler->passed.root.image;
}

/* Finds the root's ancestors. There are never more of them: one that ends leaves the root to another. */
static void find_ancestors(struct sampler *sampler)
{
	struct process_reading reading = {.ppid = sampler->passed.root.id.pid};

	while (reading.ppid > 0 && sampler->search.ancestor_count >= 0) {
		bool read = sampler->search.ancestor_count < ROOT_ANCESTORS_MAX &&
			    process_read(reading.ppid, false, &reading) == 0;
		if (read)
			sampler->search.ancestors[sampler->search.ancestor_count++] = reading.ppid;
		else
			sampler->search.ancestor_count = -1;
	}
}

/* Whether a process that is a child of `ppid` may have lost its parent. */
static bool may_be_orphan(struct sampler *sampler, int ppid)
{
	if (sampler->place == SAMPLER_IN_KEEPER) /* the root may be gone */
		return true;
	if (sampler->search.ancestor_count == 0)
		find_ancestors(sampler);
	bool found = sampler->search.ancestor_count < 0 || ppid <= 1;
	for (int i = 0; i < sampler->search.ancestor_count && !found; i++)
		found = sampler->search.ancestors[i] == ppid;
	return found;
}

/* Whether a process of unknown descent is a daemon of this run that lost its parents before any tick. A process that
 * started before the root is not. Most such daemons have the run in their environment. The others called no exec. They
 * were forked by the root, which began without the run in its environment, or by a member with an emptied environment.
 * Those run a member's image. */
static bool is_lost_child(
	struct sampler *sampler, const struct process_entry *entry, const struct process_reading *reading)
{
	if (sampler->passed.root.id.start == 0 || entry->id.start < sampler->passed.root.id.start)
		return false;
	return may_be_orphan(sampler, reading->ppid) &&
	       (is_forked(sampler, reading->image) || is_named(sampler, entry));
}

bool members_are_ours(const struct sampler *sampler, int pid)
{
	bool ours = pid == sampler->tracker.pid;

	for (int i = 0; i < SAMPLER_HELPERS; i++)
		ours = ours || pid == sampler->tracker.helper_pid[i];
	return ours;
}

int members_know(struct sampler *sampler, int pid)
{
	struct {
		struct process_id id;
		int ppid;
	} line[GENERATIONS_MAX]; /* from the process up to the first that belongs to the run by itself */
	int count = 0;
	int index = ledger_find_alive(&sampler->ledger, pid);

	for (bool belongs = false; index == MEMBER_NONE && !belongs; index = ledger_find_alive(&sampler->ledger, pid)) {
		struct process_reading reading;
		if (pid <= 1 || count == GENERATIONS_MAX || members_are_ours(sampler, pid) ||
			process_read(pid, false, &reading) != 0)
			return MEMBER_NONE;
		line[count].id = reading.id;
		line[count++].ppid = pid = reading.ppid;
		belongs = sampler_is_root(sampler, reading.id) || sampler_reaps(sampler, reading.ppid);
		if (sampler_is_root(sampler, reading.id))
			note_root(sampler, &reading);
		if (belongs)
			break;
	}
	while (count-- > 0) {
		index = ledger_find(&sampler->ledger, line[count].id);
		if (index != MEMBER_NONE)
			continue;
		index = ledger_add(&sampler->ledger, line[count].id, line[count].ppid);
		/* It lives, and comes too late to be listed at this tick. */
		if (index != MEMBER_NONE)
			sampler->ledger.members[index].look.unknown = true;
	}
	return index;
}

/* Makes a process a member if it announced itself or descends from one; returns whether it is a member. */
static bool adopt(struct sampler *sampler, struct process_entry *entry)
{
	struct process_reading reading = {.image = 0};
	bool lost = false;
	sampler->search.environment_empty = false;
	if (members_are_ours(sampler, entry->id.pid))
		return false;
	if (entry->id.start == 0) {
		int result = process_read(entry->id.pid, false, &reading);
		if (result != 0 || reading.is_tracker)
			return false;
		entry->id.start = reading.id.start;
		entry->ppid = reading.ppid;
		if (sampler_is_root(sampler, entry->id))
			note_root(sampler, &reading);
		lost = !is_descendant(sampler, entry->ppid) && is_lost_child(sampler, entry, &reading);
	}
	int index = ledger_find(&sampler->ledger, entry->id);
	if (index == MEMBER_NONE &&
		(sampler_is_root(sampler, entry->id) || lost || is_descendant(sampler, entry->ppid)))
		index = ledger_add(&sampler->ledger, entry->id, entry->ppid);
	entry->member = index;
	if (index != MEMBER_NONE && reading.image != 0)
		sampler->ledger.members[index].reading.image = reading.image;
	/* While it executes a program it has no environment: it is looked at again. */
	if (index == MEMBER_NONE && sampler->search.environment_empty)
		entry->id.start = 0;
	return index != MEMBER_NONE;
}

/* Whether no process was born and none reaped since the list was read. */
static bool stays(struct sampler *sampler)
{
	struct process_tally before = sampler->search.tally;
	bool known = process_tally_read(sampler->search.tally_file, &sampler->search.tally) == 0;
	bool same = known && !sampler->search.blind && sampler->search.list.count > 0 &&
		    before.last_pid == sampler->search.tally.last_pid &&
		    before.threads == sampler->search.tally.threads;
	if (!known)
		sampler->search.tally = (struct process_tally){0, 0};
	return same;
}

/* Whether no pid can have been given twice since the last tick: they start anew at 32,768 at the least, and nothing
 * makes so many processes in this time. */
static bool pids_ascend(const struct sampler *sampler)
{
	const int64_t most_ns = 3000000000;
	return os_since_boot_ns() - sampler->passed.clock.last_boot_ns < most_ns;
}

/* Whether the list can be made of the previous one, for which `from` was the last pid: few were born since. It is read
 * all the same now and then, since a program that restores a process chooses its pid. */
static bool is_renewable(const struct sampler *sampler, uint64_t from)
{
	enum { READ_ANYWAY_TICKS = 16 };
	uint64_t to = sampler->search.tally.last_pid;

	return !sampler->search.blind && from != 0 && to >= from && to - from <= sampler->search.list.count &&
	       sampler->search.ticks % READ_ANYWAY_TICKS != 0 && pids_ascend(sampler);
}

/* Members that were removed from the ledger since the list was read have no place in it. */
static void renew_members(struct sampler *sampler)
{
	struct process_list *list = &sampler->search.list;

	for (size_t i = 0; i < list->count; i++)
		if (list->entries[i].member != MEMBER_NONE)
			list->entries[i].member = ledger_find(&sampler->ledger, list->entries[i].id);
}

/* Lists the processes anew; the previous list is `spare` then. Where that fails, the previous list stays, of which some
 * members may have been removed from the ledger. */
static void renew_list(struct sampler *sampler, uint64_t from)
{
	struct process_list *list = &sampler->search.list;
	struct process_list now = sampler->search.spare;

	bool renewed = is_renewable(sampler, from) &&
		       process_list_renew(&now, list, from, sampler->search.tally.last_pid) == 0;
	sampler->search.blind = !renewed && process_list(&now) != 0;
	sampler->search.spare = sampler->search.blind ? now : *list;
	if (!sampler->search.blind)
		*list = now;
	if (sampler->search.blind)
		renew_members(sampler);
}

/* The entries of the new list that were in the previous one. */
static void keep_entries(struct sampler *sampler)
{
	struct process_list *list = &sampler->search.list;
	struct process_list before = sampler->search.spare;
	size_t old = 0;

	for (size_t i = 0; i < list->count && !sampler->search.blind; i++) {
		struct process_entry *entry = &list->entries[i];
		while (old < before.count && before.entries[old].id.pid < entry->id.pid)
			old++;
		if (old < before.count && before.entries[old].id.pid == entry->id.pid &&
			before.entries[old].identity == entry->identity)
			*entry = before.entries[old];
		else
			entry->member = MEMBER_NONE;
	}
}

/* The member that takes in orphans: the root, if it is the first process of its PID namespace, or asked for them by
 * prctl(2). Others in the run that do so are not looked for. */
static int heir(const struct sampler *sampler)
{
	bool asked = sampler->place == SAMPLER_IN_ROOT && os_keeps_orphans();

	return asked || sampler->passed.root.id.pid == 1 ? sampler->passed.root.id.pid : 0;
}

/* Brings the list of all processes up to date. One that was in the previous list keeps its entry; a process that is no
 * member yet is looked at in each tick, since it may announce itself later. As long as that finds members it is
 * repeated: the pid of a child may be smaller than that of its parent. */
void members_find(struct sampler *sampler)
{
	struct process_list *list = &sampler->search.list;
	uint64_t from = sampler->search.tally.last_pid;

	if (stays(sampler)) {
		renew_members(sampler);
	} else {
		renew_list(sampler, from);
		keep_entries(sampler);
	}
	for (bool found = !sampler->search.blind; found;) {
		found = false;
		for (size_t i = 0; i < list->count; i++)
			if (list->entries[i].member == MEMBER_NONE)
				found |= adopt(sampler, &list->entries[i]);
	}
	sampler->ledger.root = sampler->passed.root.id;
	sampler->ledger.heir = heir(sampler);
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

/* Takes what the tracker used out of the figures of the root, which hosts the sampling thread. The root is read first
 * and the tracker right after it, so that what the reading itself uses is not left with the root. */
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

/* Keeps a descriptor of a member, from which to learn how it ended. A quarter of those that the limit allows is left
 * free for reading. */
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

/* Whether a process still has the parent that it had when it was read. A parent that has died gives its children away
 * at once, and may be listed as a zombie for long. */
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

/* Whether the last reading of a member stands, since it has not run: it cannot have ended, or be another process, and
 * only what others do to it may be news (a new parent; memory that is swapped out or not shared any more). Now and then
 * it is read all the same. */
static bool stands(const struct sampler *sampler, const struct member *member)
{
	enum { READ_ANYWAY_TICKS = 128 };
	const struct process_reading *last = &member->reading;

	return member->look.sampled && !member->ended && !sampler->search.thorough && !sampler->search.blind &&
	       last->cpu_ns != 0 && last->state != 'R' && last->state != 'Z' &&
	       ((uint32_t)member->id.pid + sampler->search.ticks) % READ_ANYWAY_TICKS != 0 &&
	       has_parent(sampler, last) && process_cpu_ns(member->id.pid) == last->cpu_ns;
}

static void read_member(struct sampler *sampler, int index, bool in_list)
{
	struct member *member = &sampler->ledger.members[index];
	struct process_reading reading;

	if (member->look.fresh) /* sampler_catch */
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
		note_root(sampler, &reading);
	if (member->look.sampled && member->reading.image != reading.image) {
		memory_part(&sampler->ledger, member);
		member->memory.family = member->memory.read_family = 1;
	}
	/* Read all the same: its memory is read with it, but not once more in the next tick. */
	member->look.still = member->look.sampled && reading.cpu_ns != 0 && reading.cpu_ns == member->reading.cpu_ns;
	/* A process that dies has no memory by /proc, nor an image, while the kernel takes it down: 1.5 GiB take some
	 * 0.2 s. Of one that lives and has little /proc says 0 as well. */
	if (member->look.sampled && reading.gauge[GAUGE_RSS_KIB] == 0 && reading.image == 0 && reading.state != 'Z')
		reading.gauge[GAUGE_RSS_KIB] = member->reading.gauge[GAUGE_RSS_KIB];
	member->reading = reading;
	member->look.ignores |= reading.ignores_children;
	follow(sampler, member);
}

/* Reads the members in the order of their pids, parents before children: then the figure of a parent cannot hold a
 * child that is still to be read alive. Pids ascend with the time of birth until they start anew. A child with a
 * smaller pid than its parent is looked at again after it: if it is gone by then, it counts as gone. */
void members_read(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	const struct process_list *list = &sampler->search.list;

	sampler->search.followed_below = 0; /* the first that is followed in this tick asks */
	for (size_t i = 0; i < list->count; i++)
		if (list->entries[i].member != MEMBER_NONE)
			read_member(sampler, list->entries[i].member, true);
	/* Not in the list are those that are gone; and, where /proc hides or lacks them, those that live. */
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
