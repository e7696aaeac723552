/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report export --to parquet: writes each ended run to Parquet, and never writes a run twice. All spools of one
 * call are one batch, with one file for each table and day, because thousands of small files make each query slow.
 *
 * DuckDB writes the files, because users of Parquet have such an engine anyway. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/fleet/store.h"
#include "report/fleet/views.h"
#include "report/history/digest.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
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

/* The runs of one spool. */
struct spool_runs {
	struct runs runs;
	char **chosen; /* names of the selected runs; the strings belong to `runs` */
	size_t count;
	struct run_source source;
};

/* A selected run. */
struct selected {
	char *key; /* result of store_key; owned */
	char *name;
	size_t part;
	size_t position; /* position in the list of selected runs */
};

struct exported {
	const struct options *options;
	struct spool_runs *parts; /* one for each spool that can be read */
	size_t part_count;
	char **keys; /* keys of the selected runs; owned */
	size_t count;
	struct store store; /* The path of the store is NULL if --print-sql is given. */
};

/* Returns whether the run will be exported. If so, sets *owner. */
static bool is_exported(const struct exported *exported, const struct runs *runs, const char *name, uid_t *owner)
{
	const struct choice choice = options_choice(exported->options);
	struct run run;

	if (runs_open(&run, runs, name) != 0) /* digest_keep has already counted this failure */
		return false;
	*owner = run.files.owner;
	bool chosen =
		!store_has(&exported->store, name, *owner) && run_ended(&run) && many_takes(&choice, runs, name, &run);
	run_close(&run);
	return chosen;
}

static int by_key(const void *a, const void *b)
{
	const struct selected *x = *(const struct selected *const *)a, *y = *(const struct selected *const *)b;
	int order = strcmp(x->key, y->key);

	return order != 0 ? order : ORDER(x->position, y->position);
}

/* Frees the key of each run that was selected in another spool before, and sets it to NULL. */
static void drop_copies(struct selected *selected, size_t count)
{
	struct selected **sorted = xcalloc(count, sizeof(struct selected *));

	for (size_t i = 0; i < count; i++)
		sorted[i] = &selected[i];
	qsort(sorted, count, sizeof(struct selected *), by_key);
	for (size_t i = count; i-- > 1;)
		if (strcmp(sorted[i]->key, sorted[i - 1]->key) == 0) {
			free(sorted[i]->key);
			sorted[i]->key = NULL;
		}
	free(sorted);
}

/* Selects the runs of all spools, each run once. */
static void choose(struct exported *exported)
{
	struct selected *selected = NULL;
	size_t count = 0;
	uid_t owner;

	for (size_t i = 0; i < exported->part_count; i++) {
		struct spool_runs *part = &exported->parts[i];
		part->chosen = xcalloc(part->runs.count, sizeof *part->chosen);
		for (size_t k = 0; k < part->runs.count; k++) {
			char *name = part->runs.names[k];
			if (!is_exported(exported, &part->runs, name, &owner))
				continue;
			array_grow(&selected, count, sizeof *selected);
			selected[count] = (struct selected){store_key(name, owner), name, i, count};
			count++;
		}
	}
	drop_copies(selected, count);
	exported->keys = xcalloc(count, sizeof *exported->keys);
	for (size_t i = 0; i < count; i++) {
		if (!selected[i].key)
			continue;
		struct spool_runs *part = &exported->parts[selected[i].part];
		part->chosen[part->count++] = selected[i].name;
		exported->keys[exported->count++] = selected[i].key;
	}
	free(selected);
}

/* Writes the rows of all views and spools into `directory`, from which the engine reads them. Returns 0 and a source
 * that stands for all spools, or -1 with errno. */
static int write_rows(const struct exported *exported, const char *directory, struct run_source *all)
{
	*all = (struct run_source){.kind = SOURCE_SPOOL, .path = exported->parts[0].source.path, .rows = directory};
	for (size_t view = 0; view < VIEW_COUNT; view++)
		for (size_t i = 0; i < exported->part_count; i++) {
			const struct run_source *source = &exported->parts[i].source;
			if (!source->has[view])
				continue;
			all->has[view] = true;
			if (rows_write(source, view, directory) != 0)
				return -1;
		}
	return 0;
}

/* Makes the engine write the selected runs into STORE_NEW. */
static int write_new(struct exported *exported, const char *path)
{
	FILE *statements = tmpfile();
	char *directory = xasprintf("%s/" STORE_NEW, exported->store.path);
	struct run_source all;

	if (!statements || write_rows(exported, directory, &all) != 0) {
		int status = message_cannot_write(path);
		if (statements)
			fclose(statements);
		free(directory);
		return status;
	}
	write_sql(statements, &all, exported->store.path, "/" STORE_NEW, exported->store.batch);
	int status = run_sql(statements, path);
	fclose(statements);
	free(directory);
	return status;
}

