/* What the system accounted to the group of processes in which the run is (a control group): an upper bound of what the
 * run used, and, where nobody else is in the group, the truth, also about children that are in no process' account.
 *
 * Those that were there before the run, its ancestors, mostly wait; what they use themselves is taken out. */
#include "sampler/state.h"

enum { PROCESSES_MAX = 32, GENERATIONS_MAX = 16 };

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

/* Looks who is in the group: members, the tracker, and ancestors of the root are no others. */
static void look(struct sampler *sampler, bool first)
{
	struct group *group = &sampler->passed.group;
	int pids[PROCESSES_MAX];
	int count = system_group_processes(sampler->system, pids, PROCESSES_MAX);

	bool told = count > 0 && count <= PROCESSES_MAX;
	group->shared |= first && !told;
	group->joined |= !first && !told;
	for (int i = 0; i < count && told && !group->shared; i++) {
		bool ours = members_are_ours(sampler, pids[i]) || pids[i] == sampler->passed.root.pid ||
			    ledger_find_latest(&sampler->ledger, pids[i]) != MEMBER_NONE;
		if (ours || is_known_other(group, pids[i]) || (first && is_above(sampler->passed.root.pid, pids[i])))
			continue;
		if (!first) /* born since the last look at all processes, or an orphan */
			group->joined = true;
		else if (is_above(pids[i], sampler->passed.root.pid))
			note_other(group, pids[i]);
		else
			group->shared = true;
	}
}

void group_open(struct sampler *sampler)
{
	struct group *group = &sampler->passed.group;
	struct process_reading root;

	if (system_group_cpu(sampler->system, &group->cpu_ns) != 0)
		return;
	group->known = true;
	/* What the root used until now is in the rows of the run. */
	if (process_read(sampler->passed.root.pid, false, &root) == 0)
		group->cpu_ns -= own_cpu(&root) < group->cpu_ns ? own_cpu(&root) : group->cpu_ns;
	look(sampler, true);
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
	look(sampler, false);
	for (int i = 0; i < group->others; i++) {
		const struct group_other *other = &group->other[i];
		if (process_read(other->id.pid, false, &reading) != 0 || !process_is(reading.id, other->id))
			continue;
		uint64_t used = own_cpu(&reading) > other->cpu_ns ? own_cpu(&reading) - other->cpu_ns : 0;
		*cpu_ns -= used < *cpu_ns ? used : *cpu_ns;
	}
	*sharing = group->shared ? GROUP_SHARED : group->joined ? GROUP_JOINED : GROUP_OWN;
}
