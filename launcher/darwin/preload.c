/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the command load the library on macOS.
 *
 * Under System Integrity Protection, dyld drops every variable that begins with DYLD_ for protected programs: those
 * below /bin, /sbin, /usr/bin and /System, setuid programs, and programs with a hardened runtime. Children of a
 * protected program do not get the variables either. The sampler observes all of these processes from outside. */
#include "launcher/preload.h"

#include "core/spool.h"
#include "launcher/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "DYLD_INSERT_LIBRARIES"

static bool is_first_entry(const char *list, const char *path)
{
	size_t length = strlen(path);

	return strncmp(list, path, length) == 0 && (list[length] == ':' || list[length] == '\0');
}

/* dyld ends a program if it cannot load an inserted library. The library is therefore inserted only if its file is
 * readable. The file contains code for both processors of macOS (scripts/check-macos). */
void preload_library(const char *name)
{
	const char *before = getenv(VARIABLE);
	char path[SPOOL_PATH_MAX];
	char *list = NULL;

	(void)name;
	if (!library_find(path) || strchr(path, ':'))
		return;
	if (!before || before[0] == '\0') {
		(void)setenv(VARIABLE, path, 1);
	} else if (!is_first_entry(before, path) && asprintf(&list, "%s:%s", path, before) >= 0) {
		(void)setenv(VARIABLE, list, 1);
		free(list);
	}
}
