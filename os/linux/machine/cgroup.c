/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the control group of the calling process, version 2 or 1. */
#include "core/number.h"
#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/machine/system.h"
#include "os/self.h"
#include "os/system.h"

enum { PATH_LENGTH = CGROUP_PATH_MAX };

/* Returns whether `word` is one of the comma-separated words of `list`. */
static bool has_word(struct text list, const char *word)
{
	for (size_t start = 0; start <= list.length;) {
		size_t end = text_find(list, ',', start);
		if (text_is((struct text){list.data + start, end - start}, word))
			return true;
		start = end + 1;
	}
	return false;
}

/* Returns the path of this process in the hierarchy of `controller`, from /proc/self/cgroup. `controller` is "" for
 * version 2. */
static struct text own_path(struct text cgroups, const char *controller)
{
	struct text line;
	for (size_t at = 0; parse_line(cgroups, &at, &line);) {
		size_t first = text_find(line, ':', 0);
		size_t second = text_find(line, ':', first + 1);
		if (second >= line.length)
			continue;
		struct text names = {line.data + first + 1, second - first - 1};
		if (controller[0] == '\0' ? names.length == 0 : has_word(names, controller))
			return (struct text){line.data + second + 1, line.length - second - 1};
	}
	return (struct text){NULL, 0};
}

/* Appends the directory of the control group `path`. mount->root is the group at which the mount begins, so it is
 * removed from the beginning of the path. */
static void join(const char *root, const struct mount *mount, struct text path, struct buffer *out)
{
	size_t above = mount->root.length > 1 ? mount->root.length : 0;

	if (above <= path.length &&
		text_equal((struct text){mount->root.data, above}, (struct text){path.data, above}) &&
		(above == path.length || path.data[above] == '/'))
		path = (struct text){path.data + above, path.length - above};
	else
		path.length = 0;
	buffer_string(out, root);
	buffer_text(out, mount->point);
	if (path.length > 1)
		buffer_text(out, path);
}

static void find_directory(const char *root, struct text mountinfo, struct text cgroups, const char *controller,
	char *directory, size_t size)
{
	struct text path = own_path(cgroups, controller);
	struct text line;
	struct mount mount;

	directory[0] = '\0';
	/* If the process is outside its cgroup namespace, no mount contains its group. */
	if (!path.data || text_starts(path, "/.."))
		return;
	for (size_t at = 0; parse_line(mountinfo, &at, &line);) {
		if (parse_mount(line, &mount) != 0)
			continue;
		bool right = controller[0] == '\0'
				     ? text_is(mount.type, "cgroup2")
				     : text_is(mount.type, "cgroup") && has_word(mount.options, controller);
		/* A root that begins with "/.." belongs to a mount from outside the cgroup namespace. Such a mount also
		 * contains groups above that of this process, and it is unknown which directory is the group of this
		 * process. */
		if (!right || text_starts(mount.root, "/.."))
			continue;
		struct buffer out = {directory, 0, size, false};
		join(root, &mount, path, &out);
		(void)buffer_terminate(&out);
		if (out.full)
			directory[0] = '\0';
		return;
	}
}

static char *path_in(struct buffer *out, const char *directory, const char *file)
{
	buffer_string(out, directory);
	buffer_byte(out, '/');
	buffer_string(out, file);
	return buffer_terminate(out);
}

/* Parses a limit file. If the file has two numbers, as cpu.max has ("QUOTA PERIOD"), the result is the first divided by
 * the second. Returns UNKNOWN if there is no limit: version 2 then has "max", and version 1 a number near 2^63 or a
 * negative one. */
static double read_figure(struct text text)
{
	uint64_t value;
	uint64_t divisor;
	size_t at = 0;

	if (number_read_unsigned(parse_word(text, &at), &value) != 0 || value >= (uint64_t)1 << 60)
		return UNKNOWN;
	bool divided = number_read_unsigned(parse_word(text, &at), &divisor) == 0 && divisor > 0;
	return divided ? (double)value / (double)divisor : (double)value;
}

static int open_in(const char *directory, const char *file)
{
	char path[PATH_LENGTH];
	struct buffer out = BUFFER(path);
	return directory[0] == '\0' ? -1 : os_open(OS_HERE, path_in(&out, directory, file));
}

/* Opens the file that contains the number of out-of-memory kills. Its path is kept, because cgroup_renew_limit needs
 * the directory. */
static int open_events(struct cgroup_state *state, const char *directory, const char *file)
{
	struct buffer out = BUFFER(state->events_path);
	int events = open_in(directory, file);

	state->events_path[0] = '\0';
	if (events >= 0)
		(void)path_in(&out, directory, file);
	return events;
}