static int write_batch(struct exported *exported, const char *path)
{
	if (store_begin(&exported->store) != 0)
		return message_cannot_write(path);
	int status = write_new(exported, path);
	if (status != EXIT_DONE)
		store_drop(&exported->store);
	else if (store_commit(&exported->store, exported->keys, exported->count) != 0)
		status = message_cannot_write(path);
	return status;
}

static int say_done(const struct exported *exported, const char *path)
{
	if (!exported->options->json) {
		printf("%zu runs exported to %s, %zu were there before\n", exported->count, path,
			exported->store.run_count);
		return EXIT_DONE;
	}
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "directory", path);
	cJSON_AddNumberToObject(json, "exported", (double)exported->count);
	cJSON_AddNumberToObject(json, "before", (double)exported->store.run_count);
	return json_print(json);
}

/* Prints the SQL that would export the runs. Each spool has files of its own, because the engine reads the spools. */
static void print_sql(const struct exported *exported, const char *path)
{
	for (size_t i = 0; i < exported->part_count; i++) {
		char *batch = xasprintf("rtrack-%zu", i);
		write_sql(stdout, &exported->parts[i].source, path, "", batch);
		free(batch);
	}
}

/* Exports the selected runs, or prints the SQL that would export them. */
static int export_chosen(struct exported *exported, const char *path)
{
	bool print = options_given(exported->options, OPTION_print_sql);
	const char *why = engine_refuses(engine_find(NULL), print ? path : exported->store.path);

	/* The engine reads totals from the digests, so each run needs one. */
	for (size_t i = 0; i < exported->part_count; i++)
		digest_keep(exported->parts[i].runs.spool, NULL);
	choose(exported);
	for (size_t i = 0; i < exported->part_count; i++) {
		struct spool_runs *part = &exported->parts[i];
		if (source_of_runs(&part->source, part->runs.spool, part->chosen, part->count) != 0) {
			message_cannot_read(part->runs.spool, errno);
			return EXIT_NO_DATA;
		}
		const char *refused = engine_refuses(engine_find(NULL), part->source.path);
		if (refused || why) {
			message_print(
				"'%s' cannot be used: %s", refused ? part->runs.spool : path, refused ? refused : why);
			return EXIT_NO_DATA;
		}
	}
	if (print) {
		print_sql(exported, path);
		return EXIT_DONE;
	}
	int status = exported->count > 0 ? write_batch(exported, path) : EXIT_DONE;
	return status == EXIT_DONE ? say_done(exported, path) : status;
}

/* Lists the runs of each spool. A spool that cannot be read is counted, and reported at the end. Returns 0, or -1 after
 * a message if no spool can be read. */
static int list_spools(struct exported *exported, const struct spools *spools)
{
	int error = 0;

	exported->parts = xcalloc(spools->count, sizeof *exported->parts);
	for (size_t i = 0; i < spools->count; i++) {
		if (runs_list(&exported->parts[exported->part_count].runs, spools->items[i]) == 0) {
			exported->part_count++;
			continue;
		}
		error = errno;
		if (spools->count > 1)
			runs_count_unlisted(spools->items[i], error);
	}
	if (exported->part_count > 0)
		return 0;
	if (spools->count == 1)
		runs_say_unlisted(spools->items[0], error);
	return -1;
}

static int export_spools(const struct options *options, const struct spools *spools, const char *path)
{
	struct exported exported = {.options = options, .store = {.lock = -1}};
	int status = EXIT_NO_DATA;

	if (list_spools(&exported, spools) == 0) {
		if (!options_given(options, OPTION_print_sql) && store_open(&exported.store, path) != 0)
			message_cannot_write(path);
		else
			status = export_chosen(&exported, path);
	}
	store_close(&exported.store);
	for (size_t i = 0; i < exported.count; i++)
		free(exported.keys[i]);
	free(exported.keys);
	for (size_t i = 0; i < exported.part_count; i++) {
		source_free(&exported.parts[i].source);
		free(exported.parts[i].chosen);
		runs_free(&exported.parts[i].runs);
	}
	free(exported.parts);
	return status;
}

int export_parquet_command(const struct options *options, const char *spool)
{
	const char *path = options->text[OPTION_output];
	struct spools spools;

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
	int status = export_spools(options, &spools, path);
	spools_free(&spools);
	return status;
}
