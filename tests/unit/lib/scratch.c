/* SPDX-License-Identifier: Apache-2.0 */
/* A temporary directory for one test. */
#define _GNU_SOURCE
#include "tests/unit/lib/scratch.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096, NAMES_MAX = 64 };

static char root[PATH_LENGTH];
static char *made[NAMES_MAX];
static int made_count;
static FILE *collected;

static void check(int passed, const char *what)
{
	if (passed)
		return;
	printf("Bail out! %s\n", what);
	exit(1);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *position)
{
	(void)status;
	(void)type;
	(void)position;
	return remove(path);
}

static void remove_all(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	while (made_count > 0)
		free(made[--made_count]);
	if (collected)
		fclose(collected);
}

const char *scratch_directory(void)
{
	const char *parent = getenv("TMPDIR");
	if (*root)
		return root;
	snprintf(root, sizeof root, "%s/rtrack-unit-XXXXXX", parent && *parent ? parent : "/tmp");
	check(mkdtemp(root) != NULL, root);
	atexit(remove_all);
	return root;
}

const char *scratch_make(const char *name)
{
	char *path = NULL;
	check(made_count < NAMES_MAX && asprintf(&path, "%s/%s", scratch_directory(), name) > 0, name);
	made[made_count++] = path;
	check(mkdir(path, 0700) == 0, path);
	return path;
}

void scratch_write_bytes(const char *name, const void *content, size_t length)
{
	char path[PATH_LENGTH * 2];
	snprintf(path, sizeof path, "%s/%s", scratch_directory(), name);
	FILE *file = fopen(path, "w");
	check(file != NULL, path);
	check(fwrite(content, 1, length, file) == length && fclose(file) == 0, path);
}

void scratch_write(const char *name, const char *content)
{
	scratch_write_bytes(name, content, strlen(content));
}

void scratch_remove(const char *name)
{
	char path[PATH_LENGTH * 2];
	snprintf(path, sizeof path, "%s/%s", scratch_directory(), name);
	remove(path);
}

void scratch_age(const char *name, long seconds)
{
	char path[PATH_LENGTH * 2];
	struct timespec then = {.tv_sec = time(NULL) - seconds};
	struct timespec times[] = {then, then};
	snprintf(path, sizeof path, "%s/%s", scratch_directory(), name);
	check(utimensat(AT_FDCWD, path, times, 0) == 0, path);
}

void scratch_collect_messages(void)
{
	collected = tmpfile();
	check(collected && dup2(fileno(collected), STDERR_FILENO) >= 0, "stderr");
}

const char *scratch_messages(void)
{
	static char text[1 << 14];
	fflush(stderr);
	rewind(collected);
	text[fread(text, 1, sizeof text - 1, collected)] = '\0';
	check(ftruncate(fileno(collected), 0) == 0, "stderr");
	rewind(collected);
	return text;
}
