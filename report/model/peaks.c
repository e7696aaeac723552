/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the peak of a run's memory and its bounds. */
#include "report/model/peaks.h"

#include "core/needed.h"
#include "report/model/at_once.h"
#include "report/say/array.h"
#include "report/spool/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TICKS_PER_SECOND = 100, FEW_TICKS = 5, GENERATIONS_MAX = 64, SPIKES_MAX = 256 };

static const double MIB_PER_PAGE = 4.0 / 1024;
static const double ROUNDED_SECONDS = 0.001; /* timestamps are rounded to milliseconds */

/* -- lifetimes ------------------------------------------------------------------------------------- */

struct life {
	double start, end;
	/* last time at which the process was certainly alive; `end` if it left an exit record */
	double seen_until;
	double held_until; /* end of the last fork that may share the memory of the process */
	bool few;          /* fewer than FEW_TICKS ticks saw the process */
	bool forks;        /* the process shares memory: it is a fork, or a tick saw one of its forks */
};

/* Returns the boot time of the machine: the smallest difference between the start time and the start_ticks of a
 * process. If another process wrote a start row, the row may be late and give a later boot time. */
static double boot_time(const struct processes *processes)
{
	double boot = INFINITY;

	for (size_t i = 0; i < processes->count; i++)
		boot = fmin(
			boot, processes->items[i].start_time - (double)processes->items[i].id.start / TICKS_PER_SECOND);
	return boot;
}

/* Returns the start time of a process. start_ticks are rounded down to 10 ms, and a start row may be written late.
 * The result is therefore chosen so that children that ran one after another do not overlap. */
static double start_of(const struct process *process, double boot)
{
	double tick = boot + (double)process->id.start / TICKS_PER_SECOND + 1.0 / TICKS_PER_SECOND;

	return number_known(process->found_peak_mib) ? fmin(process->start_time, tick) + ROUNDED_SECONDS : tick;
}

/* Returns the row nearest to `time`. The series must not be empty. */
static size_t nearest_row(const struct series *series, double time)
{
	size_t row = series_row_at(series, time);

	if (row == series->rows)
		return row - 1;
	bool before = row > 0 && time - series_value(series, 0, row - 1) < series_value(series, 0, row) - time;
	return before ? row - 1 : row;
}

/* Returns whether a process left no exit record, so that its end is the tick that no longer found it. */
static bool has_no_record(const struct process *process)
{
	return process->source == SOURCE_SAMPLER && !process->exact;
}

/* Returns the last time at which a process was certainly alive. If the process left no exit record, its end is the
 * tick that no longer found it. The next program may have started before that tick, so the tick before is returned. */
static double seen_until(const struct process *process, const struct life *life, const struct series *series)
{
	if (!has_no_record(process) || series->rows == 0)
		return life->end;
	size_t missed = nearest_row(series, life->end);
	double seen = missed > 0 ? series_value(series, 0, missed - 1) : life->start;
	return fmin(fmax(seen, life->start), life->end);
}

/* Returns a time at which a process without an exit record had certainly ended: the end of its parent, if the parent
 * had reaped all of its children by then. Returns INFINITY if no such time is known. */
static double reaped_until(const struct process *process)
{
	const struct process *parent = process_last_parent(process);
	bool reaped = parent && parent->source == SOURCE_SELF && parent->exact && parent->children_left <= 0;

	return reaped && has_no_record(process) ? known_first(parent->end_time, INFINITY) : INFINITY;
}

static void hold_parents(const struct processes *processes, struct life *lives, size_t i)
{
	const struct process *process = &processes->items[i];

	lives[i].forks |= process->forked;
	for (int generation = 0; generation < GENERATIONS_MAX && process->forked; generation++) {
		process = process_first_parent(process);
		struct life *life = &lives[process - processes->items];
		life->held_until = fmax(life->held_until, lives[i].end);
		life->forks |= number_known(processes->items[i].sampled.peak_memory_mib);
	}
}

/* A process, to be sorted by parent and start. */
struct sibling {
	ptrdiff_t parent; /* index of the parent, or -1 if it is not in the run */
	double start;
	size_t position;
};

static int by_parent_and_start(const void *a, const void *b)
{
	const struct sibling *x = a, *y = b;

	int order = ORDER(x->parent, y->parent);

	if (order == 0)
		order = ORDER(x->start, y->start);
	return order != 0 ? order : ORDER(x->position, y->position);
}