static double read_figure_in(const char *directory, const char *file)
{
	char path[PATH_LENGTH];
	char text[64];
	struct buffer out = BUFFER(path);
	int64_t length = os_read_once(OS_HERE, path_in(&out, directory, file), text, sizeof text);
	return read_figure((struct text){text, length > 0 ? (size_t)length : 0});
}

/* Returns the lowest limit of a control group and its ancestors. `file` is the name of the limit file. `divisor` is the
 * name of a file with a number by which the limit is divided, or NULL. */
static double lowest_limit(const char *directory, const char *file, const char *divisor)
{
	char place[PATH_LENGTH];
	struct buffer at = BUFFER(place);
	double lowest = UNKNOWN;

	buffer_string(&at, directory);
	for (int depth = 0; depth < 32 && at.length > 1; depth++) {
		double limit = read_figure_in(buffer_terminate(&at), file);
		if (number_known(limit) && divisor)
			limit /= read_figure_in(place, divisor);
		if (limit < lowest || !number_known(lowest))
			lowest = limit;
		while (at.length > 0 && at.data[at.length - 1] != '/')
			at.length--;
		at.length -= at.length > 0;
	}
	return lowest;
}

/* Each controller is in one hierarchy. If /proc/self/cgroup lists the controller by name, the hierarchy has version 1,
 * otherwise version 2. In a container, the group of this process may not be mounted. The nearest ancestor that is
 * mounted is then used. */
void cgroup_open(struct cgroup_state *state, const char *root, struct text mountinfo)
{
	char text[4096];
	char path[PATH_LENGTH];
	char unified[PATH_LENGTH - 64];
	char memory[PATH_LENGTH - 64];
	char cpu[PATH_LENGTH - 64];
	char account[PATH_LENGTH - 64];
	struct buffer own = BUFFER(path);

	buffer_string(&own, root);
	buffer_string(&own, "/proc/self/cgroup");
	int64_t length = os_read(OS_HERE, buffer_terminate(&own), text, sizeof text);
	struct text cgroups = {text, length > 0 ? (size_t)length : 0};
	find_directory(root, mountinfo, cgroups, "", unified, sizeof unified);
	find_directory(root, mountinfo, cgroups, "memory", memory, sizeof memory);
	find_directory(root, mountinfo, cgroups, "cpu", cpu, sizeof cpu);
	find_directory(root, mountinfo, cgroups, "cpuacct", account, sizeof account);
	if (memory[0] != '\0') {
		state->files[CGROUP_CHARGED] = open_in(memory, "memory.usage_in_bytes");
		state->files[CGROUP_EVENTS] = open_events(state, memory, "memory.oom_control");
		state->limit_file = "memory.limit_in_bytes";
	} else {
		state->files[CGROUP_CHARGED] = open_in(unified, "memory.current");
		state->files[CGROUP_EVENTS] = open_events(state, unified, "memory.events");
		state->limit_file = "memory.max";
	}
	const char *charged = memory[0] != '\0' ? memory : unified;
	state->limit_bytes = lowest_limit(charged, state->limit_file, NULL);
	/* memory.stat is opened only if there is a limit, because only requests under a limit need it, and reading it
	 * takes longer than the other files. */
	state->files[CGROUP_KEPT] = number_known(state->limit_bytes) ? open_in(charged, "memory.stat") : -1;
	if (cpu[0] != '\0') {
		state->files[CGROUP_THROTTLED] = open_in(cpu, "cpu.stat");
		state->limit_cpus = lowest_limit(cpu, "cpu.cfs_quota_us", "cpu.cfs_period_us");
	} else {
		state->files[CGROUP_THROTTLED] = open_in(unified, "cpu.stat");
		state->limit_cpus = lowest_limit(unified, "cpu.max", NULL);
	}
	state->files[CGROUP_USAGE] = open_in(account, "cpuacct.usage");
	const char *place = account[0] != '\0' ? account : unified;
	state->files[CGROUP_DIRECTORY] = place[0] == '\0' ? -1 : os_open_directory(OS_HERE, place);
}

bool cgroup_of_memory(struct text mountinfo, char *directory, size_t size, bool *unified)
{
	char text[4096];
	int64_t length = os_read(OS_HERE, "/proc/self/cgroup", text, sizeof text);
	struct text cgroups = {text, length > 0 ? (size_t)length : 0};

	find_directory("", mountinfo, cgroups, "memory", directory, size);
	*unified = directory[0] == '\0';
	if (*unified)
		find_directory("", mountinfo, cgroups, "", directory, size);
	return directory[0] != '\0';
}

