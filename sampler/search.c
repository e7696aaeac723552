/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the processes of a run.
 *
 * A process belongs to the run in three cases: it has registered itself in start.csv, its parent belongs to the run, or
 * it is an orphan whose environment names the run. The list of all processes is updated at each tick, and only new
 * processes are examined. */
#include "sampler/sampler.h"
#include "sampler/state.h"

enum { GENERATIONS_MAX = 16 }; /* maximum number of unregistered ancestors that are added for one row */

/* Returns whether the process that now has this pid belongs to the run. The pid may have been reused since the last
 * tick, so the process is looked up in the current list. If it is not listed, it is read. */
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

/* Returns whether a process without a start row belongs to the run through its parent. */
static bool is_descendant(const struct sampler *sampler, int ppid)
{
	return sampler_reaps(sampler, ppid) || is_living_member(sampler, ppid);
}

/* Returns the first variable in a process's initial environment that begins with `beginning`, or an empty text. */
static struct text find_variable(struct sampler *sampler, int pid, const char *beginning)
{
	int64_t length = process_read_environment(pid, sampler->scratch, SAMPLER_SCRATCH_MAX);
	struct text all = {sampler->scratch, length > 0 ? (size_t)length : 0};

	sampler->search.environment_empty = length == 0;
	for (size_t start = 0; start < all.length;) {
		size_t end = text_find(all, '\0', start);
		struct text variable = {all.data + start, end - start};
		if (text_starts(variable, beginning))
			return variable;
		start = end + 1;
	}
	return (struct text){NULL, 0};
}

/* Returns whether the initial environment of a process names this run. */
static bool is_named(struct sampler *sampler, const struct process_entry *entry)
{
	struct text variable = find_variable(sampler, entry->id.pid, "RTRACK_RUN=");

	return text_ends(variable, sampler->directory) &&
	       variable.length == sizeof "RTRACK_RUN=" - 1 + text_length(sampler->directory);
}

bool search_is_off(struct sampler *sampler, int pid)
{
	return text_is(find_variable(sampler, pid, "RTRACK="), "RTRACK=off");
}

void search_note_root(struct sampler *sampler, const struct process_reading *reading)
{
	if (reading->image != 0)
		sampler->passed.root.image = reading->image;
	if (sampler->passed.root.id.start == 0)
		sampler->passed.root.id.start = reading->id.start;
}

/* Returns whether a process was forked from a process of the run and has not called exec since. */
static bool is_forked(const struct sampler *sampler, uint64_t image)
{
	const struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++)
		if (ledger->members[i].used && ledger->members[i].reading.image == image)
			return image != 0;
	return image != 0 && image == sampler->passed.root.image;
}

/* Finds the root's ancestors, up to and including the first one that cannot be read (hidepid=2): its child names its
 * pid. The list stays valid, because a process whose parent ends gets another ancestor of the root, or process 1, as
 * its new parent. */
static void find_ancestors(struct sampler *sampler)
{
	struct search *search = &sampler->search;
	struct process_reading reading = {.ppid = sampler->passed.root.id.pid};
	bool read = true;

	while (read && reading.ppid > 0 && search->ancestor_count < ROOT_ANCESTORS_MAX) {
		search->ancestors[search->ancestor_count++] = reading.ppid;
		read = process_read(reading.ppid, false, &reading) == 0;
	}
}

/* Returns whether a child of `ppid` may be an orphan of the run. Only process 1 or an ancestor of the root adopts
 * orphans. Children of other processes are not orphans, even if their environment names the run. For example, a Slurm
 * step has the environment of the batch script, but slurmstepd started the step. */
static bool may_be_orphan(struct sampler *sampler, int ppid)
{
	if (sampler->place == SAMPLER_IN_KEEPER) /* the root may be gone, so any process may have adopted orphans */
		return true;
	if (sampler->search.ancestor_count == 0)
		find_ancestors(sampler);
	bool found = ppid <= 1;
	for (int i = 0; i < sampler->search.ancestor_count && !found; i++)
		found = sampler->search.ancestors[i] == ppid;
	return found;
}

/* Returns whether a process is a daemon of this run whose parents ended before any tick saw it. Such a process started
 * after the root. Either its environment names the run, or it was forked without an exec and still runs the program of
 * a process of the run. */
static bool is_lost_child(
	struct sampler *sampler, const struct process_entry *entry, const struct process_reading *reading)
{
	if (sampler->passed.root.id.start == 0 || entry->id.start < sampler->passed.root.id.start)
		return false;
	/* An attached root may itself be a fork. Other forks of the same program do not belong to the run, but cannot
	 * be distinguished from its daemons. */
	if (sampler->attached)
		return false;
	return may_be_orphan(sampler, reading->ppid) &&
	       (is_forked(sampler, reading->image) || is_named(sampler, entry));
}

bool search_is_tracker(const struct sampler *sampler, int pid)
{
	bool ours = pid == sampler->tracker.pid;

	for (int i = 0; i < SAMPLER_HELPERS; i++)
		ours = ours || pid == sampler->tracker.helper_pid[i];
	return ours;
}

