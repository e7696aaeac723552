/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the run of a process, and registers the roots of running runs.
 *
 * A process usually finds its run through RTRACK_RUN. If its environment is empty, it finds the run through its
 * ancestors. Each running root is therefore registered in os_volatile_directory, which can be found without an
 * environment. Its entry is a symbolic link rtrack-UID/PID (struct spool_note). */
#include "sampler/run/names.h"

#include "os/file.h"
#include "os/self.h"

enum { ANCESTORS_MAX = 64, NOTE_PATH_MAX = RUN_NOTE_MAX, UNRECORDED_PATH_MAX = 320 };

struct text run_id(const char *directory)
{
	return text_basename(text_of(directory));
}

/* Writes the path of the directory of links. If pid > 0, writes the path of that process's link. */
static char *note_path(struct buffer *out, int pid)
{
	os_volatile_directory(out);
	buffer_string(out, "/" SPOOL_NOTES);
	buffer_unsigned(out, os_user());
	if (pid > 0) {
		buffer_byte(out, '/');
		buffer_unsigned(out, (uint64_t)pid);
	}
	return buffer_terminate(out);
}

int run_read_note(int at, const char *path, char target[SPOOL_PATH_MAX], struct spool_note *note)
{
	int64_t length = os_read_link(at, path, target, SPOOL_PATH_MAX - 1);

	if (length <= 0)
		return -1;
	target[length] = '\0';
	return spool_parse_note((struct text){target, (size_t)length}, note) ? 0 : -1;
}

int run_notes(char path[RUN_NOTE_MAX])
{
	struct buffer out = {path, 0, RUN_NOTE_MAX, false};
	return os_check_directory(note_path(&out, 0), false);
}

/* Returns whether a link belongs to a root in another PID namespace. */
static bool is_elsewhere(const struct spool_note *note)
{
	uint64_t own = note->namespace == 0 ? 0 : os_pid_namespace();
	return own != 0 && own != note->namespace;
}

void run_announce(const char *directory, struct process_id root)
{
	char path[NOTE_PATH_MAX];
	char target[SPOOL_PATH_MAX];
	struct spool_note note;
	struct buffer place = BUFFER(path);
	struct buffer text = BUFFER(target);

	(void)os_make_directory(note_path(&place, 0));
	if (os_check_directory(path, false) != 0)
		return;
	place.length = 0;
	if (run_read_note(OS_HERE, note_path(&place, root.pid), target, &note) == 0 && is_elsewhere(&note) &&
		!os_pid_namespace_is_gone(note.namespace, note.start))
		return;
	buffer_unsigned(&text, root.start);
	buffer_byte(&text, ' ');
	buffer_unsigned(&text, os_pid_namespace());
	buffer_byte(&text, ':');
	buffer_string(&text, directory);
	(void)buffer_terminate(&text);
	(void)os_remove(OS_HERE, path);
	if (!text.full)
		(void)os_make_link(target, OS_HERE, path);
}

void run_unannounce(const char *directory)
{
	char path[NOTE_PATH_MAX];
	char target[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	struct spool_note note;
	int pid = spool_id_pid(run_id(directory));

	if (pid > 0 && run_read_note(OS_HERE, note_path(&out, pid), target, &note) == 0 &&
		text_is(note.directory, directory))
		(void)os_remove(OS_HERE, path);
}

/* Writes the path of the note that the end of the run could not be recorded in its directory. */
static char *unrecorded_path(struct buffer *out, const char *directory)
{
	(void)note_path(out, 0);
	buffer_byte(out, '/');
	buffer_text(out, run_id(directory));
	buffer_string(out, SPOOL_PARTED_FILE);
	return buffer_terminate(out);
}

void run_note_unrecorded(const char *directory)
{
	char path[UNRECORDED_PATH_MAX];
	struct buffer out = BUFFER(path);

	if (os_check_directory(note_path(&out, 0), false) != 0)
		return;
	out.length = 0;
	(void)unrecorded_path(&out, directory);
	if (!out.full)
		(void)os_create(OS_HERE, path, TEXT(""));
}

bool run_is_unrecorded(const char *directory)
{
	char path[UNRECORDED_PATH_MAX];
	struct buffer out = BUFFER(path);

	(void)unrecorded_path(&out, directory);
	return !out.full && os_exists(OS_HERE, path);
}

bool run_is_ours(const char *directory)
{
	return directory[0] == '/' && text_length(directory) + 32 <= SPOOL_PATH_MAX &&
	       os_check_directory(directory, false) == 0;
}

static char *lock_path(struct buffer *out, const char *directory)
{
	buffer_string(out, directory);
	buffer_string(out, "/" SPOOL_LOCK_FILE);
	return buffer_terminate(out);
}

bool run_goes_on(const char *directory)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	return os_exists(OS_HERE, lock_path(&out, directory));
}

/* Reads the lock file of a run with a long path, which is rare. This is a separate function, so that most processes do
 * not touch the stack pages for a long path. */
static int64_t read_long_lock(const char *directory, char *data, size_t capacity)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	return os_read_once(OS_HERE, lock_path(&out, directory), data, capacity);
}

static int64_t read_lock(const char *directory, char *data, size_t capacity)
{
	char path[256];
	struct buffer out = BUFFER(path);
	const char *lock = lock_path(&out, directory);
	return out.full ? read_long_lock(directory, data, capacity) : os_read_once(OS_HERE, lock, data, capacity);
}

bool run_is_open(const char *directory)
{
	uint64_t view = os_pid_view(os_pid());
	char numbers[SPOOL_LOCK_MAX];
	int64_t length = read_lock(directory, numbers, sizeof numbers);
	struct spool_lock lock = spool_parse_lock((struct text){numbers, length > 0 ? (size_t)length : 0});

	if (length < 0)
		return false;
	if (lock.view != 0 && lock.view == view)
		return true;
	uint64_t ours = os_pid_namespace();
	return lock.namespace == 0 || ours == 0 || lock.namespace == ours;
}

uint64_t run_task(const char *directory)
{
	char path[SPOOL_PATH_MAX];
	char numbers[SPOOL_LOCK_MAX];
	struct buffer out = BUFFER(path);
	int64_t length = os_read(OS_HERE, lock_path(&out, directory), numbers, sizeof numbers);
	return spool_parse_lock((struct text){numbers, length > 0 ? (size_t)length : 0}).task;
}

bool run_is_sampled(const char *directory)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	int file = os_open(OS_HERE, lock_path(&out, directory));
	/* A shared lock is used, so that two processes can check at the same time. */
	bool held = file >= 0 && os_lock(file, true) != 0;
	os_close(file);
	return held;
}

bool run_find_ancestor(struct buffer *out, int pid)
{
	char path[NOTE_PATH_MAX];
	char target[SPOOL_PATH_MAX];
	struct buffer place = BUFFER(path);
	struct process_reading reading;

	if (os_check_directory(note_path(&place, 0), false) != 0)
		return false;
	for (int depth = 0; depth < ANCESTORS_MAX && pid > 1; depth++, pid = reading.ppid) {
		struct spool_note note;
		if (process_read(pid, false, &reading) != 0)
			return false;
		place.length = 0;
		/* Several PID namespaces can share the directory of links. Their first processes may then have equal
		 * pids and start times. */
		if (run_read_note(OS_HERE, note_path(&place, pid), target, &note) != 0 ||
			note.start != reading.id.start || is_elsewhere(&note))
			continue;
		buffer_text(out, note.directory);
		return run_is_ours(buffer_terminate(out)) && !out->full;
	}
	return false;
}
