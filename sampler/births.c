/* Whether everybody is known who was born since the last tick. Then a process that ended without a word of its own has
 * left nobody whom we overlooked, such as a static daemon that came and went: an account of those who reaped it holds
 * all that it began. And if that was so in each tick, whatever the accounts of parents hold is of children who are
 * known.
 *
 * The kernel gives each process and each thread the next free pid of our namespace, and tells the last one. So all pids
 * between that of the last tick and that of now must be those of members, of processes that still have the parent who
 * made them, of threads that live, or did at a glance between two ticks, or of what the tracker started. Strangers who
 * came and went leave a pid that nobody explains: where others start programs all the time, nothing is known. */
#include "sampler/state.h"

enum { BIRTHS_MAX = 256 };

void births_explain(struct sampler *sampler, int pid)
{
	struct explained *explained = &sampler->explained;

	if (explained->count < BIRTHS_EXPLAINED_MAX)
		explained->pid[explained->count++] = pid;
}

static bool is_explained(const struct explained *explained, int pid)
{
	bool found = false;

	for (int i = 0; i < explained->count && !found; i++)
		found = explained->pid[i] == pid;
	return found;
}

void births_glance(struct sampler *sampler)
{
	struct explained *explained = &sampler->explained;
	uint64_t from = sampler->passed.born_pid;
	struct process_tally now;

	if (from == 0 || process_tally_read(sampler->tally_file, &now) != 0)
		return;
	from = explained->until > from ? explained->until : from;
	explained->until = now.last_pid;
	for (uint64_t pid = from + 1; pid <= now.last_pid && pid <= from + BIRTHS_EXPLAINED_MAX; pid++)
		if (process_is_thread((int)pid))
			births_explain(sampler, (int)pid);
}

static bool is_known(struct sampler *sampler, int pid)
{
	struct process_reading reading;
	const struct process_entry *entry = process_list_find(&sampler->list, pid);

	if (is_explained(&sampler->explained, pid) || members_are_ours(sampler, pid) ||
		ledger_find_latest(&sampler->ledger, pid) != MEMBER_NONE)
		return true;
	/* Who is there and in no list is a thread: the list was read after the last pid. */
	return entry ? entry->id.start != 0 && !members_may_be_orphan(sampler, entry->ppid)
		     : process_read(pid, false, &reading) == 0;
}

static bool all_are_known(struct sampler *sampler, uint64_t from, uint64_t to)
{
	bool known = from != 0 && to >= from && to - from <= BIRTHS_MAX && members_pids_ascend(sampler);

	for (uint64_t pid = from + 1; known && pid <= to; pid++)
		known = is_known(sampler, (int)pid);
	return known;
}

void births_open(struct sampler *sampler)
{
	const int64_t young_ns = 2000000000; /* so that pids have not started anew */
	struct process_id root = sampler->passed.root;

	if (root.start != 0 && os_since_boot_ns() - process_started_ns(root.start) < young_ns)
		sampler->passed.born_pid = (uint64_t)root.pid;
}

void births_look(struct sampler *sampler)
{
	uint64_t from = sampler->passed.born_pid, to = sampler->tally.last_pid;

	sampler->passed.born_pid = !sampler->blind && !sampler->unread && all_are_known(sampler, from, to) ? to : 0;
	sampler->explained.count = 0;
}

/* Children of a member, whose new parents nobody has been told yet. */
static int count_children(const struct ledger *ledger, int pid)
{
	int count = 0;

	for (size_t i = 0; i < ledger->top; i++)
		count += ledger->members[i].used && !ledger->members[i].ended && ledger->members[i].ppid == pid;
	return count;
}

int births_children_left(struct sampler *sampler, const struct member *member)
{
	struct process_tally now;

	/* Whom it reaped before may have left others. Where the first process is not shown, others are hidden as well
	 * (hidepid). Whoever came after the list was read is not looked for. */
	if (member->reading.has_reaped || sampler->blind || sampler->unread || !process_list_find(&sampler->list, 1) ||
		process_tally_read(sampler->tally_file, &now) != 0 || now.last_pid != sampler->tally.last_pid ||
		!all_are_known(sampler, sampler->earlier_pid, now.last_pid))
		return -1;
	return count_children(&sampler->ledger, member->id.pid);
}
