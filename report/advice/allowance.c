/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the request for the next run by the allowance rule. */
#include "report/advice/allowance.h"

#include "core/number.h"
#include "report/history/uses.h"
#include "report/say/alloc.h"
#include "report/say/units.h"

#include <math.h>
#include <stdlib.h>

/* The reason for a request is given if the request exceeds the peak by this factor. */
static const double WORTH_SAYING = 1.1;
/* Below this peak, the minimum margin of 32 MiB is at least a tenth of the peak. */
static const double SMALL_MIB = 320;
enum { FEW_RUNS = 10 };
/* A note is added if the upper bound of a peak exceeds the lower bound by this factor. */
static const double WIDE = 1.1;

static const char rule_text[] =
	"Memory: the largest peak of the last 100 runs, plus 2 % (at least 32 MiB), plus an allowance for what was not "
	"seen yet. The allowance is as much again after one run, a tenth after ten, and more where runs differ. CPUs: "
	"the fewest that meet two conditions. The runs take at most a fifth longer, and one CPU more would idle for "
	"more than half of the time.";

/* -- questions ------------------------------------------------------------------------------------- */

enum figure_kind { FIGURE_MEMORY, FIGURE_TIME, FIGURE_VRAM, FIGURE_DISK };

static struct rule_run run_of(const struct use *use, enum figure_kind kind)
{
	static const enum rule_end ends[] = {[USE_FINISHED] = RULE_FINISHED,
		[USE_FAILED] = RULE_FAILED,
		[USE_DIED] = RULE_DIED,
		[USE_PART] = RULE_FAILED /* The record covers a part of the run, so the figures are lower bounds. */};
	struct rule_run run = {.input = use->input_bytes, .limit = UNKNOWN, .end = ends[use->end]};

	run.peak = kind == FIGURE_MEMORY ? known_first(use->peak_most_mib, use->peak_mib)
		   : kind == FIGURE_TIME ? use->seconds
		   : kind == FIGURE_DISK ? use->written_mib
					 : use->vram_mib;
	/* A run that rtrack-run killed at --max-memory can have a peak above that limit, because rtrack-run compares
	 * memory with the limit only once per tick. The run needed more than either of them. */
	if (kind == FIGURE_MEMORY && use->end == USE_DIED)
		run.limit = use->peak_mib > use->limit_mib ? use->peak_mib : use->limit_mib;
	/* USE_DIED means that a process ran out of memory. Time, VRAM and disk of such a run are lower bounds, unless
	 * the run finished although the process was killed. */
	if (kind == FIGURE_MEMORY && use->end != USE_FINISHED)
		run.peak = use->peak_mib;
	else if (use->end == USE_DIED)
		run.end = use->outcome == OUTCOME_FINISHED ? RULE_FINISHED : RULE_FAILED;
	return run;
}

static void fill(struct rule_run *runs, const struct uses *uses, enum figure_kind kind)
{
	for (size_t i = 0; i < uses->count; i++)
		runs[i] = run_of(&uses->items[i], kind);
}

static struct rule_question question_of(
	struct rule_run *runs, const struct uses *uses, enum figure_kind kind, const struct allowance_wish *wish)
{
	fill(runs, uses, kind);
	return (struct rule_question){
		.form = kind == FIGURE_TIME ? &rule_time : &rule_memory,
		.runs = runs,
		.count = uses->count,
		.input = wish->input,
		.limit = UNKNOWN,
		.care = rule_care(wish->failures),
	};
}

/* -- memory ---------------------------------------------------------------------------------------- */

static void replay(struct recommendation *recommendation, const struct rule_question *question, const struct uses *uses)
{
	struct replay_fact *facts = xcalloc(uses->count, sizeof *facts);

	for (size_t i = 0; i < uses->count; i++)
		facts[i] = (struct replay_fact){
			uses->items[i].asked_mib, uses->items[i].seconds, uses->items[i].limit_mib};
	recommendation->replay = replay_make(question, facts);
	free(facts);
}

/* A run that ended without a record may have reached its limit after the last tick. While no later run has finished,
 * the request is not below that limit. */
static void apply_doubt(struct rule_answer *memory, const struct uses *uses)
{
	double least = UNKNOWN;

	for (size_t i = uses->count; i > 0 && !use_finished(&uses->items[i - 1]); i--)
		least = known_larger(least, uses->items[i - 1].doubt_mib);
	least = ceil(least / rule_memory.unit) * rule_memory.unit;
	if (!(least > memory->request))
		return;
	memory->request = least;
	memory->reason = RULE_AFTER_DOUBT;
}

