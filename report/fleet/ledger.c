/* What of a run was sent to a target; see ledger.h. */
#define _GNU_SOURCE
#include "report/fleet/ledger.h"

#include "core/number.h"
#include "report/spool/lines.h"

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

/* -- reading --------------------------------------------------------------------------------------- */

/* The next word of a line, which it is cut from. */
static struct text take_word(struct text *line)
{
	size_t length = text_find(*line, ' ', 0);
	struct text word = {line->data, length};
	size_t used = length + (length < line->length);

	line->data += used;
	line->length -= used;
	return word;
}

static bool copy(char *to, size_t size, struct text from)
{
	if (from.length == 0 || from.length >= size)
		return false;
	memcpy(to, from.data, from.length);
	to[from.length] = '\0';
	return true;
}

static void keep_note(struct ledger *ledger, struct text word, struct text value)
{
	struct ledger_note note;
	size_t i = 0;

	if (!copy(note.word, sizeof note.word, word) || !copy(note.value, sizeof note.value, value))
		return;
	while (i < ledger->note_count && strcmp(ledger->notes[i].word, note.word) != 0)
		i++;
	if (i == LEDGER_NOTES_MAX)
		return;
	ledger->notes[i] = note;
	ledger->note_count += i == ledger->note_count;
}

/* mean TABLE END, sent TABLE END, note WORD VALUE; others say nothing. */
static void take_line(struct ledger *ledger, struct text line)
{
	struct text verb = take_word(&line);
	struct text name = take_word(&line);
	uint64_t end;

	if (text_is(verb, "note")) {
		keep_note(ledger, name, line);
		return;
	}
	if (number_read_unsigned(line, &end) != 0)
		return;
	for (enum table_id id = 0; id < TABLE_COUNT; id++) {
		if (!text_is(name, tables[id].name))
			continue;
		if (text_is(verb, "mean"))
			ledger->meant[id] = end;
		if (text_is(verb, "sent") && end > ledger->sent[id]) {
			ledger->sent[id] = end;
			ledger->number[id]++;
		}
	}
}

static int read_all(struct ledger *ledger)
{
	struct lines lines;
	struct line line;
	int file = open(ledger->path, O_RDONLY | O_CLOEXEC);
	bool torn = false;

	if (file < 0)
		return -1;
	lines_take(&lines, file, "");
	while (lines_next(&lines, &line)) {
		torn = line.torn;
		if (!line.torn && !line.cut)
			take_line(ledger, (struct text){line.data, line.length});
	}
	int error = lines.error;
	lines_close(&lines);
	/* Whatever follows is a line of its own. */
	if (torn && error == 0 && write(ledger->file, "\n", 1) != 1)
		error = errno ? errno : EIO;
	errno = error;
	return error == 0 ? 0 : -1;
}

/* -- opening --------------------------------------------------------------------------------------- */

/* The directory of the target's ledgers, which the caller frees; NULL with errno. */
static char *make_directory(const char *spool, size_t length, const char *target)
{
	char *above = NULL, *path = NULL;

	if (asprintf(&above, "%.*s/" DIRECTORY, (int)length, spool) < 0)
		return NULL;
	if (asprintf(&path, "%s/%s", above, target) < 0)
		path = NULL;
	if (path && ((mkdir(above, 0700) != 0 && errno != EEXIST) || (mkdir(path, 0700) != 0 && errno != EEXIST))) {
		free(path);
		path = NULL;
	}
	free(above);
	return path;
}

/* Opens the file and takes its lock. One that was swept away meanwhile is made again. */
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

int ledger_scratch(const struct ledger *ledger)
{
	char *path;
	int length = (int)(strrchr(ledger->path, '/') - ledger->path);

	if (asprintf(&path, "%.*s/.scratch-XXXXXX", length, ledger->path) < 0)
		return -1;
	int file = mkstemp(path);
	int error = errno;
	if (file >= 0)
		(void)unlink(path);
	free(path);
	errno = error;
	return file;
}

