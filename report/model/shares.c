/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what each program of a run used over time. */
#include "report/model/shares.h"

#include "core/number.h"
#include "report/model/group.h"
#include "report/say/array.h"
#include "report/spool/reader.h"

#include <math.h>
#include <stdlib.h>

enum { NO_BAND = SHARES_MAX };

struct end {
	double time;
	size_t process;
};

/* State of one pass over member.csv in order of time. */
struct sweep {
	struct shares *shares;
	const struct processes *processes;
	unsigned char *band_of; /* band of each program */
	const size_t *program_of;
	const struct share_times *cpu, *memory;
	bool is_whole; /* all processes belong to one run, so none of them ends after the last wanted time */
	/* indices of the first times in `cpu` and `memory` that the pass has not reached */
	size_t next_cpu, next_memory;
	double *held;             /* MiB held by each process */
	double *sampled;          /* CPU seconds of each process according to its rows */
	double *seen;             /* timestamp of the process's last row; 0 if none */
	double holds[SHARES_MAX]; /* sums of `held` by band */
	struct end *ends;         /* one item for each process that has ended, sorted by time */
	size_t end_count, next_end;
	/* first wanted time at which no process is alive, and the wanted time before it; or INFINITY */
	double last, before;
};

/* -- choosing the programs ------------------------------------------------------------------------- */

/* Returns the weight of a program: its share of the CPU time or its share of the sum of all memory peaks, whichever
 * is larger. A weight relative to the largest program would let many programs of 2 MiB displace a program with a
 * seventh of the CPU time. */
static double weight(const struct bill_row *program, double all_cpu, double all_memory)
{
	double cpu = all_cpu > 0 && number_known(program->cpu_seconds) ? program->cpu_seconds / all_cpu : 0;
	double memory =
		all_memory > 0 && number_known(program->peak_memory_mib) ? program->peak_memory_mib / all_memory : 0;
	return fmax(cpu, memory);
}

static void insert(struct shares *shares, double weights[SHARES_MAX], size_t program, double its_weight)
{
	size_t at = shares->count;

	while (at > 0 && weights[at - 1] < its_weight)
		at--;
	if (at == SHARES_MAX)
		return;
	if (shares->count < SHARES_MAX)
		shares->count++;
	for (size_t i = shares->count - 1; i > at; i--) {
		weights[i] = weights[i - 1];
		shares->programs[i] = shares->programs[i - 1];
	}
	weights[at] = its_weight;
	shares->programs[at] = program;
}

static void choose(struct shares *shares, const struct bill *programs)
{
	double weights[SHARES_MAX], cpu = 0, memory = 0;

	for (size_t i = 0; i < programs->programs; i++) {
		known_add(&cpu, programs->rows[i].cpu_seconds);
		known_add(&memory, programs->rows[i].peak_memory_mib);
	}
	for (size_t i = 0; i < programs->programs; i++)
		insert(shares, weights, i, weight(&programs->rows[i], cpu, memory));
}

/* -- the pass ---------------------------------------------------------------------------------------- */

static size_t band_of(const struct sweep *sweep, size_t process)
{
	return sweep->band_of[sweep->program_of[process]];
}

static void hold(struct sweep *sweep, size_t process, double memory)
{
	size_t band = band_of(sweep, process);

	if (band == NO_BAND)
		return;
	sweep->holds[band] += memory - sweep->held[process];
	sweep->held[process] = memory;
}

static void let_go(struct sweep *sweep, double time)
{
	for (; sweep->next_end < sweep->end_count && sweep->ends[sweep->next_end].time <= time; sweep->next_end++)
		hold(sweep, sweep->ends[sweep->next_end].process, 0);
}

/* Adds to `grown` how much the processes that ended last may have grown after their last sample. */
static void grow(struct sweep *sweep, size_t at)
{
	for (size_t i = sweep->next_end; i < sweep->end_count; i++) {
		size_t process = sweep->ends[i].process, band = band_of(sweep, process);
		double peak = process_best_usage(&sweep->processes->items[process]).peak_memory_mib;
		if (band != NO_BAND && peak > sweep->held[process])
			sweep->shares->grown[band][at] += peak - sweep->held[process];
	}
}

