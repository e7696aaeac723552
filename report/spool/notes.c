/* What is left of runs whose end nobody saw; see notes.h.
 *
 * Where root and sampler were killed together, as at the end of a scheduler's patience, nobody takes the note away.
 * Programs of a job have no time for such work, so whoever looks at runs does it. A note may be wrong about a living
 * run only if it is read from elsewhere: pids have a meaning in one PID namespace, which a run's lock names, and a
 * directory is seen in some mount namespaces only. */
#define _GNU_SOURCE
#include "report/spool/notes.h"

#include "core/spool.h"

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
	UNSEEN_SECONDS = 24 * 3600, /* after which a note of a directory that is not here is dead */
	START_TICKS_FIELD = 22,     /* of /proc/PID/stat, see proc_pid_stat(5) */
	NAME_FIELD = 2
};

/* Returns the length of what was read, with a NUL behind it; or -1 with errno. */
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

static bool is_alive(int pid, unsigned long long start_ticks)
{
	char path[40];
	char stat[1024];
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	if (read_text(path, stat, sizeof stat) < 0)
		return errno != ENOENT && errno != ESRCH;
	/* The name may hold anything, brackets too. */
	char *at = strrchr(stat, ')');
	for (int field = NAME_FIELD; at && field < START_TICKS_FIELD; field++)
		at = strchr(at + 1, ' ');
	return !at || strtoull(at, NULL, 10) == start_ticks;
}

static unsigned long long own_pid_namespace(void)
{
	char text[40];
	ssize_t length = readlink("/proc/self/ns/pid", text, sizeof text - 1);
	text[length > 0 ? length : 0] = '\0';
	const char *number = strchr(text, '[');
	return number ? strtoull(number + 1, NULL, 10) : 0;
}

struct notes {
	int directory;
	unsigned long long pid_namespace;
};

/* Whether a run whose root is not alive here is over, or its pids are those that we see. */
static bool is_of_here(const struct notes *notes, const char *name, const char *run)
{
	char path[SPOOL_PATH_MAX];
	char text[40];
	struct stat note;

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

static bool is_dead(const struct notes *notes, const char *name, const char *text)
{
	char *end;
	char *run;
	long pid = strtol(name, &end, 10);

	if (*end || pid <= 0 || pid > INT32_MAX)
		return false;
	unsigned long long start_ticks = strtoull(text, &run, 10);
	return run > text && *run == ':' && run[1] == '/' && !is_alive((int)pid, start_ticks) &&
	       is_of_here(notes, name, run + 1);
}

static ssize_t read_note(const struct notes *notes, const char *name, char text[SPOOL_PATH_MAX])
{
	ssize_t length = readlinkat(notes->directory, name, text, SPOOL_PATH_MAX - 1);
	text[length > 0 ? length : 0] = '\0';
	return length;
}

static void look_at(const struct notes *notes, const char *name)
{
	char text[SPOOL_PATH_MAX];
	char again[SPOOL_PATH_MAX];

	/* A new root of that pid may have put its own there meanwhile. */
	if (read_note(notes, name, text) > 0 && is_dead(notes, name, text) && read_note(notes, name, again) > 0 &&
		strcmp(text, again) == 0)
		(void)unlinkat(notes->directory, name, 0);
}

static int open_notes(void)
{
	char path[64];
	struct stat status;
	bool shared = access("/dev/shm", F_OK) == 0;

	snprintf(path, sizeof path, "%s%u", shared ? SPOOL_NOTES : SPOOL_NOTES_ELSEWHERE, (unsigned)geteuid());
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory >= 0 && (fstat(directory, &status) != 0 || status.st_uid != geteuid())) {
		close(directory);
		return -1;
	}
	return directory;
}

void notes_sweep(void)
{
	struct notes notes = {open_notes(), own_pid_namespace()};
	DIR *entries = notes.directory >= 0 ? fdopendir(notes.directory) : NULL;
	const struct dirent *entry;

	if (!entries && notes.directory >= 0)
		close(notes.directory);
	if (!entries)
		return;
	/* Where /proc is missing, or another namespace's, nobody seems to be alive, and there is no number of ours. */
	for (int i = 0; notes.pid_namespace != 0 && i < NOTES_MOST && (entry = readdir(entries)); i++)
		if (entry->d_type == DT_LNK)
			look_at(&notes, entry->d_name);
	closedir(entries);
}
