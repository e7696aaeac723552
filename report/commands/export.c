/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report export: writes a run for other programs. An incomplete file is removed. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/fleet/collapsed.h"
#include "report/fleet/metrics.h"
#include "report/fleet/rows_out.h"
#include "report/fleet/snapshot.h"
#include "report/fleet/speedscope.h"
#include "report/model/model.h"
#include "report/say/alloc.h"
#include "report/say/file.h"
#include "report/say/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_OUT = 1 << 17 };

static void write_csv(gzFile out, const struct run *run)
{
	rows_out_csv(out, &run->files, 0, UINT64_MAX);
}

static void write_run_json(gzFile out, const struct run *run)
{
	char *text = json_compact(run->json);

	gzputs(out, "{\"run\":");
	gzputs(out, text);
	for (enum table_id id = 0; id < TABLE_COUNT; id++) {
		struct rows_out rows;
		rows_out_open(&rows, &run->files, id);
		gzprintf(out, ",\n\"%s\":", tables[id].name);
		rows_out_json(&rows, out, false);
		rows_out_close(&rows);
	}
	gzputs(out, "}\n");
	free(text);
}

static void write_textfile(gzFile out, const struct run *run)
{
	struct model model;

	model_read(&model, run, &(struct model_wish){.sections = 0});
	metrics_write_totals(out, run, &model.totals);
	model_free(&model);
}

static const struct form {
	const char *name;
	const char *mode; /* mode for gzopen; "T" disables compression */
	void (*write)(gzFile out, const struct run *run);
	bool replaces; /* whether the file is replaced by a rename, so that readers never see an incomplete file */
} forms[] = {{"snapshot", "wb6", snapshot_write, false}, {"csv", "wT", write_csv, false},
	{"json", "wT", write_run_json, false}, {"openmetrics", "wT", metrics_write_history, false},
	{"prometheus-textfile", "wT", write_textfile, true}, {"speedscope", "wT", speedscope_write, false},
	{"collapsed", "wT", collapsed_write, false}};

/* Returns the format that --to names, or the format of the file's extension, such as x.csv or x.json. */
static const struct form *find_form(const struct options *options)
{
	const char *path = options->text[OPTION_output];
	const char *dot = path ? strrchr(path, '.') : NULL;
	const char *name = options_given(options, OPTION_to) ? options->text[OPTION_to] : dot ? dot + 1 : "";

	for (size_t i = 0; i < ARRAY_LENGTH(forms); i++)
		if (strcmp(forms[i].name, name) == 0)
			return &forms[i];
	return &forms[0];
}

/* Prints that a file cannot be written; `path` is NULL for stdout. */
static int cannot_write(const char *path, int error)
{
	if (path)
		message_print("'%s' cannot be written: %s", path, strerror(error));
	else
		message_print("stdout cannot be written: %s", strerror(error));
	return EXIT_NO_DATA;
}

/* Writes the run to `file` in the given format, and closes `file`. */
static int write_form(int file, const struct form *form, const struct run *run, const char *path)
{
	gzFile out = gzdopen(file, form->mode);

	if (!out)
		alloc_failed();
	gzbuffer(out, PIECE_OUT);
	errno = 0;
	form->write(out, run);
	int error = errno;
	int problem = Z_OK;
	gzerror(out, &problem);
	errno = 0;
	if (gzclose(out) != Z_OK || problem != Z_OK) {
		error = errno ? errno : error ? error : EIO;
		return error == EPIPE ? EXIT_NO_DATA : cannot_write(path, error);
	}
	return EXIT_DONE;
}

static int write_stdout(const struct form *form, const struct run *run)
{
	if (strcmp(form->name, "snapshot") == 0 && isatty(STDOUT_FILENO)) {
		message_print("a snapshot is not text: use -o FILE, or redirect stdout to a file");
		return EXIT_USAGE;
	}
	int file = dup(STDOUT_FILENO);
	return file < 0 ? cannot_write(NULL, errno) : write_form(file, form, run, NULL);
}

static int write_file(const char *path, const struct form *form, const struct run *run)
{
	struct stat status;
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (file < 0)
		return cannot_write(path, errno);
	bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
	int result = write_form(file, form, run, path);
	if (result != EXIT_DONE && regular)
		unlink(path);
	return result;
}

/* Writes a temporary file and renames it to `path`. The temporary name does not end in .prom, so that the textfile
 * collector of Prometheus ignores the file. */
static int replace_file(const char *path, const struct form *form, const struct run *run)
{
	char *fresh;
	int file = file_create_beside(path, &fresh);
	int status = file < 0 ? cannot_write(path, errno) : write_form(file, form, run, path);

	if (status == EXIT_DONE && rename(fresh, path) != 0)
		status = cannot_write(path, errno);
	if (file >= 0 && status != EXIT_DONE)
		unlink(fresh);
	free(fresh);
	return status;
}

/* Returns whether `path` may be replaced by a new file. A device must not be replaced, because root could otherwise
 * replace /dev/null. A symbolic link must not be replaced, because the user wants to write the target of the link. */
static bool may_replace(const char *path)
{
	struct stat status;

	return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

static bool has_series(const struct run *run)
{
	struct model model;

	model_read(&model, run, &(struct model_wish){.sections = 0});
	bool usable = model.usable;
	if (!usable)
		message_print("'%s' has no records", run->directory);
	model_free(&model);
	return usable;
}

int export_command(const struct options *options, const struct run *run)
{
	const struct form *form = find_form(options);
	const char *path = options->text[OPTION_output];
	bool to_stdout = !path || strcmp(path, "-") == 0;

	if (options->json && to_stdout) {
		message_print("--format json needs a file: use -o FILE");
		return EXIT_USAGE;
	}
	if (path && !options_given(options, OPTION_to) && text_ends(text_of(path), ".parquet")) {
		message_print("Parquet needs a directory: use --to parquet -o DIR");
		return EXIT_USAGE;
	}
	if (!has_series(run))
		return EXIT_NO_DATA;
	if (to_stdout)
		return write_stdout(form, run);
	int status = form->replaces && may_replace(path) ? replace_file(path, form, run) : write_file(path, form, run);
	return status == EXIT_DONE && options->json ? json_print_string("file", path) : status;
}
