/* SPDX-License-Identifier: Apache-2.0 */
/* Computes and stores the digest of a run. */
#define _GNU_SOURCE
#include "report/history/digest.h"

#include "core/columns.h"
#include "report/model/model.h"
#include "report/model/nest.h"
#include "report/say/alloc.h"
#include "report/spool/choice.h"
#include "report/spool/job_key.h"
#include "report/spool/owner.h"
#include "report/spool/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Increase FORMAT if the same files would yield different figures. A stored digest is also ignored if the number of
 * totals differs. */
enum { FORMAT = 27, HEAD_SIZE = 512, PATH_SIZE = 2 * SPOOL_PATH_MAX, FILE_MAX = 1 << 14 };

/* -- text of the file ------------------------------------------------------------------------------ */

/* Joins a directory and a name to a path. Returns false if the path is too long. */
static bool join(char path[PATH_SIZE], const char *directory, const char *name)
{
	return snprintf(path, PATH_SIZE, "%s/%s", directory, name) < PATH_SIZE;
}

static size_t write_state(char *out, size_t size, const struct stat *status)
{
	struct buffer text = {out, 0, size, false};

	buffer_byte(&text, ' ');
	buffer_unsigned(&text, (uint64_t)status->st_size);
	buffer_byte(&text, ':');
	buffer_unsigned(&text, (uint64_t)status->st_mtim.tv_sec);
	buffer_byte(&text, '.');
	buffer_padded(&text, (uint64_t)status->st_mtim.tv_nsec, 9);
	(void)buffer_terminate(&text);
	return text.length;
}

/* Writes the beginning of the first line, which has the size and time of run.json. Returns its length, or 0 if there is
 * no run.json. */
static size_t write_head_start(char head[HEAD_SIZE], const struct files *files)
{
	struct stat status;
	size_t length = (size_t)snprintf(head, HEAD_SIZE, "rtrack-summary %d.%d " RTRACK_VERSION, FORMAT, TOTAL_COUNT);

	return files_status(files, SPOOL_RUN_FILE, &status) == 0
		       ? length + write_state(head + length, HEAD_SIZE - length, &status)
		       : 0;
}

/* Writes the rest of the first line, which has the size and time of each table. Returns 0, or -1 if a table cannot be
 * examined. */
static int write_head_rest(char head[HEAD_SIZE], size_t length, const struct files *files)
{
	for (int i = 0; i < TABLE_COUNT; i++) {
		struct stat status = {0};
		if (files_status(files, tables[i].file, &status) != 0 && errno != ENOENT)
			return -1;
		length += write_state(head + length, HEAD_SIZE - length, &status);
	}
	return 0;
}

static void write_number(FILE *out, double number)
{
	if (number_known(number))
		fprintf(out, "%.17g", number);
	fputc('\n', out);
}

/* Writes a string in the form that take_text reads. */
static void write_text(FILE *out, const char *text)
{
	fprintf(out, "%zu %s\n", strlen(text), text);
}

/* The strings that are stored with their lengths, in the order in which the file has them. */
static const size_t texts[] = {offsetof(struct digest, id), offsetof(struct digest, job), offsetof(struct digest, key),
	offsetof(struct digest, parent), offsetof(struct digest, group), offsetof(struct digest, host),
	offsetof(struct digest, user), offsetof(struct digest, unit), offsetof(struct digest, allocation),
	offsetof(struct digest, account), offsetof(struct digest, cluster)};

static const char **text_at(struct digest *digest, size_t i)
{
	return (const char **)(void *)((char *)digest + texts[i]);
}

/* Returns a digest with the fields that come directly from run.json. `key` is the result of job_key. */
static struct digest digest_of(const struct run *run, const char *key)
{
	return (struct digest){.id = run->id,
		.job = run->job,
		.key = key,
		.parent = "",
		.group = json_string(run->json, "group"),
		.host = run->host,
		.user = run->user,
		.unit = "",
		.allocation = "",
		.account = "",
		.cluster = unit_cluster(run),
		.status = run->status,
		.start_time = run->start_time,
		.problem = run->problem};
}

/* Returns the text of the file after its first line. The caller must free it. */
static char *write_body(const struct model *model)
{
	const struct run *run = model->run;
	char *key = job_key(run);
	struct digest digest = digest_of(run, key);
	struct use use;
	struct script script;
	char unit[UNIT_NAME_SIZE], allocation[UNIT_NAME_SIZE];
	char *text = NULL;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	script_of(&script, run);
	unit_of(run, unit);
	unit_allocation(run, allocation);
	digest.parent = nest_parent(run);
	digest.unit = unit;
	digest.allocation = allocation;
	digest.account = run_label(run, "account");
	cJSON *statistics = stats_json(&model->stats);
	use_make(&use, model);
	cJSON *needs = use_json(&use);
	char *totals_text = model_totals_text(model);
	char *stats_text = cJSON_PrintUnformatted(statistics);
	char *use_text = cJSON_PrintUnformatted(needs);
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		write_text(out, *text_at(&digest, i));
	fprintf(out, "%s\n%s\n", run->status, script.name);
	write_number(out, script.start_time);
	write_number(out, run->start_time);
	fprintf(out, "%d\n%s\n%s\n%s\nend\n", model->process.rows > 0, totals_text, stats_text, use_text);
	free(key);
	cJSON_free(totals_text);
	cJSON_free(stats_text);
	cJSON_free(use_text);
	cJSON_Delete(statistics);
	cJSON_Delete(needs);
	xclose_memstream(out);
	return text;
}

