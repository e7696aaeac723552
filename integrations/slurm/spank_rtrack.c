/* SPDX-License-Identifier: Apache-2.0 */
/* A SPANK plugin that tracks every task of Slurm with rtrack.
 *
 * The plugin appends the library to LD_PRELOAD of each task, after what the user preloads. A job opts out with
 * --rtrack=no. The plugin also sets variables that Slurm does not set: the time limit, account and QOS of the job. It
 * gets them by one request to slurmctld for each step, from the first node of the step.
 *
 *   cc -shared -fPIC -o spank_rtrack.so spank_rtrack.c
 *   plugstack.conf: optional /usr/lib/slurm/spank_rtrack.so library=/usr/local/lib/librtrack.so spool=/shared/rtrack/%u
 *
 * Arguments:
 *   library=PATH         default /usr/local/lib/librtrack.so
 *   spool=PATTERN        RTRACK_SPOOL of jobs that set none, with %u for the user, %j for the job, %n for the node. If
 *                        its parent exists, the directory is made for the user with mode 0700.
 *   default=yes|no       whether jobs without --rtrack are tracked (default yes)
 *   users=A,B            tracks only these users (default all)
 *   partitions=A,B       tracks only in these partitions (default all) */
#include <slurm/slurm.h>
#include <slurm/spank.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

SPANK_PLUGIN(rtrack, 1)

enum { VALUE_SIZE = 4096 };

static struct {
	const char *library, *spool, *users, *partitions;
	bool wanted;
} site = {"/usr/local/lib/librtrack.so", "", "", "", true};
static int asked = -1; /* value of --rtrack: 1 yes, 0 no, -1 not given */

static int take_option(int value, const char *text, int remote)
{
	(void)value;
	(void)remote;
	if (!text || (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)) {
		slurm_error("--rtrack: expected yes or no");
		return -1;
	}
	asked = strcmp(text, "yes") == 0;
	return 0;
}

static struct spank_option option = {
	"rtrack", "yes|no", "record CPU, memory, I/O and GPU use of the job", 1, 0, take_option};

