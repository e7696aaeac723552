/* What the system accounted to the group of processes in which the run is (a control group): an upper bound of what the
 * run used, and, where nobody else is in the group, the truth, also about children that are in no process' account.
 *
 * Those that were there before the run, its ancestors, mostly wait; what they use themselves is taken out. */
#include "sampler/sampler.h"
#include "sampler/state.h"

enum { GENERATIONS_MAX = 16, TRIES = 4 };

#define AT_ONCE_NS 1000000 /* of CPU time */

/* Whether a process is an ancestor of another. */
static bool is_above(int ancestor, int pid)
{
	struct process_reading reading;
	for (int i = 0; i < GENERATIONS_MAX && pid > 1 && process_read(pid, false, &reading) == 0; i++) {
		pid = reading.ppid;
		if (pid == ancestor)
			return true;
	}
	return false;
}

/* Whoever was there when the run began. */
static void note_other(struct sampler *sampler, int pid)
{
	struct group *group = &sampler->passed.group;
	struct group_other other = {.id = {pid, 0}};
	struct process_reading reading;
	int result = process_read(pid, false, &reading);

	if (result == 0 && is_above(pid, sampler->passed.root.pid))
		other = (struct group_other){reading.id, figures_cpu_ns(reading.own)};
	else if (result != 0 && !process_is_gone(result))
		group->hidden = true;
	else
		group->shared = true;
	group->shared |= group->others == GROUP_OTHERS_MAX;
	if (!group->shared)
		group->other[group->others++] = other;
}

static bool is_known_other(const struct group *group, int pid)
{
	for (int i = 0; i < group->others; i++)
		if (group->other[i].id.pid == pid)
			return true;
	return false;
}

static bool is_ours(const struct sampler *sampler, int pid)
{
	return members_are_ours(sampler, pid) || pid == sampler->passed.root.pid;
}

/* When the run begins, only the root's ancestors are no others. A child that the root has from an earlier image used
 * something before. */
static void look_first(struct sampler *sampler, const int *pids, int count)
{
	struct group *group = &sampler->passed.group;

	group->shared = count <= 0 || count > SYSTEM_GROUP_MAX;
	for (int i = 0; i < count && !group->shared; i++)
		if (!is_ours(sampler, pids[i]))
			note_other(sampler, pids[i]);
}

/* A guard that has seen the root end waits for the lock of who samples the run then. */
static bool is_tracker(int pid)
{
	struct process_reading reading;
	return process_read(pid, false, &reading) == 0 && reading.is_tracker;
}

/* Who is there at the end, was not at the beginning and is no member: born since the last look at all processes, or an
 * orphan. */
static void look_again(struct sampler *sampler)
{
	struct group *group = &sampler->passed.group;
	int pids[SYSTEM_GROUP_MAX];
	int count = group->shared ? 1 : system_group_processes(sampler->system, pids, SYSTEM_GROUP_MAX);

	group->joined |= count <= 0 || count > SYSTEM_GROUP_MAX;
	for (int i = 0; i < count && !group->joined && !group->shared; i++)
		group->joined = !is_ours(sampler, pids[i]) && !is_known_other(group, pids[i]) &&
				ledger_find_latest(&sampler->ledger, pids[i]) == MEMBER_NONE && !is_tracker(pids[i]);
}

/* What the process that asked had used by then, and the run counts for itself. rtrack-run counts all that it ever used
 * for the tracker. */
static uint64_t counted(const struct sampler *sampler, const struct system_group *begun)
{
	uint64_t root_ns = process_cpu_ns(sampler->passed.root.pid);

	if (begun)
		return figures_above(begun->own_ns, sampler->baseline_ns);
	return root_ns + process_cpu_ns(sampler->tracker_pid);
}

void group_open(struct sampler *sampler, const struct system_group *begun)
{
	struct group *group = &sampler->passed.group;
	int now[SYSTEM_GROUP_MAX];

	if (begun)
		group->cpu_ns = begun->cpu_ns;
	else if (system_group_cpu(sampler->system, &group->cpu_ns) != 0)
		return;
	group->known = true;
	uint64_t counted_ns = counted(sampler, begun);
	group->cpu_ns -= counted_ns < group->cpu_ns ? counted_ns : group->cpu_ns;
	if (begun)
		look_first(sampler, begun->pids, begun->count);
	else
		look_first(sampler, now, system_group_processes(sampler->system, now, SYSTEM_GROUP_MAX));
}

/* -- strangers, under rtrack-run -------------------------------------------------------------------- */

static uint64_t reaped_cpu(const struct process_reading *reading)
{
	return figures_cpu_ns(reading->inclusive) - figures_cpu_ns(reading->own);
}

static bool is_stranger(const struct sampler *sampler, int pid)
{
	return !is_ours(sampler, pid) && !is_known_other(&sampler->passed.group, pid) &&
	       ledger_find_latest(&sampler->ledger, pid) == MEMBER_NONE;
}

/* False: there are none, or they cannot be told. */
static bool read_strangers(const struct sampler *sampler, struct strangers *strangers)
{
	int pids[SYSTEM_GROUP_MAX];
	int count = system_group_processes(sampler->system, pids, SYSTEM_GROUP_MAX);
	struct process_reading reading;

	strangers->count = 0;
	for (int i = 0; i < count && count <= SYSTEM_GROUP_MAX; i++) {
		if (!is_stranger(sampler, pids[i]))
			continue;
		if (process_read(pids[i], false, &reading) != 0)
			return false;
		strangers->items[strangers->count++] =
			(struct stranger){reading.id, figures_cpu_ns(reading.own), reaped_cpu(&reading)};
	}
	return strangers->count > 0;
}

