/* SPDX-License-Identifier: Apache-2.0 */
/* The identity of the calling process, for os/self.h. */
#include "os/self.h"

#include "core/number.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/linux/error.h"
#include "os/linux/listing.h"
#include "os/linux/parse.h"
#include "os/linux/proc.h"
#include "os/linux/sys.h"
#include "os/process.h"

#include <asm/poll.h>
#include <asm/signal.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/stat.h>
#include <linux/time.h>
#include <linux/utsname.h>
#include <linux/wait.h>

enum { UNTOLD_DESCRIPTORS = 65536, DIRECTORY_MAX = 1024 };

int os_descriptor_limit(void)
{
	struct rlimit64 limit = {0, 0};
	if (SYS_CALL4(__NR_prlimit64, 0, RLIMIT_NOFILE, 0, &limit) < 0 || limit.rlim_cur > INT32_MAX)
		return INT32_MAX;
	return (int)limit.rlim_cur;
}

void os_close_from(int first)
{
	char data[DIRECTORY_MAX] __attribute__((aligned(8)));
	struct listing listing;
	uint64_t highest = 0, next;

	if (SYS_CALL3(__NR_close_range, first, ~0u, 0) == 0)
		return;
	/* close_range fails before Linux 5.9, or if a seccomp filter forbids it. Only the descriptors that are open are
	 * then closed, because the limit on descriptors may be 10^9. */
	listing_open(&listing, "/proc/self/fd", data, sizeof data);
	while (listing_next_number(&listing, &next))
		highest = figures_larger(highest, next);
	if (listing_close(&listing) < 0)
		highest = UNTOLD_DESCRIPTORS;
	for (uint64_t descriptor = (uint64_t)first; descriptor <= highest; descriptor++)
		os_close((int)descriptor);
}

void os_raise_descriptor_limit(void)
{
	struct rlimit64 limit = {0, 0};
	if (SYS_CALL4(__NR_prlimit64, 0, RLIMIT_NOFILE, 0, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)SYS_CALL4(__NR_prlimit64, 0, RLIMIT_NOFILE, &limit, 0);
	}
}

struct text os_boot(char text[OS_BOOT_MAX])
{
	int64_t length = os_read_once(OS_HERE, "/proc/sys/kernel/random/boot_id", text, OS_BOOT_MAX);
	struct text line = {text, length > 0 ? (size_t)length : 0};
	line.length = text_find(line, '\n', 0);
	return line;
}

uint64_t proc_inode(int pid, const char *file)
{
	char path[48];
	struct buffer out = BUFFER(path);
	struct statx status;
	long result = SYS_CALL5(__NR_statx, AT_FDCWD, proc_path(&out, pid, file), 0, STATX_INO, &status);
	return result < 0 ? 0 : status.stx_ino;
}

uint64_t os_pid_namespace(void)
{
	return proc_inode(0, "ns/pid");
}

bool process_children_are_apart(void)
{
	uint64_t theirs = proc_inode(0, "ns/pid_for_children");
	return theirs != 0 && theirs != os_pid_namespace();
}

bool process_shares_time_with_children(void)
{
	return proc_inode(0, "ns/time") == proc_inode(0, "ns/time_for_children");
}

/* Returns whether a process has a pid in only one PID namespace. If the caller is in the initial PID namespace, this is
 * the initial one too. The check needs no permission for the process. */
static bool has_one_pid(int pid)
{
	char text[PROC_TEXT_MAX * 2], key[24];
	struct buffer out = BUFFER(key);
	struct text line;
	int64_t length = proc_read(pid, "status", text, sizeof text);
	bool found = false;

	buffer_string(&out, "NSpid:\t");
	buffer_unsigned(&out, (uint64_t)pid);
	const char *expected = buffer_terminate(&out);
	for (size_t at = 0; length > 0 && !found && parse_line((struct text){text, (size_t)length}, &at, &line);)
		found = text_is(line, expected);
	return found;
}

/* Returns whether a process may be in a PID namespace. If its namespace cannot be read, a process of another user is
 * assumed to be elsewhere. */
