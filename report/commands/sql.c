/* rtrack-report sql: views of all tables of many runs, for an engine that reads them where they are. */
#include "report/commands/commands.h"

#include "report/fleet/views.h"
#include "report/history/digest.h"
#include "report/say/message.h"
#include "report/spool/spools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Makes the digests that totals are read of. Then there is more to find. */
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

/* Returns 0, or -1 after a message. */
static int find_places(
	struct place *places, size_t *found, const struct engine *engine, const char *const *names, size_t count)
{
	for (*found = 0; *found < count; ++*found) {
		if (find_place(&places[*found], names[*found]) != 0) {
			message_cannot_read(names[*found], errno);
			return -1;
		}
		const char *why = engine_refuses(engine, &places[*found]);
		if (why) {
			message_print("cannot read '%s': %s", names[*found], why);
			++*found;
			return -1;
		}
	}
	return 0;
}

int sql_command(const struct options *options, const char *spool)
{
	const struct engine *engine = engine_find(options->text[OPTION_engine]);
	struct spools spools;

	if (spools_find(&spools, options->spools, options->spool_count, spool) != 0)
		return EXIT_NO_DATA;
	const char *const *names =
		options->word_count > 0 ? (const char *const *)options->words : (const char *const *)spools.items;
	size_t count = options->word_count > 0 ? options->word_count : spools.count;
	struct place *places = calloc(count, sizeof *places);
	size_t found = 0;
	int status = EXIT_NO_DATA;

	if (!places) {
		spools_free(&spools);
		message_print("no memory");
		return EXIT_NO_DATA;
	}
	if (find_places(places, &found, engine, names, count) == 0) {
		views_write(stdout, engine, places, count);
		status = EXIT_DONE;
	}
	for (size_t i = 0; i < found; i++)
		place_free(&places[i]);
	free(places);
	spools_free(&spools);
	return status;
}