/* -- parsing a stored text, which is untrusted ----------------------------------------------------- */

/* Returns the next complete line of *rest, or NULL. */
static char *take_line(char **rest)
{
	char *line = *rest;
	char *end = strchr(line, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	*rest = end + 1;
	return line;
}

/* Reads a string that is stored as its length, a space, and its bytes. The string may contain newlines. */
static char *take_text(char **rest)
{
	char *start;
	size_t left = strlen(*rest);
	unsigned long length = strtoul(*rest, &start, 10);
	if (start == *rest || *start != ' ' || length >= left - (size_t)(start - *rest) - 1 ||
		start[1 + length] != '\n')
		return NULL;
	start[1 + length] = '\0';
	*rest = start + 1 + length + 1;
	return start + 1;
}

int digest_parse(struct digest *digest, char *text)
{
	enum { STATUS, SCRIPT, SCRIPT_TIME, START, ROWS, TOTALS, STATS, USE, LINES };
	struct digest parsed = *digest;
	const char *lines[LINES];

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		if (!(*text_at(&parsed, i) = take_text(&text)))
			return -1;
	for (size_t i = 0; i < LINES; i++)
		if (!(lines[i] = take_line(&text)))
			return -1;
	if (strcmp(text, "end\n") != 0)
		return -1;
	parsed.status = lines[STATUS];
	parsed.script = lines[SCRIPT];
	parsed.script_time = *lines[SCRIPT_TIME] ? strtod(lines[SCRIPT_TIME], NULL) : UNKNOWN;
	parsed.start_time = *lines[START] ? strtod(lines[START], NULL) : UNKNOWN;
	parsed.has_rows = strcmp(lines[ROWS], "1") == 0;
	parsed.totals = lines[TOTALS];
	parsed.stats = lines[STATS];
	parsed.use_text = lines[USE];
	*digest = parsed;
	return 0;
}

/* -- storage --------------------------------------------------------------------------------------- */

static bool is_whole(const struct series *series)
{
	return series->left_out == 0 && series->bad_cells == 0;
}

/* Returns whether the digest may be stored, because the run can no longer change: it has no sampler, and its records
 * are complete. The digest of a run with skipped lines is not stored, because those lines must be reported each time.
 */
static bool may_be_kept(const struct model *model)
{
	const struct run *run = model->run;
	struct stat status;

	return run_ended(run) && !run->problem && is_whole(&model->process) && is_whole(&model->system) &&
	       run->files.owner == geteuid() &&
	       fstatat(run->files.directory, SPOOL_LOCK_FILE, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

static int write_file(int directory, const char *head, const char *body)
{
	(void)unlinkat(directory, SPOOL_SUMMARY_FILE_NEW, 0);
	int file =
		openat(directory, SPOOL_SUMMARY_FILE_NEW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file < 0)
		return -1;
	int length = dprintf(file, "%s\n%s", head, body);
	int whole = close(file) == 0 && length == (int)(strlen(head) + 1 + strlen(body));
	if (whole && renameat(directory, SPOOL_SUMMARY_FILE_NEW, directory, SPOOL_SUMMARY_FILE) == 0)
		return 0;
	(void)unlinkat(directory, SPOOL_SUMMARY_FILE_NEW, 0);
	return -1;
}

/* Returns the whole stored digest if it begins with `head`, else NULL. The caller must free it. */
static char *read_file(const struct files *files, const char *head, size_t length)
{
	char text[FILE_MAX];
	int file = files_get(files, SPOOL_SUMMARY_FILE);

	if (file < 0)
		return NULL;
	ssize_t got = read(file, text, sizeof text - 1);
	close(file);
	if (got <= (ssize_t)length || got == sizeof text - 1 || memcmp(text, head, length) != 0)
		return NULL;
	text[got] = '\0';
	return xstrdup(text);
}

/* -- lookup ---------------------------------------------------------------------------------------- */

/* Computes a digest. The caller must get the sizes and times in `head` before the files are read. If a file changes
 * during the computation, they no longer match, and the digest is ignored. */
static bool make(struct digest *digest, const struct run *run, const char *head)
{
	const struct model_wish wish = {.sections = MODEL_STATS,
		.process_columns = use_columns(TABLE_process),
		.system_columns = use_columns(TABLE_system)};
	struct model model;

	model_read(&model, run, &wish);
	digest->text = write_body(&model);
	if (*head && may_be_kept(&model))
		(void)write_file(run->files.directory, head, digest->text);
	model_free(&model);
	return digest_parse(digest, digest->text) == 0;
}

/* Reads the stored digest. Returns false if there is none, if run.json has changed since, or if the digest was copied
 * from another run. */
static bool read_kept(
	struct digest *digest, const struct files *files, const char *name, const char *head, size_t length)
{
	char *text = length > 0 ? read_file(files, head, length) : NULL;
	char *body = text ? strchr(text, '\n') : NULL;

	if (body)
		*body = '\0';
	if (body && digest_parse(digest, body + 1) == 0 && strcmp(digest->id, name) == 0) {
		digest->user = owner_user(files, digest->user);
		digest->text = text; /* contains the first line too, which is not parsed */
		return true;
	}
	free(text);
	return false;
}

static bool find_anew(
	struct digest *digest, const char *path, const char *head, digest_asks *wanted, const void *context)
{
	struct run run;

	*digest = (struct digest){0};
	if (run_open(&run, path) != 0)
		return false;
	char *key = job_key(&run);
	*digest = digest_of(&run, key);
	bool found = (!wanted || wanted(context, digest)) && make(digest, &run, head);
	if (!found)
		digest_free(digest);
	free(key);
	run_close(&run);
	return found;
}

static void read_use(struct digest *digest)
{
	cJSON *json = cJSON_Parse(digest->use_text);

	use_read_json(&digest->use, json);
	cJSON_Delete(json);
}

bool digest_of_model(struct digest *digest, const struct model *model)
{
	*digest = (struct digest){.text = write_body(model), .identity = model->run->files.identity};
	if (digest_parse(digest, digest->text) != 0) {
		digest_free(digest);
		return false;
	}
	read_use(digest);
	return true;
}

bool digest_find(
	struct digest *digest, const struct runs *runs, const char *name, digest_asks *wanted, const void *context)
{
	char head[HEAD_SIZE];
	char path[PATH_SIZE];
	struct files files;

	*digest = (struct digest){0};
	if (!join(path, runs_spool_of(runs, name), name))
		return false;
	if (files_open(&files, path) != 0) {
		runs_count_unread(runs, name, errno);
		return false;
	}
	size_t length = write_head_start(head, &files);
	bool kept = read_kept(digest, &files, name, head, length);
	if (kept && wanted && !wanted(context, digest)) {
		digest_free(digest);
		files_close(&files);
		return false;
	}
	if (length == 0 || write_head_rest(head, length, &files) != 0)
		*head = '\0';
	bool found = kept && strcmp(digest->text, head) == 0;
	if (!found) {
		free(digest->text);
		found = find_anew(digest, path, head, wanted, context);
	}
	if (found)
		read_use(digest);
	digest->identity = files.identity;
	files_close(&files);
	return found;
}

void digest_free(struct digest *digest)
{
	char *text = digest->text;
	*digest = (struct digest){0};
	free(text);
}

static bool is_over(const void *unused, const struct digest *digest)
{
	(void)unused;
	return !digest->problem && strcmp(digest->status, "running") != 0;
}

void digest_keep(const char *spool, const char *only)
{
	struct runs runs;
	struct digest digest;
	const char *name;

	if (runs_list(&runs, spool) != 0)
		return;
	while ((name = runs_next_name(&runs)))
		if ((!only || strcmp(name, only) == 0) && digest_find(&digest, &runs, name, is_over, NULL))
			digest_free(&digest);
	runs_free(&runs);
}

struct totals digest_totals(const struct digest *digest)
{
	cJSON *json = cJSON_Parse(digest->totals);
	struct totals totals = totals_read_json(json);

	cJSON_Delete(json);
	return totals;
}

void digest_stats(const struct digest *digest, struct stats *stats)
{
	cJSON *json = cJSON_Parse(digest->stats);
	stats_read_json(stats, json);
	cJSON_Delete(json);
}

bool digest_ended(const struct digest *digest, const char *status)
{
	const struct use *use = &digest->use;

	return !status || strcmp(status, digest->status) == 0 || strcmp(status, outcome_word(use->outcome)) == 0 ||
	       strcmp(status, outcome_key(use->outcome)) == 0 || (strcmp(status, "oom") == 0 && use->end == USE_DIED);
}

bool digest_is_before(const struct digest *digest, const struct digest_run *later)
{
	if (strcmp(digest->key, later->key) != 0)
		return false;
	if (digest->start_time != later->run->start_time)
		return digest->start_time < later->run->start_time;
	return strcmp(digest->id, later->run->id) < 0;
}

bool digest_is_typical(const struct digest *digest)
{
	return digest->has_rows && strcmp(digest->status, "finished") == 0 && digest->use.end != USE_PART;
}
