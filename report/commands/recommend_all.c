/* rtrack-report recommend --all: the next request of each job, as a table, as JSON, or as one file for a tool. */
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/advice/dialect_file.h"
#include "report/history/history.h"
#include "report/commands/requests.h"
#include "report/say/message.h"
#include "report/text/table.h"
#include "report/commands/advice.h"

#include <stdlib.h>

enum { JOB_LEAST = 11 };

struct all {
	const struct jobs *jobs;
	struct recommendation *items; /* of each job; runs 0: there is nothing to say */
};

/* -- table ----------------------------------------------------------------------------------------- */

static const char *replay_text(const struct recommendation *item, char *text, size_t size)
{
	if (item->classic || item->replay.runs == 0)
		return "-";
	snprintf(text, size, "%zu of %zu", item->replay.too_small, item->replay.runs);
	return text;
}

static int print_jobs(const struct all *all)
{
	struct terminal terminal = terminal_of(stdout);
	struct text_table table = TABLE(&terminal, {"Job", TABLE_NAME, 0, 0}, {"Runs", TABLE_FIGURE, 5, 0},
		{"CPUs", TABLE_FIGURE, 5, 0}, {"Memory", TABLE_FIGURE, 10, 0}, {"GPUs", TABLE_FIGURE, 5, 0},
		{"Time", TABLE_FIGURE, 12, 0}, {"Too small", TABLE_FIGURE, 15, 0});
	char replay[48];

	for (size_t i = 0; i < all->jobs->count; i++)
		if (all->items[i].runs > 0)
			table_see(&table, all->jobs->items[i].name);
	(void)table_fit(&table, JOB_LEAST, 0);
	table_heading(&table);
	for (size_t i = 0; i < all->jobs->count; i++) {
		const struct recommendation *item = &all->items[i];
		const struct resources *resources = &item->resources;
		if (item->runs == 0)
			continue;
		table_row(&table, all->jobs->items[i].name, terminal_count((double)item->runs).text,
			terminal_count(resources->cpu).text, terminal_figure(UNIT_mib, resources->memory_mib).text,
			terminal_count(resources->gpu).text, terminal_duration(resources->seconds).text,
			replay_text(item, replay, sizeof replay));
	}
	return EXIT_DONE;
}

/* -- for programs ---------------------------------------------------------------------------------- */

static int print_jobs_json(const struct all *all)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < all->jobs->count; i++) {
		if (all->items[i].runs == 0)
			continue;
		cJSON *object = recommend_json(&all->items[i]);
		cJSON *named = cJSON_CreateObject();
		cJSON_AddStringToObject(named, "job", all->jobs->items[i].name);
		for (cJSON *part; object && (part = cJSON_DetachItemFromArray(object, 0));)
			cJSON_AddItemToObject(named, part->string, part);
		cJSON_Delete(object);
		cJSON_AddItemToArray(list, named);
	}
	return exit_of(json_print(list));
}

static int print_file(const struct all *all, const char *tool)
{
	enum dialect dialect = (enum dialect)dialect_find(tool);
	struct dialect_job *jobs = calloc(all->jobs->count + 1, sizeof *jobs);
	size_t count = 0;

	for (size_t i = 0; jobs && i < all->jobs->count; i++)
		if (all->items[i].runs > 0)
			jobs[count++] = (struct dialect_job){all->jobs->items[i].name, all->items[i].resources};
	char *text = jobs ? file_of_jobs(jobs, count, dialect) : NULL;
	if (!text) {
		free(jobs);
		message_print("out of memory");
		return EXIT_NO_DATA;
	}
	fputs(text, stdout);
	free(text);
	for (size_t i = 0; i < count; i++)
		if (!file_has_job(jobs, i, dialect))
			message_print("note: job '%s' is left out: %s does not allow this name, or has it already",
				jobs[i].name, dialect_names[dialect].title);
	free(jobs);
	return EXIT_DONE;
}

/* -- all ------------------------------------------------------------------------------------------- */

/* Returns how many jobs something can be said of, or -1 when there is no memory. */
static int64_t ask_all(struct all *all, const struct requests_wish *wish)
{
	int64_t found = 0;

	for (size_t i = 0; i < all->jobs->count; i++) {
		int result = requests_make(&all->items[i], all->jobs, &all->jobs->items[i], wish);
		if (result < 0)
			return -1;
		if (result == 0)
			all->items[i].runs = 0;
		found += result > 0;
	}
	return found;
}

/* A file without a job is not made. */
static int say_none(const struct options *options, const struct runs *runs)
{
	int status = runs_say_none_listed(runs->spool, runs->count, "no run of these jobs has ended");
	return advice_tool(options) ? EXIT_NO_DATA : status;
}

static int tell_all(const struct all *all, const struct options *options, int64_t found)
{
	if (found < 0) {
		message_print("out of memory");
		return EXIT_NO_DATA;
	}
	if (options->json)
		return print_jobs_json(all);
	if (found == 0)
		return say_none(options, &all->jobs->runs);
	return advice_tool(options) ? print_file(all, advice_tool(options)) : print_jobs(all);
}

static int recommend_all(const struct options *options, const struct jobs *jobs)
{
	struct requests_wish wish;
	struct all all = {jobs, calloc(jobs->count + 1, sizeof *all.items)};
	int status = EXIT_NO_DATA;

	if (!all.items)
		message_print("out of memory");
	else if (advice_wish(options, &wish.allowance, &wish.classic) == 0)
		status = tell_all(&all, options, ask_all(&all, &wish));
	free(all.items);
	return status;
}

int recommend_all_command(const struct options *options, const char *spool)
{
	struct jobs jobs;

	if (options_given(options, OPTION_history)) {
		message_print("--all and --history cannot be used together");
		return EXIT_USAGE;
	}
	if (options->run) {
		message_print("unexpected argument '%s': --all takes no run", options->run);
		return EXIT_USAGE;
	}
	if (options_list_jobs(&jobs, options, spool) != 0)
		return EXIT_NO_DATA;
	int status = recommend_all(options, &jobs);
	jobs_free(&jobs);
	return status;
}
