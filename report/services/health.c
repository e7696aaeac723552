/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which parts of rtrack work on this machine. */
#define _GNU_SOURCE
#include "report/services/health.h"

#include "core/spool.h"
#include "os/error.h"
#include "os/file.h"
#include "os/self.h"
#include "os/defaults.h"
#include "report/say/units.h"
#include "report/services/http.h"
#include "report/services/program.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "os/build.h"

enum { ANSWER_SIZE = 65536, FINDING_SIZE = SPOOL_PATH_MAX + 128, ROW_SIZE = 4096 };
#define PROGRAM_SECONDS 10.0
#define LITTLE_ROOM (1 << 20) /* minimum free space in bytes; a small job writes this much in an hour */

const struct health_words health_words[HEALTH_COUNT] = {
#define HEALTH(id, title, remedy) [HEALTH_##id] = {#id, title, remedy},
#include "os/health.def"
};

const char *health_build(void)
{
	return BUILD_FACTS;
}

struct hearer {
	health_take *take;
	void *context;
};

__attribute__((format(printf, 4, 5))) static void tell(
	const struct hearer *hearer, enum health_check check, enum health health, const char *format, ...)
{
	char finding[FINDING_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(finding, sizeof finding, format, arguments);
	va_end(arguments);
	hearer->take(hearer->context, check, health, finding);
}

/* -- checks of rtrack-run and its library ---------------------------------------------------------- */

/* Finds rtrack-run next to this program, or in PATH. */
static void find_launcher(char path[SPOOL_PATH_MAX])
{
	static const char name[] = "rtrack-run";
	int64_t length = os_executable(path, SPOOL_PATH_MAX - sizeof name);

	while (length > 0 && path[length - 1] != '/')
		length--;
	if (length > 0) {
		memcpy(path + length, name, sizeof name);
		if (access(path, X_OK) == 0)
			return;
	}
	memcpy(path, name, sizeof name);
}

/* Runs rtrack-run to get the path of its library. Returns false if rtrack-run finds no library. */
static bool examine_launcher(const struct hearer *hearer, char library[SPOOL_PATH_MAX])
{
	static const char key[] = "\nlibrary: ";
	char launcher[SPOOL_PATH_MAX];

	find_launcher(launcher);
	char *answer = program_answer((const char *const[]){launcher, "--version", NULL}, PROGRAM_SECONDS, ANSWER_SIZE);
	if (!answer) {
		tell(hearer, HEALTH_launcher, HEALTH_BAD, "%s: missing, or it does not run", launcher);
		tell(hearer, HEALTH_library, HEALTH_OPEN, "unknown, because rtrack-run does not run");
		return false;
	}
	const char *said = strstr(answer, key);
	said = said ? said + sizeof key - 1 : "none";
	snprintf(library, SPOOL_PATH_MAX, "%.*s", (int)strcspn(said, "\n"), said);
	bool same = strncmp(answer, "rtrack-run " RTRACK_VERSION "\n", sizeof "rtrack-run " RTRACK_VERSION) == 0;
	bool found = strcmp(library, "none") != 0;
	tell(hearer, HEALTH_launcher, same ? HEALTH_FINE : HEALTH_LESS, "%s%s", launcher,
		same ? "" : ": its version differs from that of rtrack-report");
	tell(hearer, HEALTH_library, found ? HEALTH_FINE : HEALTH_BAD, "%s",
		found ? library : "rtrack-run does not find it");
	free(answer);
	return found;
}

/* -- checks of a program that the library tracks --------------------------------------------------- */

/* Removes the temporary spool and its contents. Returns the number of runs in it. */
static int remove_spool(const char *spool)
{
	const char *const words[] = {"rm", "-rf", "--", spool, NULL};
	DIR *directory = opendir(spool);
	struct dirent *entry;
	int runs = 0;

	while (directory && (entry = readdir(directory)))
		runs += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
	if (directory)
		closedir(directory);
	free(program_answer(words, PROGRAM_SECONDS, ANSWER_SIZE));
	(void)rmdir(spool);
	return runs;
}

static void examine_preload(const struct hearer *hearer, const char *library)
{
	const char *below = getenv("TMPDIR");
	char spool[SPOOL_PATH_MAX], preload[SPOOL_PATH_MAX + 16], variable[SPOOL_PATH_MAX + 16];

	if (BUILD_PROTECTED) {
		tell(hearer, HEALTH_preload, HEALTH_OPEN,
			"not tried: programs of this system load no library. Try it with a program of your own");
		return;
	}
	snprintf(spool, sizeof spool, "%s/rtrack-doctor-XXXXXX", below && *below ? below : "/tmp");
	if (!mkdtemp(spool)) {
		tell(hearer, HEALTH_preload, HEALTH_OPEN, "not tried: '%s' cannot be made: %s", spool, strerror(errno));
		return;
	}
	snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
	snprintf(variable, sizeof variable, "RTRACK_SPOOL=%s", spool);
	const char *const words[] = {
		"env", "RTRACK_MIN_SECONDS=0", "RTRACK_EXCLUDE=,", "RTRACK=on", preload, variable, "true", NULL};
	char *answer = program_answer(words, PROGRAM_SECONDS, ANSWER_SIZE);
	int runs = remove_spool(spool);
	if (runs > 0)
		tell(hearer, HEALTH_preload, HEALTH_FINE, "a program with the library alone was tracked");
	else if (answer)
		tell(hearer, HEALTH_preload, HEALTH_BAD, "a program ran with the library and left no run");
	else
		tell(hearer, HEALTH_preload, HEALTH_OPEN, "not tried: 'env' or 'true' is missing or failed");
	free(answer);
}

/* -- other checks ---------------------------------------------------------------------------------- */

/* Writes a row to a temporary file in `directory`, as a tracked run does. Returns 0, or the errno of the failure. */
static int try_to_write(const char *directory)
{
	static const char row[ROW_SIZE];
	char path[SPOOL_PATH_MAX + 32];

	snprintf(path, sizeof path, "%s/.rtrack-doctor-XXXXXX", directory);
	int file = mkstemp(path);
	if (file < 0)
		return errno;
	ssize_t written = write(file, row, sizeof row);
	int error = written < 0 ? errno : (size_t)written < sizeof row ? ENOSPC : 0;
	/* A network file system may report a full disk only on close. */
	if (close(file) != 0 && error == 0)
		error = errno;
	(void)unlink(path);
	return error;
}

/* Checks whether the disk of `directory` has room for a spool. The caller has already checked the permissions. If the
 * spool is missing, `will` says when it will be created; otherwise `will` is "". */
static void examine_room(const struct hearer *hearer, const char *spool, const char *directory, const char *will)
{
	struct statvfs disk;
	double free_bytes = statvfs(directory, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : UNKNOWN;
	struct figure room = units_figure(UNIT_bytes, free_bytes);
	int error = try_to_write(directory);

	if (error != 0)
		tell(hearer, HEALTH_spool, HEALTH_BAD, "%s: no row can be written there: %s; %s free", spool,
			strerror(error), room.text);
	else if (free_bytes < LITTLE_ROOM)
		tell(hearer, HEALTH_spool, HEALTH_LESS, "%s: its disk has only %s free", spool, room.text);
	else
		tell(hearer, HEALTH_spool, HEALTH_FINE, "%s%s", spool, will);
}

/* Makes the same checks of the spool as the library makes before it writes. The library refuses a spool to which other
 * users may write. */
static void examine_spool(const struct hearer *hearer, const char *spool)
{
	int error = os_check_directory(spool, false);
	char parent[SPOOL_PATH_MAX];

	if (error == OS_ERROR_MISSING) {
		snprintf(parent, sizeof parent, "%s", spool);
		char *slash;
		while ((slash = strrchr(parent, '/')) && slash != parent && access(parent, F_OK) != 0)
			*slash = '\0';
		/* A trailing "/." makes access(2) fail if the path is a file. */
		size_t length = strlen(parent);
		snprintf(parent + length, sizeof parent - length, "/.");
		if (access(parent, W_OK | X_OK) == 0)
			examine_room(hearer, spool, parent, ": it will be made by the first run");
		else
			tell(hearer, HEALTH_spool, HEALTH_BAD, "%s: missing, and this user may not make it", spool);
		return;
	}
	if (error == OS_ERROR_NOT_OURS)
		tell(hearer, HEALTH_spool, HEALTH_BAD, "%s: refused, because others own it or may write to it", spool);
	else if (error != 0)
		tell(hearer, HEALTH_spool, HEALTH_BAD, "%s: %s", spool, os_error_text(error));
	else if (access(spool, W_OK | X_OK) != 0)
		tell(hearer, HEALTH_spool, HEALTH_BAD, "%s: %s", spool, strerror(errno));
	else
		examine_room(hearer, spool, spool, "");
}

/* Lists the settings that differ from their defaults, and the source of each. */
static void examine_settings(const struct hearer *hearer)
{
	static const char *const sources[] = {
		[SETTING_FROM_FILE] = DEFAULTS_FILE, [SETTING_FROM_ENVIRONMENT] = "the environment"};
	char file[DEFAULTS_TEXT_MAX], list[SPOOL_PATH_MAX] = "", ignored[128] = "";
	struct settings settings;

	settings_read(&settings, environ);
	int result = defaults_read(&settings, environ, file);
	for (int i = 0; i < SETTING_COUNT; i++)
		if (settings.source[i] != SETTING_FROM_DEFAULT)
			units_append(list, sizeof list, "%s%s=%s from %s", *list ? ", " : "",
				settings_table[i].variable, settings.text[i], sources[settings.source[i]]);
	if (!*list)
		snprintf(list, sizeof list, "all have their defaults");
	if (result == OS_ERROR_NOT_OURS)
		snprintf(ignored, sizeof ignored,
			DEFAULTS_FILE " is ignored, because root must own it and others must not write to it; ");
	else if (result < 0 && result != OS_ERROR_MISSING)
		snprintf(ignored, sizeof ignored, DEFAULTS_FILE " is ignored: %s; ", os_error_text(result));
	else if (result > 0)
		snprintf(ignored, sizeof ignored, DEFAULTS_FILE ": line %d is ignored; ", result);
	tell(hearer, HEALTH_settings, *ignored ? HEALTH_LESS : HEALTH_FINE, "%s%s", ignored, list);
}

/* Reports the network library. Sends no packet. */
static void examine_network(const struct hearer *hearer)
{
	const char *library = http_library();

	if (library)
		tell(hearer, HEALTH_network, HEALTH_FINE, "%s, for prices, clouds and ship; no packet was sent",
			library);
	else
		tell(hearer, HEALTH_network, HEALTH_LESS,
			"rtrack-report was built without libcurl: no prices, no clouds, no ship");
}

void health_examine(const char *spool, health_take *take, void *context)
{
	struct hearer hearer = {take, context};
	char library[SPOOL_PATH_MAX];

	if (!examine_launcher(&hearer, library))
		tell(&hearer, HEALTH_preload, HEALTH_OPEN, "not tried: there is no library");
	else if (getenv("RTRACK_RUN"))
		tell(&hearer, HEALTH_preload, HEALTH_OPEN, "not tried: rtrack-report itself is part of a run");
	else
		examine_preload(&hearer, library);
	examine_spool(&hearer, spool);
	examine_settings(&hearer);
	os_examine("", take, context);
	examine_network(&hearer);
}