static void ask_memory(struct recommendation *recommendation, struct rule_run *runs, const struct uses *uses,
	const struct allowance_wish *wish)
{
	struct rule_question question = question_of(runs, uses, FIGURE_MEMORY, wish);

	question.limit = uses->items[uses->count - 1].limit_mib;
	recommendation->memory = rule_ask(&question);
	apply_doubt(&recommendation->memory, uses);
	recommendation->resources.memory_mib = recommendation->memory.request;
	replay(recommendation, &question, uses);
}

void allowance_reason(const struct rule_answer *answer, bool time, char *text, size_t size)
{
	bool differ = answer->largest > answer->median * WIDE;
	char runs[48];

	*text = '\0';
	if (!(answer->largest > 0) || !number_known(answer->request))
		return;
	if (answer->reason == RULE_BY_LIMIT) {
		snprintf(text, size,
			answer->runs == 1 ? "the limit, below which the run stayed"
					  : "the limit, below which %zu runs stayed",
			answer->runs);
		return;
	}
	bool small = answer->largest < (answer->runs < FEW_RUNS ? rule_memory.floor : SMALL_MIB);
	if (time && answer->largest < rule_time.floor && answer->reason == RULE_BY_PEAKS) {
		snprintf(text, size, "the longest run + 1 min");
		return;
	}
	if (small && !time && answer->reason == RULE_BY_PEAKS) {
		snprintf(text, size, "the peak + %s (a small job)",
			units_figure(UNIT_mib, answer->request - answer->largest).text);
		return;
	}
	snprintf(runs, sizeof runs,
		answer->runs == 0 && answer->unmeasured > 0 ? "no finished run has a known peak"
		: answer->runs == 0                         ? "no run has finished"
		: answer->runs == 1                         ? "only 1 run so far"
							    : "only %zu runs so far",
		answer->runs);
	const char *why = answer->reason == RULE_AFTER_DEATH
				  ? time ? "a run ran out of time" : "a run ran out of memory"
			  : answer->reason == RULE_AFTER_DOUBT ? "a run may have been killed for memory"
			  : answer->reason == RULE_BY_INPUT    ? "the next input is larger"
			  : answer->runs < FEW_RUNS            ? runs
			  : differ                             ? "the runs differ"
							       : "another run may need more";
	snprintf(text, size, "%.1f × the %s (%s)", answer->request / answer->largest, time ? "longest run" : "peak",
		why);
}

/* Formats " The request is 1.9 × the peak (only 1 run so far).". The text is "" if the request exceeds the peak by less
 * than WORTH_SAYING. */
static void describe_ratio(const char *what, const struct rule_answer *answer, char *text, size_t size)
{
	char reason[88];

	*text = '\0';
	allowance_reason(answer, false, reason, sizeof reason);
	if (*reason && answer->request / answer->largest >= WORTH_SAYING && answer->reason != RULE_BY_LIMIT)
		snprintf(text, size, " %s is %s.", what, reason);
}

/* -- other resources ------------------------------------------------------------------------------- */

static void ask_others(struct recommendation *recommendation, struct rule_run *runs, const struct uses *uses,
	double vcpus, const struct allowance_wish *wish)
{
	struct resources *resources = &recommendation->resources;
	struct rule_question question = question_of(runs, uses, FIGURE_TIME, wish);

	recommendation->time = rule_ask(&question);
	resources->seconds = recommendation->time.request;
	question = question_of(runs, uses, FIGURE_VRAM, wish);
	struct rule_answer vram = rule_ask(&question);
	resources->vram_mib = vram.largest > 0 ? vram.request : 0;
	if (vram.largest > 0) {
		char ratio[104];
		describe_ratio("GPU memory", &vram, ratio, sizeof ratio);
		snprintf(recommendation->basis[BASIS_VRAM], RECOMMEND_NOTE_SIZE, "%s", *ratio ? ratio + 1 : "");
	}
	question = question_of(runs, uses, FIGURE_DISK, wish);
	struct rule_answer disk = rule_ask(&question);
	resources->disk_mib = disk.largest > 0 ? disk.request : disk.largest;
	resources->gpu = 0;
	for (size_t i = 0; i < uses->count; i++)
		resources->gpu = fmax(resources->gpu, uses->items[i].gpus);
	recommendation->cpus = cpus_choose(uses, RULE_RUNS_MAX, vcpus);
	resources->cpu = recommendation->cpus.cpus;
}

/* -- in words -------------------------------------------------------------------------------------- */

static struct figure mib(double value)
{
	return units_figure(UNIT_mib, value);
}

