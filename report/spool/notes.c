/* SPDX-License-Identifier: Apache-2.0 */
/* Removes the notes of ended runs. A note is a link by which new processes find their run, or an empty file that shows
 * that the end of a run could not be written to its spool.
 *
 * A scheduler may kill the root of a run together with its sampler. Neither can then remove the run's note, so commands
 * that read runs remove it. This is possible only in the namespaces in which the note was written: pids are valid
 * within one PID namespace, which the run's lock names, and a directory may exist only in some mount namespaces. */
#define _GNU_SOURCE
#include "report/spool/notes.h"

#include "core/spool.h"
#include "os/file.h"
#include "os/process.h"
#include "os/self.h"
#include "report/spool/ending.h"
#include "report/spool/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	NOTES_MOST = 4096,
	PATIENCE_SECONDS = 60,
	/* a note older than this is removed if the run's directory does not exist here */
	UNSEEN_SECONDS = 24 * 3600,
	UNRECORDED_SECONDS = 30 * 24 * 3600
};

/* Reads a file and NUL-terminates it. Returns the length, or -1 with errno. */
static ssize_t read_text(const char *path, char *text, size_t size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (file < 0)
		return -1;
	ssize_t length = read(file, text, size - 1);
	close(file);
	if (length >= 0)
		text[length] = '\0';
	return length;
}

/* Returns whether a process is alive. Returns true if the process cannot be examined. */
static bool is_alive(struct process_id id)
{
	struct process_reading reading;
	int result = process_read(id.pid, false, &reading);

	if (result < 0)
		return result != OS_ERROR_MISSING && result != OS_ERROR_NO_PROCESS;
	return process_is(reading.id, id);
}

struct notes {
	int directory;
	uint64_t pid_namespace;
};

/* Returns whether this process can determine if the run of a note has ended. This is possible if the note or the run's
 * lock names our PID namespace. It is also possible if the run has no lock, because such a run has ended. */
static bool is_of_here(const struct notes *notes, const char *name, const struct spool_note *said)
{
	const char *run = said->directory.data;
	char path[SPOOL_PATH_MAX];
	char text[40];
	struct stat note;

	if (said->namespace == notes->pid_namespace)
		return true;
	if (snprintf(path, sizeof path, "%s/%s", run, SPOOL_LOCK_FILE) >= (int)sizeof path)
		return false;
	if (read_text(path, text, sizeof text) >= 0)
		return strtoull(text, NULL, 10) == notes->pid_namespace;
	if (errno != ENOENT)
		return false;
	if (access(run, F_OK) == 0)
		return true;
	return fstatat(notes->directory, name, &note, AT_SYMLINK_NOFOLLOW) == 0 &&
	       time(NULL) - note.st_mtim.tv_sec > UNSEEN_SECONDS;
}

static bool is_dead(const struct notes *notes, const char *name, const struct spool_note *note)
{
	char *end;
	long pid = strtol(name, &end, 10);

	if (*end || pid <= 0 || pid > INT32_MAX)
		return false;
	return !is_alive((struct process_id){(int)pid, note->start}) && is_of_here(notes, name, note);
}

static ssize_t read_note(const struct notes *notes, const char *name, char text[SPOOL_PATH_MAX])
{
	ssize_t length = readlinkat(notes->directory, name, text, SPOOL_PATH_MAX - 1);
	text[length > 0 ? length : 0] = '\0';
	return length;
}

/* Returns whether the end of the run still has to be recorded. The end of a killed run is recorded only after two
 * intervals without rows. Until then, the note must be kept, because other processes find the run by it
 * (sampler/run/leftover.c). run_open records the end if possible. */
static bool is_awaited(const char *directory)
{
	char path[SPOOL_PATH_MAX];
	struct run run;

	if (snprintf(path, sizeof path, "%s/%s", directory, SPOOL_LOCK_FILE) >= (int)sizeof path ||
		access(path, F_OK) != 0 || run_open(&run, directory) != 0)
		return false;
	bool recent = run_ended(&run) && (double)time(NULL) - run.stop_time < 2 * run.interval + PATIENCE_SECONDS;
	run_close(&run);
	return recent && access(path, F_OK) == 0;
}

static void look_at(const struct notes *notes, const char *name)
{
	char text[SPOOL_PATH_MAX];
	char again[SPOOL_PATH_MAX];
	struct spool_note note;

	if (read_note(notes, name, text) <= 0 || !spool_parse_note(text_of(text), &note) ||
		!is_dead(notes, name, &note) || is_awaited(note.directory.data))
		return;
	/* Read the note again just before removing it, because a new root with the same pid may have replaced the
	 * note. */
	if (read_note(notes, name, again) > 0 && strcmp(text, again) == 0)
		(void)unlinkat(notes->directory, name, 0);
}

/* Removes a note of an unrecorded end that nobody needed for a month. */
static void remove_if_old(const struct notes *notes, const char *name)
{
	struct stat status;

	if (fstatat(notes->directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		time(NULL) - status.st_mtim.tv_sec > UNRECORDED_SECONDS)
		(void)unlinkat(notes->directory, name, 0);
}

void notes_sweep(void)
{
	struct notes notes = {unrecorded_open(geteuid()), os_pid_namespace()};
	DIR *entries = notes.directory >= 0 ? fdopendir(notes.directory) : NULL;
	const struct dirent *entry;

	if (!entries && notes.directory >= 0)
		close(notes.directory);
	if (!entries)
		return;
	/* Without /proc, every process would seem to be dead. The number of our PID namespace is 0 in that case, and no
	 * note is removed. */
	for (int i = 0; notes.pid_namespace != 0 && i < NOTES_MOST && (entry = readdir(entries)); i++)
		if (entry->d_type == DT_LNK)
			look_at(&notes, entry->d_name);
		else if (entry->d_type == DT_REG)
			remove_if_old(&notes, entry->d_name);
	closedir(entries);
}
