/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report import: makes a run in the spool from a snapshot of the predecessor, or from a file of `export`.
 *
 * The run is written to a directory that commands ignore. This directory is then renamed, so the run appears completely
 * or not at all. The id of the run is derived from the content of the file, so importing a file twice makes one run. */
#define _GNU_SOURCE
#include "report/commands/commands.h"

#include "report/fleet/snapshot.h"
#include "report/say/alloc.h"
#include "report/say/bounds.h"
#include "report/say/message.h"
#include "report/say/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_IN = 1 << 20 };

static const char *const files[] = {SPOOL_RUN_FILE, "process.csv", "system.csv"};

/* Reads and decompresses the whole file into a NUL-terminated text. Returns NULL, or an error message. */
static const char *read_all(gzFile in, char **text, size_t *length, struct progress *progress)
{
	size_t capacity = 0;
	int got;
	int problem = Z_OK;

	do {
		if (*length + PIECE_IN + 1 > capacity) {
			capacity = capacity * 2 + PIECE_IN + 1;
			*text = xreallocarray(*text, capacity, 1);
		}
		got = gzread(in, *text + *length, PIECE_IN);
		if (got <= 0)
			break;
		*length += (size_t)got;
		progress_advance(progress, (double)gzoffset(in) - progress->done);
	} while (*length <= BOUND_UNPACKED);
	if (*length > BOUND_UNPACKED)
		return BOUND_MESSAGE(UNPACKED);
	gzerror(in, &problem);
	if (got < 0 && problem == Z_ERRNO)
		return strerror(errno);
	if (got < 0 || problem != Z_OK)
		return "it is incomplete, or not packed by gzip";
	(*text)[*length] = '\0';
	return *length == 0 ? "it is empty" : NULL;
}

/* Reads a file, which may be a pipe such as <(…) of a shell. */
static const char *read_file(const char *path, char **text, size_t *length)
{
	struct progress progress;
	struct stat status = {0};
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return strerror(errno);
	if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
		close(file);
		return strerror(EISDIR);
	}
	gzFile in = gzdopen(file, "rb");
	if (!in)
		alloc_failed();
	gzbuffer(in, 1 << 16);
	progress_begin(&progress, "unpacking", (double)status.st_size);
	const char *problem = read_all(in, text, length, &progress);
	progress_end(&progress);
	gzclose(in);
	return problem;
}

/* -- run.json -------------------------------------------------------------------------------------- */

static bool is_safe_id(const char *id)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	return strlen(id) < SPOOL_ID_MAX && id[strspn(id, plain)] == '\0' && spool_id_pid(text_of(id)) >= 0;
}

static void make_id(char id[SPOOL_ID_MAX], const cJSON *metadata, const char *text, size_t length)
{
	double start = json_double(metadata, "start_time");
	double pid = json_double(metadata, "pid");
	struct buffer out = {.data = id, .capacity = SPOOL_ID_MAX};
	uint16_t sum = (uint16_t)crc32_z(0, (const unsigned char *)text, length);

	spool_write_id(&out, start >= 0 && start < 2e11 ? (int64_t)start : 0, TEXT("imported"),
		pid >= 0 && pid < 1e9 ? (int)pid : 0, sum);
	buffer_terminate(&out);
}

/* Adds the job name, which is the name of the file without its extensions: "training" for "/tmp/training.json.gz". */
static void add_job(cJSON *run, const char *path)
{
	struct text name = text_basename(text_of(path));
	size_t dot = text_find(name, '.', 1);
	char *job = xstrndup(name.data, dot < name.length ? dot : name.length);
	cJSON_AddStringToObject(run, "job", *job ? job : "imported");
	free(job);
}

static cJSON *copy_of(const cJSON *object, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
	return value ? cJSON_Duplicate(value, true) : cJSON_CreateNull();
}

