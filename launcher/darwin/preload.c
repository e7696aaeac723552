/* How the library gets into the command on macOS; see preload.h.
 *
 * System Integrity Protection: the kernel tells the loader of a protected program (those below /bin, /sbin, /usr/bin,
 * /System, and setuid ones) to drop every variable that begins with DYLD_, and so does that of a program with a
 * hardened runtime. What they start gets none either. The sampler sees all of these from outside. */
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

/* The loader ends a program if it cannot load its inserted library. It can load a file that is there, readable, and for
 * both processors (scripts/check-macos makes one of two). */
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