static const char *value_of(const char *argument, const char *key)
{
	size_t length = strlen(key);
	return strncmp(argument, key, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

int slurm_spank_init(spank_t spank, int count, char **arguments)
{
	for (int i = 0; i < count; i++) {
		const char *value;
		if ((value = value_of(arguments[i], "library")))
			site.library = value;
		else if ((value = value_of(arguments[i], "spool")))
			site.spool = value;
		else if ((value = value_of(arguments[i], "users")))
			site.users = value;
		else if ((value = value_of(arguments[i], "partitions")))
			site.partitions = value;
		else if ((value = value_of(arguments[i], "default")))
			site.wanted = strcmp(value, "no") != 0;
		else
			slurm_error("rtrack: unknown argument '%s' in plugstack.conf", arguments[i]);
	}
	return spank_option_register(spank, &option) == ESPANK_SUCCESS ? 0 : -1;
}

/* Returns whether the list "a,b" is empty or contains the word. */
static bool allows(const char *list, const char *word)
{
	size_t length = strlen(word);

	if (!*list)
		return true;
	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}

static bool get(spank_t spank, const char *name, char *value)
{
	*value = '\0';
	return spank_getenv(spank, name, value, VALUE_SIZE) == ESPANK_SUCCESS && *value;
}

static bool user_name(spank_t spank, uid_t *uid, gid_t *gid, char *name, size_t size)
{
	struct passwd *user = spank_get_item(spank, S_JOB_UID, uid) == ESPANK_SUCCESS ? getpwuid(*uid) : NULL;

	if (!user || spank_get_item(spank, S_JOB_GID, gid) != ESPANK_SUCCESS)
		return false;
	snprintf(name, size, "%s", user->pw_name);
	return true;
}

static bool is_tracked(spank_t spank)
{
	char user[256], partition[VALUE_SIZE];
	uid_t uid;
	gid_t gid;

	if (asked >= 0)
		return asked == 1;
	(void)get(spank, "SLURM_JOB_PARTITION", partition);
	return site.wanted && user_name(spank, &uid, &gid, user, sizeof user) && allows(site.users, user) &&
	       allows(site.partitions, partition);
}

/* -- the spool ------------------------------------------------------------------------------------- */

static void append(char *path, size_t size, const char *text)
{
	size_t length = strlen(path);
	snprintf(path + length, size - length, "%s", text);
}

/* Expands the pattern of the spool. Returns false if the job is unknown or the path is empty. */
static bool spool_of(spank_t spank, const char *user, char *path, size_t size)
{
	char node[256] = "", number[16];
	uint32_t job = 0;

	*path = '\0';
	(void)gethostname(node, sizeof node - 1);
	if (spank_get_item(spank, S_JOB_ID, &job) != ESPANK_SUCCESS)
		return false;
	snprintf(number, sizeof number, "%u", job);
	for (const char *at = site.spool; *at; at++) {
		char byte[2] = {*at, '\0'};
		bool named = *at == '%' && at[1];
		append(path, size,
			!named         ? byte
			: at[1] == 'u' ? user
			: at[1] == 'j' ? number
			: at[1] == 'n' ? node
				       : "");
		at += named;
	}
	return *path != '\0';
}

/* Called as root. The library only writes to directories that its user owns, so the spool must belong to the user.
 * Root creates the spool only if nobody else can write to its parent, because others could replace the spool by a
 * link. In other cases, and if root has no rights on the file system (root_squash), the task creates the spool as the
 * user. */
static void make_spool(const char *path, uid_t uid, gid_t gid)
{
	struct stat status;
	char parent[VALUE_SIZE];

	snprintf(parent, sizeof parent, "%s", path);
	char *slash = strrchr(parent, '/');
	if (!slash || slash == parent)
		return;
	*slash = '\0';
	if (stat(parent, &status) != 0)
		slurm_error("rtrack: jobs are not tracked, because '%s' is missing", parent);
	else if (status.st_uid == 0 && !(status.st_mode & 022) && mkdir(path, 0700) == 0 && lchown(path, uid, gid) != 0)
		(void)rmdir(path);
}

/* -- what the job requested ------------------------------------------------------------------------- */

static void tell(spank_t spank, const char *name, const char *value)
{
	if (value && *value)
		(void)spank_setenv(spank, name, value, 0);
}

static void tell_request(spank_t spank)
{
	char text[VALUE_SIZE];
	job_info_msg_t *answer = NULL;
	uint32_t job = 0, node = 1;

	if (get(spank, "SLURM_JOB_END_TIME", text) || spank_get_item(spank, S_JOB_NODEID, &node) != ESPANK_SUCCESS ||
		node != 0 || spank_get_item(spank, S_JOB_ID, &job) != ESPANK_SUCCESS ||
		slurm_load_job(&answer, job, SHOW_ALL) != 0)
		return;
	for (uint32_t i = 0; i < answer->record_count; i++) {
		const job_info_t *info = &answer->job_array[i];
		if (info->job_id != job)
			continue;
		tell(spank, "SLURM_JOB_ACCOUNT", info->account);
		tell(spank, "SLURM_JOB_QOS", info->qos);
		if (info->time_limit == INFINITE || info->time_limit == NO_VAL || info->start_time == 0)
			continue;
		snprintf(text, sizeof text, "%lld", (long long)info->start_time);
		tell(spank, "SLURM_JOB_START_TIME", text);
		snprintf(text, sizeof text, "%lld", (long long)info->start_time + 60LL * info->time_limit);
		tell(spank, "SLURM_JOB_END_TIME", text);
	}
	slurm_free_job_info_msg(answer);
}

/* -- tasks ----------------------------------------------------------------------------------------- */

/* Runs in slurmstepd as root, once for each step and node. */
int slurm_spank_init_post_opt(spank_t spank, int count, char **arguments)
{
	char user[256], path[VALUE_SIZE];
	uid_t uid;
	gid_t gid;

	(void)count;
	(void)arguments;
	if (spank_remote(spank) != 1 || !is_tracked(spank))
		return 0;
	if (access(site.library, R_OK) != 0) {
		slurm_error("rtrack: jobs are not tracked, because '%s' cannot be read", site.library);
		return 0;
	}
	tell_request(spank);
	if (*site.spool && user_name(spank, &uid, &gid, user, sizeof user) &&
		spool_of(spank, user, path, sizeof path) && getuid() == 0)
		make_spool(path, uid, gid);
	return 0;
}

/* Runs in the task as the user, before the program. The user's own preloads are kept and come first. */
int slurm_spank_task_init(spank_t spank, int count, char **arguments)
{
	char user[256], path[VALUE_SIZE], preload[VALUE_SIZE], text[2 * VALUE_SIZE];
	uid_t uid;
	gid_t gid;

	(void)count;
	(void)arguments;
	/* If the library were missing, the loader would print an error for each process of the job. */
	if (!is_tracked(spank) || access(site.library, R_OK) != 0)
		return 0;
	bool some = get(spank, "LD_PRELOAD", preload);
	if (!some || !strstr(preload, site.library)) {
		snprintf(text, sizeof text, "%s%s%s", preload, some ? ":" : "", site.library);
		(void)spank_setenv(spank, "LD_PRELOAD", text, 1);
	}
	if (*site.spool && user_name(spank, &uid, &gid, user, sizeof user) &&
		spool_of(spank, user, path, sizeof path)) {
		(void)mkdir(path, 0700);
		tell(spank, "RTRACK_SPOOL", path);
	}
	return 0;
}
