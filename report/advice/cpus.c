/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how many CPUs to request. */
#include "report/advice/cpus.h"

#include "report/say/units.h"

#include <math.h>
#include <stdio.h>

static const double LONGER_MOST = 0.2;
/* One more CPU is requested only if it would be in use for this share of the time. */
static const double WORTH_ONE = 0.5;
/* A run that wants this share of its CPUs counts as using all of them. */
static const double ALL_IN_USE = 0.9;
/* Minimum waiting that is reported: in CPUs, and as a share of the CPUs in use. */
static const double WAITED_CPUS = 0.25, WAITED_PART = 0.05;
/* A run counts as throttled if a CPU limit throttled it for at least this share of its time. */
static const double THROTTLED_LEAST = 0.05;
static const double THROTTLED_FACTOR = 1.5;

/* Sums over runs. For each number of CPUs, a run adds the share of its time in which it wanted that many CPUs. The
 * shares of one run add up to 1. */
struct spread {
	double shares[USE_CPU_BINS];
	double throttled; /* sum over runs of the share of time in which the run was throttled */
	double full;      /* sum over runs of the share of time in which the run wanted all of its CPUs */
	double got;       /* sum over runs of the CPUs used on average */
	double waited;    /* sum over runs of the average number of threads that waited for a CPU */
	double given;     /* largest number of CPUs that a run could use, or that it requested if that is less */
	double online;    /* CPUs of the largest machine, or UNKNOWN */
	size_t runs;
};

static double throttled_share(const struct use *use)
{
	return use->throttled > 0 && use->seconds > 0 ? fmin(use->throttled / use->seconds, 1) : 0;
}

static void add(struct spread *spread, const struct use *use)
{
	double given = use->asked_cpus < use->vcpus ? use->asked_cpus : use->vcpus;
	double sum = 0;

	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		sum += use->cpu_seconds[bin];
	if (!(sum > 0))
		return;
	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		spread->shares[bin] += use->cpu_seconds[bin] / sum;
	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		spread->full += use_cpus(bin) >= ALL_IN_USE * given ? use->cpu_seconds[bin] / sum : 0;
	spread->throttled += throttled_share(use);
	if (use->seconds > 0) {
		spread->got += known_first(use->cpu_used, 0) / use->seconds;
		spread->waited += known_first(use->cpu_wait, 0) / use->seconds;
	}
	spread->given = known_larger(spread->given, given);
	spread->online = known_larger(spread->online, use->online);
	spread->runs++;
}

/* Sums the latest finished runs. Throttled runs are included only if `with_throttled` is set. */
static struct spread spread_of(const struct uses *uses, size_t limit, bool with_throttled)
{
	struct spread spread = {.given = UNKNOWN, .online = UNKNOWN};

	for (size_t i = uses->count; i > 0 && spread.runs < limit; i--) {
		const struct use *use = &uses->items[i - 1];
		if (use->end == USE_FINISHED && (with_throttled || throttled_share(use) < THROTTLED_LEAST))
			add(&spread, use);
	}
	return spread;
}

/* Returns 0.2 if the runs would take 20 % longer with this number of CPUs. */
static double longer_with(const struct spread *spread, double cpus)
{
	double longer = 0;
	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		if (use_cpus(bin) > cpus)
			longer += spread->shares[bin] * (use_cpus(bin) / cpus - 1);
	return longer / (double)spread->runs;
}

static double share_above(const struct spread *spread, double cpus)
{
	double share = 0;
	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		if (use_cpus(bin) > cpus)
			share += spread->shares[bin];
	return share / (double)spread->runs;
}

/* Sets the smallest number of CPUs with which the runs would hardly take longer, at most the number of CPUs of the
 * machine. If the runs wanted all of their CPUs for most of the time, the result is at least the number of CPUs that
 * they had. Otherwise, a job that adapts to its CPUs would be given fewer CPUs after every run. */
static void count_cpus(struct cpus *cpus, const struct spread *spread)
{
	while (longer_with(spread, cpus->cpus) > LONGER_MOST || share_above(spread, cpus->cpus) >= WORTH_ONE)
		cpus->cpus++;
	cpus->all_in_use = spread->full / (double)spread->runs >= WORTH_ONE;
	if (cpus->all_in_use && spread->given > cpus->cpus)
		cpus->cpus = floor(spread->given);
	cpus->is_machine = cpus->cpus >= spread->online;
	if (cpus->cpus > spread->online)
		cpus->cpus = fmax(floor(spread->online), 1);
}

struct cpus cpus_choose(const struct uses *uses, size_t limit, double vcpus)
{
	struct spread spread = spread_of(uses, limit, false);

	if (spread.runs == 0)
		spread = spread_of(uses, limit, true);
	if (spread.runs == 0 && uses->count > 0)
		add(&spread, &uses->items[uses->count - 1]);
	if (spread.runs == 0)
		return (struct cpus){.cpus = UNKNOWN};
	struct cpus cpus = {.cpus = 1, .runs = spread.runs, .throttled_share = spread.throttled / (double)spread.runs};
	count_cpus(&cpus, &spread);
	cpus.more_share = share_above(&spread, cpus.cpus);
	cpus.longer = longer_with(&spread, cpus.cpus);
	cpus.got = spread.got / (double)spread.runs;
	cpus.wanted = cpus.got + spread.waited / (double)spread.runs;
	cpus.all_throttled = cpus.throttled_share >= THROTTLED_LEAST;
	cpus.counted = cpus.cpus;
	if (cpus.all_throttled) {
		double more = ceil(cpus.cpus * THROTTLED_FACTOR);
		cpus.cpus = vcpus >= cpus.cpus && vcpus < more ? floor(vcpus) : more;
	}
	return cpus;
}

void cpus_reason(const struct cpus *cpus, char *text, size_t size)
{
	if (cpus->all_throttled)
		snprintf(text, size,
			"a CPU limit held the runs back in %s of their time, so the CPUs that they need are unknown. "
			"They used %.0f, in whole CPUs, and the request is %s.",
			units_figure(UNIT_percent, 100 * cpus->throttled_share).text, cpus->counted,
			cpus->cpus < cpus->counted * THROTTLED_FACTOR ? "what the machine has" : "half as many again");
	else if (cpus->more_share > 0)
		snprintf(text, size,
			"the runs would use more CPUs in %s of the time. Without these they take %s longer.%s",
			units_figure(UNIT_percent, 100 * cpus->more_share).text,
			units_figure(UNIT_percent, 100 * cpus->longer).text,
			cpus->is_machine ? " The machine has no more." : "");
	else if (cpus->all_in_use)
		snprintf(text, size, "the runs had no more, and used all of %s most of the time.",
			cpus->cpus > 1 ? "them" : "it");
	else
		snprintf(text, size, "the runs never used more than a tenth of another CPU.");
	double waited = cpus->wanted - cpus->got;
	if (waited >= WAITED_CPUS && waited >= WAITED_PART * cpus->got)
		units_append(text, size, " They got %s and wanted %s CPUs on average.",
			units_figure(UNIT_cpus, cpus->got).text, units_figure(UNIT_cpus, cpus->wanted).text);
}

void cpus_describe(const struct cpus *cpus, char *text, size_t size)
{
	char reason[320];

	cpus_reason(cpus, reason, sizeof reason);
	snprintf(text, size, "%.0f CPU%s: %s", cpus->cpus, cpus->cpus > 1 ? "s" : "", reason);
}
