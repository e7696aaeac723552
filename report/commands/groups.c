/* SPDX-License-Identifier: Apache-2.0 */
/* Reads groups of runs. Also runs the commands show, stats, html and recommend on one run, or on a group that is
 * presented as one run. */
#include "report/commands/commands.h"
#include "report/commands/groups.h"

#include "report/advice/recommend.h"
#include "report/history/earlier.h"
#include "report/spool/runs.h"
#include "report/say/alloc.h"
#include "report/say/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int groups_read(struct group *group, const struct options *options, const char *id, const char *spool,
	const struct model_wish *model)
{
	bool advises = options->command != COMMAND_compare && options->command != COMMAND_stats;
	const struct group_wish wish = {
		.id = id,
		.labels = options->labels,
		.as_run = true,
		.process_columns = model->process_columns | model_columns(TABLE_process, model->sections),
		.system_columns = model->system_columns | model_columns(TABLE_system, model->sections),
		.earlier = advises ? (size_t)known_first(options->number[OPTION_runs], RULE_RUNS_MAX - 1) : 0,
	};
	struct spools spools;

	spools_find(&spools, options->spools, options->spool_count, spool);
	int result = group_read(group, &wish, &spools);
	if (result == 0 && group_find_earlier(group, &wish, &spools) != 0) {
		message_print("the earlier runs of '%s' cannot be read: %s", id, strerror(errno));
		group_free(group);
		result = -1;
	}
	spools_free(&spools);
	return result;
}

bool groups_is_rank(const struct run *run)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(run->json, "member");

	return *json_string(run->json, "group") != '\0' && json_double(member, "of") > 1;
}

int groups_read_of_rank(
	struct group *group, const struct run *run, const char *const *names, size_t count, size_t earlier)
{
	const struct group_wish wish = {
		.id = json_string(run->json, "group"), .labels = "", .as_run = true, .earlier = earlier};
	const char *name = text_basename(text_of(run->directory)).data;
	char *spool = xstrndup(run->directory, (size_t)(name - run->directory));
	bool quiet = message_quiet(true);
	struct spools spools;

	spools_find(&spools, names, count, spool);
	int result = group_read(group, &wish, &spools);
	if (result == 0 && group_find_earlier(group, &wish, &spools) != 0) {
		group_free(group);
		result = -1;
	}
	spools_free(&spools);
	message_quiet(quiet);
	free(spool);
	return result;
}

/* -- commands on a model --------------------------------------------------------------------------- */

static const struct {
	struct model_wish (*wish)(const struct options *options);
	int (*print)(const struct options *options, const struct model *model);
} commands[COMMAND_COUNT] = {
	[COMMAND_show] = {show_wish, show_model},
	[COMMAND_stats] = {stats_wish, stats_model},
	[COMMAND_html] = {html_wish, html_model},
	[COMMAND_recommend] = {recommend_command_wish, recommend_model},
};

int model_command(const struct options *options, const struct run *run)
{
	const struct model_wish wish = commands[options->command].wish(options);
	struct model model;

	model_read(&model, run, &wish);
	int status = commands[options->command].print(options, &model);
	model_free(&model);
	return status;
}

int group_command(const struct options *options, const char *spool)
{
	const struct model_wish wish = commands[options->command].wish(options);
	struct group group;
	struct whole whole;

	if (groups_read(&group, options, options->groups[0], spool, &wish) != 0)
		return EXIT_NO_DATA;
	whole_make(&whole, &group, wish.sections);
	int status = commands[options->command].print(options, &whole.model);
	whole_free(&whole);
	group_free(&group);
	return status;
}
