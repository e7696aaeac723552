/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the files of one run relative to its directory. */
#define _GNU_SOURCE
#include "report/spool/files.h"

#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Without O_NONBLOCK, opening a FIFO would wait for a writer. */
enum { OPEN_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

#define ANYONE ((uid_t)-1)

int files_open(struct files *files, const char *path)
{
	struct stat status;
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	*files = FILES_NONE;
	if (directory < 0) {
		int error = errno;
		bool link = error == ENOTDIR && lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
		errno = link ? ELOOP : error;
		return -1;
	}
	if (fstat(directory, &status) != 0) {
		close(directory);
		return -1;
	}
	*files = (struct files){
		path, directory, status.st_uid, status.st_gid, {status.st_uid, status.st_dev, status.st_ino}};
	return 0;
}

void files_close(struct files *files)
{
	/* A struct of zeros was never opened, so its descriptor 0 must not be closed. */
	if (files->path && files->directory >= 0)
		close(files->directory);
	*files = FILES_NONE;
}

/* Returns whether a file may belong to the run. Otherwise sets errno and returns false. */
static bool is_file_of(const struct files *files, const struct stat *status)
{
	if (S_ISREG(status->st_mode) && status->st_uid == files->owner)
		return true;
	errno = S_ISREG(status->st_mode) ? EPERM : S_ISDIR(status->st_mode) ? EISDIR : EINVAL;
	return false;
}

int files_get(const struct files *files, const char *name)
{
	struct stat status;

	if (files->directory < 0) {
		errno = ENOENT;
		return -1;
	}
	int file = openat(files->directory, name, OPEN_FLAGS);
	if (file < 0 || (fstat(file, &status) == 0 && is_file_of(files, &status)))
		return file;
	int error = errno;
	close(file);
	errno = error;
	return -1;
}

bool files_is_foreign(int error)
{
	return error == ELOOP || error == EPERM || error == EINVAL || error == EISDIR || error == ENXIO;
}

int files_status(const struct files *files, const char *name, struct stat *status)
{
	if (fstatat(files->directory, name, status, AT_SYMLINK_NOFOLLOW) != 0)
		return -1;
	return is_file_of(files, status) ? 0 : -1;
}

/* Opens a regular file that belongs to `owner`, or to any user if `owner` is ANYONE. */
static int open_outside(const struct files *files, const char *path, uid_t owner)
{
	struct stat status;

	if (files->directory < 0 || path[0] != '/')
		return -1;
	int file = geteuid() == files->owner ? open(path, OPEN_FLAGS) : os_open_as(files->owner, files->group, path);
	if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
		(owner == ANYONE || status.st_uid == owner))
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

int files_get_outside(const struct files *files, const char *path)
{
	return open_outside(files, path, ANYONE);
}

int files_get_own(const struct files *files, const char *path)
{
	return open_outside(files, path, files->owner);
}
