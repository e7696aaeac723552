/* CPU and memory of a job by program.
 *
 * A stack must add up to the job's line above it at every moment. So where ticks are thinned, all bands are taken at
 * the ticks that the job's own line keeps. That keeps the line's peaks; those of a single program are in the bill. */
#include "report/page/stacks.h"

#include "core/number.h"
#include "report/markup/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The job's line, and the times of the ticks that it keeps. */
struct whole {
	double *points;
	double *times;
	size_t count;
};

static void release_whole(struct whole *whole)
{
	free(whole->points);
	free(whole->times);
}

static int make_whole(
	struct whole *whole, const struct thin_axis *axis, const struct thin_source *source, double tolerance)
{
	size_t *rows = malloc((axis->points + 1) * sizeof *rows);
	double time = -INFINITY;

	*whole = (struct whole){.count = axis->points};
	whole->points = malloc((axis->points + 1) * sizeof(double));
	whole->times = malloc((axis->points + 1) * sizeof(double));
	bool made = rows && whole->points && whole->times;
	if (made)
		thin_line(axis, source, tolerance, whole->points, rows);
	for (size_t i = 0; made && i < axis->points; i++) {
		if (rows[i] != SIZE_MAX)
			time = source->times[rows[i]];
		whole->times[i] = time;
	}
	free(rows);
	return made ? 0 : -1;
}

/* Scales the bands down to the whole where they exceed it: the whole is the truth, since it was read at once, while
 * bands may be of earlier readings. */
static double fit(struct stack *stack, size_t named, size_t point, double whole)
{
	double sum = 0;

	for (size_t i = 0; i < named; i++)
		sum += stack->values[i][point];
	double scale = !number_known(whole) ? UNKNOWN : sum > whole ? whole / sum : 1;
	for (size_t i = 0; i < named; i++)
		stack->values[i][point] *= scale;
	stack->values[named][point] = whole - sum * scale;
	return stack->values[named][point];
}

/* Makes a stack of the bands, which it owns from then on. */
static int make_stack(
	struct stack *stack, const struct shares *shares, double *bands[SHARES_MAX], const struct whole *whole)
{
	double greatest = 0, rest = 0;
	size_t named = shares->count;

	*stack = (struct stack){.bands = named + 1, .points = whole->count};
	for (size_t i = 0; i < named; i++) {
		stack->programs[i] = shares->programs[i];
		stack->values[i] = bands[i];
		bands[i] = NULL;
	}
	stack->programs[named] = SIZE_MAX;
	stack->values[named] = malloc((whole->count + 1) * sizeof(double));
	if (!stack->values[named])
		return -1;
	for (size_t i = 0; i < whole->count; i++) {
		rest = fmax(rest, fit(stack, named, i, whole->points[i]));
		greatest = fmax(greatest, whole->points[i]);
	}
	if (rest < 0.01 * greatest) /* the rest would be thinner than a line */
		stack->bands--;
	return 0;
}

int stacks_make(struct stacks *stacks, const struct page_model *model, const struct thin_axis *axis,
	const struct thin_source *cpu, const struct thin_source *memory, double tolerance)
{
	struct whole cpus = {0}, memories = {0};
	struct shares shares = {0};
	int result = -1;

	*stacks = (struct stacks){0};
	if (!model->process_list || axis->points == 0)
		return 0;
	if (make_whole(&cpus, axis, cpu, tolerance) == 0 && make_whole(&memories, axis, memory, tolerance) == 0) {
		struct share_times cpu_times = {cpus.times, cpus.count, tolerance};
		struct share_times memory_times = {memories.times, memories.count, tolerance};
		result = shares_read(
			&shares, model->process_list, model->programs, model->directory, &cpu_times, &memory_times);
	}
	if (result == 0 && shares.any)
		result = make_stack(&stacks->cpu, &shares, shares.cpu, &cpus) |
			 make_stack(&stacks->memory, &shares, shares.memory, &memories);
	shares_free(&shares);
	release_whole(&cpus);
	release_whole(&memories);
	if (result != 0) {
		stacks_free(stacks);
		errno = ENOMEM;
	}
	return result;
}

static void free_stack(struct stack *stack)
{
	for (size_t i = 0; i <= SHARES_MAX; i++)
		free(stack->values[i]);
	*stack = (struct stack){0};
}

void stacks_free(struct stacks *stacks)
{
	free_stack(&stacks->cpu);
	free_stack(&stacks->memory);
}

static double peak_of(const struct stack *stack, size_t band)
{
	double peak = 0;

	for (size_t point = 0; point < stack->points; point++)
		peak = fmax(peak, stack->values[band][point]);
	return peak;
}

void stack_write(FILE *out, const struct stack *stack, const struct page_model *model)
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
		bool named = stack->programs[i] != SIZE_MAX;
		if (peak_of(stack, i) < step / 2)
			continue; /* the band would not be visible */
		markup_write(out, "%s\n{\"label\":", separator);
		separator = ",";
		markup_write_json(
			out, named ? text_of(model->programs->items[stack->programs[i]].name) : TEXT("all others"));
		markup_write(out, ",\"program\":%d,\"color\":\"%s%zu\",", named ? (int)stack->programs[i] : -1,
			named ? "band" : "rest", named ? i : 0);
		markup_write_points(out, stack->values[i], stack->points, 0, step);
		markup_write(out, "}");
	}
	markup_write(out, "]");
}