/* Returns the largest number of siblings that were alive at the same time, or 1 if it is unknown. Siblings with an
 * unknown lifetime are ignored. */
static size_t count_concurrent(const struct sibling *siblings, size_t count, const struct life *lives)
{
	struct at_once all = {0};

	for (size_t i = 0; i < count; i++) {
		const struct life *life = &lives[siblings[i].position];
		if (life->seen_until > life->start)
			at_once_add(&all, life->start, life->seen_until, 1);
	}
	return (size_t)fmax(known_first(at_once_end(&all), 1), 1);
}

/* Limits the lifetime of children that no tick saw and that left no exit record. If their parent never had more than
 * n children at the same time, such a child must have ended before the parent started the n-th child after it. For
 * example, n is 1 for a shell that runs one program after another. */
static void end_unseen(struct life *lives, const struct processes *processes)
{
	struct sibling *siblings = xcalloc(processes->count, sizeof *siblings);

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *parent = process_first_parent(&processes->items[i]);
		siblings[i] = (struct sibling){parent ? parent - processes->items : -1, lives[i].start, i};
	}
	array_sort(siblings, processes->count, by_parent_and_start);
	for (size_t begin = 0, end; begin < processes->count; begin = end) {
		for (end = begin + 1; end < processes->count && siblings[end].parent == siblings[begin].parent;)
			end++;
		size_t concurrent = count_concurrent(siblings + begin, end - begin, lives);
		for (size_t i = begin; i < end; i++) {
			struct life *life = &lives[siblings[i].position];
			if (life->seen_until > life->start)
				continue;
			double next = i + concurrent < end ? siblings[i + concurrent].start : INFINITY;
			life->seen_until = fmax(fmin(life->end, next - ROUNDED_SECONDS), life->start);
		}
	}
	free(siblings);
}

static void find_lives(struct life *lives, const struct processes *processes, const struct series *series, double stop)
{
	double boot = boot_time(processes);

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		double start = start_of(process, boot);
		double end = fmax(known_first(process->end_time, known_first(stop, start)), start);
		lives[i] = (struct life){.start = start, .end = end};
		lives[i].seen_until = seen_until(process, &lives[i], series);
		end = fmin(end, fmax(reaped_until(process), start));
		lives[i].end = lives[i].held_until = end;
		lives[i].seen_until = fmin(lives[i].seen_until, end);
		lives[i].few =
			series_row_at(series, nextafter(end, INFINITY)) < series_row_at(series, start) + FEW_TICKS;
	}
	for (size_t i = 0; i < processes->count; i++)
		hold_parents(processes, lives, i);
	end_unseen(lives, processes);
}

/* -- shared objects -------------------------------------------------------------------------------- */

/* A shared memory object, which exists while one of its processes is alive. `mib` is the sum of what its processes
 * touched. The object cannot be larger than `size_mib`. */
struct object {
	double start, end, mib, size_mib;
};

static int by_object(const void *a, const void *b)
{
	const struct process *x = *(const struct process *const *)a, *y = *(const struct process *const *)b;
	int order = strcmp(x->shared_object, y->shared_object);

	return order != 0 ? order : ORDER(x, y);
}

/* Returns, for each process, the index of the first process that uses the same shared object, or its own index. The
 * caller frees the array. */
static size_t *find_sharing(const struct processes *processes)
{
	const struct process **users = xcalloc(processes->count, sizeof(struct process *));
	size_t *first = xcalloc(processes->count, sizeof *first);
	size_t count = 0;

	for (size_t i = 0; i < processes->count; i++) {
		first[i] = i;
		if (processes->items[i].own_shared_mib > 0)
			users[count++] = &processes->items[i];
	}
	array_sort_pointers(users, count, by_object);
	for (size_t i = 1; i < count; i++)
		if (strcmp(users[i]->shared_object, users[i - 1]->shared_object) == 0)
			first[users[i] - processes->items] = first[users[i - 1] - processes->items];
	free(users);
	return first;
}

/* Adds the `mib` that process i touched to its shared object. The process used the object until `until`. */
static void share(struct object *objects, const struct processes *processes, const struct life *lives,
	const size_t *first, size_t i, double until, double mib)
{
	struct object *object = &objects[first[i]];

	if (!(mib > 0))
		return;
	object->start = object->mib > 0 ? fmin(object->start, lives[i].start) : lives[i].start;
	object->end = fmax(object->end, until);
	object->size_mib = fmax(object->size_mib, processes->items[i].shared_size_mib);
	object->mib += mib;
}

