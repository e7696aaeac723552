/* SPDX-License-Identifier: Apache-2.0 */
/* A SPANK plugin that tracks every task of Slurm with rtrack.
 *
 * The plugin appends the library to LD_PRELOAD of each task, after what the user preloads. A job opts out with
 * --rtrack=no. The plugin also sets variables that Slurm does not set: the time limit, account and QOS of the job. It
 * gets them by one request to slurmctld for each step, from the first node of the step.
 *
 * A static or set-user-ID program does not load the library. When such a task ends, the plugin writes a run with the
 * figures that the kernel gives to slurmstepd: CPU time of the task with all processes that it reaped, and the largest
 * peak of one process.
 *
 *   cc -shared -fPIC -o spank_rtrack.so spank_rtrack.c
 *   plugstack.conf: optional /usr/lib/slurm/spank_rtrack.so library=/usr/local/lib/librtrack.so spool=/shared/rtrack/%u
 *
 * Arguments:
 *   library=PATH         default /usr/local/lib/librtrack.so
 *   spool=PATTERN        RTRACK_SPOOL of jobs that set none, with %u for the user, %j for the job, %n for the node. If
 *                        its parent exists, the directory is made for the user with mode 0700.
 *   interval=SECONDS, lines=HZ|off, min-seconds=SECONDS, mask=PATTERNS, memory=pss|rss
 *                        settings of jobs that set none: RTRACK_INTERVAL, RTRACK_LINES and so on
 *   apptainer=PATH       path of the library in containers of Apptainer and Singularity, or empty to keep the library
 *                        out of them: APPTAINERENV_LD_PRELOAD and SINGULARITYENV_LD_PRELOAD of jobs that set none
 *   print=PATH           path of rtrack-report, which appends the summary of a job to the stderr of its batch script
 *                        if that is a file (default: no summary)
 *   default=yes|no       whether jobs without --rtrack are tracked (default yes)
 *   users=A,B            tracks only these users (default all)
 *   partitions=A,B       tracks only in these partitions (default all) */
#include <slurm/slurm.h>
#include <slurm/spank.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

SPANK_PLUGIN(rtrack, 1)

enum { VALUE_SIZE = 4096 };

static struct {
	const char *library, *spool, *users, *partitions;
	const char *apptainer, *print; /* NULL if the argument is not given */
	bool wanted;
} site = {"/usr/local/lib/librtrack.so", "", "", "", NULL, NULL, true};
/* Arguments that set a variable of the job. */
static struct {
	const char *key, *variable, *value;
} settings[] = {
	{"interval", "RTRACK_INTERVAL", ""},
	{"lines", "RTRACK_LINES", ""},
	{"min-seconds", "RTRACK_MIN_SECONDS", ""},
	{"mask", "RTRACK_MASK", ""},
	{"memory", "RTRACK_MEMORY", ""},
};
enum { MIN_SECONDS = 2, SETTINGS = sizeof settings / sizeof settings[0] };
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