/* Stores the memory of each band at all wanted times before `time`. */
static void pass_to(struct sweep *sweep, double time)
{
	const struct share_times *wanted = sweep->memory;

	while (sweep->next_memory < wanted->count && wanted->times[sweep->next_memory] + wanted->tolerance < time) {
		double now = wanted->times[sweep->next_memory];
		bool at_last = now >= sweep->last && (sweep->is_whole || now <= sweep->last);
		let_go(sweep, at_last ? sweep->before : now);
		if (at_last)
			grow(sweep, sweep->next_memory);
		for (size_t i = 0; i < sweep->shares->count; i++)
			sweep->shares->memory[i][sweep->next_memory] += fmax(sweep->holds[i], 0);
		sweep->next_memory++;
	}
	wanted = sweep->cpu;
	while (sweep->next_cpu < wanted->count && wanted->times[sweep->next_cpu] + wanted->tolerance < time)
		sweep->next_cpu++;
}

/* Adds CPU usage to all points of a chart that represent the tick at `time`. A tick may have several points, and a
 * point may be the mean of several ticks. */
static void add_cpu(struct sweep *sweep, size_t band, double time, double cpu)
{
	const struct share_times *wanted = sweep->cpu;

	if (wanted->ticks) {
		if (sweep->next_cpu < wanted->count && wanted->ticks[sweep->next_cpu] > 0)
			sweep->shares->cpu[band][sweep->next_cpu] += cpu / wanted->ticks[sweep->next_cpu];
		return;
	}
	for (size_t i = sweep->next_cpu; i < wanted->count && wanted->times[i] - wanted->tolerance <= time; i++)
		sweep->shares->cpu[band][i] += cpu;
}

static void take(void *context, const struct process *process, struct reader *reader)
{
	struct sweep *sweep = context;
	size_t position = (size_t)(process - sweep->processes->items);
	size_t band = band_of(sweep, position);
	double time = reader_number(reader, MEMBER_timestamp);
	double cpu = reader_number(reader, MEMBER_cpu_usage);
	double memory = known_first(reader_number(reader, MEMBER_memory_mib), reader_number(reader, MEMBER_rss_mib));
	double user = reader_number(reader, MEMBER_utime), system = reader_number(reader, MEMBER_stime);

	if (!(sweep->seen[position] > 0))
		process_leave_before(process, &user, &system);
	pass_to(sweep, time);
	sweep->shares->any = true;
	sweep->seen[position] = time;
	if (cpu > 0)
		add_cpu(sweep, band, time, cpu);
	known_add(&sweep->sampled[position], known_first(user, 0) + known_first(system, 0));
	if (band != NO_BAND && memory >= 0 && !(process->end_time <= time))
		hold(sweep, position, memory);
}

static int by_time(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	return ORDER(x->time, y->time);
}

/* Sets `last` and `before`. A run may end with several rows within milliseconds, all written after its last process
 * ended. `last` is the first of these times. */
static void find_last(struct sweep *sweep)
{
	const struct share_times *wanted = sweep->memory;
	size_t at = wanted->count;

	sweep->last = sweep->before = INFINITY;
	if (!wanted->begins || at == 0 || sweep->end_count == 0 || sweep->end_count < sweep->processes->count ||
		!(sweep->ends[sweep->end_count - 1].time <= wanted->times[at - 1] + wanted->tolerance))
		return;
	double end = sweep->ends[sweep->end_count - 1].time;
	double first = sweep->is_whole ? fmax(end, wanted->times[at - 1] - wanted->tolerance) : end - wanted->tolerance;
	sweep->last = wanted->times[at - 1];
	while (at > 1 && wanted->times[at - 2] >= first)
		sweep->last = wanted->times[--at - 1];
	while (at > 0 && wanted->times[at - 1] >= sweep->last)
		at--;
	sweep->before = at > 0 ? wanted->times[at - 1] : -INFINITY;
}

static void prepare_shares(struct shares *shares, const struct share_times *cpu, const struct share_times *memory)
{
	for (size_t i = 0; i <= SHARES_MAX; i++) {
		shares->cpu[i] = xcalloc(cpu->count, sizeof(double));
		shares->spread[i] = xcalloc(cpu->count, sizeof(double));
	}
	for (size_t i = 0; i < shares->count; i++) {
		shares->memory[i] = xcalloc(memory->count, sizeof(double));
		shares->grown[i] = xcalloc(memory->count, sizeof(double));
	}
}