int ledger_open(struct ledger *ledger, const char *run, const char *target)
{
	char *place = realpath(run, NULL);
	char *slash = place ? strrchr(place, '/') : NULL;
	char *directory = slash ? make_directory(place, (size_t)(slash - place), target) : NULL;
	int result = -1;

	*ledger = (struct ledger){.file = -1};
	if (directory && asprintf(&ledger->path, "%s/%s", directory, slash + 1) < 0)
		ledger->path = NULL;
	if (ledger->path)
		ledger->file = open_locked(ledger->path);
	if (ledger->path && ledger->file >= 0)
		result = read_all(ledger);
	int error = errno;
	free(directory);
	free(place);
	if (result != 0)
		ledger_close(ledger);
	errno = error;
	return result;
}

void ledger_close(struct ledger *ledger)
{
	if (ledger->file >= 0)
		close(ledger->file);
	free(ledger->path);
	*ledger = (struct ledger){.file = -1};
}

/* -- writing --------------------------------------------------------------------------------------- */

static int append(const struct ledger *ledger, const char *verb, const char *word, const char *value)
{
	char line[LEDGER_WORD_SIZE + LEDGER_VALUE_SIZE + 16];
	int length = snprintf(line, sizeof line, "%s %s %s\n", verb, word, value);

	if (length >= (int)sizeof line) {
		errno = EINVAL;
		return -1;
	}
	ssize_t written = write(ledger->file, line, (size_t)length);
	if (written == length)
		return 0;
	/* The next line must not become a part of a line that a full disk cut. */
	if (written > 0) {
		(void)!write(ledger->file, "\n", 1);
		errno = ENOSPC;
	}
	return -1;
}

static int append_end(const struct ledger *ledger, const char *verb, enum table_id table, uint64_t end)
{
	char number[32];
	snprintf(number, sizeof number, "%llu", (unsigned long long)end);
	return append(ledger, verb, tables[table].name, number);
}

int ledger_mean(struct ledger *ledger, enum table_id table, uint64_t end)
{
	if (append_end(ledger, "mean", table, end) != 0 || fdatasync(ledger->file) != 0)
		return -1;
	ledger->meant[table] = end;
	return 0;
}

int ledger_arrived(struct ledger *ledger, enum table_id table)
{
	if (append_end(ledger, "sent", table, ledger->meant[table]) != 0)
		return -1;
	ledger->sent[table] = ledger->meant[table];
	ledger->number[table]++;
	return 0;
}

const char *ledger_noted(const struct ledger *ledger, const char *word)
{
	for (size_t i = 0; i < ledger->note_count; i++)
		if (strcmp(ledger->notes[i].word, word) == 0)
			return ledger->notes[i].value;
	return "";
}

int ledger_note(struct ledger *ledger, const char *word, const char *value)
{
	if (append(ledger, "note", word, value) != 0 || fdatasync(ledger->file) != 0)
		return -1;
	keep_note(ledger, text_of(word), text_of(value));
	return 0;
}

/* -- sweeping -------------------------------------------------------------------------------------- */

/* A ledger that is in use has its run. */
static void sweep_one(const char *spool, const char *directory, const char *name)
{
	char *run = NULL, *path = NULL;

	if (asprintf(&run, "%s/%s", spool, name) >= 0 && access(run, F_OK) != 0 && errno == ENOENT &&
		asprintf(&path, "%s/%s", directory, name) >= 0)
		(void)unlink(path);
	free(run);
	free(path);
}

void ledger_sweep(const char *spool, const char *target)
{
	char *path;
	const struct dirent *entry;

	if (asprintf(&path, "%s/" DIRECTORY "/%s", spool, target) < 0)
		return;
	DIR *directory = opendir(path);
	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			sweep_one(spool, path, entry->d_name);
	if (directory)
		closedir(directory);
	free(path);
}
