/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the usage of several runs. */
#include "report/model/use.h"

#include "core/number.h"

#include <math.h>
#include <string.h>

/* Iterates over the bins of a run, busiest first. */
struct busiest {
	const double *seconds; /* seconds of each bin */
	double scale;          /* bins round usage up; this factor makes them sum to the CPU time */
	size_t bin;
	double left; /* remaining seconds of the bin; 0 when all bins are used up */
};

static void go_on(struct busiest *time)
{
	while (!(time->left > 0) && time->bin > 0)
		time->left = time->seconds[--time->bin];
}

static struct busiest begin(const struct use *use)
{
	struct busiest time = {.seconds = use->cpu_seconds, .scale = 1, .bin = USE_CPU_BINS};
	double all = 0;

	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		all += use->cpu_seconds[bin] * use_cpus(bin);
	if (use->cpu_used < all)
		time.scale = use->cpu_used / all;
	go_on(&time);
	return time;
}

static double cpus_now(const struct busiest *time)
{
	return time->left > 0 ? time->scale * use_cpus(time->bin) : 0;
}

static void spend(struct busiest *time, double seconds)
{
	time->left = fmax(time->left - seconds, 0);
	go_on(time);
}

static void add_cpus(struct use *use, const struct use *other)
{
	struct busiest times[] = {begin(use), begin(other)};
	double together[USE_CPU_BINS] = {0};

	while (times[0].left > 0 || times[1].left > 0) {
		double step = times[0].left > 0 && times[1].left > 0 ? fmin(times[0].left, times[1].left)
								     : fmax(times[0].left, times[1].left);
		together[use_bin(cpus_now(&times[0]) + cpus_now(&times[1]))] += step;
		spend(&times[0], step);
		spend(&times[1], step);
	}
	memcpy(use->cpu_seconds, together, sizeof together);
}

/* Sets the worse of two ends. */
static void take_worse(struct use *use, const struct use *a, const struct use *b)
{
	const struct use *worse = b->end > a->end ? b : a;

	use->end = worse->end;
	use->outcome = worse->outcome;
}

/* Sums the figures that do not depend on whether the runs overlapped; the others come from the longer run. */
static struct use sum_of(const struct use *a, const struct use *b)
{
	struct use sum = b->seconds > a->seconds ? *b : *a;

	take_worse(&sum, a, b);
	sum.cpu_used = a->cpu_used;
	known_add(&sum.cpu_used, b->cpu_used);
	sum.written_mib = a->written_mib;
	known_add(&sum.written_mib, b->written_mib);
	sum.peak_mib = known_larger(a->peak_mib, b->peak_mib);
	sum.peak_most_mib = known_larger(a->peak_most_mib, b->peak_most_mib);
	return sum;
}

void use_add(struct use *use, const struct use *other)
{
	struct use sum = sum_of(use, other);

	add_cpus(use, other);
	memcpy(sum.cpu_seconds, use->cpu_seconds, sizeof sum.cpu_seconds);
	sum.vram_mib = use->vram_mib;
	known_add(&sum.vram_mib, other->vram_mib);
	sum.gpus = use->gpus + other->gpus;
	*use = sum;
}

void use_follow(struct use *use, const struct use *other)
{
	struct use sum = sum_of(use, other);

	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		sum.cpu_seconds[bin] = use->cpu_seconds[bin] + other->cpu_seconds[bin];
	sum.vram_mib = known_larger(use->vram_mib, other->vram_mib);
	sum.gpus = fmax(use->gpus, other->gpus);
	*use = sum;
}

void use_take_most(struct use *most, const struct use *use)
{
	if (use->cpu_used > most->cpu_used)
		memcpy(most->cpu_seconds, use->cpu_seconds, sizeof use->cpu_seconds);
	take_worse(most, most, use);
	most->seconds = known_larger(most->seconds, use->seconds);
	most->peak_mib = known_larger(most->peak_mib, use->peak_mib);
	most->peak_most_mib = known_larger(most->peak_most_mib, use->peak_most_mib);
	most->cpu_used = known_larger(most->cpu_used, use->cpu_used);
	most->written_mib = known_larger(most->written_mib, use->written_mib);
	most->gpus = known_larger(most->gpus, use->gpus);
	most->vram_mib = known_larger(most->vram_mib, use->vram_mib);
	most->throttled = known_larger(most->throttled, use->throttled);
}