static bool any_died(const struct uses *uses, enum outcome outcome)
{
	for (size_t i = 0; i < uses->count; i++)
		if (uses->items[i].end == USE_DIED && uses->items[i].outcome == outcome)
			return true;
	return false;
}

/* Formats a sentence on why the request was derived from the input size or from the limit, or "" if it was not. */
static void describe_reason(
	const struct rule_answer *memory, const struct allowance_wish *wish, char *text, size_t size)
{
	*text = '\0';
	if (memory->reason == RULE_BY_INPUT)
		snprintf(text, size, " The size of the input explains the peaks (r %.2f), and the next input has %s.",
			memory->line_fit, units_figure(UNIT_bytes, wish->input).text);
	else if (memory->reason == RULE_BY_LIMIT)
		snprintf(text, size, " It is up to the limit under which they ran.");
}

/* Returns the finished run with the largest peak if only an interval is known for that peak, otherwise NULL. */
static const struct use *largest_interval(const struct uses *uses)
{
	const struct use *top = NULL;

	for (size_t i = 0; i < uses->count; i++)
		if (uses->items[i].end == USE_FINISHED && (!top || uses->items[i].peak_most_mib > top->peak_most_mib))
			top = &uses->items[i];
	return top && top->peak_most_mib > top->peak_mib * WIDE ? top : NULL;
}

/* Formats a peak. If only an interval is known, formats "314 MiB to 1.21 GiB", because the run may have used less than
 * the upper bound. */
static void describe_peak(const struct uses *uses, double peak_mib, char *text, size_t size)
{
	const struct use *interval = largest_interval(uses);

	if (interval && interval->peak_most_mib == peak_mib)
		snprintf(text, size, "%s to %s", mib(interval->peak_mib).text, mib(peak_mib).text);
	else
		snprintf(text, size, "%s", mib(peak_mib).text);
}

/* Formats the number of runs and their peaks as the beginning of a sentence. */
static void describe_runs(const struct recommendation *recommendation, const struct uses *uses, char *text, size_t size)
{
	const struct rule_answer *memory = &recommendation->memory;
	const char *unit = recommend_unit(recommendation);
	const char *kill = recommendation->had_kill ? " without a process out of memory" : "";
	/* A group counts as finished if all of its runs finished. */
	const char *whole = recommendation->of_groups && !*kill ? " in all its runs" : "";
	/* The peak of an earlier group is the sum of the peaks of its runs. The sum is an upper bound, because the runs
	 * may have peaked at different times. */
	const char *most = recommendation->of_groups && uses->count > 1 ? "up to " : "";
	char more[80] = "", peak[104];

	describe_peak(uses, memory->highest, peak, sizeof peak);
	if (memory->largest > memory->highest)
		snprintf(more, sizeof more, "; %s had %s%s", *kill ? "another" : "one that did not", most,
			mib(memory->largest).text);
	if (memory->runs == 0 && memory->unmeasured > 0)
		snprintf(text, size, "No %s that finished%s%s has a known peak", unit, kill, whole);
	else if (memory->runs == 0)
		snprintf(text, size, "No %s has finished yet%s%s", unit, kill, whole);
	if (memory->runs == 0 && number_known(memory->largest))
		units_append(text, size, ". The largest used %s", mib(memory->largest).text);
	else if (memory->runs == 1 && uses->count == 1)
		snprintf(text, size, "The peak was %s", peak);
	else if (memory->runs == 1)
		snprintf(text, size, "One %s finished, with a peak of %s%s", unit, peak, more);
	else if (memory->runs > 1)
		snprintf(text, size, "%zu %ss finished, with peaks of up to %s and a median of %s%s", memory->runs,
			unit, peak, mib(memory->median).text, more);
}

/* Formats ": 300 MiB + 32 MiB + 308 MiB", the parts of a request that follows from the peaks alone, or "". */
static void describe_sum(const struct rule_answer *memory, char *text, size_t size)
{
	double margin = rule_margin(&rule_memory, memory->largest);

	*text = '\0';
	if (memory->reason == RULE_BY_PEAKS && memory->request > memory->largest + margin)
		units_append(text, size, ": %s + %s + %s", mib(memory->largest).text, mib(margin).text,
			mib(memory->request - memory->largest - margin).text);
}

static void describe_memory(
	struct recommendation *recommendation, const struct uses *uses, const struct allowance_wish *wish)
{
	char reason[128], ratio[104], sum[64];
	char runs[304];

