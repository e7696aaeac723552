/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the parent of each process.
 *
 * A row has only the pid of the parent, and pids are reused. The parent is the latest process with that pid whose
 * start_ticks are not greater than those of the child. Timestamps of rows are not exact enough for this: the row of a
 * forked child may be up to 10 ms early, and the row of a program under rtrack-run has the time of its exec, often
 * after its child began. A parent and its child may have equal start_ticks, so damaged rows can form a circle. */
#include "report/spool/processes.h"

#include "report/say/array.h"

struct search {
	struct process *items;
	size_t count;
	const struct process **by_pid; /* sorted by pid, then by start */
	/* for each process, the number (from 1) of the first walk in cut_circle that passed it; 0 if none has */
	size_t *walks;
};

static int by_identity(const void *a, const void *b)
{
	const struct process *x = *(const struct process *const *)a;
	const struct process *y = *(const struct process *const *)b;
	return x->id.pid != y->id.pid ? ORDER(x->id.pid, y->id.pid) : ORDER(x->id.start, y->id.start);
}

/* Returns the offset from `process` to the process that had `pid` when `process` began. Returns 0 if there is none. */
static ptrdiff_t way_to(const struct search *search, double pid, const struct process *process)
{
	size_t low = 0, high = search->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct process *other = search->by_pid[middle];
		if ((double)other->id.pid < pid ||
			((double)other->id.pid == pid && other->id.start <= process->id.start))
			low = middle + 1;
		else
			high = middle;
	}
	const struct process *found = low > 0 ? search->by_pid[low - 1] : NULL;
	return found && (double)found->id.pid == pid ? found - process : 0;
}

/* Walks from a process to the root. If the walk reaches one of its own processes again, damaged rows form a circle.
 * Cuts the circle by removing the parent of that process. */
static void cut_circle(const struct search *search, size_t position)
{
	struct process *process = &search->items[position];

	while (search->walks[process - search->items] == 0) {
		search->walks[process - search->items] = position + 1;
		process += process->to_first_parent;
	}
	if (search->walks[process - search->items] == position + 1)
		process->to_first_parent = 0;
}

void processes_find_parents(struct processes *processes)
{
	size_t count = processes->count;
	struct search search = {processes->items, count, xcalloc(count, sizeof(struct process *)),
		xcalloc(count, sizeof *search.walks)};

	for (size_t i = 0; i < count; i++)
		search.by_pid[i] = &processes->items[i];
	array_sort_pointers(search.by_pid, count, by_identity);
	for (size_t i = 0; i < count; i++) {
		struct process *process = &processes->items[i];
		process->to_first_parent = way_to(&search, process->ppid, process);
		process->to_last_parent = way_to(&search, process->last_ppid, process);
	}
	for (size_t i = 0; i < count; i++)
		cut_circle(&search, i);
	free(search.by_pid);
	free(search.walks);
}

const struct process *process_first_parent(const struct process *process)
{
	return process->to_first_parent != 0 ? process + process->to_first_parent : NULL;
}

const struct process *process_last_parent(const struct process *process)
{
	return process->to_last_parent != 0 ? process + process->to_last_parent : NULL;
}