/* -- upper bound ----------------------------------------------------------------------------------- */

static double find_most(const struct processes *processes, const struct life *lives, const size_t *first)
{
	struct object *objects = xcalloc(processes->count, sizeof *objects);
	struct at_once all = {0};

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		share(objects, processes, lives, first, i, lives[i].held_until, process->own_shared_mib);
		at_once_add(&all, lives[i].start, lives[i].held_until, process->own_mib - process->own_shared_mib);
		at_once_add(&all, lives[i].start, lives[i].end, process->unknown_mib);
	}
	for (size_t i = 0; i < processes->count; i++)
		if (objects[i].mib > 0)
			at_once_add(&all, objects[i].start, objects[i].end, fmin(objects[i].mib, objects[i].size_mib));
	free(objects);
	return at_once_end(&all);
}

/* -- the peak -------------------------------------------------------------------------------------- */

static double cell(const struct series *process, int column, size_t row)
{
	return series_value(process, column, row);
}

/* Returns the memory of a row without file pages that the kernel can drop. */
static double rest_of_row(const struct series *process, size_t row)
{
	struct needed_parts parts = {
		.memory = cell(process, PROCESS_memory_mib, row),
		.file = cell(process, PROCESS_memory_file_mib, row),
		.locked = cell(process, PROCESS_locked_mib, row),
		.lazy_free = cell(process, PROCESS_lazy_free_mib, row),
		.swap = cell(process, PROCESS_swap_mib, row),
		.page_tables = cell(process, PROCESS_page_tables_mib, row),
		.rss = cell(process, PROCESS_rss_mib, row),
		.tmpfs = cell(process, PROCESS_tmpfs_mib, row),
	};

	return number_known(parts.memory) ? needed_rest_mib(&parts) : UNKNOWN;
}

/* Returns the largest amount of file pages in any row that the kernel can drop. */
static double most_droppable(const struct series *process)
{
	double most = UNKNOWN;

	for (size_t row = 0; row < process->rows; row++)
		most = known_larger(most, needed_droppable_mib(cell(process, PROCESS_memory_file_mib, row),
						  cell(process, PROCESS_locked_mib, row)));
	return most;
}

double peaks_needed_of_ticks(const struct series *process)
{
	double rest = UNKNOWN;

	for (size_t row = 0; row < process->rows; row++)
		rest = known_larger(rest, rest_of_row(process, row));
	return needed_mib(rest, most_droppable(process));
}

/* A change of memory between ticks: the start or the end of a process that few ticks saw, or of children without a
 * row. */
struct change {
	double time, mib;
	bool end;
	bool shared; /* memory of a shared object */
};

struct tree {
	const struct series *series; /* process.csv */
	const struct processes *processes;
	const struct life *lives;
	const size_t *first;    /* result of find_sharing */
	bool rest;              /* exclude file pages that the kernel can drop */
	double *ticks;          /* for each row, the memory of all processes except those that few ticks saw */
	double *files;          /* for each row, the files on tmpfs that no process mapped; 0 if `rest` is false */
	double *last;           /* for each process, the memory in the last row of member.csv that was read */
	struct change *changes; /* sorted by time */
	size_t count;
};

/* Returns whether the recorded peak may be the peak of the parent. The kernel keeps the peak of a process across
 * exec, so a small program reports the memory that it had as a fork of its parent. */
static bool has_peak_of_parent(const struct process *process)
{
	return process->source == SOURCE_SELF && process->exact && !process->exact_peak &&
	       number_known(process->found_peak_mib) && process->minor_faults > 0;
}

/* Returns the memory that a process adds to the tree. The own bytes include shared libraries in full. If the process
 * shares no memory with forks, the result is therefore based on its largest row (PSS). If `rest` is true, file pages
 * that the kernel can drop are excluded. */
