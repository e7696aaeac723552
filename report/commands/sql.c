/* rtrack-report sql: prints views of all tables of many runs, for an engine that reads the spool itself. */
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/fleet/views.h"
#include "report/history/digest.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/spool/spools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The places, and the chosen runs of those that are spools. */
struct places {
	struct place *items;
	struct chosen {
		struct runs runs;
		char **names; /* of `runs` */
	} * chosen;
	size_t found;
};

/* Finds a place, after making the digests of its runs, from which engines read totals. */
static int find_place(struct place *place, const char *name)
{
	if (place_find(place, name) != 0)
		return -1;
	char *run = strrchr(place->path, '/');
	if (place->kind == PLACE_SPOOL) {
		digest_keep(place->path, NULL);
	} else if (place->kind == PLACE_RUN && run && run > place->path) {
		*run = '\0';
		digest_keep(place->path, run + 1);
	}
	place_free(place);
	return place_find(place, name);
}

/* Returns 0, or -1 with errno. */
static int choose(struct place *place, struct chosen *chosen, const struct options *options)
{
	const struct choice choice = options_choice(options);
	struct run run;
	size_t count = 0;

	if (runs_list(&chosen->runs, place->path) != 0)
		return -1;
	chosen->names = xcalloc(chosen->runs.count, sizeof *chosen->names);
	for (size_t i = 0; i < chosen->runs.count; i++) {
		char *name = chosen->runs.names[i];
		if (runs_open(&run, &chosen->runs, name) != 0) {
			runs_count_unread(&chosen->runs, name, errno);
			continue;
		}
		if (many_takes(&choice, &chosen->runs, name, &run))
			chosen->names[count++] = name;
		run_close(&run);
	}
	char *path = place->path;
	int result = place_of_runs(place, path, chosen->names, count);
	if (result == 0)
		free(path);
	return result;
}

/* Returns 0, or -1 after a message. */
static int find_places(struct places *places, const struct engine *engine, const struct options *options,
	const char *const *names, size_t count)
{
	bool chooses = options_choose_runs(options);

	for (size_t i = 0; i < count; i++) {
		struct place *place = &places->items[i];
		if (find_place(place, names[i]) != 0) {
			message_cannot_read(names[i], errno);
			return -1;
		}
		places->found++;
		const char *why = engine_refuses(engine, place);
		if (!why && chooses && place->kind != PLACE_SPOOL)
			why = "--user and --status work only with spools";
		if (why) {
			message_print("'%s' cannot be used: %s", names[i], why);
			return -1;
		}
		if (chooses && choose(place, &places->chosen[i], options) != 0) {
			message_cannot_read(names[i], errno);
			return -1;
		}
	}
	return 0;
}

int sql_command(const struct options *options, const char *spool)
{
	const struct engine *engine = engine_find(options->text[OPTION_engine]);
	struct places places = {.found = 0};
	struct spools spools;

	spools_find(&spools, options->spools, options->spool_count, spool);
	const char *const *names =
		options->word_count > 0 ? (const char *const *)options->words : (const char *const *)spools.items;
	size_t count = options->word_count > 0 ? options->word_count : spools.count;
	int status = EXIT_NO_DATA;

	places.items = xcalloc(count, sizeof *places.items);
	places.chosen = xcalloc(count, sizeof *places.chosen);
	if (find_places(&places, engine, options, names, count) == 0) {
		views_write(stdout, engine, places.items, count);
		status = EXIT_DONE;
	}
	for (size_t i = 0; i < places.found; i++) {
		place_free(&places.items[i]);
		free(places.chosen[i].names);
		runs_free(&places.chosen[i].runs);
	}
	free(places.items);
	free(places.chosen);
	spools_free(&spools);
	return status;
}