static void prepare(struct sweep *sweep)
{
	size_t count = sweep->processes->count;

	sweep->held = xcalloc(count, sizeof *sweep->held);
	sweep->sampled = xcalloc(count, sizeof *sweep->sampled);
	sweep->seen = xcalloc(count, sizeof *sweep->seen);
	sweep->ends = xcalloc(count, sizeof *sweep->ends);
	for (size_t i = 0; i < count; i++)
		if (number_known(sweep->processes->items[i].end_time))
			sweep->ends[sweep->end_count++] = (struct end){sweep->processes->items[i].end_time, i};
	array_sort(sweep->ends, sweep->end_count, by_time);
	find_last(sweep);
}

/* -- CPU time of exit records ------------------------------------------------------------------------ */

/* Spreads `seconds` of CPU time evenly from `start` to `end`, giving each tick its share. */
static void spread(struct sweep *sweep, size_t band, double seconds, double start, double end)
{
	const struct share_times *wanted = sweep->cpu;
	static const double SHORTEST = 1e-4;
	double length = fmax(end - start, SHORTEST);

	start = end - length;
	for (size_t i = array_lower_bound(wanted->times, wanted->count, start); i < wanted->count; i++) {
		double begin = wanted->begins[i], tick = wanted->times[i] - begin;
		if (begin >= end && wanted->times[i] > end)
			break;
		double overlap = fmin(end, wanted->times[i]) - fmax(start, begin);
		if (tick > 0 && overlap > 0)
			sweep->shares->spread[band][i] += seconds * overlap / length / tick;
	}
}

static void spread_records(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->processes->count; i++) {
		const struct process *process = &sweep->processes->items[i];
		double used = process->last.user_seconds + process->last.system_seconds - sweep->sampled[i];
		if (!(used > 0) || !number_known(process->end_time) || !number_known(process->start_time))
			continue;
		sweep->shares->any = true;
		double since = fmin(fmax(process->start_time, sweep->seen[i]), process->end_time);
		spread(sweep, band_of(sweep, i), used, since, process->end_time);
	}
}

/* Adds what the processes [first, first + count) used, according to the member.csv of their run. */
static void add_source(
	struct sweep sweep, const struct processes *processes, const struct files *files, size_t first, size_t count)
{
	if (count == 0)
		return;
	const struct processes its = {
		.items = processes->items + first, .count = count, .members_read = processes->members_read};
	sweep.processes = &its;
	sweep.program_of += first;
	sweep.is_whole = count == processes->count;
	prepare(&sweep);
	processes_each_member(&its, files, take, &sweep);
	pass_to(&sweep, INFINITY);
	spread_records(&sweep);
	free(sweep.held);
	free(sweep.sampled);
	free(sweep.seen);
	free(sweep.ends);
}

static void add_sources(const struct sweep *sweep, const struct model *model)
{
	const struct group *group = model->group;

	if (!group)
		add_source(*sweep, &model->processes, &model->run->files, 0, model->processes.count);
	for (size_t i = 0; group && i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		add_source(*sweep, &model->processes, &part->run.files, part->first_process, part->process_count);
	}
}

void shares_read(struct shares *shares, const struct model *model, const struct share_times *cpu,
	const struct share_times *memory)
{
	const struct bill *programs = &model->programs;
	struct sweep sweep = {.shares = shares, .program_of = programs->row_of, .cpu = cpu, .memory = memory};

	*shares = (struct shares){0};
	choose(shares, programs);
	prepare_shares(shares, cpu, memory);
	sweep.band_of = xmalloc(programs->programs);
	for (size_t i = 0; i < programs->programs; i++)
		sweep.band_of[i] = NO_BAND;
	for (size_t i = 0; i < shares->count; i++)
		sweep.band_of[shares->programs[i]] = (unsigned char)i;
	add_sources(&sweep, model);
	free(sweep.band_of);
}

void shares_free(struct shares *shares)
{
	for (size_t i = 0; i <= SHARES_MAX; i++) {
		free(shares->cpu[i]);
		free(shares->spread[i]);
	}
	for (size_t i = 0; i < SHARES_MAX; i++) {
		free(shares->memory[i]);
		free(shares->grown[i]);
	}
	*shares = (struct shares){0};
}
