/* SPDX-License-Identifier: Apache-2.0 */
/* Identifies the cloud of the run.
 *
 * `rtrack-report discover` prints the cloud as JSON. rtrack-run uses three names in this JSON text, unless they
 * contain escapes. The program writes to a file in memory, so that rtrack-run need not read while the program
 * writes. */
#define _GNU_SOURCE
#include "launcher/beside/cloud.h"

#include "core/firmware.h"
#include "core/spool.h"
#include "launcher/library.h"
#include "launcher/place.h"
#include "os/system.h"
#include "sampler/run/cloud.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_MAX = 16384, NAME_MAX_LENGTH = 64, LEAST_URGENT = 19 };

/* -- firmware -------------------------------------------------------------------------------------- */

static bool firmware_names_cloud(void)
{
	char bytes[FIRMWARE_FIELDS][FIRMWARE_TEXT_MAX];
	struct firmware firmware;
	bool sure;

	for (int i = 0; i < FIRMWARE_FIELDS; i++)
		firmware.fields[i] = system_firmware("", (enum firmware_field)i, bytes[i]);
	return firmware_cloud(&firmware, &sure) != CLOUD_NONE;
}

/* -- query ----------------------------------------------------------------------------------------- */

static _Noreturn void run_asker(int answer, const struct signals *signals)
{
	char path[SPOOL_PATH_MAX];
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	place_die_with_parent();
	(void)setsid(); /* A new session keeps signals of the terminal from reaching this program. */
	(void)setpriority(PRIO_PROCESS, 0, LEAST_URGENT);
	(void)setenv("RTRACK", "off", 1);
	signals_give(signals);
	if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(answer, STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0)
		(void)execlp(library_find_program(path, "rtrack-report"), "rtrack-report", "discover", "--format",
			"json", (char *)NULL);
	_exit(127);
}

void cloud_start(struct cloud_asker *cloud, const struct signals *signals)
{
	*cloud = (struct cloud_asker){0, -1};
	if (!firmware_names_cloud())
		return;
	cloud->answer = place_memory_file();
	if (cloud->answer < 0)
		return;
	pid_t pid = fork();
	if (pid == 0)
		run_asker(cloud->answer, signals);
	if (pid > 0)
		cloud->pid = pid;
	else
		(void)close(cloud->answer);
}

/* Returns the name that follows `key`, or an empty text if there is none. */
static struct text name_of(const char *json, const char *key)
{
	const char *at = strstr(json, key);

	if (!at)
		return (struct text){NULL, 0};
	at += strlen(key);
	at += strspn(at, " \t:");
	if (*at++ != '"')
		return (struct text){NULL, 0};
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	struct text name = {at, strspn(at, plain)};
	bool whole = name.length <= NAME_MAX_LENGTH && at[name.length] == '"' && !text_is(name, "unknown");
	return whole ? name : (struct text){NULL, 0};
}

void cloud_take(struct cloud_asker *cloud, const char *directory)
{
	static char text[ANSWER_MAX];
	ssize_t length = pread(cloud->answer, text, sizeof text - 1, 0);
	const char *json;

	text[length > 0 ? length : 0] = '\0';
	(void)close(cloud->answer);
	*cloud = (struct cloud_asker){0, -1};
	json = strstr(text, "\"cloud\"");
	if (!json)
		return;
	struct run_cloud known = {
		name_of(json, "\"vendor\""), name_of(json, "\"instance_type\""), name_of(json, "\"region\"")};
	if (known.vendor.length > 0)
		(void)run_add_cloud(directory, &known);
}

void cloud_stop(struct cloud_asker *cloud)
{
	if (cloud->pid <= 0)
		return;
	(void)kill(cloud->pid, SIGKILL);
	(void)waitpid(cloud->pid, NULL, 0);
	(void)close(cloud->answer);
	*cloud = (struct cloud_asker){0, -1};
}
