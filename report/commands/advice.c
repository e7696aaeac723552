/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the recommendation that a command shows. */
#include "report/commands/advice.h"

#include "core/number.h"
#include "os/inputs.h"
#include "report/advice/classic.h"
#include "report/advice/dialects.h"
#include "report/advice/waste_price.h"
#include "report/commands/groups.h"
#include "report/model/group.h"
#include "report/history/history.h"
#include "report/say/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct price_question advice_prices(const struct options *options)
{
	bool asks = !options_given(options, OPTION_offline) &&
		    (options->command == COMMAND_recommend || options_given(options, OPTION_prices));
	return (struct price_question){
		.source = asks                                    ? PRICES_network
			  : options->command == COMMAND_recommend ? PRICES_offline
								  : PRICES_kept,
		.catalog = options->text[OPTION_catalog],
		.vendor = options->text[OPTION_vendor],
		.region = options->text[OPTION_region],
		.architecture = options->text[OPTION_arch],
	};
}

int advice_price_jobs(struct inner_jobs *jobs, const struct options *options)
{
	const struct price_question question = advice_prices(options);
	bool quiet, asks = options_given(options, OPTION_prices) || options_given(options, OPTION_catalog);
	int result = 0;

	quiet = message_quiet(true); /* the recommendation has printed the messages about the catalog */
	for (size_t i = 0; asks && result == 0 && i < jobs->count; i++) {
		struct inner_job *job = &jobs->items[i];
		struct waste largest = {.of = {[WASTE_MEMORY].used_most = job->memory_mib,
						[WASTE_CPU].used_most = job->cpus,
						[WASTE_GPU].used_most = job->gpus}};
		char currency[sizeof jobs->currency];
		double price;
		result = waste_price_hour(&price, currency, &largest, &question);
		if (result != 0 || !number_known(price) || (*jobs->currency && strcmp(currency, jobs->currency) != 0))
			continue;
		memcpy(jobs->currency, currency, sizeof jobs->currency);
		job->price = price * job->wall_seconds / 3600;
		known_add(&jobs->all.price, job->price);
	}
	message_quiet(quiet);
	return result;
}

const char *advice_tool(const struct options *options)
{
	const char *word = options->json ? NULL : options->text[OPTION_for];
	return word && dialect_find(word) != DIALECT_text ? word : NULL;
}

int advice_input(const struct options *options, double *input)
{
	char files[1 + sizeof options->lines];

	*input = UNKNOWN;
	if (!options_given(options, OPTION_for_input))
		return 0;
	snprintf(files, sizeof files, "\n%s", options->lines);
	*input = inputs_measure(&(struct inputs_wish){.named = text_of(files), .remote = true});
	if (number_known(*input))
		return 0;
	message_print("--for-input: no file matches, or more than 1000 do");
	return -1;
}

int advice_wish(const struct options *options, struct allowance_wish *wish, bool *classic)
{
	double runs = options->number[OPTION_runs];

	*classic = options_is(options, OPTION_rule, "classic");
	*wish = (struct allowance_wish){
		.earlier = (size_t)known_first(runs, *classic ? HISTORY_RUNS : RULE_RUNS_MAX - 1),
		.failures = known_first(options->number[OPTION_failures], ALLOWANCE_FAILURES),
	};
	return advice_input(options, &wish->input);
}

static void note_machines(struct recommendation *recommendation, const struct group *group)
{
	size_t earlier = group->earlier.count;
	char others[80] = "";

	if (earlier > 0)
		snprintf(others, sizeof others, "; %zu earlier group%s of the job count%s in the same way", earlier,
			earlier > 1 ? "s" : "", earlier > 1 ? "" : "s");
	if (group->host_count == 1)
		recommend_note(
			recommendation, "This request is for the one machine on which all of them ran%s.", others);
	else
		recommend_note(recommendation,
			"This request is for each of %zu machines, by the use of the one that used the most%s.",
			group->host_count, others);
}

/* Returns how many ranks ran on a machine, or on all machines if `host` is NULL. If the group has several steps, the
 * ranks of the largest step count. A batch script and a run without a rank do not count. */
