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
	double *begins; /* of their ticks */
	size_t count;
};

static void release_whole(struct whole *whole)
{
	free(whole->points);
	free(whole->times);
	free(whole->begins);
}

static int make_whole(
	struct whole *whole, const struct thin_axis *axis, const struct thin_source *source, double tolerance)
{
	size_t *rows = malloc((axis->points + 1) * sizeof *rows);
	double time = -INFINITY, begin = -INFINITY;

	*whole = (struct whole){.count = axis->points};
	whole->points = malloc((axis->points + 1) * sizeof(double));
	whole->times = malloc((axis->points + 1) * sizeof(double));
	whole->begins = malloc((axis->points + 1) * sizeof(double));
	bool made = rows && whole->points && whole->times && whole->begins;
	if (made)
		thin_line(axis, source, tolerance, whole->points, rows);
	for (size_t i = 0; made && i < axis->points; i++) {
		if (rows[i] != SIZE_MAX) {
			time = source->times[rows[i]];
			begin = rows[i] > 0 ? source->times[rows[i] - 1] : source->before;
		}
		whole->times[i] = time;
		whole->begins[i] = begin;
	}
	free(rows);
	return made ? 0 : -1;
}

/* How much of `sum` there is room for in `room`, as a factor. */
static double scale_to(double sum, double room)
{
	return sum > room ? fmax(room, 0) / sum : 1;
}

/* Fits what was sampled into the whole, which was read at once, while bands may be of earlier readings; then what the
 * exit records have beyond that into the rest. Writes the bands of `count` shares to the stack. Returns what is left.
 */
static double fit(
	struct stack *stack, double *const *sampled, double *const *spread, size_t count, size_t point, double whole)
{
	double sum = 0, beyond = 0;

	for (size_t i = 0; i < count; i++) {
		sum += sampled[i][point];
		beyond += spread ? spread[i][point] : 0;
	}
	double scale = number_known(whole) ? scale_to(sum, whole) : UNKNOWN;
	double rest = whole - sum * scale;
	double further = scale_to(beyond, rest);
	for (size_t i = 0; i < count; i++)
		stack->values[i][point] = sampled[i][point] * scale + (spread ? spread[i][point] * further : 0);
	return rest - beyond * further;
}

/* Makes a stack of `count` shares. Of CPU (`spread`) the last of them is that of all others, and what is left is in no
 * record; of memory what is left is that of all others. */
static int make_stack(struct stack *stack, const struct shares *shares, double *const *sampled, double *const *spread,
	const struct whole *whole)
{
	double greatest = 0, rest = 0;
	size_t named = shares->count, count = spread ? named + 1 : named;
	double *parts[SHARES_MAX + 1], *further[SHARES_MAX + 1];

	*stack = (struct stack){.bands = count + 1, .points = whole->count};
	for (size_t i = 0; i <= count; i++) {
		stack->programs[i] = i < named ? shares->programs[i] : i == named ? STACK_OTHERS : STACK_UNKNOWN;
		stack->values[i] = malloc((whole->count + 1) * sizeof(double));
		if (!stack->values[i])
			return -1;
	}
	for (size_t i = 0; i < count; i++) {
		parts[i] = sampled[i < named ? i : SHARES_MAX];
		further[i] = spread ? spread[i < named ? i : SHARES_MAX] : NULL;
	}
	for (size_t i = 0; i < whole->count; i++) {
		stack->values[count][i] = fit(stack, parts, spread ? further : NULL, count, i, whole->points[i]);
		rest = fmax(rest, stack->values[count][i]);
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
		struct share_times cpu_times = {cpus.times, cpus.begins, cpus.count, tolerance};
		struct share_times memory_times = {memories.times, memories.begins, memories.count, tolerance};
		result = shares_read(
			&shares, model->process_list, model->programs, model->directory, &cpu_times, &memory_times);
	}
	if (result == 0 && shares.any)
		result = make_stack(&stacks->cpu, &shares, shares.cpu, shares.spread, &cpus) |
			 make_stack(&stacks->memory, &shares, shares.memory, NULL, &memories);
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
	for (size_t i = 0; i < ARRAY_LENGTH(stack->values); i++)
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
		size_t program = stack->programs[i];
		if (peak_of(stack, i) < step / 2)
			continue; /* the band would not be visible */
		markup_write(out, "%s\n{\"label\":", separator);
		separator = ",";
		if (program == STACK_OTHERS || program == STACK_UNKNOWN)
			markup_write(out, "\"%s\",\"program\":-1,\"color\":\"%s\",",
				program == STACK_OTHERS ? "all others" : "in no record",
				program == STACK_OTHERS ? "rest0" : "unknown");
		else {
			markup_write_json(out, text_of(model->programs->items[program].name));
			markup_write(out, ",\"program\":%d,\"color\":\"band%zu\",", (int)program, i);
		}
		markup_write_points(out, stack->values[i], stack->points, 0, step);
		markup_write(out, "}");
	}
	markup_write(out, "]");
}
