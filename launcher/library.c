/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the library's file and the other programs of rtrack. */
#define _GNU_SOURCE
#include "launcher/library.h"

#include "core/spool.h"
#include "launcher/place.h"
#include "os/self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef RTRACK_LIBDIR
#define RTRACK_LIBDIR "/usr/local/lib"
#endif

/* Writes the directory of rtrack-run's own file, without a trailing '/'. Returns false if it is unknown. */
static bool own_directory(char *path)
{
	int64_t length = os_executable(path, SPOOL_PATH_MAX - 1);

	if (length > 0) {
		path[length] = '\0';
	} else {
		/* rtrack-run may have been executed by a relative path, which must be resolved before any change of
		 * directory. */
		const char *given = place_given_path();
		char *whole = given ? realpath(given, NULL) : NULL;
		bool fits = whole && snprintf(path, SPOOL_PATH_MAX, "%s", whole) < SPOOL_PATH_MAX;
		free(whole);
		if (!fits)
			return false;
	}
	char *slash = strrchr(path, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

bool library_join(char *path, const char *directory, bool up, const char *rest)
{
	size_t length = strlen(directory);

	if (up) {
		const char *slash = strrchr(directory, '/');
		length = slash ? (size_t)(slash - directory) : 0;
	}
	int wanted = snprintf(path, SPOOL_PATH_MAX, "%.*s/%s", (int)length, directory, rest);
	return wanted > 0 && wanted < SPOOL_PATH_MAX;
}

bool library_find(char *path)
{
	static const struct {
		bool up;
		const char *rest;
	} places[] = {{false, LIBRARY_NAME}, {true, "lib/" LIBRARY_NAME}, {true, "lib/rtrack/" LIBRARY_NAME}};
	char own[SPOOL_PATH_MAX];

	if (own_directory(own))
		for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
			if (library_join(path, own, places[i].up, places[i].rest) && access(path, R_OK) == 0)
				return true;
	return library_join(path, RTRACK_LIBDIR, false, LIBRARY_NAME) && access(path, R_OK) == 0;
}

const char *library_find_program(char *path, const char *program)
{
	char own[SPOOL_PATH_MAX];

	return own_directory(own) && library_join(path, own, false, program) && access(path, X_OK) == 0 ? path
													: program;
}