static bool take_setting(const char *argument)
{
	for (int i = 0; i < SETTINGS; i++) {
		const char *value = value_of(argument, settings[i].key);
		if (!value)
			continue;
		settings[i].value = value;
		return true;
	}
	return false;
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
		else if ((value = value_of(arguments[i], "apptainer")))
			site.apptainer = value;
		else if ((value = value_of(arguments[i], "print")))
			site.print = value;
		else if ((value = value_of(arguments[i], "default")))
			site.wanted = strcmp(value, "no") != 0;
		else if (!take_setting(arguments[i]))
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

/* -- the summary of a batch job -------------------------------------------------------------------- */

enum { PRINT_SECONDS = 20, FILES_MAX = 65536 };

/* Sockets by which the task of a batch script sends its stderr to slurmstepd, or -1. */
static int stderr_socket[2] = {-1, -1};

static bool prints_summary(spank_t spank)
{
	uint32_t step = 0;

	return site.print && *site.print && spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS &&
	       step == SLURM_BATCH_SCRIPT;
}

union control {
	char space[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static void send_stderr(void)
{
	char byte = 0;
	int file = STDERR_FILENO;
	union control control = {.space = {0}};
	struct iovec data = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof file);
	memcpy(CMSG_DATA(header), &file, sizeof file);
	(void)sendmsg(stderr_socket[1], &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Returns the descriptor that send_stderr sent, or -1. The caller must close it. */
static int receive_stderr(void)
{
	char byte;
	int file = -1;
	union control control;
	struct iovec data = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};

	if (recvmsg(stderr_socket[0], &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
		return -1;
	const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof file))
		memcpy(&file, CMSG_DATA(header), sizeof file);
	return file;
}

/* Runs in a child process of slurmstepd, whose other threads may hold locks. Therefore calls only async-signal-safe
 * functions. A report that hangs is killed by SIGALRM. */
static void exec_report(int out, char *unit, char *spool, uid_t uid, gid_t gid)
{
	char *arguments[] = {"rtrack-report", "show", unit, "--spool", spool, NULL};
	char *environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGALRM, SIG_DFL);
	(void)alarm(PRINT_SECONDS);
	if ((getuid() == 0 && (setgroups(1, &gid) != 0 || setgid(gid) != 0 || setuid(uid) != 0)) || null < 0 ||
		dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(null, 2) < 0 || chdir("/") != 0)
		_exit(1);
	for (int file = 3; file < FILES_MAX; file++)
		(void)close(file);
	(void)execve(site.print, arguments, environment);
	_exit(127);
}

/* Appends the summary of the job to the stderr of its batch script, with the rights of the user. Writes only to files,
 * because writing to a pipe may wait forever. */
static void print_summary(spank_t spank, char *spool, uid_t uid, gid_t gid)
{
	char job[VALUE_SIZE], task[VALUE_SIZE], unit[2 * VALUE_SIZE + 16];
	int out = receive_stderr();
	struct stat status;

	if (out < 0)
		return;
	if (get(spank, "SLURM_ARRAY_JOB_ID", job) && get(spank, "SLURM_ARRAY_TASK_ID", task))
		snprintf(unit, sizeof unit, "slurm:%s_%s", job, task);
	else if (get(spank, "SLURM_JOB_ID", job))
		snprintf(unit, sizeof unit, "slurm:%s", job);
	else
		*unit = '\0';
	pid_t pid = fstat(out, &status) == 0 && S_ISREG(status.st_mode) && *unit ? fork() : -1;
	if (pid == 0)
		exec_report(out, unit, spool, uid, gid);
	(void)close(out);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
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
	if (prints_summary(spank))
		(void)socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, stderr_socket);
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
	for (int i = 0; i < SETTINGS; i++)
		tell(spank, settings[i].variable, settings[i].value);
	if (site.apptainer) {
		(void)spank_setenv(spank, "APPTAINERENV_LD_PRELOAD", site.apptainer, 0);
		(void)spank_setenv(spank, "SINGULARITYENV_LD_PRELOAD", site.apptainer, 0);
	}
	if (stderr_socket[1] >= 0)
		send_stderr();
	if (*site.spool && user_name(spank, &uid, &gid, user, sizeof user) &&
		spool_of(spank, user, path, sizeof path)) {
		(void)mkdir(path, 0700);
		tell(spank, "RTRACK_SPOOL", path);
	}
	return 0;
}

/* -- tasks without a run --------------------------------------------------------------------------- */

enum { TASKS_MAX = 1024, STAMP_SIZE = sizeof "20261121T015600Z" };

/* A task that has ended. */
struct ended {
	int pid, status; /* status as from wait(2) */
	double start, stop;
	double user_seconds, system_seconds, peak_mib;
	char host[256];
	const char *program; /* the first word of the command only, because the others may contain passwords */
};

static double starts[TASKS_MAX];  /* start of each task of this node, in seconds since the epoch */
static struct rusage used_before; /* usage of the children that slurmstepd had reaped before this task */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds_since(struct timeval before, struct timeval after)
{
	return (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_usec - before.tv_usec) / 1e6;
}

static void write_stamp(char stamp[STAMP_SIZE], double seconds)
{
	time_t time = (time_t)seconds;
	struct tm utc;

	strftime(stamp, STAMP_SIZE, "%Y%m%dT%H%M%SZ", gmtime_r(&time, &utc));
}

/* Returns whether the run belongs to the same step and rank as the task. A run that ended in the first half of the task
 * is the run of a TaskProlog, and is not counted. */
static bool is_of_task(spank_t spank, const char *spool, const char *run, const struct ended *ended)
{
	char path[2 * VALUE_SIZE], text[1 << 16], value[VALUE_SIZE], wanted[VALUE_SIZE + 32];
	static const char *const labels[][2] = {{"slurm_job_id", "SLURM_JOB_ID"}, {"slurm_step_id", "SLURM_STEP_ID"}};
	uint32_t rank = 0;

	snprintf(path, sizeof path, "%s/%s/run.json", spool, run);
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
	if (file)
		fclose(file);
	text[length] = '\0';
	for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
		bool known = get(spank, labels[i][1], value);
		snprintf(wanted, sizeof wanted, known ? "\"%s\": \"%s\"" : "\"%s\": ", labels[i][0], value);
		if ((strstr(text, wanted) != NULL) != known)
			return false;
	}
	const char *stop = strstr(text, "\"stop_time\": ");
	double stop_time = stop ? strtod(stop + sizeof "\"stop_time\": " - 1, NULL) : 0;
	if (stop_time > 0 && stop_time < (ended->start + ended->stop) / 2)
		return false;
	(void)spank_get_item(spank, S_TASK_GLOBAL_ID, &rank);
	snprintf(wanted, sizeof wanted, "\"rank\": %u,", rank);
	return !strstr(text, "\"rank\": ") || strstr(text, wanted);
}