/* What a stranger has used more than when the run began; -1: it is not one of those that were there then, or has reaped
 * somebody since: of who came and went nobody can tell. */
static int64_t grown(const struct strangers *strangers, const struct stranger *now)
{
	for (int i = 0; i < strangers->count; i++)
		if (process_is(strangers->items[i].id, now->id) && strangers->items[i].reaped_ns == now->reaped_ns)
			return (int64_t)(now->cpu_ns - strangers->items[i].cpu_ns);
	return -1;
}

/* Adds up what the strangers used since the run began; false: that cannot be told. */
static bool measure_strangers(const struct sampler *sampler, uint64_t *used_ns)
{
	struct strangers now;

	*used_ns = 0;
	if (!read_strangers(sampler, &now) || now.count != sampler->strangers->count)
		return false;
	for (int i = 0; i < now.count; i++) {
		int64_t more_ns = grown(sampler->strangers, &now.items[i]);
		if (more_ns < 0)
			return false;
		*used_ns += (uint64_t)more_ns;
	}
	return true;
}

/* Whether the group used so much since `before_ns` that what was read meanwhile may belong to another time than what it
 * is held against: whoever looks had to wait for a CPU. `now_ns`: what it has used by now. */
static bool is_late(const struct sampler *sampler, uint64_t before_ns, uint64_t *now_ns)
{
	return system_group_cpu(sampler->system, now_ns) == 0 && *now_ns - before_ns > AT_ONCE_NS;
}

/* Those who share the group, but were there from the beginning to the end and reaped nobody, are as good as nobody. */
static void leave_out_strangers(struct sampler *sampler)
{
	uint64_t before_ns = 0, used_ns = 0;
	bool known = true, late = true;

	for (int i = 0; i < TRIES && known && late; i++) {
		known = system_group_cpu(sampler->system, &before_ns) == 0 && measure_strangers(sampler, &used_ns);
		late = is_late(sampler, before_ns, &sampler->group_ns);
	}
	if (!known)
		return;
	sampler->passed.group.cpu_ns += used_ns;
	sampler->passed.group.shared = false;
}

void sampler_know_strangers(struct sampler *sampler, struct strangers *strangers)
{
	struct group *group = &sampler->passed.group;
	bool known = group->known && group->shared, late = true;
	uint64_t before_ns = 0, now_ns;

	/* Not ru_maxrss, which would be that of whoever became the launcher. */
	sampler->lent_kib = process_read_peak_kib(os_pid());
	for (int i = 0; i < TRIES && known && late; i++) {
		/* The command has not begun: whatever was used until now is not the run's. */
		*group = (struct group){.known = false};
		group_open(sampler, NULL);
		known = system_group_cpu(sampler->system, &before_ns) == 0 && read_strangers(sampler, strangers);
		late = is_late(sampler, before_ns, &now_ns);
	}
	if (!known)
		return;
	sampler->strangers = strangers;
	sampler->leave_out_strangers = leave_out_strangers;
}

void sampler_note_kills(struct sampler *sampler)
{
	char text[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(text);
	struct system_oom oom = system_oom(sampler->system);

	buffer_byte(&out, '\n');
	spool_write_kills(&out, oom.file, oom.kills);
	if (!out.full)
		(void)os_append(sampler->at, SPOOL_LOCK_FILE, (struct text){text, out.length}, 0);
}

void sampler_note_left(struct sampler *sampler)
{
	struct process_list list = {NULL, 0, 0};
	int pid;
	int children = process_children(&pid, 1), known = (int)sampler->ledger.alive;

	for (int i = 0; i < SAMPLER_HELPERS; i++)
		known += sampler->helper_pid[i] > 0;
	/* Negative: how many they are cannot be told. */
	if ((children < 0 ? known == 0 : children > known) && process_list(&list) != 0) {
		sampler->passed.truncated = TRUNCATED_RUN;
		sampler->passed.group.joined = true;
	}
	process_list_release(&list);
}

/* What those who were there before the run have used since. */
static uint64_t used_by_others(const struct sampler *sampler)
{
	const struct group *group = &sampler->passed.group;
	struct process_reading reading;
	uint64_t used_ns = 0;

	for (int i = 0; i < group->others; i++) {
		const struct group_other *other = &group->other[i];
		if (process_read(other->id.pid, false, &reading) == 0 && process_is(reading.id, other->id))
			used_ns += figures_above(figures_cpu_ns(reading.own), other->cpu_ns);
	}
	return used_ns;
}

void group_close(struct sampler *sampler, uint64_t *cpu_ns, enum group_sharing *sharing)
{
	struct group *group = &sampler->passed.group;

	*cpu_ns = 0;
	if (!sampler->leave_out_strangers)
		look_again(sampler);
	/* First: what they use between the two readings may then be called the run's, and nothing of the run theirs. */
	uint64_t others_ns = used_by_others(sampler);
	if (sampler->leave_out_strangers)
		sampler->leave_out_strangers(sampler);
	/* Where strangers were measured the group was, right after it: what they use from then on is not the run's. */
	if (!group->known || (sampler->group_ns == 0 && system_group_cpu(sampler->system, &sampler->group_ns) != 0) ||
		sampler->group_ns < group->cpu_ns)
		return;
	*cpu_ns = figures_above(sampler->group_ns - group->cpu_ns, others_ns);
	*sharing = group->joined ? GROUP_JOINED : group->shared || group->hidden ? GROUP_SHARED : GROUP_OWN;
}
