/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report ship: sends the records of runs to a target. */
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/say/message.h"
#include "report/fleet/ship.h"

#include <errno.h>
#include <stdlib.h>

static const double EVERY = 60; /* seconds between rounds */

/* Returns the URL of --to, otherwise that of RTRACK_SHIP, or NULL if neither is set. */
static const char *url_of(const struct options *options)
{
	const char *url = options->text[OPTION_target] ? options->text[OPTION_target] : getenv("RTRACK_SHIP");
	return url && *url ? url : NULL;
}

static int say(const struct options *options, const struct target *target, const struct ship_sums *sums)
{
	if (!options->json) {
		printf("%llu batches, %llu rows of %llu runs sent to %s\n", (unsigned long long)sums->batches,
			(unsigned long long)sums->rows, (unsigned long long)sums->runs, target->said);
		return EXIT_DONE;
	}
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "to", target->said);
	cJSON_AddNumberToObject(json, "runs", (double)sums->runs);
	cJSON_AddNumberToObject(json, "batches", (double)sums->batches);
	cJSON_AddNumberToObject(json, "rows", (double)sums->rows);
	return json_print(json);
}

/* Sends the selected runs of a spool. */
static bool ship_chosen(struct target *target, const struct options *options, const char *spool, struct ship_sums *sums)
{
	const struct choice choice = options_choice(options);
	struct runs runs;
	struct run run;
	bool whole = true;

	if (runs_list(&runs, spool) != 0) {
		runs_count_unlisted(spool, errno);
		return true;
	}
	for (size_t i = runs.count; whole && i-- > 0;) {
		if (runs_open(&run, &runs, runs.names[i]) != 0) {
			runs_count_unread(&runs, runs.names[i], errno);
			continue;
		}
		if (many_takes(&choice, &runs, runs.names[i], &run))
			whole = ship_run(target, run.directory, false, 0, sums);
		run_close(&run);
	}
	runs_free(&runs);
	return whole;
}

static bool ship_spools(struct target *target, const struct options *options, const char *spool, struct ship_sums *sums)
{
	bool chosen = options->group_count > 0 || options_choose_runs(options);
	struct spools spools;
	bool whole = true;

	spools_find(&spools, options->spools, options->spool_count, spool);
	for (size_t i = 0; i < spools.count; i++)
		whole &= chosen ? ship_chosen(target, options, spools.items[i], sums)
				: ship_all(target, spools.items[i], sums);
	spools_free(&spools);
	return whole;
}

/* Sends `run`. If `run` is NULL, sends all runs of the spools, or only those that the options select. */
static int ship(const struct options *options, const char *spool, const struct run *run)
{
	const char *url = url_of(options);
	double every = options->number[OPTION_every];
	struct ship_sums sums = {0};
	struct target target;

	if (!url) {
		message_print("ship needs a target: use --to URL; see rtrack-report ship --help");
		return EXIT_USAGE;
	}
	if (target_open(&target, url) != 0) {
		message_print("'%s' cannot be used as a target: %s", target.said, target.why);
		return EXIT_USAGE;
	}
	bool whole = run ? ship_run(&target, run->directory, options_given(options, OPTION_follow),
				   number_known(every) ? every : EVERY, &sums)
			 : ship_spools(&target, options, spool, &sums);
	int status = say(options, &target, &sums);
	if (!whole || (run && sums.engaged)) {
		message_print("not everything was sent to '%s': %s", target.said, target.why);
		status = EXIT_NO_DATA;
	}
	target_close(&target);
	return status;
}

int ship_command(const struct options *options, const struct run *run)
{
	return ship(options, NULL, run);
}

int ship_all_command(const struct options *options, const char *spool)
{
	if (options->run || options_given(options, OPTION_follow)) {
		message_print("--all, --group, --user, --status and --label take no run and no --follow");
		return EXIT_USAGE;
	}
	return ship(options, spool, NULL);
}
