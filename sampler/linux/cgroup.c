/* The control group of the calling process, version 2 or 1; see system.h. */
#include "core/number.h"
#include "sampler/linux/parse.h"
#include "sampler/linux/system.h"

/* Whether `word` is one of the comma-separated words of `list`. */
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

/* The path of the process in the hierarchy of `controller` ("" is version 2), from /proc/self/cgroup. */
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

/* The directory of cgroup `path` below a mount that shows the hierarchy from mount->root on. */
static void join(const struct mount *mount, struct text path, struct buffer *out)
{
	if (mount->root.length > 1 && path.length >= mount->root.length &&
		text_equal(mount->root, (struct text){path.data, mount->root.length}))
		path = (struct text){path.data + mount->root.length, path.length - mount->root.length};
	else if (mount->root.length > 1)
		path.length = 0;
	buffer_text(out, mount->point);
	if (path.length > 1)
		buffer_text(out, path);
}

static void find_directory(
	struct text mountinfo, struct text cgroups, const char *controller, char *directory, size_t size)
{
	struct text path = own_path(cgroups, controller);
	struct text line;
	struct mount mount;

	directory[0] = '\0';
	if (!path.data)
		return;
	for (size_t at = 0; parse_line(mountinfo, &at, &line);) {
		if (parse_mount(line, &mount) != 0)
			continue;
		bool right = controller[0] == '\0'
				     ? text_is(mount.type, "cgroup2")
				     : text_is(mount.type, "cgroup") && has_word(mount.options, controller);
		if (!right)
			continue;
		struct buffer out = {directory, 0, size, false};
		join(&mount, path, &out);
		(void)buffer_terminate(&out);
		if (out.full)
			directory[0] = '\0';
		return;
	}
}

static int read_value(const char *directory, const char *file, uint64_t *value)
{
	char path[600];
	char text[64];
	struct buffer out = BUFFER(path);
	buffer_string(&out, directory);
	buffer_byte(&out, '/');
	buffer_string(&out, file);
	int64_t length = os_read(OS_HERE, buffer_terminate(&out), text, sizeof text);
	if (length <= 0)
		return -1;
	size_t at = 0;
	return number_read_unsigned(parse_word((struct text){text, (size_t)length}, &at), value);
}

void cgroup_find(struct cgroup_state *state, struct text mountinfo)
{
	char text[4096];
	uint64_t value;
	int64_t length = os_read(OS_HERE, "/proc/self/cgroup", text, sizeof text);
	struct text cgroups = {text, length > 0 ? (size_t)length : 0};

	state->version1 = false;
	find_directory(mountinfo, cgroups, "", state->memory, sizeof state->memory);
	if (state->memory[0] != '\0' && read_value(state->memory, "memory.current", &value) == 0) {
		find_directory(mountinfo, cgroups, "", state->cpu, sizeof state->cpu);
		return;
	}
	find_directory(mountinfo, cgroups, "memory", state->memory, sizeof state->memory);
	find_directory(mountinfo, cgroups, "cpu", state->cpu, sizeof state->cpu);
	state->version1 = state->memory[0] != '\0' || state->cpu[0] != '\0';
}

void cgroup_memory(const struct cgroup_state *state, double *charged, double *limit)
{
	uint64_t value;
	char directory[sizeof state->memory];

	*charged = *limit = UNKNOWN;
	if (state->memory[0] == '\0')
		return;
	if (read_value(state->memory, state->version1 ? "memory.usage_in_bytes" : "memory.current", &value) == 0)
		*charged = (double)value;
	struct buffer out = BUFFER(directory);
	buffer_string(&out, state->memory);
	/* Any ancestor may hold the lower limit; the climb ends where the hierarchy does. */
	for (int depth = 0; depth < 32; depth++) {
		const char *file = state->version1 ? "memory.limit_in_bytes" : "memory.max";
		bool found = read_value(buffer_terminate(&out), file, &value) == 0;
		/* Version 1 says "none" with a number near 2^63. */
		if (found && value < (uint64_t)1 << 60 && !((double)value >= *limit))
			*limit = (double)value;
		while (out.length > 0 && out.data[out.length - 1] != '/')
			out.length--;
		if (out.length <= 1)
			return;
		out.length--;
	}
}

int cgroup_throttled(const struct cgroup_state *state, uint64_t *throttled_ns)
{
	char path[600];
	char text[1024];
	uint64_t value;
	if (state->cpu[0] == '\0')
		return -1;
	struct buffer out = BUFFER(path);
	buffer_string(&out, state->cpu);
	buffer_string(&out, "/cpu.stat");
	int64_t length = os_read(OS_HERE, buffer_terminate(&out), text, sizeof text);
	if (length <= 0)
		return -1;
	struct text content = {text, (size_t)length};
	if (parse_value(content, "throttled_usec ", &value) == 0)
		*throttled_ns = value * 1000;
	else if (parse_value(content, "throttled_time ", &value) == 0)
		*throttled_ns = value;
	else
		return -1;
	return 0;
}
