/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the CPU and memory lines of a job into bands by program. The bands add up to the job's line at every point.
 * If ticks are thinned, each band is therefore a mean over the same bucket as the line, scaled to the mean of the line.
 * The envelope of the line shows the peaks of the job. The table of programs has the peak of each program. */
#include "report/page/program_bands.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/say/markup.h"

#include <math.h>
#include <stdlib.h>

/* The line of the whole job, and the time range of each of its points. */
struct whole {
	double *points, *least, *greatest; /* `points` is the memory block that contains all six arrays */
	double *times;                     /* end time of each point's range */
	double *begins;
	double *ticks; /* number of ticks in each bucket, if ticks are thinned */
	size_t count;
};

/* Sets the time range of each bucket. A range ends just before the next one begins, as in downsample.c. */
static void take_buckets(struct whole *whole, const struct thin_axis *axis, const struct thin_source *source)
{
	static const double BEFORE = 1e-6;
	size_t row = 0;

	for (size_t i = 0; i < axis->points; i++) {
		whole->begins[i] = axis->times[i] - axis->width / 2;
		whole->times[i] = whole->begins[i] + axis->width - BEFORE;
		for (whole->ticks[i] = 0; row < source->rows; row++) {
			if (source->times[row] > whole->times[i] && i + 1 < axis->points)
				break;
			whole->ticks[i]++;
		}
	}
}

/* Sets the time range of each point. It is the tick of the row within `tolerance` of the point. If there is no such
 * row, it is the tick of the row before. */
static void take_ticks(
	struct whole *whole, const struct thin_axis *axis, const struct thin_source *source, double tolerance)
{
	double time = -INFINITY, begin = -INFINITY;
	size_t row = 0;

	for (size_t i = 0; i < axis->points; i++) {
		if (row < source->rows && source->times[row] - tolerance <= axis->times[i]) {
			time = source->times[row];
			begin = row > 0 ? source->times[row - 1] : source->before;
			row++;
		}
		whole->times[i] = time;
		whole->begins[i] = begin;
	}
}

static void make_whole(
	struct whole *whole, const struct thin_axis *axis, const struct thin_source *source, double tolerance)
{
	size_t count = axis->points;
	double *block = xcalloc(6 * count, sizeof *block);

	*whole = (struct whole){block, block + count, block + 2 * count, block + 3 * count, block + 4 * count,
		block + 5 * count, count};
	thin_line(axis, source, tolerance, &(struct thin_line){whole->points, whole->least, whole->greatest});
	if (axis->width > 0)
		take_buckets(whole, axis, source);
	else
		take_ticks(whole, axis, source, tolerance);
}

/* Returns the factor, at most 1, that scales `sum` down to at most `room`. */
static double scale_to(double sum, double room)
{
	return sum > fmax(room, 0) ? fmax(room, 0) / sum : 1;
}

/* Divides `whole` at a point among `count` bands, and returns the remainder. Sampled usage comes first, and is scaled
 * down if it exceeds `whole`, because samples may be older. Usage known only from exit records is then scaled down to
 * what is left. */
static double fit(
	struct stack *stack, double *const *sampled, double *const *spread, size_t count, size_t point, double whole)
{
	double sum = 0, beyond = 0;

	for (size_t i = 0; i < count; i++) {
		sum += sampled[i][point];
		beyond += spread[i][point];
	}
	double scale = number_known(whole) ? scale_to(sum, whole) : UNKNOWN;
	double rest = whole - sum * scale;
	double further = scale_to(beyond, rest);
	for (size_t i = 0; i < count; i++)
		stack->values[i][point] = sampled[i][point] * scale + spread[i][point] * further;
	return rest - beyond * further;
}

/* Scales the usage of all programs at a point down to at most `room`. Adds the removed CPU seconds to `over`, and
 * returns the new sum. */
static double cut(double *const *cpus, size_t point, double room, double seconds, double *over)
{
	double sum = 0;

	for (size_t band = 0; band <= SHARES_MAX; band++)
		sum += cpus[band][point];
	double scale = scale_to(sum, room);
	for (size_t band = 0; band <= SHARES_MAX; band++) {
		over[band] += cpus[band][point] * (1 - scale) * seconds;
		cpus[band][point] *= scale;
	}
	return sum * scale;
}

