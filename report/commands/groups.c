/* --group ID: what of the group's runs the command needs; see groups.h. */
#include "report/commands/groups.h"

#include "report/advice/recommend.h"
#include "report/history/earlier.h"
#include "report/model/cpu_use.h"
#include "report/model/phases.h"
#include "report/model/group_spools.h"
#include "report/page/charts.h"
#include "report/model/parts.h"
#include "report/say/message.h"

#include <errno.h>
#include <string.h>

static struct group_wish wish_of(const struct options *options, const char *id, bool as_run)
{
	struct group_wish wish = {.id = id, .labels = options->lines, .as_run = as_run};

	if (!as_run)
		return wish;
	wish.process_columns =
		recommend_columns(TABLE_process) | phases_columns() | parts_columns() | cpu_use_columns(TABLE_process);
	wish.system_columns = recommend_columns(TABLE_system) | cpu_use_columns(TABLE_system);
	if (options->command == COMMAND_html) {
		wish.process_columns |= charts_columns(TABLE_process) | SERIES_COLUMN(PROCESS_rss_mib);
		wish.system_columns |= charts_columns(TABLE_system);
	}
	if (options->command != COMMAND_compare)
		wish.earlier = (size_t)known_first(options->number[OPTION_runs], RULE_RUNS_MAX - 1);
	return wish;
}

int groups_read(struct group *group, const struct options *options, const char *id, const char *spool, bool as_run)
{
	const struct group_wish wish = wish_of(options, id, as_run);
	struct spools spools;

	if (spools_find(&spools, options->spools, options->spool_count, spool) != 0)
		return -1;
	int result = group_read(group, &wish, &spools);
	if (result == 0 && group_find_earlier(group, &wish, &spools) != 0) {
		message_print("cannot read the earlier runs of '%s': %s", id, strerror(errno));
		group_free(group);
		result = -1;
	}
	spools_free(&spools);
	return result;
}
