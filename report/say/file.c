/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whole files, and makes files and directories. */
#define _GNU_SOURCE
#include "report/say/file.h"

#include "report/say/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_read_open(int file, size_t most, size_t *length)
{
	struct stat status;
	size_t room = 4096;
	size_t have = 0;
	ssize_t got;

	/* 2 more bytes: for the NUL, and for the read that finds the end of the file */
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
		room = ((size_t)status.st_size < most ? (size_t)status.st_size : most) + 2;
	char *text = xmalloc(room);

	while ((got = read(file, text + have, room - have - 1)) != 0 && have <= most) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		have += (size_t)got;
		if (have + 1 == room)
			text = xreallocarray(text, room *= 2, 1);
	}
	if (got < 0 || have > most) {
		errno = got < 0 ? errno : EFBIG;
		free(text);
		return NULL;
	}
	text[have] = '\0';
	if (length)
		*length = have;
	return text;
}

char *file_read(const char *path, size_t most, size_t *length)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return NULL;
	char *text = file_read_open(file, most, length);
	int error = errno;
	close(file);
	errno = error;
	return text;
}

int file_create_beside(const char *path, char **fresh)
{
	*fresh = xasprintf("%s.XXXXXX", path);
	int file = mkostemp(*fresh, O_CLOEXEC);
	mode_t mask = umask(0);

	(void)umask(mask);
	if (file < 0 || fchmod(file, 0666 & ~mask) == 0)
		return file;
	int error = errno;
	unlink(*fresh);
	close(file);
	errno = error;
	return -1;
}

int file_make_directory(const char *path, mode_t mode)
{
	return mkdir(path, mode) == 0 || errno == EEXIST ? 0 : -1;
}
