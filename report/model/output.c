/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the last lines that a failed run wrote. */
#define _GNU_SOURCE
#include "report/model/output.h"

#include "core/number.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Seconds. A scheduler such as Slurm may append lines to the file within this time after the run. */
static const double WRITTEN_LATER_SECONDS = 10;

/* Returns whether the file still has the output of the run. `begin` is the size of the file when the run began. If it
 * is 0, a later run may have overwritten the file, so the file must not be newer than the run. Otherwise, later runs
 * append to the file. */
static bool is_same(const struct stat *status, const struct run *run, double begin, double end)
{
	double written = (double)status->st_mtim.tv_sec;

	return !((double)status->st_size < end) && (begin > 0 || !(written > run->stop_time + WRITTEN_LATER_SECONDS));
}

/* Keeps the last OUTPUT_LINES lines. Removes the text before the last carriage return of a line, so that a progress
 * bar has only its last state. */
static void keep_lines(char *text)
{
	size_t length = strlen(text), lines = 0, at = length;

	while (at > 0 && (text[at - 1] != '\n' || at == length || ++lines < OUTPUT_LINES))
		at--;
	char *out = text, *line = text + at;
	while (*line) {
		char *next = line + strcspn(line, "\n"), *end = next;
		while (end > line && end[-1] == '\r')
			end--;
		char *begin = end;
		while (begin > line && begin[-1] != '\r')
			begin--;
		memmove(out, begin, (size_t)(end - begin));
		out += end - begin;
		if (*next)
			*out++ = *next++;
		line = next;
	}
	*out = '\0';
}

/* Removes terminal escape sequences, such as colors. */
static void drop_escapes(char *text)
{
	char *out = text;

	while (*text) {
		if (*text != '\033') {
			*out++ = *text++;
			continue;
		}
		char kind = *++text;
		if (kind == '[') {
			text++;
			text += strspn(text, "0123456789:;<=>?!\"#$%&'()*+,-./ ");
		} else if (kind == ']') {
			text += strcspn(text, "\a\033\n");
			text += text[0] == '\033' && text[1] == '\\';
		}
		text += *text != '\0' && *text != '\n';
	}
	*out = '\0';
}

/* Opens the file of a stream. Sets *kept to true if the file is a copy that rtrack-run kept in the run's directory. */
static int open_output(struct output *output, const struct run *run, const char *path, struct stat *status, bool *kept)
{
	static const char *const names[] = {SPOOL_STDOUT_FILE, SPOOL_STDERR_FILE, SPOOL_OUTPUT_FILE};

	*kept = false;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		*kept |= strcmp(path, names[i]) == 0;
	int length = snprintf(
		output->path, sizeof output->path, "%s%s%s", *kept ? run->directory : "", *kept ? "/" : "", path);
	if (length < 0 || (size_t)length >= sizeof output->path)
		return -1;
	int file = *kept ? files_get(&run->files, path) : files_get_own(&run->files, path);
	if (file >= 0)
		(void)fstat(file, status);
	return file;
}

static bool read_stream(struct output *output, const struct run *run, const char *stream)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(run->json, stream);
	const char *path = json_string(object, "path");
	double begin = json_double(object, "begin"), end = json_double(object, "end");
	struct stat status;
	bool kept;

	if (!(begin >= 0))
		return false;
	int file = open_output(output, run, path, &status, &kept);
	bool same = file >= 0 && is_same(&status, run, kept ? 1 : begin, end);
	if (same && !number_known(end))
		end = (double)status.st_size;
	ssize_t length = 0;
	if (same && end > begin) {
		double from = end - begin > OUTPUT_TEXT_MAX ? end - OUTPUT_TEXT_MAX : begin;
		length = pread(file, output->text, (size_t)(end - from), (off_t)from);
	}
	if (file >= 0)
		close(file);
	output->text[length > 0 ? length : 0] = '\0';
	drop_escapes(output->text);
	keep_lines(output->text);
	output->stream = stream;
	return *output->text != '\0';
}

void output_find(struct output *output, const struct run *run)
{
	bool failed = strcmp(run->status, "failed") == 0 || strcmp(run->status, "killed") == 0;

	if (failed && (read_stream(output, run, "stderr") || read_stream(output, run, "stdout")))
		return;
	*output = (struct output){0};
}

cJSON *output_json(const struct output *output)
{
	if (!output->stream)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();
	cJSON_AddStringToObject(object, "stream", output->stream);
	cJSON_AddStringToObject(object, "path", output->path);
	cJSON_AddStringToObject(object, "text", output->text);
	return object;
}
