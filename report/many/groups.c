/* --group ID: which command gets the group, and as what. */
#include "report/many/groups.h"

#include "report/advice/recommend.h"
#include "report/cpus/cpu_use.h"
#include "report/figures/phases.h"
#include "report/figures/stats.h"
#include "report/page/charts.h"
#include "report/parts/parts.h"

static struct group_wish wish_of(const struct options *options, const char *id, bool as_run)
{
	struct group_wish wish = {.id = id, .labels = options->lines, .as_run = as_run};

	if (!as_run)
		return wish;
	wish.process_columns =
		recommend_columns(TABLE_process) | phases_columns() | parts_columns() | cpu_use_columns(TABLE_process);
	wish.system_columns = recommend_columns(TABLE_system) | cpu_use_columns(TABLE_system);
	if (options->command == COMMAND_html) {
		wish.process_columns |= charts_columns(TABLE_process);
		wish.system_columns |= charts_columns(TABLE_system);
	}
	return wish;
}

int groups_read(struct group *group, const struct options *options, const char *id, const char *spool, bool as_run)
{
	const struct group_wish wish = wish_of(options, id, as_run);
	struct spools spools;

	if (spools_find(&spools, options->spools, options->spool_count, spool) != 0)
		return -1;
	int result = group_read(group, &wish, &spools);
	spools_free(&spools);
	return result;
}

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
	int status = as_run ? run_as_one(options, &group) : stats_group_command(options, &group);
	group_free(&group);
	return status;
}
