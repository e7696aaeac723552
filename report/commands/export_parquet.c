/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report export --to parquet: writes each ended run to Parquet, once. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/fleet/parquet.h"
#include "report/fleet/rows.h"
#include "report/fleet/store.h"
#include "report/fleet/views.h"
#include "report/history/digest.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/commands/many.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct exported {
	const struct options *options;
	struct runs runs;
	char **chosen; /* names of the selected runs, from `runs` */
	size_t count;
	struct store store; /* without a path if --print-sql is given */
};

static bool is_exported(const struct exported *exported, const char *name)
{
	const struct choice choice = options_choice(exported->options);
	struct run run;

	if (store_has(&exported->store, name))
		return false;
	if (runs_open(&run, &exported->runs, name) != 0) /* digest_keep has already counted it */
		return false;
	bool chosen = run_ended(&run) && many_takes(&choice, &exported->runs, name, &run);
	run_close(&run);
	return chosen;
}

static void choose(struct exported *exported)
{
	exported->chosen = xcalloc(exported->runs.count, sizeof *exported->chosen);
	for (size_t i = 0; i < exported->runs.count; i++)
		if (is_exported(exported, exported->runs.names[i]))
			exported->chosen[exported->count++] = exported->runs.names[i];
}

/* Writes the rows of all tables into `directory`, from which the engine reads them. */
static int write_rows(struct run_source *source, const char *directory)
{
	source->rows = directory;
	for (size_t table = 0; table < TABLE_COUNT; table++)
		if (source->has[table] && rows_write(source, table, directory) != 0)
			return -1;
	return 0;
}

/* Makes the engine write the selected runs into STORE_NEW. */
static int write_new(struct exported *exported, struct run_source *source, const char *path)
{
	FILE *statements = tmpfile();
	char *directory = xasprintf("%s/" STORE_NEW, exported->store.path);
	enum parquet_result result;

	if (!statements || write_rows(source, directory) != 0) {
		int status = message_cannot_write(path);
		if (statements)
			fclose(statements);
		free(directory);
		return status;
	}
	parquet_write_sql(statements, source, exported->store.path, "/" STORE_NEW, exported->store.batch);
	result = parquet_run(statements);
	fclose(statements);
	free(directory);
	if (result == PARQUET_NO_ENGINE)
		message_print("Parquet needs DuckDB, which is not installed: `pip install duckdb`, or the program "
			      "duckdb. --print-sql prints the SQL instead");
	else if (result == PARQUET_FAILED)
		message_print("'%s' cannot be written: DuckDB failed", path);
	return result == PARQUET_DONE ? EXIT_DONE : EXIT_NO_DATA;
}

static int write_batch(struct exported *exported, struct run_source *source, const char *path)
{
	if (store_begin(&exported->store) != 0)
		return message_cannot_write(path);
	int status = write_new(exported, source, path);
	if (status != EXIT_DONE)
		store_drop(&exported->store);
	else if (store_commit(&exported->store, exported->chosen, exported->count) != 0)
		status = message_cannot_write(path);
	return status;
}

struct sums {
	size_t exported, before; /* number of runs exported now and before */
};

static int say_done(const struct options *options, const struct sums *sums, const char *path)
{
	if (!options->json) {
		printf("%zu runs exported to %s, %zu were there before\n", sums->exported, path, sums->before);
		return EXIT_DONE;
	}
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "directory", path);
	cJSON_AddNumberToObject(json, "exported", (double)sums->exported);
	cJSON_AddNumberToObject(json, "before", (double)sums->before);
	return exit_of(json_print(json));
}

/* Exports the selected runs, or prints the SQL for that. */
static int export_chosen(struct exported *exported, const char *spool, const char *path)
{
	bool print = options_given(exported->options, OPTION_print_sql);
	struct run_source source;
	int status = EXIT_DONE;

	digest_keep(spool, NULL); /* the engine reads totals from digests */
	choose(exported);
	if (source_of_runs(&source, spool, exported->chosen, exported->count) != 0) {
		message_cannot_read(spool, errno);
		return EXIT_NO_DATA;
	}
	const char *why = engine_refuses(engine_find(NULL), source.path);
	const char *why_not_to = engine_refuses(engine_find(NULL), print ? path : exported->store.path);
	if (why || why_not_to) {
		message_print("'%s' cannot be used: %s", why ? spool : path, why ? why : why_not_to);
		status = EXIT_NO_DATA;
	} else if (print) {
		parquet_write_sql(stdout, &source, path, "", "rtrack-0");
	} else if (exported->count > 0) {
		status = write_batch(exported, &source, path);
	}
	source_free(&source);
	return status;
}

static int export_spool(const struct options *options, const char *spool, const char *path, struct sums *sums)
{
	struct exported exported = {.options = options, .store = {.lock = -1}};
	int status = EXIT_NO_DATA;

	if (runs_list(&exported.runs, spool) != 0) {
		runs_say_unlisted(spool, errno);
		return EXIT_NO_DATA;
	}
	if (!options_given(options, OPTION_print_sql) && store_open(&exported.store, path) != 0)
		message_cannot_write(path);
	else
		status = export_chosen(&exported, spool, path);
	sums->before = sums->exported == 0 ? exported.store.run_count : sums->before;
	sums->exported += exported.count;
	store_close(&exported.store);
	free(exported.chosen);
	runs_free(&exported.runs);
	return status;
}

int export_parquet_command(const struct options *options, const char *spool)
{
	const char *path = options->text[OPTION_output];
	struct sums sums = {0, 0};
	struct spools spools;
	int status = EXIT_NO_DATA;

	if (!path || strcmp(path, "-") == 0) {
		message_print("Parquet needs a directory: use -o DIR");
		return EXIT_USAGE;
	}
	if (options->run) {
		message_print("unexpected argument '%s': choose the runs for Parquet by --job, --user, --status, "
			      "--group, --label or --since",
			options->run);
		return EXIT_USAGE;
	}
	spools_find(&spools, options->spools, options->spool_count, spool);
	for (size_t i = 0; i < spools.count; i++) {
		status = export_spool(options, spools.items[i], path, &sums);
		if (status != EXIT_DONE)
			break;
	}
	spools_free(&spools);
	return status == EXIT_DONE && !options_given(options, OPTION_print_sql) ? say_done(options, &sums, path)
										: status;
}
