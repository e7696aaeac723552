/* What the system accounted to the group of processes in which the run is (a control group): an upper bound of what the
 * run used, and, where nobody else is in the group, the truth, also about children that are in no process' account.
 *
 * Those that were there before the run, its ancestors, mostly wait; what they use themselves is taken out. */
#include "sampler/state.h"

enum { GENERATIONS_MAX = 16 };

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

static uint64_t own_cpu(const struct process_reading *reading)
{
	return reading->own[COUNTER_USER_NS] + reading->own[COUNTER_SYSTEM_NS];
}

static void note_other(struct group *group, int pid)
{
	struct process_reading reading;
	if (group->others == GROUP_OTHERS_MAX || process_read(pid, false, &reading) != 0) {
		group->shared = true;
		return;
	}
	group->other[group->others++] = (struct group_other){reading.id, own_cpu(&reading)};
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
	for (int i = 0; i < count && !group->shared; i++) {
		if (is_ours(sampler, pids[i]))
			continue;
		if (is_above(pids[i], sampler->passed.root.pid))
			note_other(group, pids[i]);
		else
			group->shared = true;
	}
}

/* Who is there at the end, was not at the beginning and is no member: born since the last look at all processes, or an
 * orphan. */
static void look_again(struct sampler *sampler)
{
	struct group *group = &sampler->passed.group;
	int pids[SYSTEM_GROUP_MAX];
	int count = system_group_processes(sampler->system, pids, SYSTEM_GROUP_MAX);

	group->joined = count <= 0 || count > SYSTEM_GROUP_MAX;
	for (int i = 0; i < count && !group->joined && !group->shared; i++)
		group->joined = !is_ours(sampler, pids[i]) && !is_known_other(group, pids[i]) &&
				ledger_find_latest(&sampler->ledger, pids[i]) == MEMBER_NONE;
}

/* What the process that asked had used by then, and the run counts for itself. */
static uint64_t counted(const struct sampler *sampler, const struct system_group *begun)
{
	const uint64_t *owed = &sampler->passed.owed[COUNTER_USER_NS];
	struct process_reading root;

	if (begun)
		return begun->own_ns > owed[0] + owed[1] ? begun->own_ns - owed[0] - owed[1] : 0;
	return process_read(sampler->passed.root.pid, false, &root) == 0 ? own_cpu(&root) : 0;
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

void group_close(struct sampler *sampler, uint64_t *cpu_ns, enum group_sharing *sharing)
{
	struct group *group = &sampler->passed.group;
	struct process_reading reading;
	uint64_t now_ns;

	*cpu_ns = 0;
	if (!group->known || system_group_cpu(sampler->system, &now_ns) != 0 || now_ns < group->cpu_ns)
		return;
	*cpu_ns = now_ns - group->cpu_ns;
	look_again(sampler);
	for (int i = 0; i < SAMPLER_HELPERS; i++)
		if (sampler->helper_pid[i] > 0 && process_read(sampler->helper_pid[i], false, &reading) == 0)
			*cpu_ns -= own_cpu(&reading) < *cpu_ns ? own_cpu(&reading) : *cpu_ns;
	for (int i = 0; i < group->others; i++) {
		const struct group_other *other = &group->other[i];
		if (process_read(other->id.pid, false, &reading) != 0 || !process_is(reading.id, other->id))
			continue;
		uint64_t used = own_cpu(&reading) > other->cpu_ns ? own_cpu(&reading) - other->cpu_ns : 0;
		*cpu_ns -= used < *cpu_ns ? used : *cpu_ns;
	}
	*sharing = group->shared ? GROUP_SHARED : group->joined ? GROUP_JOINED : GROUP_OWN;
}
