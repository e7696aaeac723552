/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the phases of a run. */
#include "report/model/phases.h"

#include "core/number.h"
#include "report/say/array.h"
#include "report/say/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double CPU_LEAST = 0.25, MEMORY_LEAST = 64, GPU_LEAST = 0.2, MEMBERS_LEAST = 2;

/* Columns in which a change begins a new phase, and the smallest change that is considered. */
static const struct {
	int column;
	const double *least;
} looked_at[] = {{PROCESS_cpu_usage, &CPU_LEAST}, {PROCESS_memory_mib, &MEMORY_LEAST}, {PROCESS_gpu_usage, &GPU_LEAST},
	{PROCESS_members, &MEMBERS_LEAST}};

enum { LOOKED_AT = ARRAY_LENGTH(looked_at) };
_Static_assert((int)LOOKED_AT <= (int)SEGMENTS_SERIES_MAX, "report/model/segments.h takes fewer series");

uint64_t phases_columns(void)
{
	static const int columns[] = {PROCESS_utime, PROCESS_stime, PROCESS_cpu_usage, PROCESS_memory_mib,
		PROCESS_disk_read_bytes, PROCESS_disk_write_bytes, PROCESS_gpu_usage, PROCESS_gpu_vram_mib,
		PROCESS_members};
	uint64_t mask = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
		mask |= SERIES_COLUMN(columns[i]);
	return mask;
}

/* -- boundaries ------------------------------------------------------------------------------------ */

/* Returns the mean of the known values of rows [begin, end). */
static double mean_of(const struct series *series, int column, size_t begin, size_t end)
{
	double sum = 0, known = 0;

	for (size_t row = begin; row < end; row++) {
		double value = series_value(series, column, row);
		if (!number_known(value))
			continue;
		sum += value;
		known++;
	}
	return known > 0 ? sum / known : UNKNOWN;
}

/* Returns a positive number if the row is nearer to the levels `after`, or a negative number if it is nearer to the
 * levels `before`. */
static double leaning(const struct series *process, size_t row, const double *before, const double *after)
{
	double leaning = 0;

	for (size_t i = 0; i < LOOKED_AT; i++) {
		double value = series_value(process, looked_at[i].column, row);
		double level = fmax(fmax(fabs(before[i]), fabs(after[i])), *looked_at[i].least);
		double distance = pow((value - before[i]) / level, 2) - pow((value - after[i]) / level, 2);
		if (number_known(distance))
			leaning += distance;
	}
	return leaning;
}

/* Returns the first row of the second of two phases. The two phases are the rows [begin, end) together, and the
 * boundary lies between `from` and `to`. */
static size_t find_row(const struct series *process, size_t begin, size_t from, size_t to, size_t end)
{
	double before[LOOKED_AT], after[LOOKED_AT];
	double sum = 0, best = 0;
	size_t found = from;

	for (size_t i = 0; i < LOOKED_AT; i++) {
		before[i] = mean_of(process, looked_at[i].column, begin, from);
		after[i] = mean_of(process, looked_at[i].column, to, end);
	}
	for (size_t row = from; row < to; row++) {
		sum -= leaning(process, row, before, after);
		if (sum > best) {
			best = sum;
			found = row + 1;
		}
	}
	return found;
}

/* Converts the ends of segments to row numbers. In ends[], they are positions in an array of means, each over
 * `stride` rows. */
static void to_rows(const struct series *process, size_t stride, size_t *ends, size_t count)
{
	size_t begin = 0;

	for (size_t i = 0; i < count; i++)
		ends[i] = i + 1 < count ? ends[i] * stride : process->rows;
	for (size_t i = 0; stride > 1 && i + 1 < count; i++) {
		ends[i] = find_row(process, begin, ends[i] - stride, ends[i] + stride, ends[i + 1]);
		begin = ends[i];
	}
}

/* Returns the number of series to use. The last series, the number of processes, is left out if it hardly changes,
 * because it would make changes of the other series less clear. */
static size_t series_heard(const struct series *process)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t row = 0; row < process->rows; row++) {
		least = fmin(least, series_value(process, PROCESS_members, row));
		most = fmax(most, series_value(process, PROCESS_members, row));
	}
	return most - least >= MEMBERS_LEAST ? LOOKED_AT : LOOKED_AT - 1;
}

/* Finds the end row of each phase. Returns the number of phases. */
static size_t find_ends(const struct series *process, size_t ends[SEGMENTS_MAX])
{
	size_t stride = (process->rows + SEGMENTS_FIGURES_MAX - 1) / SEGMENTS_FIGURES_MAX;
	size_t count = (process->rows + stride - 1) / stride;
	double *values = xcalloc(count * LOOKED_AT, sizeof *values);
	struct level levels[LOOKED_AT];

	for (size_t i = 0; i < LOOKED_AT; i++) {
		double *means = values + i * count;
		for (size_t j = 0; j < count; j++) {
			size_t end = (j + 1) * stride;
			means[j] = mean_of(
				process, looked_at[i].column, j * stride, end < process->rows ? end : process->rows);
		}
		levels[i] = (struct level){means, *looked_at[i].least};
	}
	size_t found = segments_find(levels, series_heard(process), count, ends);
	free(values);
	to_rows(process, stride, ends, found);
	return found;
}