static double own_of(const struct tree *tree, size_t i)
{
	const struct process *process = &tree->processes->items[i];
	double file = tree->rest ? known_first(process->sampled_file_mib, 0) : 0;
	double own = process->own_mib;
	double since = known_larger(process->peak_mib, own) - process->sampled.peak_memory_mib -
		       known_first(process->sampled_hugetlb_mib, 0);

	if (!tree->lives[i].forks && !process->peak_is_before && process->sampled_memory_mib + since < own)
		own = process->sampled_memory_mib + fmax(since, 0);
	if (has_peak_of_parent(process))
		own = fmin(own, process->minor_faults * MIB_PER_PAGE);
	return own - fmin(file, own);
}

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->time != y->time ? ORDER(x->time, y->time) : x->end - y->end;
}

/* If few ticks saw a process, subtracts its memory from these ticks, because `changes` has all own bytes of the
 * process instead. */
static void leave_out(void *context, const struct process *process, struct reader *reader)
{
	struct tree *tree = context;
	size_t i = (size_t)(process - tree->processes->items);
	double time = reader_number(reader, MEMBER_timestamp);
	double mib = known_first(reader_number(reader, MEMBER_memory_mib), reader_number(reader, MEMBER_rss_mib));

	if (tree->rest)
		mib -= fmin(known_first(needed_droppable_mib(reader_number(reader, MEMBER_memory_file_mib),
						reader_number(reader, MEMBER_locked_mib)),
				    0),
			mib);
	if (!tree->lives[i].few || !number_known(mib) || !number_known(process->own_mib))
		return;
	mib = fmin(mib, own_of(tree, i));
	/* The times in damaged rows may be far before the start of the process. */
	size_t first = series_row_at(tree->series, time);
	for (size_t row = first; row < tree->series->rows && row < first + 2 * FEW_TICKS &&
				 series_value(tree->series, 0, row) <= tree->lives[i].seen_until;
		row++)
		tree->ticks[row] -= mib - tree->last[i];
	tree->last[i] = mib;
}

/* The memory of the processes in `changes` at a time between two ticks. */
struct between {
	double mib;
	double shared_mib; /* the part of `mib` that belongs to shared objects */
};

static void add_to(struct between *between, const struct change *change)
{
	double mib = change->end ? -change->mib : change->mib;

	between->mib += mib;
	between->shared_mib += change->shared ? mib : 0;
}

/* Returns the memory of a tick plus the memory between ticks. Shared objects are subtracted from the files on tmpfs,
 * because a process may map such a file as its shared object. */
static double at_row(const struct tree *tree, size_t row, const struct between *between)
{
	return tree->ticks[row] + fmax(tree->files[row] - between->shared_mib, 0) + between->mib;
}

/* Returns the memory at a time between two ticks, based on the larger of the two ticks. */
static double around(const struct tree *tree, size_t row, const struct between *between)
{
	double before = row > 0 ? at_row(tree, row - 1, between) : UNKNOWN;
	double after = row < tree->series->rows ? at_row(tree, row, between) : UNKNOWN;

	return known_first(known_larger(before, after), between->mib);
}

/* Returns the largest memory of the tree between two times. */
static double most_within(const struct tree *tree, double from, double to)
{
	size_t row = series_row_at(tree->series, from), next = 0;
	double now = from, most = 0;
	struct between between = {0, 0};

	for (; next < tree->count && tree->changes[next].time < from; next++)
		add_to(&between, &tree->changes[next]);
	while (now <= to) {
		double tick = row < tree->series->rows ? series_value(tree->series, 0, row) : INFINITY;
		double change = next < tree->count ? tree->changes[next].time : INFINITY;
		most = fmax(most, around(tree, row, &between));
		now = fmin(tick, change);
		if (isinf(now))
			break;
		for (; next < tree->count && tree->changes[next].time <= now && !tree->changes[next].end; next++)
			add_to(&between, &tree->changes[next]);
		most = fmax(most, now <= to ? around(tree, row, &between) : 0);
		for (; next < tree->count && tree->changes[next].time <= now; next++)
			add_to(&between, &tree->changes[next]);
		row += tick <= now;
	}
	return most;
}

/* Returns by how much the peak of a process exceeds its largest tick, or 0. Returns 0 for a process that few ticks
 * saw, because its full peak is already included. */
static double spike_of(const struct tree *tree, size_t i)
{
	const struct process *process = &tree->processes->items[i];
	double ticks = tree->processes->count > 1 ? process->sampled.peak_memory_mib
						  : series_max(tree->series, PROCESS_rss_mib);
	double peak = process->peak_is_before ? process->found_peak_mib : process->peak_mib;
	double spike = fmin(peak - ticks - known_first(process->sampled_hugetlb_mib, 0), own_of(tree, i));

	return !tree->lives[i].few && spike > 0 ? spike : 0;
}

