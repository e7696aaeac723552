/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report sql: prints SQL views of all tables of many runs, for an engine that reads the spool itself. */
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/fleet/views.h"
#include "report/history/digest.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/spool/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* All sources. `chosen` has the selected runs of each source that is a spool. */
struct sources {
	struct run_source *items;
	struct chosen {
		struct runs runs;
		char **names; /* names of the selected runs; the strings belong to `runs` */
	} * chosen;
	size_t found;
};

/* Finds a source. Makes the digests of its runs first, because engines read totals from digests. */
static int find_one(struct run_source *source, const char *name)
{
	if (source_find(source, name) != 0)
		return -1;
	char *run = strrchr(source->path, '/');
	if (source->kind == SOURCE_SPOOL) {
		digest_keep(source->path, NULL);
	} else if (source->kind == SOURCE_RUN && run && run > source->path) {
		*run = '\0';
		digest_keep(source->path, run + 1);
	}
	source_free(source);
	return source_find(source, name);
}

/* Returns whether the engine can read a run with this name. If it cannot, prints a message. */
static bool reads(const struct engine *engine, const struct run_source *source, const char *name)
{
	const char *why = engine_refuses_run(engine, name);

	if (why)
		message_print("'%s/%s' is left out: %s", source->path, name, why);
	return !why;
}

/* Lists the selected runs. Returns 0, or -1 with errno. */
static int choose(
	struct run_source *source, struct chosen *chosen, const struct engine *engine, const struct options *options)
{
	const struct choice choice = options_choice(options);
	struct run run;
	size_t count = 0;

	if (runs_list(&chosen->runs, source->path) != 0)
		return -1;
	chosen->names = xcalloc(chosen->runs.count, sizeof *chosen->names);
	for (size_t i = 0; i < chosen->runs.count; i++) {
		char *name = chosen->runs.names[i];
		if (runs_open(&run, &chosen->runs, name) != 0) {
			runs_count_unread(&chosen->runs, name, errno);
			continue;
		}
		if (many_takes(&choice, &chosen->runs, name, &run) && reads(engine, source, name))
			chosen->names[count++] = name;
		run_close(&run);
	}
	struct run_source whole = *source;
	int result = source_of_runs(source, whole.path, chosen->names, count);
	source_free(&whole);
	return result;
}

/* Finds all sources. Returns 0, or -1 after a message. */
static int find_sources(struct sources *sources, const struct engine *engine, const struct options *options,
	const char *const *names, size_t count)
{
	bool chooses = options_choose_runs(options);

	for (size_t i = 0; i < count; i++) {
		struct run_source *source = &sources->items[i];
		if (find_one(source, names[i]) != 0) {
			message_cannot_read(names[i], errno);
			return -1;
		}
		sources->found++;
		const char *why = engine_refuses(engine, source->path);
		if (!why && chooses && source->kind != SOURCE_SPOOL)
			why = "--user, --status and --label work only with spools";
		if (why) {
			message_print("'%s' cannot be used: %s", names[i], why);
			return -1;
		}
		if (chooses && choose(source, &sources->chosen[i], engine, options) != 0) {
			message_cannot_read(names[i], errno);
			return -1;
		}
	}
	return 0;
}

int sql_command(const struct options *options, const char *spool)
{
	const struct engine *engine = engine_find(options->text[OPTION_engine]);
	struct sources sources = {.found = 0};
	struct spools spools;

	if (options->word_count > 0)
		spools_find(&spools, (const char *const *)options->words, options->word_count, spool);
	else
		spools_find(&spools, options->spools, options->spool_count, spool);
	const char *const *names = (const char *const *)spools.items;
	size_t count = spools.count;
	int status = EXIT_NO_DATA;

	sources.items = xcalloc(count, sizeof *sources.items);
	sources.chosen = xcalloc(count, sizeof *sources.chosen);
	if (find_sources(&sources, engine, options, names, count) == 0) {
		views_write(stdout, engine, sources.items, count);
		status = EXIT_DONE;
	}
	for (size_t i = 0; i < sources.found; i++) {
		source_free(&sources.items[i]);
		free(sources.chosen[i].names);
		runs_free(&sources.chosen[i].runs);
	}
	free(sources.items);
	free(sources.chosen);
	spools_free(&spools);
	return status;
}