/* -- figures of each phase ------------------------------------------------------------------------- */

/* Returns the time-weighted mean of rows [begin, end). The first of these rows covers the time since `start`. */
static double time_mean_of(const struct series *series, int column, size_t begin, size_t end, double start)
{
	struct series part = {.table = series->table, .rows = end - begin};

	part.columns[0] = series->columns[0] + begin;
	if (series->columns[column])
		part.columns[column] = series->columns[column] + begin;
	return series_time_mean(&part, column, start);
}

static struct phase phase_of(
	const struct series *process, size_t begin, size_t end, double start, double run_start, double interval)
{
	struct phase phase = {.start = start,
		.stop = series_value(process, PROCESS_timestamp, end - 1),
		.cpu_seconds = UNKNOWN,
		.peak_cpu = UNKNOWN,
		.mean_memory_mib = time_mean_of(process, PROCESS_memory_mib, begin, end, start),
		.peak_memory_mib = UNKNOWN,
		.read_bytes = UNKNOWN,
		.write_bytes = UNKNOWN,
		.mean_gpu = time_mean_of(process, PROCESS_gpu_usage, begin, end, start),
		.peak_gpu = UNKNOWN,
		.peak_vram_mib = UNKNOWN,
		.mean_members = time_mean_of(process, PROCESS_members, begin, end, start)};
	const struct {
		int column;
		double *figure;
	} sums[] = {{PROCESS_utime, &phase.cpu_seconds}, {PROCESS_stime, &phase.cpu_seconds},
		{PROCESS_disk_read_bytes, &phase.read_bytes}, {PROCESS_disk_write_bytes, &phase.write_bytes}},
	  peaks[] = {{PROCESS_memory_mib, &phase.peak_memory_mib}, {PROCESS_gpu_usage, &phase.peak_gpu},
		  {PROCESS_gpu_vram_mib, &phase.peak_vram_mib}};

	for (size_t row = begin; row < end; row++) {
		for (size_t i = 0; i < ARRAY_LENGTH(sums); i++)
			known_add(sums[i].figure, series_value(process, sums[i].column, row));
		for (size_t i = 0; i < ARRAY_LENGTH(peaks); i++)
			*peaks[i].figure = known_larger(*peaks[i].figure, series_value(process, peaks[i].column, row));
		phase.peak_cpu =
			known_larger(phase.peak_cpu, series_rate(process, PROCESS_cpu_usage, row, run_start, interval));
	}
	double mean_cpu = known_first(phase.cpu_seconds / (phase.stop - phase.start),
		time_mean_of(process, PROCESS_cpu_usage, begin, end, start));
	/* The values of a row are read some milliseconds after its timestamp, so the computed mean may be too high.
	 * series_rate corrects for this delay, so the mean is limited to the peak rate. */
	phase.mean_cpu = fmin(mean_cpu, phase.peak_cpu); /* peak_cpu may be unknown */
	return phase;
}

/* Returns the row whose start is nearest to `time`. If two rows are equally near, returns the later one. */
static size_t row_at(const struct series *process, double time)
{
	size_t row = 0;

	while (row < process->rows && series_value(process, PROCESS_timestamp, row) < time)
		row++;
	double before = row > 0 ? time - series_value(process, PROCESS_timestamp, row - 1) : INFINITY;
	bool later = row < process->rows && series_value(process, PROCESS_timestamp, row) - time <= before;
	return later ? row + 1 : row;
}

/* Boundary between two phases. */
struct cut {
	size_t row;
	bool marked;
};

static int by_row(const void *a, const void *b)
{
	const struct cut *x = a, *y = b;
	return ORDER(x->row, y->row);
}

/* Returns whether there is a cut less than `shortest` rows from `row`. */
static bool is_cut(const struct cut *cuts, size_t count, size_t row, size_t shortest)
{
	for (size_t i = 0; i < count; i++)
		if (cuts[i].row + shortest > row && row + shortest > cuts[i].row)
			return true;
	return false;
}

/* Collects the cuts: first the marks of the job, then changes of usage that are not near a mark, until there are
 * SEGMENTS_MAX - 1 cuts. Returns the number of cuts. */
