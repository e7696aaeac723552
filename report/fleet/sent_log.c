/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/fleet/sent_log.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/say/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY ".shipped"

static const size_t LOG_MAX = (size_t)1 << 30;

/* -- reading --------------------------------------------------------------------------------------- */

static void keep_note(struct sent_log *log, const char *word, const char *value)
{
	struct sent_log_note note;
	size_t i = 0;

	if (!*word || !*value || snprintf(note.word, sizeof note.word, "%s", word) >= (int)sizeof note.word ||
		snprintf(note.value, sizeof note.value, "%s", value) >= (int)sizeof note.value)
		return;
	while (i < log->note_count && strcmp(log->notes[i].word, word) != 0)
		i++;
	if (i == SENT_LOG_NOTES_MAX)
		return;
	log->notes[i] = note;
	log->note_count += i == log->note_count;
}

/* Parses a line of the log: "mean TABLE END", "sent TABLE END" or "note WORD VALUE". Ignores any other line. */
static void take_line(struct sent_log *log, char *line)
{
	const char *verb = strsep(&line, " "), *name = strsep(&line, " ");
	uint64_t end;

	if (!line)
		return;
	if (strcmp(verb, "note") == 0)
		keep_note(log, name, line);
	else if (number_read_unsigned(text_of(line), &end) == 0)
		for (enum table_id id = 0; id < TABLE_COUNT; id++) {
			if (strcmp(name, tables[id].name) != 0)
				continue;
			if (strcmp(verb, "mean") == 0)
				log->begun[id] = end;
			if (strcmp(verb, "sent") == 0 && end > log->sent[id]) {
				log->sent[id] = end;
				log->number[id]++;
			}
		}
}

static int read_log(struct sent_log *log)
{
	char *content = file_read(log->path, LOG_MAX, NULL), *rest = content, *end;

	if (!content)
		return -1;
	for (; (end = strchr(rest, '\n')); rest = end + 1) {
		*end = '\0';
		take_line(log, rest);
	}
	/* Ends an incomplete last line, so that the next line does not continue it. */
	bool failed = *rest && write(log->file, "\n", 1) != 1;
	free(content);
	return failed ? -1 : 0;
}

/* -- opening --------------------------------------------------------------------------------------- */

/* Opens and locks the file. If sent_log_sweep removed the file before it was locked, the file is created again. */
static int open_locked(const char *path)
{
	struct stat here, there;

	for (;;) {
		int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (file < 0)
			return -1;
		if (flock(file, LOCK_EX | LOCK_NB) != 0) {
			int error = errno;
			close(file);
			errno = error;
			return -1;
		}
		if (fstat(file, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino)
			return file;
		close(file);
	}
}

int sent_log_open(struct sent_log *log, const char *run, const char *target)
{
	char *path = realpath(run, NULL), *name = path ? strrchr(path, '/') : NULL;
	char *above = NULL, *directory = NULL;
	int result = -1;

	*log = (struct sent_log){.file = -1};
	if (name) {
		above = xasprintf("%.*s/" DIRECTORY, (int)(name - path), path);
		directory = xasprintf("%s/%s", above, target);
		log->path = xasprintf("%s%s", directory, name);
	}
	if (name && file_make_directory(above, 0700) == 0 && file_make_directory(directory, 0700) == 0)
		log->file = open_locked(log->path);
	if (log->file >= 0)
		result = read_log(log);
	int error = errno;
	free(path);
	free(above);
	free(directory);
	if (result != 0)
		sent_log_close(log);
	errno = error;
	return result;
}

void sent_log_close(struct sent_log *log)
{
	if (log->file >= 0)
		close(log->file);
	free(log->path);
	*log = (struct sent_log){.file = -1};
}

int sent_log_scratch(const struct sent_log *log)
{
	char *path = xasprintf("%.*s/.scratch-XXXXXX", (int)(strrchr(log->path, '/') - log->path), log->path);
	int file = mkstemp(path), error = errno;

	if (file >= 0)
		(void)unlink(path);
	free(path);
	errno = error;
	return file;
}

/* -- writing --------------------------------------------------------------------------------------- */

static int append(const struct sent_log *log, const char *verb, const char *word, const char *value)
{
	char line[SENT_LOG_WORD_SIZE + SENT_LOG_VALUE_SIZE + 16];
	int length = snprintf(line, sizeof line, "%s %s %s\n", verb, word, value);

	if (length >= (int)sizeof line) {
		errno = EINVAL;
		return -1;
	}
	ssize_t written = write(log->file, line, (size_t)length);
	if (written == length)
		return 0;
	/* Ends the line that a full disk truncated, so that the next line does not continue it. */
	if (written > 0) {
		(void)!write(log->file, "\n", 1);
		errno = ENOSPC;
	}
	return -1;
}

static int append_end(const struct sent_log *log, const char *verb, enum table_id table, uint64_t end)
{
	char number[32];

	(void)snprintf(number, sizeof number, "%llu", (unsigned long long)end);
	return append(log, verb, tables[table].name, number);
}

int sent_log_begin(struct sent_log *log, enum table_id table, uint64_t end)
{
	if (append_end(log, "mean", table, end) != 0 || fdatasync(log->file) != 0)
		return -1;
	log->begun[table] = end;
	return 0;
}

int sent_log_arrived(struct sent_log *log, enum table_id table)
{
	if (append_end(log, "sent", table, log->begun[table]) != 0)
		return -1;
	log->sent[table] = log->begun[table];
	log->number[table]++;
	return 0;
}

const char *sent_log_noted(const struct sent_log *log, const char *word)
{
	for (size_t i = 0; i < log->note_count; i++)
		if (strcmp(log->notes[i].word, word) == 0)
			return log->notes[i].value;
	return "";
}

int sent_log_note(struct sent_log *log, const char *word, const char *value)
{
	if (append(log, "note", word, value) != 0 || fdatasync(log->file) != 0)
		return -1;
	keep_note(log, word, value);
	return 0;
}

void sent_log_sweep(const char *spool, const char *target)
{
	char *path = xasprintf("%s/" DIRECTORY "/%s", spool, target);
	DIR *directory = opendir(path);
	const struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		char *run = xasprintf("%s/%s", spool, entry->d_name);
		if (entry->d_name[0] != '.' && access(run, F_OK) != 0 && errno == ENOENT)
			(void)unlinkat(dirfd(directory), entry->d_name, 0);
		free(run);
	}
	if (directory)
		closedir(directory);
	free(path);
}
