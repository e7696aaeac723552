/* SPDX-License-Identifier: Apache-2.0 */
/* Users of Parquet have an engine that writes it, so rtrack has no writer of its own. */
#define _GNU_SOURCE
#include "report/fleet/parquet.h"

#include "report/fleet/views.h"
#include "report/say/alloc.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_MODULE = 113 /* an exit status that Python does not use */, NOT_FOUND = 127 };

static const char python_program[] = "import sys\n"
				     "try:\n"
				     "    import duckdb\n"
				     "except ImportError:\n"
				     "    sys.exit(113)\n"
				     "try:\n"
				     "    duckdb.execute(sys.stdin.buffer.read().decode())\n"
				     "except duckdb.Error as problem:\n"
				     "    sys.exit('duckdb: %s' % problem)\n";

/* DuckDB need not keep the order of rows, which would take memory. It gets selections and not views, with which it
 * would list all files twice. */
void parquet_write_sql(
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

enum parquet_result parquet_run(FILE *statements)
{
	char *const program[] = {"duckdb", "-init", "/dev/null", "-batch", "-bail", NULL};
	char *const module[] = {"python3", "-c", (char *)python_program, NULL};
	int status = run_program(program, statements);

	if (status == NOT_FOUND) {
		status = run_program(module, statements);
		if (status == NOT_FOUND || status == NO_MODULE)
			return PARQUET_NO_ENGINE;
	}
	return status == 0 ? PARQUET_DONE : PARQUET_FAILED;
}
