/* SPDX-License-Identifier: Apache-2.0 */
/* Caches answers from the network. */
#include "report/services/cache.h"

#include "report/say/alloc.h"
#include "report/say/file.h"
#include "report/say/hash.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CACHED_MAX = 1 << 22, USELESS_AFTER = 86400 };

static const char prefix[] = "answer-";

/* Opens the cache directory. Creates it if `make` is set. Returns -1 if it does not exist. */
static int open_directory(bool make)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (!(cache && cache[0] == '/') && !(home && home[0] == '/'))
		return -1;
	char *base = cache && cache[0] == '/' ? xstrdup(cache) : xasprintf("%s/.cache", home);
	char *path = xasprintf("%s/rtrack", base);
	if (make) {
		(void)mkdir(base, 0700);
		(void)mkdir(path, 0700);
	}
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	free(base);
	return directory;
}

/* The file name is the FNV-1a hash of the question. The file contains the question, so two questions with the same hash
 * replace each other and are never confused. */
static void make_name(const char *question, char *name, size_t size)
{
	snprintf(name, size, "%s%016llx", prefix, (unsigned long long)hash_fnv1a(HASH_FNV1A, text_of(question)));
}

static double age_of(const struct stat *status)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (double)(now.tv_sec - status->st_mtim.tv_sec) + (double)(now.tv_nsec - status->st_mtim.tv_nsec) / 1e9;
}

/* -- reading --------------------------------------------------------------------------------------- */

char *cache_read(const char *question, double seconds)
{
	char name[64];
	struct stat status;
	char *text = NULL;
	int directory = open_directory(false);

	make_name(question, name, sizeof name);
	int file = directory < 0 ? -1 : openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	/* An answer from the future is rejected. Its age is unknown, because a clock was wrong. */
	if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= CACHED_MAX &&
		age_of(&status) >= 0 && age_of(&status) <= seconds)
		text = file_read_open(file, CACHED_MAX, NULL);
	if (file >= 0)
		close(file);
	if (directory >= 0)
		close(directory);
	size_t length = strlen(question);
	if (text && (strncmp(text, question, length) != 0 || text[length] != '\n')) {
		free(text);
		return NULL;
	}
	return text ? memmove(text, text + length + 1, strlen(text + length + 1) + 1) : NULL;
}

/* -- writing --------------------------------------------------------------------------------------- */

static void remove_useless(int directory)
{
	struct stat status;
	int copy = dup(directory);
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (!entries) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((entry = readdir(entries)))
		if (strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0 &&
			fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISREG(status.st_mode) && age_of(&status) > USELESS_AFTER)
			(void)unlinkat(directory, entry->d_name, 0);
	closedir(entries);
}

void cache_write(const char *question, const char *answer)
{
	char name[64];
	char draft[96];
	int directory = open_directory(true);

	if (directory < 0)
		return;
	remove_useless(directory);
	make_name(question, name, sizeof name);
	snprintf(draft, sizeof draft, "%s.%ld", name, (long)getpid());
	int file = openat(directory, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file >= 0) {
		bool whole = dprintf(file, "%s\n%s", question, answer) >= 0;
		whole = close(file) == 0 && whole;
		if (!whole || renameat(directory, draft, directory, name) != 0)
			(void)unlinkat(directory, draft, 0);
	}
	close(directory);
}
