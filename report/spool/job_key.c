/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which runs belong to the same job. */
#include "report/spool/job_key.h"

#include "core/job_name.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/hash.h"
#include "report/say/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* maximum length of a command line in a key and in a title, in bytes */
enum { KEY_COMMAND = 200, TITLE_COMMAND = 60 };

/* Appends the components of a path to `out`, without "." and "..". `out` must have room for the path and one more
 * '/'. */
static void append_path(char *out, struct text path)
{
	size_t length = strlen(out);

	for (size_t start = 0, end; start < path.length; start = end + 1) {
		end = text_find(path, '/', start);
		struct text name = {path.data + start, end - start};
		if (name.length == 0 || text_is(name, "."))
			continue;
		if (text_is(name, "..")) {
			while (length > 0 && out[--length] != '/')
				;
			continue;
		}
		out[length++] = '/';
		memcpy(out + length, name.data, name.length);
		length += name.length;
		out[length] = '\0';
	}
	out[length] = '\0';
}

/* Returns the directory of the script that gave the job its name. If the command has no script, returns the working
 * directory. */
static char *directory_of(const char *cwd, struct text name, char *const *words, size_t count)
{
	struct text folder = {NULL, 0};

	for (size_t i = 0; i < count; i++) {
		struct text word = text_of(words[i]);
		bool script = i > 0 || text_find(name, '.', 0) < name.length;
		if (name.data >= word.data && name.data <= word.data + word.length && script)
			folder = (struct text){word.data, (size_t)(name.data - word.data)};
	}
	/* `name` may begin within the file's name, because job_name omits a random part of some names. */
	while (folder.length > 0 && folder.data[folder.length - 1] != '/')
		folder.length--;
	char *directory = xcalloc(strlen(cwd) + folder.length + 3, 1);
	if (folder.length == 0 || folder.data[0] != '/')
		append_path(directory, text_of(cwd));
	append_path(directory, folder);
	return directory;
}

/* Returns the command line as one text. If it is longer than KEY_COMMAND, its end is replaced by a hash. */
static char *join_words(char *const *words, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out = xopen_memstream(&text, &size);

	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i > 0 ? " " : "", words[i]);
	xclose_memstream(out);
	if (size > KEY_COMMAND) {
		struct text start = utf8_cut((struct text){text, size}, KEY_COMMAND);
		char *cut = xasprintf("%.*s %016" PRIx64, (int)start.length, start.data,
			hash_fnv1a(HASH_FNV1A, (struct text){text, size}));
		free(text);
		text = cut;
	}
	return text;
}

static char *key_of(const struct run *run, char *const *words, size_t count)
{
	struct text name = job_name(words, (int)count);

	if (!text_is(name, run->job))
		return xstrdup(run->job);
	char *directory = directory_of(run->cwd, name, words, count);
	char *command = job_is_interpreter(name) ? join_words(words, count) : NULL;
	char *key = xasprintf("%s\n%s%s%s", run->job, directory, command ? "\n" : "", command ? command : "");
	free(command);
	free(directory);
	return key;
}

/* Returns whether the run's orchestrator gives names to its tasks. If it does not, the run's name comes from the
 * command line. */
static bool is_named_by_orchestrator(const struct run *run)
{
	static const struct {
		const char *id, *job;
	} orchestrators[] = {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of) {#id, job},
#include "core/orchestrators.def"
	};
	const char *id = run_label(run, "orchestrator");

	for (size_t i = 0; i < ARRAY_LENGTH(orchestrators); i++)
		if (strcmp(orchestrators[i].id, id) == 0)
			return *orchestrators[i].job;
	return false;
}

char *job_key(const struct run *run)
{
	const cJSON *command = cJSON_GetObjectItemCaseSensitive(run->json, "command"), *word;
	size_t size = (size_t)cJSON_GetArraySize(command), count = 0;

	bool named = is_named_by_orchestrator(run) || *json_string(run->json, "group");

	if (size == 0 || named || run->cwd[0] != '/')
		return xstrdup(run->job);
	char **words = xcalloc(size, sizeof *words);
	cJSON_ArrayForEach(word, command) if (cJSON_IsString(word)) words[count++] = word->valuestring;
	char *key = key_of(run, words, count);
	free(words);
	return key;
}

char *job_key_title(const char *key)
{
	size_t name = strcspn(key, "\n");

	if (key[name] == '\0')
		return xstrdup(key);
	const char *directory = key + name + 1;
	const char *command = strchr(directory, '\n');
	struct text more = command ? utf8_cut(text_of(command + 1), TITLE_COMMAND) : text_of(directory);
	return xasprintf("%.*s (%.*s)", (int)name, key, (int)more.length, more.data);
}

bool job_key_is_in(const char *key, const char *directory)
{
	const char *line = strchr(key, '\n');
	size_t length = strlen(directory);

	return line && strncmp(line + 1, directory, length) == 0 &&
	       (line[1 + length] == '\0' || line[1 + length] == '\n');
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*((const struct job_named *)a)->name, *((const struct job_named *)b)->name);
}

void job_key_set_titles(struct job_named *jobs, size_t count)
{
	array_sort(jobs, count, by_name);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && strcmp(*jobs[next].name, *jobs[i].name) == 0; next++)
			;
		for (size_t k = i; k < next && next - i > 1; k++) {
			free(*jobs[k].name);
			*jobs[k].name = job_key_title(jobs[k].key);
		}
	}
}
