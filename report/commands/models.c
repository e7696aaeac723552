/* show, stats, html and recommend of one run, or of a group as one: the same function gets the model of either. */
#include "report/commands/commands.h"
#include "report/commands/groups.h"

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