/* Makes run.json. Keys that a snapshot never has are null. The key "snapshot" contains the keys of the snapshot. */
static cJSON *make_run(const struct snapshot *snapshot, const char *path, const char *id)
{
	static const char *const unknown[] = {"parent", "cwd", "user", "host", "exit_code", "exit_signal"};
	static const char *const copied[] = {"pid", "start_time", "stop_time", "interval"};
	const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(snapshot->content, "metadata");
	const cJSON *server = cJSON_GetObjectItemCaseSensitive(snapshot->content, "server_info");
	const cJSON *cloud = cJSON_GetObjectItemCaseSensitive(snapshot->content, "cloud_info");
	cJSON *run = cJSON_CreateObject();

	cJSON_AddNumberToObject(run, "schema", SPOOL_SCHEMA);
	cJSON_AddStringToObject(run, "id", id);
	add_job(run, path);
	cJSON_AddArrayToObject(run, "command");
	for (size_t i = 0; i < ARRAY_LENGTH(unknown); i++)
		cJSON_AddNullToObject(run, unknown[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(copied); i++)
		cJSON_AddItemToObject(run, copied[i], copy_of(metadata, copied[i]));
	cJSON_AddStringToObject(run, "status", "finished");
	cJSON_AddObjectToObject(run, "labels");
	if (cJSON_IsObject(server))
		cJSON_AddItemToObject(run, "server", cJSON_Duplicate(server, true));
	if (cJSON_IsObject(cloud) && strcmp(json_string(cloud, "vendor"), "unknown") != 0)
		cJSON_AddItemToObject(run, "cloud", cJSON_Duplicate(cloud, true));
	cJSON *tracker = cJSON_AddObjectToObject(run, "tracker");
	cJSON_AddStringToObject(tracker, "version", RTRACK_VERSION);
	cJSON_AddStringToObject(tracker, "mode", "import");
	cJSON_AddItemToObject(run, "snapshot", cJSON_Duplicate(snapshot->content, true));
	return run;
}

/* -- the directory --------------------------------------------------------------------------------- */

static FILE *create(int directory, const char *name)
{
	int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *out = file < 0 ? NULL : fdopen(file, "w");
	if (file >= 0 && !out)
		close(file);
	return out;
}

static const char *finish(FILE *out)
{
	bool failed = fflush(out) != 0 || ferror(out);
	int error = errno;
	fclose(out);
	return failed ? strerror(error) : NULL;
}

static const char *write_run(int directory, const cJSON *run)
{
	FILE *out = create(directory, files[0]);
	char *text = cJSON_Print(run);

	if (out)
		json_write(out, text);
	cJSON_free(text);
	return out ? finish(out) : strerror(errno);
}

static const char *write_files(int directory, const struct snapshot *snapshot, const cJSON *run)
{
	const cJSON *own = cJSON_GetObjectItemCaseSensitive(snapshot->content, "rtrack");
	const cJSON *unknown = cJSON_GetObjectItemCaseSensitive(own, "unknown");
	static const char *const names[] = {"process", "system"};
	const char *problem = write_run(directory, run);

	for (size_t i = 0; !problem && i < ARRAY_LENGTH(snapshot->rows); i++) {
		if (snapshot->rows[i].length == 0)
			continue;
		FILE *out = create(directory, files[i + 1]);
		if (!out)
			return strerror(errno);
		problem = snapshot_write_table(out, snapshot->rows[i].text, snapshot->rows[i].length,
			cJSON_GetObjectItemCaseSensitive(unknown, names[i]));
		const char *lost = finish(out);
		problem = problem ? problem : lost;
	}
	return problem;
}

static const char *make_directory(const char *spool, const struct snapshot *snapshot, const cJSON *run)
{
	char *place = xasprintf("%s/.import-XXXXXX", spool);
	char *final = xasprintf("%s/%s", spool, json_string(run, "id"));
	const char *problem = NULL;

	(void)mkdir(spool, 0700);
	int directory = mkdtemp(place) ? open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	problem = directory < 0 ? strerror(errno) : write_files(directory, snapshot, run);
	/* If the run already exists, rename(2) fails, because it can replace only empty directories. */
	if (!problem && rename(place, final) != 0)
		problem = errno == ENOTEMPTY || errno == EEXIST ? "its run is there already" : strerror(errno);
	for (size_t i = 0; problem && directory >= 0 && i < ARRAY_LENGTH(files); i++)
		unlinkat(directory, files[i], 0);
	if (problem)
		rmdir(place);
	if (directory >= 0)
		close(directory);
	free(place);
	free(final);
	return problem;
}

static const char *import(const char *spool, const char *path, char id[SPOOL_ID_MAX], char **text)
{
	struct snapshot snapshot;
	size_t length = 0;
	const char *problem = read_file(path, text, &length);

	if (!problem && snapshot_is_csv(*text, length)) {
		char *table = *text;
		problem = snapshot_of_csv(text, table, length);
		free(table);
		length = *text ? strlen(*text) : 0;
	}
	if (!problem)
		problem = snapshot_read(&snapshot, *text, length);
	if (problem)
		return problem;
	const cJSON *own = cJSON_GetObjectItemCaseSensitive(snapshot.content, "rtrack");
	const cJSON *own_run = cJSON_GetObjectItemCaseSensitive(own, "run");
	bool ours = cJSON_IsObject(own_run) && is_safe_id(json_string(own_run, "id"));
	if (ours)
		strcpy(id, json_string(own_run, "id"));
	else
		make_id(id, cJSON_GetObjectItemCaseSensitive(snapshot.content, "metadata"), *text, length);
	cJSON *run = ours ? cJSON_Duplicate(own_run, true) : make_run(&snapshot, path, id);
	problem = make_directory(spool, &snapshot, run);
	cJSON_Delete(run);
	snapshot_free(&snapshot);
	return problem;
}

int import_command(const struct options *options, const char *spool)
{
	char id[SPOOL_ID_MAX];
	char *text = NULL;
	const char *problem = import(spool, options->run, id, &text);

	free(text);
	if (problem) {
		message_print("'%s' cannot be imported: %s", options->run, problem);
		return EXIT_NO_DATA;
	}
	if (options->json)
		return json_print_string("id", id);
	puts(id);
	return EXIT_DONE;
}
