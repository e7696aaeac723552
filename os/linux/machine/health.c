/* SPDX-License-Identifier: Apache-2.0 */
/* Linux checks of os/health.h: /proc, /sys and the limits of this process. */
#define _GNU_SOURCE
#include "os/health.h"

#include "core/number.h"
#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/sys.h"
#include "os/self.h"

#include <linux/resource.h>

enum { PATH_LENGTH = 4096, TEXT_LENGTH = 65536, FINDING_LENGTH = 256 };
enum { FEW_DESCRIPTORS = 256, FEW_PROCESSES = 4096 };

struct examination {
	const char *root;
	health_take *take;
	void *context;
	char path[PATH_LENGTH];
	char text[TEXT_LENGTH];
	char finding[FINDING_LENGTH];
	struct buffer said;
};

static const char *path_of(struct examination *this, const char *path)
{
	struct buffer out = BUFFER(this->path);

	buffer_string(&out, this->root);
	buffer_string(&out, path);
	return buffer_terminate(&out);
}

static int64_t read_file(struct examination *this, const char *path, struct text *text)
{
	int64_t length = os_read(OS_HERE, path_of(this, path), this->text, sizeof this->text);

	*text = (struct text){this->text, length > 0 ? (size_t)length : 0};
	return length;
}

static void say(struct examination *this, const char *text)
{
	buffer_string(&this->said, text);
}

/* Reports the result of a check, with the text that was composed in `this`. */
static void found(struct examination *this, enum health_check check, enum health health)
{
	this->take(this->context, check, health, buffer_terminate(&this->said));
	this->said = BUFFER(this->finding);
}

static bool has_line(struct text text, const char *key)
{
	struct text line;
	for (size_t at = 0; parse_line(text, &at, &line);)
		if (text_starts(line, key))
			return true;
	return false;
}

/* Checks that a file is readable, and that one of its lines begins with `key`. If not, reports the reason. */
static void examine_file(struct examination *this, enum health_check check, const char *path, const char *key)
{
	struct text text;
	int64_t length = read_file(this, path, &text);

	say(this, path);
	if (length > 0 && has_line(text, key)) {
		found(this, check, HEALTH_FINE);
		return;
	}
	say(this, length < 0 ? ": " : ": the expected line is missing");
	if (length < 0)
		say(this, os_error_text((int)length));
	found(this, check, HEALTH_LESS);
}

/* -- /proc ----------------------------------------------------------------------------------------- */

static bool has_option(struct text options, const char *word)
{
	for (size_t at = 0; at <= options.length;) {
		size_t end = text_find(options, ',', at);
		if (text_starts((struct text){options.data + at, end - at}, word))
			return true;
		at = end + 1;
	}
	return false;
}

/* Returns the mount options of /proc from mountinfo, or an empty text if /proc is not mounted. */
static struct text proc_options(struct examination *this, char options[FINDING_LENGTH])
{
	struct buffer out = {options, 0, FINDING_LENGTH, false};
	struct text text, line;
	struct mount mount;

	read_file(this, "/proc/self/mountinfo", &text);
	for (size_t at = 0; parse_line(text, &at, &line);) {
		if (parse_mount(line, &mount) != 0 || !text_is(mount.point, "/proc"))
			continue;
		out.length = 0;
		buffer_text(&out, mount.options);
	}
	return (struct text){options, out.length};
}

static void examine_proc(struct examination *this)
{
	char options[FINDING_LENGTH];
	struct text mounted = proc_options(this, options);
	struct text text;

	if (read_file(this, "/proc/self/stat", &text) <= 0) {
		say(this, "/proc is not mounted");
		found(this, HEALTH_proc, HEALTH_BAD);
		return;
	}
	uint64_t pid = 0;
	if (this->root[0] == '\0' && (parse_value(text, "", &pid) != 0 || pid != (uint64_t)os_pid())) {
		say(this, "/proc is of another PID namespace");
		found(this, HEALTH_proc, HEALTH_BAD);
		return;
	}
	say(this, "mounted, of this PID namespace");
	found(this, HEALTH_proc, HEALTH_FINE);

	bool hidden = has_option(mounted, "hidepid=") && !has_option(mounted, "hidepid=0") &&
		      !has_option(mounted, "hidepid=off");
	bool seen = read_file(this, "/proc/1/stat", &text) > 0;
	say(this, hidden ? "/proc is mounted with hidepid" : "/proc shows the processes of all users");
	if (hidden && seen)
		say(this, ", but this user sees all processes");
	found(this, HEALTH_others, hidden && !seen ? HEALTH_LESS : HEALTH_FINE);
}

/* -- control groups -------------------------------------------------------------------------------- */

