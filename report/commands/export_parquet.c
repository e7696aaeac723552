/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report export --to parquet: writes each ended run to Parquet, and never writes a run twice.
 *
 * DuckDB writes the files, because users of Parquet have such an engine anyway. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/fleet/store.h"
#include "report/fleet/views.h"
#include "report/history/digest.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/commands/many.h"
#include "report/spool/choice.h"
#include "report/spool/runs.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- the engine ------------------------------------------------------------------------------------ */

enum { NO_MODULE = 113 /* exit status if the module is missing; Python does not use it */, NOT_FOUND = 127 };

static const char python_program[] = "import sys\n"
				     "try:\n"
				     "    import duckdb\n"
				     "except ImportError:\n"
				     "    sys.exit(113)\n"
				     "try:\n"
				     "    duckdb.execute(sys.stdin.buffer.read().decode())\n"
				     "except duckdb.Error as problem:\n"
				     "    sys.exit('duckdb: %s' % problem)\n";

/* Writes the SQL statements that export each table of a source. The files are
 * `directory``within`/TABLE/date=YYYY-MM-DD/BATCH_N.parquet, where `within` begins with '/' or is "".
 *
 * DuckDB need not keep the order of rows, because that takes memory. Each statement contains a selection instead of the
 * name of a view, because DuckDB would list all files of a view twice. */
static void write_sql(
	FILE *out, const struct run_source *source, const char *directory, const char *within, const char *batch)
{
	const struct engine *engine = engine_find("duckdb");

	fputs("set preserve_insertion_order = false;\nset enable_progress_bar = false;\n", out);
	for (size_t table = 0; table < VIEW_COUNT; table++) {
		if (!source->has[table])
			continue;
		char *rest = xasprintf("%s/%s", within, view_name(table));
		fputs("\ncopy (\n", out);
		views_write_selection(out, engine, source, table);
		fputs(") to ", out);
		engine_quote(out, engine, directory, rest);
		fprintf(out,
			" (format parquet, compression zstd, partition_by (\"date\"), filename_pattern '%s_{i}', "
			"overwrite_or_ignore);\n",
			batch);
		free(rest);
	}
}

/* Returns the exit status of a program, or -1 if it was killed or not started. */
static int run_program(char *const *arguments, FILE *input)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status;

	if (fflush(input) != 0 || lseek(fileno(input), 0, SEEK_SET) != 0 ||
		posix_spawn_file_actions_init(&actions) != 0)
		return -1;
	int error = posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error != 0)
		return error == ENOENT || error == EACCES ? NOT_FOUND : -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs the statements with the program `duckdb`. If PATH does not contain the program, runs them with the Python module
 * duckdb. All output goes to stderr. Returns the exit status, after a message if it is not EXIT_DONE. */
static int run_sql(FILE *statements, const char *path)
{
	char *const program[] = {"duckdb", "-init", "/dev/null", "-batch", "-bail", NULL};
	char *const module[] = {"python3", "-c", (char *)python_program, NULL};
	int status = run_program(program, statements);

	if (status == NOT_FOUND)
		status = run_program(module, statements);
	if (status == NOT_FOUND || status == NO_MODULE)
		message_print("Parquet needs DuckDB, which is not installed: `pip install duckdb`, or the program "
			      "duckdb. --print-sql prints the SQL instead");
	else if (status != 0)
		message_print("'%s' cannot be written: DuckDB failed", path);
	return status == 0 ? EXIT_DONE : EXIT_NO_DATA;
}

/* -- runs ------------------------------------------------------------------------------------------ */

struct exported {
	const struct options *options;
	struct runs runs;
	char **chosen; /* names of the selected runs; the strings belong to `runs` */
	char **keys;   /* keys of the selected runs, from store_key; owned */
	size_t count;
	struct store store; /* The path of the store is NULL if --print-sql is given. */
};

/* Returns whether the run will be exported. If so, sets *owner. */
static bool is_exported(const struct exported *exported, const char *name, uid_t *owner)
{
	const struct choice choice = options_choice(exported->options);
	struct run run;

	if (runs_open(&run, &exported->runs, name) != 0) /* digest_keep has already counted this failure */
		return false;
	*owner = run.files.owner;
	bool chosen = !store_has(&exported->store, name, *owner) && run_ended(&run) &&
		      many_takes(&choice, &exported->runs, name, &run);
	run_close(&run);
	return chosen;
}

static void choose(struct exported *exported)
{
	uid_t owner;

	exported->chosen = xcalloc(exported->runs.count, sizeof *exported->chosen);
	exported->keys = xcalloc(exported->runs.count, sizeof *exported->keys);
	for (size_t i = 0; i < exported->runs.count; i++)
		if (is_exported(exported, exported->runs.names[i], &owner)) {
			exported->keys[exported->count] = store_key(exported->runs.names[i], owner);
			exported->chosen[exported->count++] = exported->runs.names[i];
		}
}

/* Writes the rows of all views into `directory`, from which the engine reads them. */
static int write_rows(struct run_source *source, const char *directory)
{
	source->rows = directory;
	for (size_t view = 0; view < VIEW_COUNT; view++)
		if (source->has[view] && rows_write(source, view, directory) != 0)
			return -1;
	return 0;
}

/* Makes the engine write the selected runs into STORE_NEW. */
static int write_new(struct exported *exported, struct run_source *source, const char *path)
{
	FILE *statements = tmpfile();
	char *directory = xasprintf("%s/" STORE_NEW, exported->store.path);

	if (!statements || write_rows(source, directory) != 0) {
		int status = message_cannot_write(path);
		if (statements)
			fclose(statements);
		free(directory);
		return status;
	}
	write_sql(statements, source, exported->store.path, "/" STORE_NEW, exported->store.batch);
	int status = run_sql(statements, path);
	fclose(statements);
	free(directory);
	return status;
}

static int write_batch(struct exported *exported, struct run_source *source, const char *path)
{
	if (store_begin(&exported->store) != 0)
		return message_cannot_write(path);
	int status = write_new(exported, source, path);
	if (status != EXIT_DONE)
		store_drop(&exported->store);
	else if (store_commit(&exported->store, exported->keys, exported->count) != 0)
		status = message_cannot_write(path);
	return status;
}

struct sums {
	size_t exported, before; /* number of runs exported by this call, and number exported before */
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
	return json_print(json);
}

/* Exports the selected runs, or prints the SQL that would export them. */
static int export_chosen(struct exported *exported, const char *spool, const char *path)
{
	bool print = options_given(exported->options, OPTION_print_sql);
	struct run_source source;
	int status = EXIT_DONE;

	digest_keep(spool, NULL); /* The engine reads totals from the digests, so each run needs one. */
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
		write_sql(stdout, &source, path, "", "rtrack-0");
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
	for (size_t i = 0; i < exported.count; i++)
		free(exported.keys[i]);
	free(exported.keys);
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