void cgroup_close(struct cgroup_state *state)
{
	for (int i = 0; i < CGROUP_FILES; i++)
		os_close(state->files[i]);
}

/* Reads a file that is kept open. Returns an empty text if this fails. */
static struct text read_open(int file, char *data, size_t capacity)
{
	int64_t length = os_read_at(file, data, capacity, 0);
	return (struct text){data, length > 0 ? (size_t)length : 0};
}

double cgroup_charged(const struct cgroup_state *state)
{
	char text[64];
	return read_figure(read_open(state->files[CGROUP_CHARGED], text, sizeof text));
}

double cgroup_kept(const struct cgroup_state *state)
{
	char text[4096];
	uint64_t anonymous = 0, shared = 0;
	struct text content = read_open(state->files[CGROUP_KEPT], text, sizeof text);

	/* Anonymous memory is in the line `anon` in version 2, and in the line `rss` in version 1. */
	if (parse_value(content, "anon ", &anonymous) != 0 && parse_value(content, "rss ", &anonymous) != 0)
		return UNKNOWN;
	(void)parse_value(content, "shmem ", &shared);
	return (double)(anonymous + shared);
}

int cgroup_throttled(const struct cgroup_state *state, uint64_t *throttled_ns)
{
	char text[1024];
	uint64_t value;
	struct text content = read_open(state->files[CGROUP_THROTTLED], text, sizeof text);
	if (parse_value(content, "throttled_usec ", &value) == 0)
		*throttled_ns = value * 1000; /* The value is in microseconds in version 2. */
	else if (parse_value(content, "throttled_time ", &value) == 0)
		*throttled_ns = value; /* nanoseconds in version 1 */
	else
		return -1;
	return 0;
}

static int parse_kills(struct text text, uint64_t *kills)
{
	return parse_value(text, "oom_kill ", kills);
}

int cgroup_oom_kills(const struct cgroup_state *state, uint64_t *kills)
{
	char text[256];
	return parse_kills(read_open(state->files[CGROUP_EVENTS], text, sizeof text), kills);
}

void cgroup_renew_limit(struct cgroup_state *state)
{
	/* lowest_limit reads the limit in each parent directory of a path. It can therefore begin with a file in the
	 * directory of the group. */
	state->limit_bytes = lowest_limit(state->events_path, state->limit_file, NULL);
}

int system_oom_kills(const char *file, uint64_t *kills)
{
	char text[256];
	int64_t length = os_read_once(OS_HERE, file, text, sizeof text);
	return parse_kills((struct text){text, length > 0 ? (size_t)length : 0}, kills);
}

int cgroup_cpu(const struct cgroup_state *state, uint64_t *cpu_ns)
{
	char text[1024];
	uint64_t value;
	int file = state->files[CGROUP_USAGE] >= 0 ? state->files[CGROUP_USAGE] : state->files[CGROUP_THROTTLED];
	struct text content = read_open(file, text, sizeof text);
	size_t at = 0;
	if (state->files[CGROUP_USAGE] >= 0)
		return number_read_unsigned(parse_word(content, &at), cpu_ns);
	if (parse_value(content, "usage_usec ", &value) != 0)
		return -1;
	*cpu_ns = value * 1000;
	return 0;
}

int cgroup_processes(const struct cgroup_state *state, int *pids, size_t capacity)
{
	char text[1024];
	/* In version 1, a file that is kept open keeps returning its old content. It is therefore opened again. */
	int64_t length = state->files[CGROUP_DIRECTORY] < 0
				 ? 0
				 : os_read(state->files[CGROUP_DIRECTORY], "cgroup.procs", text, sizeof text);
	struct text content = {text, length > 0 ? (size_t)length : 0};
	struct text line;
	int count = 0;

	for (size_t at = 0; parse_line(content, &at, &line); count++) {
		uint64_t pid = 0;
		(void)number_read_unsigned(line, &pid);
		if ((size_t)count < capacity)
			pids[count] = (int)pid;
	}
	return count > 0 ? count : -1;
}

/* In the initial PID namespace, no process is hidden. Its inode number is PROC_PID_INIT_INO
 * (include/linux/proc_ns.h). */
int cgroup_shown_processes(const struct cgroup_state *state, int *pids, size_t capacity)
{
	const uint64_t first_namespace = 0xeffffffc;
	bool hides = state->files[CGROUP_USAGE] >= 0 && os_pid_namespace() != first_namespace;
	return hides ? -1 : cgroup_processes(state, pids, capacity);
}