/* Returns the time until which a process used at most process->exec_peak_mib, or its start. */
static double last_exec(const struct life *life, const struct process *process)
{
	return fmin(fmax(known_first(process->exec_time, life->start), life->start), life->seen_until);
}

/* Returns the peak after adding the spike of one process to the largest memory within its lifetime. The process is
 * chosen so that the result is largest, among the SPIKES_MAX largest spikes. */
static double with_spike(const struct tree *tree, double without)
{
	double most = without, tried = INFINITY;

	for (int tries = 0; tries < SPIKES_MAX; tries++) {
		size_t largest = tree->processes->count;
		double spike = 0;
		for (size_t i = 0; i < tree->processes->count; i++) {
			double of = spike_of(tree, i);
			if (of > spike && of < tried) {
				spike = of;
				largest = i;
			}
		}
		if (largest == tree->processes->count || without + spike <= most)
			return most;
		const struct life *life = &tree->lives[largest];
		const struct process *process = &tree->processes->items[largest];
		double start = process->peak_mib > process->exec_peak_mib ? last_exec(life, process) : life->start;
		most = fmax(most, most_within(tree, start, life->seen_until) + spike);
		tried = spike;
	}
	return most;
}

static void add_change(struct tree *tree, double start, double end, double mib, bool shared)
{
	if (!(mib > 0))
		return;
	tree->changes[tree->count++] = (struct change){start, mib, false, shared};
	tree->changes[tree->count++] = (struct change){end, mib, true, shared};
}

static void add_changes(struct tree *tree, struct object *objects)
{
	for (size_t i = 0; i < tree->processes->count; i++) {
		const struct life *life = &tree->lives[i];
		const struct process *process = &tree->processes->items[i];
		double own = life->few ? known_first(own_of(tree, i), 0) : 0;
		double shared = fmin(process->own_shared_mib, own);
		double exec = last_exec(life, process);
		share(objects, tree->processes, tree->lives, tree->first, i, life->seen_until, shared);
		own = own - shared + process->unknown_mib;
		double until_exec = fmin(own, known_first(process->exec_peak_mib, own));
		add_change(tree, life->start, life->seen_until, until_exec, false);
		add_change(tree, exec, life->seen_until, own - until_exec, false);
	}
	for (size_t i = 0; i < tree->processes->count; i++)
		add_change(tree, objects[i].start, objects[i].end, fmin(objects[i].mib, objects[i].size_mib), true);
	array_sort(tree->changes, tree->count, by_time);
}

static double find_brief(const struct processes *processes, const struct life *lives)
{
	double largest = 0;

	for (size_t i = 0; processes->count > 1 && i < processes->count; i++)
		if (lives[i].end <= lives[i].start)
			largest = fmax(largest, known_first(processes->items[i].own_mib, 0));
	return largest;
}

static double find_peak(const struct run *run, struct tree *tree, const struct processes *processes)
{
	struct object *objects = xcalloc(processes->count, sizeof *objects);

	tree->ticks = xcalloc(tree->series->rows, sizeof *tree->ticks);
	tree->files = xcalloc(tree->series->rows, sizeof *tree->files);
	tree->last = xcalloc(processes->count, sizeof *tree->last);
	size_t execs = 0;
	for (size_t i = 0; i < processes->count; i++)
		execs += number_known(processes->items[i].exec_time);
	tree->changes = xcalloc(4 * processes->count + 2 * execs, sizeof *tree->changes);
	tree->count = 0;
	/* If no process was alive, the row repeats the memory of the row before, so its memory is set to 0. */
	for (size_t row = 0; row < tree->series->rows; row++) {
		double mib = tree->rest ? rest_of_row(tree->series, row)
					: series_value(tree->series, PROCESS_memory_mib, row);
		tree->files[row] = tree->rest ? known_first(cell(tree->series, PROCESS_tmpfs_mib, row), 0) : 0;
		bool alive = series_value(tree->series, PROCESS_members, row) > 0;
		tree->ticks[row] = alive || processes->count == 0 ? mib - tree->files[row] : 0;
	}
	add_changes(tree, objects);
	if (tree->count > 0)
		processes_each_member(processes, &run->files, leave_out, tree);
	double peak_mib = with_spike(tree, most_within(tree, -INFINITY, INFINITY));
	free(tree->ticks);
	free(tree->files);
	free(tree->last);
	free(tree->changes);
	free(objects);
	return peak_mib;
}