	if (!number_known(recommendation->memory.request))
		return;
	describe_reason(&recommendation->memory, wish, reason, sizeof reason);
	describe_runs(recommendation, uses, runs, sizeof runs);
	describe_ratio("The request", &recommendation->memory, ratio, sizeof ratio);
	describe_sum(&recommendation->memory, sum, sizeof sum);
	snprintf(recommendation->basis[BASIS_MEMORY], RECOMMEND_NOTE_SIZE,
		"%s. The request is the largest peak plus 2 %% (at least 32 MiB) and an allowance that shrinks as "
		"more runs are known%s.%s%s",
		runs, sum, reason, ratio);
}

static void note_limit(struct recommendation *recommendation, const struct model *model, const struct use *use)
{
	const struct shortage *shortage = &model->shortage;
	bool limited = number_known(use->limit_mib), counted = shortage->kind == SHORTAGE_OOM;
	/* If the kernel counted an out-of-memory kill and the limit is unknown, the limit may be far below the
	 * machine's memory. The peak is then the best estimate of the limit. */
	const char *name = limited ? "its limit" : counted ? "its peak" : "the machine's memory";
	double size = known_first(use->limit_mib, counted ? use->peak_mib : model->run->machine_memory_mib);

	if (shortage_is_death(shortage))
		recommend_note(recommendation, "%s %s, %s: the request is more than that.", shortage_describe(shortage),
			name, mib(size).text);
	else if (shortage->kind == SHORTAGE_FILLED)
		recommend_note(recommendation, "%s %s, %s: with more memory it may use more.",
			shortage_describe(shortage), name, mib(size).text);
	else if (shortage->kind == SHORTAGE_MAYBE)
		recommend_note(recommendation,
			"The job may have been killed for memory below %s, %s: nothing recorded its end. The request "
			"is not less than that.",
			name, mib(size).text);
	else
		recommend_note_cache(recommendation, model);
}

/* Adds a note if the user gave an input size that does not influence the request. */
static void note_input(
	struct recommendation *recommendation, const struct uses *uses, const struct allowance_wish *wish)
{
	size_t known = 0;

	if (!number_known(wish->input) || recommendation->memory.line_runs > 0)
		return;
	for (size_t i = 0; i < uses->count; i++)
		known += uses->items[i].end == USE_FINISHED && number_known(uses->items[i].input_bytes);
	if (known < RULE_LINE_RUNS_MIN || known * 2 < recommendation->memory.runs)
		recommend_note(recommendation,
			"The next input has %s, but the input of too few runs is known: %zu of %zu.",
			units_figure(UNIT_bytes, wish->input).text, known, recommendation->memory.runs);
	else
		recommend_note(recommendation,
			"The next input has %s, but the size of the input does not explain the peaks.",
			units_figure(UNIT_bytes, wish->input).text);
}

/* -- the recommendation ---------------------------------------------------------------------------- */

void allowance_of_uses(
	struct recommendation *recommendation, const struct uses *uses, double vcpus, const struct allowance_wish *wish)
{
	struct rule_run *runs = xcalloc(uses->count, sizeof *runs);
	struct uses folded;

	uses_fold(&folded, uses);
	ask_memory(recommendation, runs, &folded, wish);
	ask_others(recommendation, runs, &folded, vcpus, wish);
	recommendation->rule = rule_text;
	recommendation->failures = wish->failures;
	recommendation->runs = folded.count;
	for (size_t i = 0; i < uses->count; i++)
		waste_add(&recommendation->waste, &uses->items[i]);
	recommendation->had_kill = any_died(&folded, OUTCOME_FINISHED);
	describe_memory(recommendation, &folded, wish);
	if (folded.count < uses->count)
		recommend_note(recommendation,
			"Finished tasks of one fan-out, such as an array or a foreach, count as one run with the "
			"largest "
			"of their figures: %zu runs count as %zu.",
			uses->count, folded.count);
	replay_describe(&recommendation->replay, recommendation->basis[BASIS_REPLAY], RECOMMEND_NOTE_SIZE);
	if (number_known(recommendation->cpus.cpus))
		cpus_describe(&recommendation->cpus, recommendation->basis[BASIS_CPUS], RECOMMEND_NOTE_SIZE);
	uses_free(&folded);
	free(runs);
}

void allowance_make(struct recommendation *recommendation, const struct model *model, const struct allowance_wish *wish)
{
	struct uses uses;
	struct use own;

	use_make(&own, model);
	if (wish->at_hand)
		uses_copy_with(&uses, wish->at_hand, &own);
	else
		uses_read(&uses, model->run, &own, wish->earlier);
	allowance_of_uses(recommendation, &uses, model->run->vcpus, wish);
	note_limit(recommendation, model, &own);
	note_input(recommendation, &uses, wish);
	uses_free(&uses);
}