static size_t gather_cuts(struct cut cuts[SEGMENTS_MAX], const struct series *process, const struct marks *marks,
	const size_t *ends, size_t segments)
{
	size_t count = 0, shortest = process->rows / SEGMENT_FRACTION;

	if (shortest < SEGMENT_LEAST)
		shortest = SEGMENT_LEAST;
	for (size_t i = 0; marks && marks->total <= PHASE_MARKS_MAX && i < marks->count; i++) {
		size_t row = row_at(process, marks->items[i].time);
		if (row > 0 && row < process->rows && !is_cut(cuts, count, row, 1))
			cuts[count++] = (struct cut){row, true};
	}
	for (size_t i = 0; i + 1 < segments && count + 1 < SEGMENTS_MAX; i++)
		if (!is_cut(cuts, count, ends[i], shortest))
			cuts[count++] = (struct cut){ends[i], false};
	array_sort(cuts, count, by_row);
	return count;
}

void phases_find(
	struct phases *phases, const struct series *process, const struct marks *marks, double start, double interval)
{
	size_t ends[SEGMENTS_MAX];
	struct cut cuts[SEGMENTS_MAX];
	size_t begin = 0;

	*phases = (struct phases){0};
	if (process->rows == 0)
		return;
	size_t segments = find_ends(process, ends);
	size_t count = gather_cuts(cuts, process, marks, ends, segments);
	start = number_known(start) ? start : series_value(process, PROCESS_timestamp, 0);
	double run_start = start;
	for (size_t i = 0; count > 0 && i <= count; i++) {
		size_t end = i < count ? cuts[i].row : process->rows;
		phases->items[i] = phase_of(process, begin, end, start, run_start, interval);
		phases->items[i].marked = i > 0 && cuts[i - 1].marked;
		start = phases->items[i].stop;
		begin = end;
	}
	phases->count = count > 0 ? count + 1 : 0;
}

struct phase phases_whole(const struct series *process, const struct run *run)
{
	double start = known_first(run->start_time, series_value(process, PROCESS_timestamp, 0));

	return phase_of(process, 0, process->rows, start, start, run->interval);
}

/* -- in words -------------------------------------------------------------------------------------- */

static const double CHANGED = 0.25; /* a change is printed if it is at least this share of the larger value */

/* Appends a change such as "CPUs 1 to 5.6", if it is large enough. */
static void append_change(
	char *text, size_t size, const char *name, enum unit unit, double before, double after, double least)
{
	if (fabs(after - before) >= fmax(CHANGED * fmax(before, after), least))
		units_append(text, size, "%s%s %s to %s", *text ? ", " : "", name, terminal_figure(unit, before).text,
			terminal_figure(unit, after).text);
}

void phases_describe(const struct phases *phases, bool terse, char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 1; i < phases->count; i++) {
		const struct phase *before = &phases->items[i - 1], *phase = &phases->items[i];
		char changes[320] = "";

		append_change(changes, sizeof changes, "CPUs", UNIT_cpus, before->mean_cpu, phase->mean_cpu, 0.25);
		append_change(changes, sizeof changes, "memory", UNIT_mib, before->mean_memory_mib,
			phase->mean_memory_mib, 64);
		append_change(changes, sizeof changes, "GPUs", UNIT_gpus, before->mean_gpu, phase->mean_gpu, 0.2);
		append_change(changes, sizeof changes, "processes", UNIT_count, round(before->mean_members),
			round(phase->mean_members), 2);
		if (terse)
			changes[strcspn(changes, ",")] = '\0';
		units_append(text, size, "%sat %s%s %s", *text ? "; " : "",
			terminal_duration(phase->start - phases->items[0].start).text, phase->marked ? " (marked)" : "",
			*changes ? changes : "little changed");
	}
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static cJSON *phase_json(const struct phase *phase)
{
	cJSON *object = cJSON_CreateObject();

	json_add_number(object, "start_time", phase->start, 3);
	json_add_number(object, "stop_time", phase->stop, 3);
	json_add_number(object, "cpu_seconds", phase->cpu_seconds, 6);
	json_add_number(object, "mean_cpu_usage", phase->mean_cpu, 4);
	json_add_number(object, "peak_cpu_usage", phase->peak_cpu, 4);
	json_add_number(object, "mean_memory_mib", phase->mean_memory_mib, 3);
	json_add_number(object, "peak_memory_mib", phase->peak_memory_mib, 3);
	json_add_number(object, "disk_read_bytes", phase->read_bytes, 0);
	json_add_number(object, "disk_write_bytes", phase->write_bytes, 0);
	json_add_number(object, "mean_gpu_usage", phase->mean_gpu, 4);
	json_add_number(object, "peak_gpu_vram_mib", phase->peak_vram_mib, 3);
	json_add_number(object, "mean_members", phase->mean_members, 2);
	cJSON_AddBoolToObject(object, "marked", phase->marked);
	return object;
}

void phases_write_json(const struct phases *phases, cJSON *object)
{
	cJSON *list = cJSON_AddArrayToObject(object, "phases");

	for (size_t i = 0; i < phases->count; i++)
		cJSON_AddItemToArray(list, phase_json(&phases->items[i]));
}
