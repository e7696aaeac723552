/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report prune: removes old runs, and lists them.
 *
 * A run is removed if it meets every given condition: older than --older-than, not among the newest --keep, and
 * exported to --exported. At least one condition must be given. */
#include "report/commands/commands.h"

#include "report/fleet/store.h"
#include "report/say/message.h"
#include "report/say/progress.h"
#include "report/say/terminal.h"
#include "report/spool/runs.h"
#include "report/commands/many.h"
#include "report/spool/removal.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIZE_COLUMN = 12, ID_COLUMN = 48 };

struct prune {
	const struct options *options;
	struct terminal terminal;
	int spool;
	struct store store; /* store of --exported */
	bool only_look;
	double considered;
	double removed;
	double bytes;
	double live;
	size_t failed;            /* number of failures in this spool */
	size_t told;              /* number of failures in all spools so far */
	const char *first_failed; /* name of the first run that could not be removed; owned by struct runs */
	int error;                /* errno of that failure */
	cJSON *ids;               /* ids of removed runs, or NULL for text output */
};

static void tell(struct prune *prune, const char *name, const struct run *run, double bytes)
{
	const struct terminal *terminal = &prune->terminal;

	prune->removed++;
	prune->bytes += bytes;
	if (prune->ids) {
		cJSON_AddItemToArray(prune->ids, cJSON_CreateString(name));
		return;
	}
	progress_clear();
	fprintf(terminal->out, "%*s  ", SIZE_COLUMN - 2, terminal_figure(UNIT_bytes, bytes).text);
	unsigned used = SIZE_COLUMN + terminal_text(terminal, name, ID_COLUMN, 0) + 2;
	fputs("  ", terminal->out);
	terminal_text_line(terminal, run->job, used);
}

static void remove_run(struct prune *prune, const char *name, const struct run *run)
{
	double bytes;

	switch (removal_try(prune->spool, name, run, prune->only_look, &bytes)) {
	case REMOVAL_DONE:
		tell(prune, name, run, bytes);
		break;
	case REMOVAL_LIVE:
		prune->live++;
		break;
	case REMOVAL_FOREIGN:
		message_print("'%s' was not removed: it is not a run, or it has other files too", name);
		break;
	case REMOVAL_FAILED:
		if (prune->failed++ == 0) {
			prune->first_failed = name;
			prune->error = errno;
		}
		break;
	}
}

/* Returns whether the store has files of runs of that day. The lists of the store are not sufficient, because someone
 * may have removed files. */
static bool has_day(const struct store *store, const char *name)
{
	char pattern[SPOOL_PATH_MAX];
	glob_t found;

	snprintf(pattern, sizeof pattern, "%s/runs/date=%.4s-%.2s-%.2s/*.parquet", store->path, name, name + 4,
		name + 6);
	bool any = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
	if (any)
		globfree(&found);
	return any;
}

static bool is_wanted(struct prune *prune, const char *name, const struct run *run)
{
	const struct options *options = prune->options;
	const struct choice choice = options_choice(options);
	const char *status = choice.status;

	if (!choice_has(&choice, run))
		return false;
	if (status && strcmp(status, run->status) != 0 && strcmp(status, outcome_word(outcome_of(run, false))) != 0)
		return false;
	if (options_given(options, OPTION_exported) &&
		!(store_has(&prune->store, name, run->files.owner) && has_day(&prune->store, name)))
		return false;
	prune->considered++;
	if (options_given(options, OPTION_keep) && prune->considered <= options->number[OPTION_keep])
		return false;
	return !options_given(options, OPTION_older_than) || run->start_time < options->number[OPTION_older_than];
}

/* Prints one message for all failures, because in a read-only spool every run fails. */
static void say_failed(const struct prune *prune, const char *spool)
{
	if (prune->failed == 1)
		message_print("'%s' cannot be removed: %s", prune->first_failed, strerror(prune->error));
	else if (prune->failed > 1)
		message_print("%zu runs of '%s' cannot be removed, the first of them '%s': %s", prune->failed, spool,
			prune->first_failed, strerror(prune->error));
}

static void prune_runs(struct prune *prune, struct runs *runs)
{
	struct progress progress;
	struct run run;

	progress_begin(&progress, "looking at runs", (double)runs->count);
	while (runs_next(runs, &run)) {
		const char *name = runs->names[runs->next - 1];
		if (is_wanted(prune, name, &run))
			remove_run(prune, name, &run);
		run_close(&run);
		progress_advance(&progress, 1);
	}
	progress_end(&progress);
	say_failed(prune, runs->spool);
	prune->told += prune->failed;
	prune->failed = 0;
}

static void print_end(const struct prune *prune)
{
	const char *verb = prune->only_look ? "would be removed" : "removed";

	printf("%.0f run%s %s, %s", prune->removed, prune->removed == 1 ? "" : "s", verb,
		terminal_figure(UNIT_bytes, prune->bytes).text);
	if (prune->live > 0)
		printf("; %.0f still going on", prune->live);
	putchar('\n');
}

static int print_pruned_json(struct prune *prune)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddItemToObject(json, "removed", prune->ids);
	json_add_number(json, "bytes", prune->bytes, 0);
	json_add_number(json, "live", prune->live, 0);
	cJSON_AddBoolToObject(json, "dry_run", prune->only_look);
	return json_print(json);
}

/* Removes the runs of one spool. Returns 0, or -1 after a message. */
static int prune_spool(struct prune *prune, const char *spool)
{
	struct runs runs;
	int result = -1;

	prune->spool = open(spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (prune->spool < 0 || runs_list(&runs, spool) != 0) {
		runs_say_unlisted(spool, errno);
	} else {
		prune_runs(prune, &runs);
		runs_free(&runs);
		result = 0;
	}
	if (prune->spool >= 0)
		close(prune->spool);
	return result;
}

int prune_command(const struct options *options, const char *spool)
{
	struct prune prune = {.options = options, .terminal = terminal_of(stdout), .store = {.lock = -1}};
	struct spools spools;
	size_t read = 0;

	if (!options_given(options, OPTION_keep) && !options_given(options, OPTION_older_than) &&
		!options_given(options, OPTION_exported)) {
		message_print("prune needs --older-than, --keep or --exported; see rtrack-report prune --help");
		return EXIT_USAGE;
	}
	const char *exported = options->text[OPTION_exported];
	if (exported && (access(exported, F_OK) != 0 || store_open(&prune.store, exported) != 0)) {
		message_cannot_read(exported, errno);
		return EXIT_NO_DATA;
	}
	prune.only_look = options_given(options, OPTION_dry_run);
	spools_find(&spools, options->spools, options->spool_count, spool);
	if (options->json)
		prune.ids = cJSON_CreateArray();
	for (size_t i = 0; i < spools.count; i++)
		read += prune_spool(&prune, spools.items[i]) == 0;
	spools_free(&spools);
	if (read == 0) {
		cJSON_Delete(prune.ids);
		return EXIT_NO_DATA;
	}
	store_close(&prune.store);
	int status = EXIT_DONE;
	if (options->json)
		status = print_pruned_json(&prune);
	else
		print_end(&prune);
	return prune.told > 0 ? EXIT_NO_DATA : status;
}
