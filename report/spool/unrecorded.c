/* SPDX-License-Identifier: Apache-2.0 */
/* Finds runs whose end could not be written to their spool.
 *
 * The process that could not record the end leaves an empty file in os_volatile_directory, beside the links to running
 * runs (sampler/run/names.c). The root of such a run was not killed, even if the spool is writable again. */
#include "report/spool/ending.h"

#include "core/spool.h"
#include "os/file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

int unrecorded_open(uid_t user)
{
	char text[64];
	struct buffer path = BUFFER(text);
	struct stat status;

	os_volatile_directory(&path);
	buffer_string(&path, "/" SPOOL_NOTES);
	buffer_unsigned(&path, user);
	int directory = open(buffer_terminate(&path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory >= 0 && (fstat(directory, &status) != 0 || status.st_uid != user)) {
		close(directory);
		return -1;
	}
	return directory;
}

/* Opens the directory for notes about runs that could not record their end, and stores the name of the run's note. */
static int open_note(const struct files *files, char name[NAME_MAX + 1])
{
	(void)snprintf(name, NAME_MAX + 1, "%s" SPOOL_PARTED_FILE, text_basename(text_of(files->path)).data);
	return unrecorded_open(files->owner);
}

bool unrecorded_is(const struct files *files)
{
	char name[NAME_MAX + 1];
	struct stat status;
	int directory = open_note(files, name);
	bool found = directory >= 0 && fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;

	if (directory >= 0)
		close(directory);
	return found;
}

void unrecorded_remove(const struct files *files)
{
	char name[NAME_MAX + 1];
	int directory = open_note(files, name);

	if (directory < 0)
		return;
	(void)unlinkat(directory, name, 0);
	close(directory);
}