static bool may_be_in(int pid, uint64_t number)
{
	char path[48];
	struct statx status;
	struct buffer out = BUFFER(path);
	const char *directory = proc_path(&out, pid, "");
	long result = SYS_CALL5(__NR_statx, AT_FDCWD, directory, 0, STATX_UID, &status);
	bool ours = result == 0 && status.stx_uid == sys_user();
	uint64_t found = proc_inode(pid, "ns/pid");
	return found != 0 ? found == number : ours && !has_one_pid(pid) && os_exists(OS_HERE, directory);
}

/* Returns whether a process may have started at or before `start`. If the process is in another time namespace, the
 * result is true, because start times by two clocks are not comparable. */
static bool started_by(int pid, uint64_t start)
{
	struct process_reading reading;
	uint64_t clock = proc_inode(pid, "ns/time");
	int result = process_read(pid, false, &reading);

	if (result != 0)
		return !process_is_gone(result);
	return start == 0 || reading.id.start <= start || (clock != 0 && clock != proc_inode(0, "ns/time"));
}

bool os_pid_namespace_is_gone(uint64_t number, uint64_t start)
{
	/* PROC_PID_INIT_INO of the kernel: inode number of the initial PID namespace */
	const uint64_t first = 0xeffffffc;
	struct process_list list = {NULL, 0, 0};
	bool gone = number != 0 && number != first && os_pid_namespace() == first && process_list(&list) == 0;

	for (size_t i = 0; gone && i < list.count; i++) {
		int pid = list.entries[i].id.pid;
		gone = !may_be_in(pid, number) || !started_by(pid, start);
	}
	process_list_release(&list);
	return gone;
}

/* Identifies the PID namespace by the time and device of the link /proc/self. The kernel creates this link when /proc
 * is mounted. The two values therefore differ between mounts of /proc, and so between PID namespaces. */
uint64_t os_pid_view(int pid)
{
	enum { DEVICE_SHIFT = 48 };
	struct statx status;
	if (proc_look() != (uint64_t)pid)
		return 0;
	if (SYS_CALL5(__NR_statx, AT_FDCWD, "/proc/self", AT_SYMLINK_NOFOLLOW, STATX_CTIME, &status) < 0 ||
		status.stx_ctime.tv_sec == 0)
		return 0;
	return (uint64_t)(status.stx_ctime.tv_sec * 1000000000 + status.stx_ctime.tv_nsec) ^
	       (uint64_t)status.stx_dev_minor << DEVICE_SHIFT;
}

int64_t os_executable(char *data, size_t capacity)
{
	return os_read_link(OS_HERE, "/proc/self/exe", data, capacity);
}

int64_t os_command_line(char *data, size_t capacity)
{
	return os_read(OS_HERE, "/proc/self/cmdline", data, capacity);
}

uint16_t os_random(void)
{
	uint16_t value = 0;
	enum { GRND_NOT_WAITING = 1 };
	if (SYS_CALL3(__NR_getrandom, &value, sizeof value, GRND_NOT_WAITING) != (long)sizeof value) {
		uint64_t now = (uint64_t)os_now_ns();
		value = (uint16_t)(now ^ now >> 16 ^ now >> 32);
	}
	return value;
}

int os_pid(void)
{
	return (int)SYS_CALL0(__NR_getpid);
}

bool os_keeps_orphans(void)
{
	int keeps = 0;
	return os_pid() == 1 || (SYS_CALL5(__NR_prctl, PR_GET_CHILD_SUBREAPER, &keeps, 0, 0, 0) == 0 && keeps);
}

int os_parent(void)
{
	return (int)SYS_CALL0(__NR_getppid);
}

uint32_t os_user(void)
{
	return sys_user();
}

bool os_is_privileged(void)
{
	return SYS_CALL0(__NR_getuid) != SYS_CALL0(__NR_geteuid) || SYS_CALL0(__NR_getgid) != SYS_CALL0(__NR_getegid);
}

/* exit() flushes the buffers of the C library after the last record was written. If stdout is a pipe that is full,
 * exit() waits, and other threads keep working meanwhile. */
bool os_goes_on(bool alone)
{
	const struct __kernel_timespec at_once = {0, 0};
	struct pollfd output = {1, POLLOUT, 0};
	struct process_reading reading;

	return sys_is_translated() ||
	       (alone && SYS_CALL5(__NR_ppoll, &output, 1, &at_once, 0, 0) == 0 &&
		       (process_read(0, false, &reading) != 0 || reading.gauge[GAUGE_THREADS] > 1));
}