/* -- all ------------------------------------------------------------------------------------------- */

static double known_smaller(double a, double b)
{
	return a > b || !number_known(a) ? b : a;
}

/* Returns the peak of the largest process. This includes children without a row, which are known only from
 * getrusage(RUSAGE_CHILDREN). */
static double largest_process(const struct run *run, const struct processes *processes)
{
	double largest = run->reaped_peak_mib;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		largest = known_larger(largest, process->peak_mib);
		largest = known_larger(largest, process->children_peak_mib);
	}
	return largest;
}

/* Returns the largest peak of a process minus the file pages that ticks saw in the process. A peak from
 * getrusage(RUSAGE_CHILDREN) may belong to any process, so the largest file pages of any process are subtracted from
 * it. */
static double largest_without_files(const struct run *run, const struct processes *processes)
{
	double files = 0, reaped = run->reaped_peak_mib, largest = 0;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		double seen = known_first(process->sampled_file_mib, 0);
		files = fmax(files, seen);
		reaped = known_larger(reaped, process->children_peak_mib);
		largest = fmax(largest, known_first(process->peak_mib, 0) - seen);
	}
	return fmax(largest, known_first(reaped, 0) - files);
}

/* Returns the memory that a limit includes besides memory_mib: swap, files on tmpfs and page tables. */
static double most_besides(const struct series *process)
{
	return known_first(series_max(process, PROCESS_swap_mib), 0) +
	       known_first(series_max(process, PROCESS_tmpfs_mib), 0) +
	       needed_tables_mib(series_max(process, PROCESS_page_tables_mib), series_max(process, PROCESS_rss_mib));
}

/* Computes the peak of needed memory. All memory is needed if no row has droppable file pages, swap, files on tmpfs,
 * page tables or lazily freed pages. */
static void find_needed(
	struct peaks *peaks, const struct run *run, struct tree *tree, const struct processes *processes)
{
	double file = most_droppable(tree->series), besides = most_besides(tree->series);

	peaks->needed_mib = peaks->peak_mib;
	if (!(file > 0) && !(besides > 0) && !(series_max(tree->series, PROCESS_lazy_free_mib) > 0))
		return;
	tree->rest = true;
	double rest = run_is_running(run) ? UNKNOWN : find_peak(run, tree, processes);
	rest = known_larger(rest, largest_without_files(run, processes));
	double needed = known_larger(needed_mib(rest, file), peaks_needed_of_ticks(tree->series));
	peaks->needed_mib = known_smaller(needed, peaks->peak_mib + besides);
}

/* While a run is running, its processes have not recorded their page faults, so it is unknown how much memory forks
 * share with their parents. The peak of a running run is therefore computed only from its ticks and its largest
 * process. */
void peaks_find(struct peaks *peaks, const struct run *run, const struct series *process,
	const struct processes *processes, double stop, double held_to_mib)
{
	struct life *lives = xcalloc(processes->count, sizeof *lives);
	size_t *first = find_sharing(processes);
	struct tree tree = {.series = process, .processes = processes, .lives = lives, .first = first};

	*peaks = (struct peaks){.process_mib = largest_process(run, processes)};
	find_lives(lives, processes, process, stop);
	peaks->brief_mib = find_brief(processes, lives);
	double most = find_most(processes, lives, first);
	double peak = run_is_running(run) ? UNKNOWN : find_peak(run, &tree, processes);
	double least = known_larger(series_max(process, PROCESS_memory_mib), peaks->process_mib);
	peaks->least_mib = least > 0 ? least : UNKNOWN;
	if (number_known(most) && number_known(peaks->least_mib))
		peaks->most_mib = known_larger(known_smaller(most, held_to_mib), peaks->least_mib);
	else
		peaks->most_mib = UNKNOWN;
	peaks->peak_mib = known_smaller(known_larger(peaks->least_mib, peak > 0 ? peak : UNKNOWN), peaks->most_mib);
	find_needed(peaks, run, &tree, processes);
	free(lives);
	free(first);
}
