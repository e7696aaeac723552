/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the command load the library on Linux.
 *
 * If the dynamic loader cannot load an entry of LD_PRELOAD, it prints an error to stderr in every process. The
 * library is therefore added to LD_PRELOAD only if its file exists and LD_PRELOAD can contain the path. */
#define _GNU_SOURCE
#include "launcher/preload.h"

#include "core/spool.h"
#include "launcher/library.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { SEARCHED_BYTES = 1 << 20 };

/* Returns whether LD_PRELOAD can contain the path as one entry, and the file system allows mapping the file as
 * executable. */
static bool is_loadable(const char *path)
{
	struct statvfs file_system;

	return strpbrk(path, " :$") == NULL && statvfs(path, &file_system) == 0 && !(file_system.f_flag & ST_NOEXEC);
}

/* Finds the file that execvp will execute: the first executable file of that name in PATH. */
static bool find_command(char *path, const char *name)
{
	const char *list = getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, SPOOL_PATH_MAX, "%s", name) < SPOOL_PATH_MAX;
	for (list = list ? list : "/bin:/usr/bin";; list++) {
		size_t length = strcspn(list, ":");
		int written = snprintf(
			path, SPOOL_PATH_MAX, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? list : ".", name);
		if (written > 0 && written < SPOOL_PATH_MAX && access(path, X_OK) == 0)
			return true;
		list += length;
		if (*list == '\0')
			return false;
	}
}

/* Returns whether programs for other processors may run on this machine with their own dynamic loader. These are
 * 32-bit programs and programs that run in qemu. Either a user starts qemu, or the kernel does (binfmt_misc in the
 * kernel's documentation). */
static bool runs_other_machines(void)
{
	static const char *const signs[] = {"/lib/ld-linux.so.2", "/proc/sys/fs/binfmt_misc/qemu-aarch64",
		"/proc/sys/fs/binfmt_misc/qemu-arm", "qemu-aarch64", "qemu-aarch64-static", "qemu-arm",
		"qemu-arm-static"};
	char path[SPOOL_PATH_MAX];

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (find_command(path, signs[i]) && access(path, F_OK) == 0)
			return true;
	return false;
}

/* If `directory`/`place` also contains the library, replaces `path` by that path. If `platform` is not NULL, the new
 * path contains $PLATFORM, which each dynamic loader replaces by the name of its own platform. */
static bool take_place(char *path, const char *directory, const char *place, const char *platform)
{
	char other[SPOOL_PATH_MAX];
	char rest[128];

	(void)snprintf(rest, sizeof rest, "%s%s%s" LIBRARY_NAME, place, platform ? platform : "", platform ? "/" : "");
	if (!library_join(other, directory, false, rest) || access(other, R_OK) != 0)
		return false;
	(void)snprintf(rest, sizeof rest, "%s%s" LIBRARY_NAME, place, platform ? "$PLATFORM/" : "");
	return library_join(path, directory, false, rest);
}

/* Replaces `path` by a path of the library that works in every program that the command may start
 * (scripts/platforms). A dynamic loader for another processor prints an error if the library is for the wrong
 * processor. AddressSanitizer rejects a library that is loaded before its own library, unless the path contains a
 * certain name. Returns false if AddressSanitizer will reject the library. */
static bool suit_all_loaders(char *path)
{
#define NAMED "with-libasan.so-and-libclang_rt.asan/"
	/* Each place is a directory below the library's own directory. A package may install the copies of the
	 * library inside rtrack/ (library.c). */
	static const struct {
		const char *place;
		bool pleases;
	} places[] = {{"rtrack/" NAMED, true}, {NAMED, true}, {"rtrack/", false}, {"", false}};
#undef NAMED
	const char *platform = (const char *)getauxval(AT_PLATFORM);
	char directory[SPOOL_PATH_MAX];

	if (platform && (strlen(platform) > 16 || !runs_other_machines()))
		platform = NULL;
	(void)snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
	for (;; platform = NULL) {
		for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
			if ((places[i].pleases || platform) && take_place(path, directory, places[i].place, platform))
				return places[i].pleases;
		if (!platform)
			return false;
	}
}

static bool is_first_entry(const char *list, const char *path)
{
	size_t length = strlen(path);

	return strncmp(list, path, length) == 0 && strchr(": ", list[length]) != NULL;
}

/* Returns whether a file is a program that is linked to gcc's libasan. Such a program contains the name libasan.so
 * in its dynamic strings, which linkers place near the beginning of the file. */
static bool needs_libasan(const char *path)
{
	struct stat status;
	bool found = false;

	int file = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return false;
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 4) {
		size_t size = status.st_size < SEARCHED_BYTES ? (size_t)status.st_size : SEARCHED_BYTES;
		char *data = malloc(size);
		ssize_t got = data ? pread(file, data, size, 0) : -1;
		found = got > 4 && memcmp(data, "\177ELF", 4) == 0 &&
			memmem(data, (size_t)got, "libasan.so", strlen("libasan.so")) != NULL;
		free(data);
	}
	(void)close(file);
	return found;
}

/* If the command is linked to gcc's AddressSanitizer, which would reject the library, disables that check by
 * ASAN_OPTIONS. */
static void soothe_libasan(const char *name)
{
	const char *before = getenv("ASAN_OPTIONS");
	char path[SPOOL_PATH_MAX];
	char *options = NULL;

	if (!find_command(path, name) || !needs_libasan(path))
		return;
	if (asprintf(&options, "%s%sverify_asan_link_order=0", before ? before : "", before ? ":" : "") < 0)
		return;
	(void)setenv("ASAN_OPTIONS", options, 1);
	free(options);
}

void preload_library(const char *name)
{
	const char *before = getenv("LD_PRELOAD");
	char path[SPOOL_PATH_MAX];
	char *list = NULL;

	if (!library_find(path) || !is_loadable(path))
		return;
	if (!suit_all_loaders(path))
		soothe_libasan(name);
	if (!before || before[0] == '\0') {
		(void)setenv("LD_PRELOAD", path, 1);
	} else if (!is_first_entry(before, path) && asprintf(&list, "%s:%s", path, before) >= 0) {
		(void)setenv("LD_PRELOAD", list, 1);
		free(list);
	}
}