/* Returns whether the library or rtrack-run left a run for the task on this node. The name of a run contains its start,
 * the host and the pid of its first process. A second run would count the task twice. */
static bool has_run(spank_t spank, const char *spool, const struct ended *ended)
{
	char stamp[STAMP_SIZE], host[80];
	DIR *runs = opendir(spool);
	const struct dirent *entry;
	bool found = false;

	write_stamp(stamp, ended->start - 1);
	int length = snprintf(host, sizeof host, "-%.64s-", ended->host);
	while (runs && !found && (entry = readdir(runs))) {
		const char *name = entry->d_name;
		if (strlen(name) <= STAMP_SIZE + (size_t)length || strcmp(name, stamp) < 0 ||
			strncmp(name + STAMP_SIZE - 1, host, (size_t)length) != 0)
			continue;
		found = atoi(name + STAMP_SIZE - 1 + length) == ended->pid || is_of_task(spank, spool, name, ended);
	}
	if (runs)
		closedir(runs);
	return found;
}

static void put_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", *text);
		else
			fputc(*text, out);
	fputc('"', out);
}

static void put_cell(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc((unsigned char)*text < ' ' ? '?' : *text, out);
	}
	fputc('"', out);
}

/* The labels are those that the library writes (core/orchestrators.def). */
static void put_labels(FILE *out, spank_t spank)
{
	static const char *const labels[][2] = {{"slurm_job_id", "SLURM_JOB_ID"}, {"slurm_job_name", "SLURM_JOB_NAME"},
		{"account", "SLURM_JOB_ACCOUNT"}, {"partition", "SLURM_JOB_PARTITION"}, {"qos", "SLURM_JOB_QOS"},
		{"user", "SLURM_JOB_USER"}, {"cluster", "SLURM_CLUSTER_NAME"}, {"slurm_step_id", "SLURM_STEP_ID"},
		{"slurm_array_job_id", "SLURM_ARRAY_JOB_ID"}, {"slurm_array_task_id", "SLURM_ARRAY_TASK_ID"},
		{"slurm_het_job_id", "SLURM_JOB_ID_HET_GROUP_0"}, {"attempt", "SLURM_RESTART_COUNT"}};
	char value[VALUE_SIZE];

	fprintf(out, "\"labels\": {\"orchestrator\": \"slurm\"");
	for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
		if (get(spank, labels[i][1], value)) {
			fprintf(out, ", \"%s\": ", labels[i][0]);
			put_text(out, value);
		}
	fprintf(out, "},\n");
}