int os_working_directory(char *data, size_t capacity)
{
	long result = SYS_CALL2(__NR_getcwd, data, capacity);
	/* The path begins with "(unreachable)" if the directory is outside this process's root. Such a directory has no
	 * path. */
	if (result < 0 || data[0] != '/')
		return result < 0 ? error_of(result) : OS_ERROR_MISSING;
	return 0;
}

int os_host_name(char *data, size_t capacity)
{
	struct new_utsname names;
	long result = SYS_CALL1(__NR_uname, &names);
	if (result < 0)
		return error_of(result);
	struct buffer out = {data, 0, capacity, false};
	buffer_string(&out, names.nodename);
	(void)buffer_terminate(&out);
	return 0;
}

/* Each line of /etc/passwd is name:password:uid:… (passwd(5)). */
int os_user_name(uint32_t uid, char *data, size_t capacity)
{
	char text[4096];
	int64_t length = os_read(OS_HERE, "/etc/passwd", text, sizeof text);
	if (length < 0)
		return (int)length;
	struct text file = {text, (size_t)length};
	for (size_t start = 0; start < file.length;) {
		size_t end = text_find(file, '\n', start);
		struct text line = {file.data + start, end - start};
		size_t name = text_find(line, ':', 0);
		size_t password = text_find(line, ':', name + 1);
		size_t number = text_find(line, ':', password + 1);
		uint64_t found;
		if (number < line.length &&
			number_read_unsigned((struct text){line.data + password + 1, number - password - 1}, &found) ==
				0 &&
			found == uid) {
			struct buffer out = {data, 0, capacity, false};
			buffer_text(&out, (struct text){line.data, name});
			(void)buffer_terminate(&out);
			return 0;
		}
		start = end + 1;
	}
	return OS_ERROR_MISSING;
}

/* -- children -------------------------------------------------------------------------------------- */

/* waitid(2) reports whether there are children. /proc/self/task/TID/children (CONFIG_PROC_CHILDREN) lists them. */
enum { PIDS_TEXT_MAX = 512 };

/* struct sigaction of the kernel. The C library's struct has another layout. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

bool process_ignores_children(void)
{
	struct kernel_action action = {.flags = 0};
	if (SYS_CALL4(__NR_rt_sigaction, SIGCHLD, 0, &action, sizeof action.mask) < 0)
		return false;
	return action.handler == SIG_IGN || (action.flags & SA_NOCLDWAIT);
}

/* Adds the pids in a text, in which a blank follows each pid. */
static int take_pids(struct text text, int *pids, size_t capacity, int count)
{
	for (size_t start = 0; start < text.length;) {
		size_t end = text_find(text, ' ', start);
		uint64_t pid;
		if (number_read_unsigned((struct text){text.data + start, end - start}, &pid) == 0) {
			if ((size_t)count < capacity)
				pids[count] = (int)pid;
			count++;
		}
		start = end + 1;
	}
	return count;
}

/* Adds the children that one thread has created. */
static int children_of_thread(uint64_t thread, int *pids, size_t capacity, int count)
{
	char name[48], text[PIDS_TEXT_MAX];
	struct buffer out = BUFFER(name);
	int64_t length = proc_read(0, proc_of_thread(&out, thread, "children"), text, sizeof text);
	if (length < 0)
		return (int)length;
	return take_pids((struct text){text, (size_t)length}, pids, capacity, count);
}

enum { SIGNAL_INFO_BYTES = 128 }; /* size of the kernel's siginfo_t on every processor */

bool process_has_children(void)
{
	/* The content is not used, but valgrind reports an error if waitid gets no buffer. */
	char said[SIGNAL_INFO_BYTES] __attribute__((aligned(8)));
	return SYS_CALL5(__NR_waitid, P_ALL, 0, said, WEXITED | WNOHANG | WNOWAIT | __WALL, 0) != -ECHILD;
}

int process_children(int *pids, size_t capacity)
{
	if (!process_has_children())
		return 0;
	char data[DIRECTORY_MAX] __attribute__((aligned(8)));
	struct listing listing;
	uint64_t thread;
	int count = 0;
	listing_open(&listing, "/proc/self/task", data, sizeof data);
	while (count >= 0 && listing_next_number(&listing, &thread))
		count = children_of_thread(thread, pids, capacity, count);
	int result = listing_close(&listing);
	return result < 0 ? result : count;
}