static void examine_cgroups(struct examination *this)
{
	bool two = false, one = false, one_memory = false;
	struct text text, line;
	struct mount mount;

	read_file(this, "/proc/self/mountinfo", &text);
	for (size_t at = 0; parse_line(text, &at, &line);) {
		if (parse_mount(line, &mount) != 0)
			continue;
		two |= text_is(mount.type, "cgroup2");
		one |= text_is(mount.type, "cgroup");
		one_memory |= text_is(mount.type, "cgroup") && has_option(mount.options, "memory");
	}
	if (!one && !two)
		say(this, "none is mounted");
	else if (one && two)
		say(this, one_memory ? "version 2 beside version 1, which has the memory controller"
				     : "version 2 beside version 1");
	else if (one)
		say(this, one_memory ? "version 1" : "version 1, without the memory controller");
	else
		say(this, "version 2");
	found(this, HEALTH_cgroups, two || one_memory ? HEALTH_FINE : HEALTH_LESS);
}

/* -- limits ---------------------------------------------------------------------------------------- */

static void examine_limit(struct examination *this, enum health_check check, unsigned which, uint64_t few)
{
	struct rlimit64 limit;

	if (SYS_CALL4(__NR_prlimit64, 0, which, 0, &limit) < 0) {
		say(this, "the kernel does not say");
		found(this, check, HEALTH_OPEN);
		return;
	}
	if (limit.rlim_cur == RLIM64_INFINITY) {
		say(this, "no limit");
	} else {
		say(this, "the limit is ");
		buffer_unsigned(&this->said, limit.rlim_cur);
	}
	found(this, check, limit.rlim_cur < few ? HEALTH_LESS : HEALTH_FINE);
}

static void examine_shared(struct examination *this)
{
	bool there = os_exists(OS_HERE, path_of(this, "/dev/shm"));
	long denied = there ? SYS_CALL4(__NR_faccessat, -100, path_of(this, "/dev/shm"), 2 | 1, 0) : 0;

	say(this, !there   ? "/dev/shm is missing"
		  : denied ? "this user may not write to /dev/shm"
			   : "this user may write to /dev/shm");
	found(this, HEALTH_shared, there && !denied ? HEALTH_FINE : HEALTH_LESS);
}

/* -- restrictions ---------------------------------------------------------------------------------- */

static void examine_seccomp(struct examination *this)
{
	struct text text;
	uint64_t mode = 0;

	read_file(this, "/proc/self/status", &text);
	if (parse_value(text, "Seccomp:", &mode) != 0)
		say(this, "the kernel does not say");
	else
		say(this, mode == 0 ? "no filter" : "a filter is active");
	found(this, HEALTH_seccomp, HEALTH_FINE);
}

static void examine_tracing(struct examination *this)
{
	static const char file[] = "/proc/sys/kernel/yama/ptrace_scope";
	struct text text;

	if (read_file(this, file, &text) > 0) {
		say(this, "kernel.yama.ptrace_scope is ");
		buffer_text(&this->said, (struct text){text.data, text_find(text, '\n', 0)});
	} else {
		say(this, "Yama is not active");
	}
	found(this, HEALTH_tracing, HEALTH_FINE);
}

/* -- GPUs ------------------------------------------------------------------------------------------ */

static void count_cards(void *context, const char *name)
{
	uint64_t number;
	unsigned *cards = context;
	struct text text = text_of(name);

	/* "card0" is a GPU, but "card0-HDMI-A-1" is a connector */
	if (text_starts(text, "card") && number_read_unsigned((struct text){name + 4, text.length - 4}, &number) == 0)
		(*cards)++;
}

static void examine_gpu(struct examination *this)
{
	bool nvidia = os_exists(OS_HERE, path_of(this, "/dev/nvidiactl"));
	bool driver = os_exists(OS_HERE, path_of(this, "/proc/driver/nvidia/version"));
	unsigned cards = 0;

	(void)os_list(path_of(this, "/sys/class/drm"), count_cards, &cards);
	if (nvidia)
		say(this, "NVIDIA's device is present");
	else if (driver)
		say(this, "NVIDIA's driver is present, but its device is missing");
	else if (cards == 0)
		say(this, "none");
	if (cards > 0) {
		if (nvidia || driver)
			say(this, "; ");
		say(this, "cards of the kernel's own drivers: ");
		buffer_unsigned(&this->said, cards);
	}
	found(this, HEALTH_gpu, driver && !nvidia ? HEALTH_LESS : HEALTH_FINE);
}

void os_examine(const char *root, health_take *take, void *context)
{
	static struct examination this;

	this.root = root;
	this.take = take;
	this.context = context;
	this.said = BUFFER(this.finding);
	examine_proc(&this);
	examine_file(&this, HEALTH_pss, "/proc/self/smaps_rollup", "Pss:");
	examine_file(&this, HEALTH_io, "/proc/self/io", "read_bytes:");
	examine_file(&this, HEALTH_pressure, "/proc/pressure/memory", "some ");
	examine_cgroups(&this);
	examine_shared(&this);
	examine_limit(&this, HEALTH_descriptors, RLIMIT_NOFILE, FEW_DESCRIPTORS);
	examine_limit(&this, HEALTH_processes, RLIMIT_NPROC, FEW_PROCESSES);
	examine_seccomp(&this);
	examine_tracing(&this);
	examine_gpu(&this);
}