static void put_run(FILE *out, spank_t spank, const struct ended *ended, const char *id, const char *user)
{
	char job[VALUE_SIZE], number[VALUE_SIZE], step[VALUE_SIZE];
	uint32_t rank = 0, node = 0, tasks = 0;
	bool exited = WIFEXITED(ended->status);

	(void)spank_get_item(spank, S_TASK_GLOBAL_ID, &rank);
	(void)spank_get_item(spank, S_JOB_NODEID, &node);
	(void)spank_get_item(spank, S_JOB_TOTAL_TASK_COUNT, &tasks);
	fprintf(out, "{\"schema\": 1,\n\"id\": ");
	put_text(out, id);
	fprintf(out, ",\n\"parent\": null,\n\"job\": ");
	put_text(out, get(spank, "SLURM_JOB_NAME", job) ? job : "step");
	fprintf(out, ",\n\"command\": [");
	put_text(out, ended->program);
	fprintf(out, "],\n\"cwd\": \"\",\n\"user\": ");
	put_text(out, user);
	fprintf(out, ",\n\"host\": ");
	put_text(out, ended->host);
	fprintf(out,
		",\n\"pid\": %d,\n\"start_time\": %.3f,\n\"stop_time\": %.3f,\n\"interval\": 1,\n\"status\": \"%s\",\n",
		ended->pid, ended->start, ended->stop,
		!exited                      ? "killed"
		: WEXITSTATUS(ended->status) ? "failed"
					     : "finished");
	if (exited)
		fprintf(out, "\"exit_code\": %d,\n\"exit_signal\": null,\n", WEXITSTATUS(ended->status));
	else
		fprintf(out, "\"exit_code\": null,\n\"exit_signal\": %d,\n", WTERMSIG(ended->status));
	if (get(spank, "SLURM_JOB_ID", number) && get(spank, "SLURM_STEP_ID", step)) {
		fprintf(out, "\"group\": ");
		append(number, sizeof number, ".");
		append(number, sizeof number, step);
		put_text(out, number);
		fprintf(out, ",\n\"member\": {\"rank\": %u, \"node\": %u, \"of\": %u},\n", rank, node, tasks);
	}
	put_labels(out, spank);
	fprintf(out, "\"tracker\": {\"mode\": \"slurmstepd\"}\n}\n");
}

static FILE *create(const char *directory, const char *name)
{
	char path[2 * VALUE_SIZE];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	return fopen(path, "wxe");
}

/* Writes the run of a task: one process, and one row of process.csv for its whole time. */
static void write_run(spank_t spank, const char *spool, const struct ended *ended, const char *user)
{
	char stamp[STAMP_SIZE], id[400], directory[VALUE_SIZE + 400];
	double wall = ended->stop > ended->start ? ended->stop - ended->start : 0.001;
	FILE *out;

	write_stamp(stamp, ended->start);
	snprintf(id, sizeof id, "%s-%.64s-%d-%04x", stamp, ended->host, ended->pid,
		(unsigned)(ended->start * 65536) & 0xffff);
	snprintf(directory, sizeof directory, "%s/%s", spool, id);
	if (mkdir(directory, 0700) != 0)
		return;
	if ((out = create(directory, "process.csv"))) {
		fprintf(out, "\"timestamp\",\"pid\",\"utime\",\"stime\",\"cpu_usage\"\n%.3f,%d,%.6f,%.6f,%.4f\n",
			ended->stop, ended->pid, ended->user_seconds, ended->system_seconds,
			(ended->user_seconds + ended->system_seconds) / wall);
		fclose(out);
	}
	if ((out = create(directory, "start.csv"))) {
		fprintf(out, "\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\"\n%.3f,%d,1,%d,",
			ended->start, ended->pid, (int)getpid());
		put_cell(out, ended->program);
		fputc(',', out);
		put_cell(out, ended->program);
		fputc('\n', out);
		fclose(out);
	}
	if ((out = create(directory, "exit.csv"))) {
		fprintf(out,
			"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"utime\",\"stime\",\"peak_rss_mib\",\"exit_"
			"code\","
			"\"exit_signal\",\"source\",\"exact\"\n%.3f,%d,1,%d,%.6f,%.6f,%.3f,",
			ended->stop, ended->pid, (int)getpid(), ended->user_seconds, ended->system_seconds,
			ended->peak_mib);
		if (WIFEXITED(ended->status))
			fprintf(out, "%d,,\"launcher\",0\n", WEXITSTATUS(ended->status));
		else
			fprintf(out, ",%d,\"launcher\",0\n", WTERMSIG(ended->status));
		fclose(out);
	}
	if ((out = create(directory, "run.json"))) {
		put_run(out, spank, ended, id, user);
		fclose(out);
	}
}