static size_t count_ranks(const struct group *group, const struct group_host *host)
{
	size_t most = 0, ranks = 0;
	const char *step = "";

	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		const char *own = json_string(part->run.json, "group");
		if (part->again || !number_known(part->rank) || (host && strcmp(part->run.host, host->name) != 0))
			continue;
		ranks = strcmp(step, own) == 0 ? ranks + 1 : 1;
		step = own;
		most = ranks > most ? ranks : most;
	}
	return most;
}

/* Returns the number of CPUs of the group's largest machine, or UNKNOWN. */
static double most_vcpus(const struct group *group)
{
	double vcpus = UNKNOWN;

	for (size_t i = 0; i < group->host_count; i++)
		vcpus = known_larger(vcpus, group->hosts[i].vcpus);
	return vcpus;
}

void advice_set_ranks(struct resources *resources, const struct group *group)
{
	for (size_t i = 0; i < group->host_count; i++)
		resources->ranks = fmax(resources->ranks, (double)count_ranks(group, &group->hosts[i]));
	resources->tasks = known_first(group->of, (double)count_ranks(group, NULL));
	resources->spread = group->host_count > 1;
	resources_divide(resources, most_vcpus(group));
}

void advice_of_group(
	struct recommendation *recommendation, const struct group *group, const struct allowance_wish *wish)
{
	struct uses uses;

	recommendation->of_groups = true;
	uses_copy_with(&uses, &group->earlier, &group->use);
	allowance_of_uses(recommendation, &uses, most_vcpus(group), wish);
	advice_set_ranks(&recommendation->resources, group);
	uses_free(&uses);
}

/* Without the figures of some steps, the request is at least the request of this job. */
static void allow_for_silent_steps(struct recommendation *recommendation, const struct group *group)
{
	struct resources *resources = &recommendation->resources;

	if (group->silent_steps == 0)
		return;
	resources->memory_mib = known_larger(resources->memory_mib, group->use.asked_mib);
	resources->cpu = known_larger(resources->cpu, group->use.asked_cpus);
	recommend_note(recommendation,
		"%zu step%s of this job left no run, as those of static and set-user-ID programs do. What they used is "
		"unknown: this request is not below the last one, and may be too little.",
		group->silent_steps, group->silent_steps == 1 ? "" : "s");
}

static void apply_rule_to_group(struct recommendation *recommendation, const struct model *model,
	const struct group *group, const struct allowance_wish *wish)
{
	advice_of_group(recommendation, group, wish);
	note_machines(recommendation, group);
	allow_for_silent_steps(recommendation, group);
	recommend_note_basis(recommendation, model);
}

/* Makes the request for all ranks of the job. Returns false if the ranks cannot be read; the caller then makes the
 * request for this run alone. */
static bool apply_rule_to_rank(struct recommendation *recommendation, const struct options *options,
	const struct model *model, const struct allowance_wish *wish)
{
	struct group group;

	if (groups_read_of_rank(&group, model->run, options->spools, options->spool_count, wish->earlier) != 0)
		return false;
	apply_rule_to_group(recommendation, model, &group, wish);
	group_free(&group);
	return true;
}

static void apply_rule(
	struct recommendation *recommendation, const struct model *model, const struct allowance_wish *wish)
{
	if (recommendation->classic)
		classic_make(recommendation, model, wish->earlier);
	else
		allowance_make(recommendation, model, wish);
	recommend_note_basis(recommendation, model);
	if (recommendation->classic)
		classic_apply_limit(recommendation, model);
	recommend_note_phases(recommendation, model);
}

int advice_make(struct recommendation *recommendation, const struct options *options, const struct model *model)
{
	return advice_make_by(recommendation, options, model, NULL);
}

int advice_make_by(struct recommendation *recommendation, const struct options *options, const struct model *model,
	const struct uses *earlier)
{
	struct price_question question = advice_prices(options);
	struct allowance_wish wish;
	bool classic;

	if (advice_wish(options, &wish, &classic) != 0)
		return -1;
	*recommendation = (struct recommendation){.classic = classic && !model->group};
	wish.at_hand = earlier;
	bool rank = !model->group && !classic && !earlier && groups_is_rank(model->run);
	if (model->group)
		apply_rule_to_group(recommendation, model, model->group, &wish);
	else if (!rank || !apply_rule_to_rank(recommendation, options, model, &wish))
		apply_rule(recommendation, model, &wish);
	if (advice_tool(options))
		return 0;
	return prices_find(recommendation, model->run, model->totals.wall_seconds, &question);
}