/* Moves CPU seconds from `over` to a point until the point has no room left. */
static void give(double *const *cpus, size_t point, double room, double seconds, double *over)
{
	double sum = 0;

	for (size_t band = 0; band <= SHARES_MAX; band++)
		sum += over[band];
	double given = scale_to(sum, room * seconds);
	for (size_t band = 0; band <= SHARES_MAX; band++) {
		cpus[band][point] += over[band] * given / seconds;
		over[band] *= 1 - given;
	}
}

static void carry_at(struct shares *shares, const struct whole *whole, size_t point, double *over)
{
	double room = whole->points[point], seconds = whole->times[point] - whole->begins[point];

	if (!number_known(room) || !(seconds > 0))
		return;
	room -= cut(shares->cpu, point, room, seconds, over);
	room -= cut(shares->spread, point, room, seconds, over);
	give(shares->spread, point, room, seconds, over);
}

/* Moves usage above the job's line to later points with room, and what is left at the end to earlier points. Bands can
 * exceed the line because both are read at different moments, and because an exit record does not tell when the CPU
 * time was used. Without this step, other points would show the usage as "in no record". */
static void carry(struct shares *shares, const struct whole *whole)
{
	double over[SHARES_MAX + 1] = {0};

	for (size_t point = 0; point < whole->count; point++)
		carry_at(shares, whole, point, over);
	for (size_t point = whole->count; point > 0; point--)
		carry_at(shares, whole, point - 1, over);
}

static double peak_of(const struct stack *stack, size_t band)
{
	double peak = 0;

	for (size_t point = 0; point < stack->points; point++)
		peak = fmax(peak, stack->values[band][point]);
	return peak;
}

static double area_of(const double *values, size_t points)
{
	double area = 0;

	for (size_t point = 0; point < points; point++)
		area += fmax(values[point], 0);
	return area;
}

/* Adds programs whose bands are too thin to see to "all others", because each of these programs would only add "mean 0"
 * to the legend. */
static void join_thin(struct stack *stack, size_t named, const struct whole *whole, double greatest)
{
	static const double LEAST_AREA = 0.005, LEAST_PEAK = 0.1;
	double all = area_of(whole->points, whole->count), *others = stack->values[named];

	for (size_t band = 0; band < named; band++) {
		double *values = stack->values[band];
		if (!values || !others || area_of(values, stack->points) >= LEAST_AREA * all ||
			peak_of(stack, band) >= LEAST_PEAK * greatest)
			continue;
		for (size_t point = 0; point < stack->points; point++) {
			if (number_known(values[point]))
				others[point] += values[point];
			values[point] = 0;
		}
	}
}

/* Makes a stack of `count` bands and a remainder. For CPU, the last of these bands is all other programs, and the
 * remainder is usage in no record. For memory, the remainder is all other programs. */
static void make_stack(struct stack *stack, const struct shares *shares, double *const *sampled, double *const *spread,
	size_t count, const struct whole *whole)
{
	double greatest = 0;
	size_t named = shares->count;
	double *parts[SHARES_MAX + 1], *further[SHARES_MAX + 1];

	*stack = (struct stack){.bands = count + 1, .points = whole->count};
	for (size_t i = 0; i <= count; i++) {
		stack->programs[i] = i < named ? shares->programs[i] : i == named ? STACK_OTHERS : STACK_UNKNOWN;
		stack->values[i] = xcalloc(whole->count, sizeof(double));
	}
	for (size_t i = 0; i < count; i++) {
		parts[i] = sampled[i < named ? i : SHARES_MAX];
		further[i] = spread[i < named ? i : SHARES_MAX];
	}
	for (size_t i = 0; i < whole->count; i++) {
		stack->values[count][i] = fit(stack, parts, further, count, i, whole->points[i]);
		greatest = fmax(greatest, whole->points[i]);
	}
	join_thin(stack, named, whole, greatest);
	bool named_seen = false;
	for (size_t i = 0; i < count; i++)
		named_seen |= peak_of(stack, i) > 0;
	if (!named_seen) /* without samples, "all others" would be the only band */
		stack->bands = 0;
	else if (peak_of(stack, count) < 0.01 * greatest) /* the remainder would be thinner than a line */
		stack->bands--;
}

