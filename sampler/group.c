/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the CPU time of the control group in which the run executes.
 *
 * The group's usage is the run's if no foreign process is in the group. At the start, the group may contain only the
 * root, its ancestors and the tracker; at the end, only these and processes of the run. The ancestors' usage is
 * subtracted. An unknown process that is there only at the end may be an orphan of the run that no tick has seen. */
#include "sampler/sampler.h"
#include "sampler/state.h"

enum { GENERATIONS_MAX = 16 };

static bool is_ancestor(int ancestor, int pid)
{
	struct process_reading reading;

	for (int i = 0; i < GENERATIONS_MAX && pid > 1 && process_read(pid, false, &reading) == 0; i++) {
		pid = reading.ppid;
		if (pid == ancestor)
			return true;
	}
	return false;
}

static bool is_run_or_tracker(const struct sampler *sampler, int pid)
{
	return search_is_tracker(sampler, pid) || pid == sampler->passed.root.id.pid;
}

/* Records which processes are in the group at the start of the run. A child that the root already has is foreign,
 * because it used CPU time before the run. */
static void look_first(struct sampler *sampler, const int *pids, int count)
{
	struct group *group = &sampler->passed.group;
	struct process_reading reading;

	group->shared = count <= 0 || count > SYSTEM_GROUP_MAX;
	for (int i = 0; i < count && !group->shared; i++) {
		if (is_run_or_tracker(sampler, pids[i]))
			continue;
		if (group->ancestors < GROUP_ANCESTORS_MAX && process_read(pids[i], false, &reading) == 0 &&
			is_ancestor(pids[i], sampler->passed.root.id.pid)) {
			group->ancestor[group->ancestors++] = reading.id;
			group->ancestors_ns += figures_cpu_ns(reading.own);
		} else {
			group->shared = true;
		}
	}
}

/* Returns true if a process that is in the group at the end of the run is a process of the run, an ancestor of the
 * root, or a process of the tracker such as a waiting guard. */
static bool is_expected(const struct sampler *sampler, int pid)
{
	const struct group *group = &sampler->passed.group;
	struct process_reading reading;
	bool expected = is_run_or_tracker(sampler, pid) || ledger_find_latest(&sampler->ledger, pid) != MEMBER_NONE;

	for (int i = 0; i < group->ancestors && !expected; i++)
		expected = group->ancestor[i].pid == pid;
	return expected || (process_read(pid, false, &reading) == 0 && reading.is_tracker);
}

static void look_again(struct sampler *sampler)
{
	struct group *group = &sampler->passed.group;
	int pids[SYSTEM_GROUP_MAX];
	int count = group->shared ? 0 : system_group_processes(sampler->system, pids, SYSTEM_GROUP_MAX);

	group->shared |= count <= 0 || count > SYSTEM_GROUP_MAX;
	for (int i = 0; i < count && !group->joined && !group->shared; i++)
		group->joined = !is_expected(sampler, pids[i]);
}

/* Returns the CPU time that the ancestors have used since the run began. The usage of ancestors that have ended is not
 * included. */
static uint64_t used_by_ancestors(struct group *group)
{
	struct process_reading reading;
	uint64_t sum_ns = 0;

	for (int i = 0; i < group->ancestors; i++)
		if (process_read(group->ancestor[i].pid, false, &reading) == 0 &&
			process_is(reading.id, group->ancestor[i]))
			sum_ns += figures_cpu_ns(reading.own);
		else
			group->shared = true;
	return figures_above(sum_ns, group->ancestors_ns);
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
	/* CPU time that the root and the tracker have used until now. The group's CPU time at the end includes it too,
	 * so it is subtracted from the CPU time at the start. */
	uint64_t counted_ns =
		begun ? figures_above(begun->own_ns, sampler->baseline_ns)
		      : process_cpu_ns(sampler->passed.root.id.pid) + process_cpu_ns(sampler->tracker.pid);
	group->cpu_ns = figures_above(group->cpu_ns, counted_ns);
	if (begun)
		look_first(sampler, begun->pids, begun->count);
	else
		look_first(sampler, now, system_group_processes(sampler->system, now, SYSTEM_GROUP_MAX));
}

void group_close(struct sampler *sampler, struct run_end *end)
{
	struct group *group = &sampler->passed.group;
	uint64_t now_ns;

	look_again(sampler);
	/* The ancestors are read before the group. Otherwise the run could lose usage between the two readings. */
	uint64_t ancestors_ns = used_by_ancestors(group);
	if (!group->known || system_group_cpu(sampler->system, &now_ns) != 0)
		return;
	end->group_ns = figures_above(figures_above(now_ns, group->cpu_ns), ancestors_ns);
	end->group_sharing = group->joined ? GROUP_JOINED : group->shared ? GROUP_SHARED : GROUP_OWN;
}
