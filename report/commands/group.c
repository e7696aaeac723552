/* --group ID: which command gets the group, and as what. */
#include "report/commands/commands.h"
#include "report/commands/many.h"
#include "report/commands/groups.h"

static int run_as_one(const struct options *options, struct group *group)
{
	struct whole whole;
	int status = EXIT_USAGE;

	if (whole_make(&whole, group) != 0)
		return EXIT_NO_DATA;
	if (options->command == COMMAND_show)
		status = show_group(options, group, &whole);
	else if (options->command == COMMAND_html)
		status = html_group(options, group, &whole);
	else if (options->command == COMMAND_recommend)
		status = recommend_group(options, group, &whole);
	whole_free(&whole);
	return status;
}

int group_command(const struct options *options, const char *spool)
{
	bool as_run = options->command != COMMAND_stats;
	struct group group;

	if (groups_read(&group, options, options->groups[0], spool, as_run) != 0)
		return EXIT_NO_DATA;
	int status = as_run ? run_as_one(options, &group) : many_stats(options, &group);
	group_free(&group);
	return status;
}