enum { SAMPLES = 4 }; /* number of memory samples that are averaged in a bucket */

static void read_shares(struct shares *shares, const struct page *page, const struct thin_axis *axis,
	const struct whole *cpus, const struct whole *memories, double tolerance)
{
	struct share_times cpu = {cpus->times, cpus->begins, NULL, cpus->count, tolerance};
	struct share_times memory = {memories->times, memories->begins, NULL, memories->count, tolerance};
	double *times = xcalloc(SAMPLES * memories->count, sizeof *times);
	bool thinned = axis->width > 0;

	if (thinned) {
		for (size_t i = 0; i < SAMPLES * memories->count; i++)
			times[i] =
				memories->begins[i / SAMPLES] + axis->width * ((double)(i % SAMPLES) + 0.5) / SAMPLES;
		cpu = (struct share_times){cpus->times, cpus->begins, cpus->ticks, cpus->count, 0};
		memory = (struct share_times){times, NULL, NULL, SAMPLES * memories->count, 0};
	}
	shares_read(shares, page->model, &cpu, &memory);
	for (size_t band = 0; thinned && band < shares->count; band++)
		for (size_t i = 0; i < memories->count; i++) {
			double sum = 0;
			for (size_t k = 0; k < SAMPLES; k++)
				sum += shares->memory[band][SAMPLES * i + k];
			shares->memory[band][i] = sum / SAMPLES;
		}
	free(times);
}

void stacks_make(struct stacks *stacks, const struct page *page, const struct thin_axis *axis,
	const struct thin_source *cpu, const struct thin_source *memory, double tolerance)
{
	struct whole cpus, memories;
	struct shares shares = {0};

	*stacks = (struct stacks){0};
	if (axis->points == 0)
		return;
	make_whole(&cpus, axis, cpu, tolerance);
	make_whole(&memories, axis, memory, tolerance);
	read_shares(&shares, page, axis, &cpus, &memories, tolerance);
	if (shares.any) {
		carry(&shares, &cpus);
		make_stack(&stacks->cpu, &shares, shares.cpu, shares.spread, shares.count + 1, &cpus);
		make_stack(&stacks->memory, &shares, shares.memory, shares.grown, shares.count, &memories);
	}
	shares_free(&shares);
	free(cpus.points);
	free(memories.points);
}

static void free_stack(struct stack *stack)
{
	for (size_t i = 0; i < ARRAY_LENGTH(stack->values); i++)
		free(stack->values[i]);
	*stack = (struct stack){0};
}

void stacks_free(struct stacks *stacks)
{
	free_stack(&stacks->cpu);
	free_stack(&stacks->memory);
}

void stack_write(FILE *out, const struct stack *stack, const struct page *page)
{
	if (stack->bands == 0)
		return;
	double peak = 0;
	for (size_t i = 0; i < stack->bands; i++)
		peak = fmax(peak, peak_of(stack, i));
	double step = markup_step(peak, 2);
	const char *separator = "";
	markup_write(out, ",\"stack\":[");
	for (size_t i = 0; i < stack->bands; i++) {
		size_t program = stack->programs[i];
		if (peak_of(stack, i) < step / 2)
			continue; /* the band would not be visible */
		markup_write(out, "%s\n{\"label\":", separator);
		separator = ",";
		if (program == STACK_OTHERS || program == STACK_UNKNOWN)
			markup_write(out, "\"%s\",\"program\":-1,\"color\":\"%s\",",
				program == STACK_OTHERS ? "all others" : "other, short-lived",
				program == STACK_OTHERS ? "rest0" : "unknown");
		else {
			markup_write_json(out, text_of(bill_label(&page->model->programs.rows[program]).text));
			markup_write(out, ",\"program\":%d,\"color\":\"band%zu\",", (int)program, i);
		}
		markup_write(out, "\"step\":%g,\"d\":", step);
		markup_write_points(out, stack->values[i], stack->points, 0, step);
		markup_write(out, "}");
	}
	markup_write(out, "]");
}