/* Returns the spool of the job: its own, or that of the site. */
static bool find_spool(spank_t spank, const char *user, char *path, size_t size)
{
	if (get(spank, "RTRACK_SPOOL", path))
		return *path == '/';
	return *site.spool && spool_of(spank, user, path, size);
}

/* Returns whether the user has asked for fewer runs. */
static bool is_unwanted(spank_t spank, const struct ended *ended)
{
	char value[VALUE_SIZE];

	return (get(spank, "RTRACK", value) && strcmp(value, "off") == 0) || get(spank, "RTRACK_EXCLUDE", value) ||
	       ended->stop - ended->start <
		       strtod(get(spank, "RTRACK_MIN_SECONDS", value) ? value : settings[MIN_SECONDS].value, NULL);
}

/* Runs in slurmstepd after it has started a task. */
int slurm_spank_task_post_fork(spank_t spank, int count, char **arguments)
{
	int task = -1;

	(void)count;
	(void)arguments;
	if (spank_get_item(spank, S_TASK_ID, &task) != ESPANK_SUCCESS || task < 0 || task >= TASKS_MAX)
		return 0;
	starts[task] = now();
	if (task == 0)
		(void)getrusage(RUSAGE_CHILDREN, &used_before);
	return 0;
}

/* Runs in slurmstepd as root after it has reaped a task, for one task after the other. */
int slurm_spank_task_exit(spank_t spank, int count, char **arguments)
{
	char user[256], spool[VALUE_SIZE];
	struct ended ended = {.stop = now()};
	struct rusage used;
	char **command = NULL;
	int words = 0;
	pid_t pid;
	int task = -1;
	uid_t uid;
	gid_t gid;

	(void)count;
	(void)arguments;
	if (getrusage(RUSAGE_CHILDREN, &used) != 0)
		return 0;
	ended.user_seconds = seconds_since(used_before.ru_utime, used.ru_utime);
	ended.system_seconds = seconds_since(used_before.ru_stime, used.ru_stime);
	ended.peak_mib = (double)used.ru_maxrss / 1024;
	used_before = used;
	if (!is_tracked(spank) || spank_get_item(spank, S_TASK_ID, &task) != ESPANK_SUCCESS || task < 0 ||
		task >= TASKS_MAX || spank_get_item(spank, S_TASK_PID, &pid) != ESPANK_SUCCESS ||
		spank_get_item(spank, S_TASK_EXIT_STATUS, &ended.status) != ESPANK_SUCCESS ||
		!user_name(spank, &uid, &gid, user, sizeof user) || !find_spool(spank, user, spool, sizeof spool))
		return 0;
	ended.pid = (int)pid;
	ended.start = starts[task];
	(void)gethostname(ended.host, sizeof ended.host - 1);
	ended.program =
		spank_get_item(spank, S_JOB_ARGV, &words, &command) == ESPANK_SUCCESS && words > 0 ? command[0] : "";
	if (!is_unwanted(spank, &ended)) {
		/* The calling thread opens files with the rights of the user. */
		int own_group = setfsgid(gid), own_user = setfsuid(uid);
		if (!has_run(spank, spool, &ended))
			write_run(spank, spool, &ended, user);
		(void)setfsuid((uid_t)own_user);
		(void)setfsgid((gid_t)own_group);
	}
	if (prints_summary(spank))
		print_summary(spank, spool, uid, gid);
	return 0;
}
