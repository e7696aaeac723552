/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a page to a file, completely or not at all, and opens it in a browser. */
#define _GNU_SOURCE
#include "report/page/page_file.h"

#include "report/say/alloc.h"
#include "report/say/exit.h"
#include "report/say/file.h"
#include "report/say/message.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/build.h"

char *page_file_name(const char *id)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";
	char *name = xasprintf("rtrack-%s.html", id);

	for (char *c = name; *(c += strspn(c, plain));)
		*c = '_';
	return name;
}

/* Writes a page to an open file, and closes the file. Returns 0, or -1 with errno. */
static int write_and_close(FILE *out, int (*write)(FILE *out, const void *page), const void *page)
{
	int failed = write(out, page);
	int error = errno;

	if (fclose(out) != 0 && failed == 0)
		return -1;
	errno = error;
	return failed == 0 ? 0 : -1;
}

int page_file_write(const char *path, int (*write)(FILE *out, const void *page), const void *page)
{
	struct stat facts;
	FILE *out = fopen(path, "w");
	if (!out)
		return message_cannot_write(path);
	bool regular = fstat(fileno(out), &facts) == 0 && S_ISREG(facts.st_mode);
	if (write_and_close(out, write, page) == 0)
		return EXIT_DONE;
	int error = errno;
	if (regular)
		unlink(path);
	errno = error;
	return message_cannot_write(path);
}

int page_file_replace(const char *path, int (*write)(FILE *out, const void *page), const void *page)
{
	char *fresh;
	int file = file_create_beside(path, &fresh), error = errno;
	FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
	bool whole = out && write_and_close(out, write, page) == 0 && rename(fresh, path) == 0;

	if (file >= 0 && !whole) {
		error = errno;
		unlink(fresh);
	}
	if (file >= 0 && !out)
		close(file);
	free(fresh);
	errno = error;
	return whole ? EXIT_DONE : message_cannot_write(path);
}

int page_file_open(const char *path)
{
	const char *browser = getenv("BROWSER");
	char *arguments[] = {
		(char *)(uintptr_t)(browser && *browser ? browser : BUILD_OPENER), (char *)(uintptr_t)path, NULL};
	pid_t child;
	int error = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);

	if (error == 0)
		return EXIT_DONE;
	message_print("'%s' cannot be run: %s", arguments[0], strerror(error));
	return EXIT_NO_DATA;
}