int search_known(struct sampler *sampler, int pid)
{
	/* The process and its ancestors, up to the first one that is known to belong to the run. */
	struct {
		struct process_id id;
		int ppid;
	} line[GENERATIONS_MAX];
	int count = 0;
	int index = ledger_find_alive(&sampler->ledger, pid);

	for (bool belongs = false; index == MEMBER_NONE && !belongs; index = ledger_find_alive(&sampler->ledger, pid)) {
		struct process_reading reading;
		if (pid <= 1 || count == GENERATIONS_MAX || search_is_tracker(sampler, pid) ||
			process_read(pid, false, &reading) != 0)
			return MEMBER_NONE;
		line[count].id = reading.id;
		line[count++].ppid = pid = reading.ppid;
		belongs = sampler_is_root(sampler, reading.id) || sampler_reaps(sampler, reading.ppid);
		if (sampler_is_root(sampler, reading.id))
			search_note_root(sampler, &reading);
		if (belongs)
			break;
	}
	while (count-- > 0) {
		index = ledger_find(&sampler->ledger, line[count].id);
		if (index != MEMBER_NONE)
			continue;
		index = ledger_add(&sampler->ledger, line[count].id, line[count].ppid);
		/* The process is alive, but it is newer than the list of this tick, so it is marked as unknown. */
		if (index != MEMBER_NONE)
			sampler->ledger.members[index].look.unknown = true;
	}
	return index;
}

/* Adds a process to the ledger if it has registered itself or descends from a process of the run. Returns whether it
 * belongs to the run. */
static bool adopt(struct sampler *sampler, struct process_entry *entry)
{
	struct process_reading reading = {.image = 0};
	bool lost = false;
	sampler->search.environment_empty = false;
	if (search_is_tracker(sampler, entry->id.pid))
		return false;
	if (entry->id.start == 0) {
		int result = process_read(entry->id.pid, false, &reading);
		if (result != 0 || reading.is_tracker)
			return false;
		entry->id.start = reading.id.start;
		entry->ppid = reading.ppid;
		if (sampler_is_root(sampler, entry->id))
			search_note_root(sampler, &reading);
		lost = !is_descendant(sampler, entry->ppid) && is_lost_child(sampler, entry, &reading);
	}
	int index = ledger_find(&sampler->ledger, entry->id);
	if (index == MEMBER_NONE &&
		(sampler_is_root(sampler, entry->id) || lost || is_descendant(sampler, entry->ppid)))
		index = ledger_add(&sampler->ledger, entry->id, entry->ppid);
	entry->member = index;
	if (index != MEMBER_NONE && reading.image != 0)
		sampler->ledger.members[index].reading.image = reading.image;
	/* During exec a process has no environment, so it will be examined again. */
	if (index == MEMBER_NONE && sampler->search.environment_empty)
		entry->id.start = 0;
	return index != MEMBER_NONE;
}

/* Copies the caller's fields from the previous list to the new one. */
static void keep_entries(struct search *search)
{
	struct process_list *list = &search->list;
	struct process_list before = search->spare;
	size_t old = 0;

	for (size_t i = 0; i < list->count; i++) {
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

/* Updates the list of all processes; the previous list becomes `spare`. If no process was created or reaped, the list
 * is kept. If few were created, they are added to the previous list. Even then, the whole list is read regularly,
 * because a restored process can choose its pid. If the list cannot be read, the previous one is kept. */
static void renew_list(struct search *search, const struct ledger *ledger, int64_t since_last_tick_ns)
{
	enum { READ_ANYWAY_TICKS = 16 };
	/* Pids wrap around at 32,768 or later, and no machine creates that many processes in this time. */
	const int64_t ascending_ns = 3000000000;
	const struct process_tally before = search->tally;
	struct process_list *list = &search->list;
	bool known = process_tally_read(search->tally_file, &search->tally) == 0;

	if (!known)
		search->tally = (struct process_tally){0, 0};
	uint64_t from = before.last_pid, to = search->tally.last_pid;
	bool stays =
		known && !search->blind && list->count > 0 && to == from && search->tally.threads == before.threads;
	bool few = !search->blind && from != 0 && to >= from && to - from <= list->count &&
		   search->ticks % READ_ANYWAY_TICKS != 0 && since_last_tick_ns < ascending_ns;
	if (!stays) {
		struct process_list now = search->spare;
		bool made = few && process_list_renew(&now, list, from, to) == 0;
		search->blind = !made && process_list(&now) != 0;
		search->spare = search->blind ? now : *list;
		if (!search->blind) {
			*list = now;
			keep_entries(search);
		}
	}
	/* Clears references to processes that were removed from the ledger since the list was made. */
	for (size_t i = 0; (stays || search->blind) && i < list->count; i++)
		if (list->entries[i].member != MEMBER_NONE)
			list->entries[i].member = ledger_find(ledger, list->entries[i].id);
}

/* Examines all processes that do not belong to the run, because they may register later. Repeats this until nothing new
 * is found, because a child's pid may be smaller than its parent's. */
void search_members(struct sampler *sampler)
{
	struct search *search = &sampler->search;

	renew_list(search, &sampler->ledger, os_since_boot_ns() - sampler->passed.clock.last_boot_ns);
	for (bool found = !search->blind; found;) {
		found = false;
		for (size_t i = 0; i < search->list.count; i++)
			if (search->list.entries[i].member == MEMBER_NONE)
				found |= adopt(sampler, &search->list.entries[i]);
	}
	sampler->ledger.root = sampler->passed.root.id;
}
