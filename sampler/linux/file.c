/* Files, memory, time and identity of os.h on Linux.
 *
 * Every append opens, writes once and closes: a descriptor that stayed open in the host's table could be
 * closed and reused by the host, and our rows would land in its files (docs/hazards.md). */
#include "sampler/os.h"

#include "core/number.h"
#include "sampler/linux/sys.h"

#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/mman.h>
#include <asm/poll.h>
#include <linux/resource.h>
#include <linux/stat.h>
#include <linux/time.h>
#include <linux/utsname.h>
#include <asm/signal.h>

enum { LOCK_EXCLUSIVE = 2, LOCK_NOT_WAITING = 4 }; /* LOCK_EX, LOCK_NB of flock(2) */
enum { SIGNAL_SET_SIZE = 8 };

/* inode(7); linux/stat.h hides them where glibc's headers are about. */
enum {
	MODE_TYPE = 0170000,
	MODE_LINK = 0120000,
	MODE_DIRECTORY = 0040000,
	MODE_STICKY = 01000,
	MODE_OTHERS_WRITE = 022
};

int os_open(int directory, const char *path)
{
	return (int)SYS_CALL4(__NR_openat, directory, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
}

int os_open_append(int directory, const char *path)
{
	return (int)SYS_CALL4(
		__NR_openat, directory, path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0);
}

int os_open_directory(int directory, const char *path)
{
	return (int)SYS_CALL4(
		__NR_openat, directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
}

void os_close(int descriptor)
{
	if (descriptor >= 0)
		(void)SYS_CALL1(__NR_close, descriptor);
}

int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset)
{
	return SYS_CALL4(__NR_pread64, descriptor, data, capacity, offset);
}

static bool has_size_limit(void)
{
	struct rlimit64 limit;
	return SYS_CALL4(__NR_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) < 0 || limit.rlim_cur != RLIM64_INFINITY;
}

/* A disk that is full, or a limit that is reached, in the middle of a row: what was written of it is taken back, or the
 * next row would be glued to it. Not if somebody else has written behind it. */
static void take_back(int descriptor, long written)
{
	enum { FROM_HERE = 1 }; /* SEEK_CUR */
	long end = SYS_CALL3(__NR_lseek, descriptor, 0, FROM_HERE);
	if (end >= written && os_size(descriptor) == end)
		(void)SYS_CALL2(__NR_ftruncate, descriptor, end - written);
}

static int64_t write_whole(int descriptor, struct text data)
{
	long written = SYS_CALL3(__NR_write, descriptor, data.data, data.length);
	if (written > 0 && (size_t)written < data.length)
		take_back(descriptor, written);
	return written;
}

/* A write past RLIMIT_FSIZE raises SIGXFSZ in the writing thread, which would kill the host: where there is a
 * limit, it is blocked around the write, and taken away if the write raised it. */
int64_t os_write(int descriptor, struct text data)
{
	const uint64_t blocked = (uint64_t)1 << (SIGXFSZ - 1);
	uint64_t before = 0;

	if (!has_size_limit())
		return write_whole(descriptor, data);
	(void)SYS_CALL4(__NR_rt_sigprocmask, SIG_BLOCK, &blocked, &before, SIGNAL_SET_SIZE);
	int64_t written = write_whole(descriptor, data);
	if (written == -EFBIG) {
		const struct __kernel_timespec now = {0, 0};
		(void)SYS_CALL4(__NR_rt_sigtimedwait, &blocked, 0, &now, SIGNAL_SET_SIZE);
	}
	(void)SYS_CALL4(__NR_rt_sigprocmask, SIG_SETMASK, &before, 0, SIGNAL_SET_SIZE);
	return written;
}

int64_t os_size(int descriptor)
{
	struct statx status;
	long result = SYS_CALL5(__NR_statx, descriptor, "", AT_EMPTY_PATH, STATX_SIZE, &status);
	return result < 0 ? result : (int64_t)status.stx_size;
}

int os_append(int directory, const char *path, struct text data, uint64_t limit)
{
	struct statx status;
	int file = os_open_append(directory, path);
	if (file < 0)
		return file;
	int64_t result = SYS_CALL5(__NR_statx, file, "", AT_EMPTY_PATH, STATX_SIZE | STATX_UID, &status);
	if (result == 0 && status.stx_uid != os_user())
		result = -EPERM;
	if (result == 0 && limit > 0 && status.stx_size >= limit)
		result = -EFBIG;
	if (result == 0)
		result = os_write(file, data);
	os_close(file);
	if (result < 0)
		return (int)result;
	return (size_t)result == data.length ? 0 : -ENOSPC;
}

int os_create(int directory, const char *path, struct text data)
{
	int file = (int)SYS_CALL4(
		__NR_openat, directory, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
	if (file < 0)
		return file;
	int64_t written = data.length > 0 ? os_write(file, data) : 0;
	os_close(file);
	if (written < 0)
		return (int)written;
	return (size_t)written == data.length ? 0 : -ENOSPC;
}

int64_t os_read(int directory, const char *path, char *data, size_t capacity)
{
	int file = os_open(directory, path);
	if (file < 0)
		return file;
	size_t length = 0;
	long result = 0;
	while (length < capacity) {
		result = SYS_CALL3(__NR_read, file, data + length, capacity - length);
		if (result <= 0)
			break;
		length += (size_t)result;
	}
	os_close(file);
	return result < 0 && length == 0 ? result : (int64_t)length;
}

int64_t os_read_once(int directory, const char *path, char *data, size_t capacity)
{
	int file = os_open(directory, path);
	if (file < 0)
		return file;
	long result = SYS_CALL3(__NR_read, file, data, capacity);
	os_close(file);
	return result;
}

int64_t os_read_link(int directory, const char *path, char *data, size_t capacity)
{
	return SYS_CALL4(__NR_readlinkat, directory, path, data, capacity);
}

int os_make_directory(const char *path)
{
	return (int)SYS_CALL3(__NR_mkdirat, AT_FDCWD, path, 0700);
}

int os_rename(int directory, const char *from, const char *to)
{
	return (int)SYS_CALL5(__NR_renameat2, directory, from, directory, to, 0);
}

int os_remove(int directory, const char *path)
{
	return (int)SYS_CALL3(__NR_unlinkat, directory, path, 0);
}

int os_remove_directory(const char *path)
{
	return (int)SYS_CALL3(__NR_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

int os_make_link(const char *target, int directory, const char *path)
{
	return (int)SYS_CALL3(__NR_symlinkat, target, directory, path);
}

bool os_exists(int directory, const char *path)
{
	return SYS_CALL3(__NR_faccessat, directory, path, 0) == 0;
}

static bool is_trusted(const struct statx *status)
{
	return status->stx_uid == os_user() || status->stx_uid == 0;
}

int os_check_directory(const char *path, bool sticky_allowed)
{
	const unsigned wanted = STATX_TYPE | STATX_MODE | STATX_UID;
	struct statx status;
	long result = SYS_CALL5(__NR_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, wanted, &status);
	if (result == 0 && (status.stx_mode & MODE_TYPE) == MODE_LINK) {
		if (!is_trusted(&status))
			return -EPERM;
		result = SYS_CALL5(__NR_statx, AT_FDCWD, path, 0, wanted, &status);
	}
	if (result < 0)
		return (int)result;
	if ((status.stx_mode & MODE_TYPE) != MODE_DIRECTORY)
		return -ENOTDIR;
	if (sticky_allowed && (status.stx_mode & MODE_STICKY))
		return 0;
	return is_trusted(&status) && !(status.stx_mode & MODE_OTHERS_WRITE) ? 0 : -EPERM;
}

int os_lock(int descriptor, bool wait)
{
	return (int)SYS_CALL2(__NR_flock, descriptor, LOCK_EXCLUSIVE | (wait ? 0 : LOCK_NOT_WAITING));
}

uint64_t os_pid_namespace(void)
{
	struct statx status;
	long result = SYS_CALL5(__NR_statx, AT_FDCWD, "/proc/self/ns/pid", 0, STATX_INO, &status);
	return result < 0 ? 0 : status.stx_ino;
}

/* /proc/self is a link that is made with its mount, in an instant and for a device of its own. */
uint64_t os_pid_view(void)
{
	enum { DEVICE_SHIFT = 48 };
	char number[16];
	uint64_t pid = 0;
	struct statx status;
	int64_t length = os_read_link(OS_HERE, "/proc/self", number, sizeof number);
	if (length <= 0 || number_read_unsigned((struct text){number, (size_t)length}, &pid) != 0 ||
		pid != (uint64_t)os_pid())
		return 0;
	if (SYS_CALL5(__NR_statx, AT_FDCWD, "/proc/self", AT_SYMLINK_NOFOLLOW, STATX_CTIME, &status) < 0 ||
		status.stx_ctime.tv_sec == 0)
		return 0;
	return (uint64_t)(status.stx_ctime.tv_sec * 1000000000 + status.stx_ctime.tv_nsec) ^
	       (uint64_t)status.stx_dev_minor << DEVICE_SHIFT;
}

int64_t os_age_ns(int directory, const char *path)
{
	struct statx status;
	long result = SYS_CALL5(__NR_statx, directory, path, AT_SYMLINK_NOFOLLOW, STATX_MTIME, &status);
	if (result < 0)
		return result;
	return os_now_ns() - (status.stx_mtime.tv_sec * 1000000000 + status.stx_mtime.tv_nsec);
}

void *os_map(size_t size)
{
	long result = SYS_CALL6(__NR_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return result < 0 && result > -4096 ? NULL : (void *)result;
}

void *os_remap(void *data, size_t old_size, size_t size)
{
	if (!data)
		return os_map(size);
	long result = SYS_CALL4(__NR_mremap, data, old_size, size, MREMAP_MAYMOVE);
	return result < 0 && result > -4096 ? NULL : (void *)result;
}

void os_unmap(void *data, size_t size)
{
	if (data)
		(void)SYS_CALL2(__NR_munmap, data, size);
}

static int64_t clock_ns(int clock)
{
	struct __kernel_timespec time = {0, 0};
	(void)SYS_CALL2(__NR_clock_gettime, clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Raw system calls, not the vDSO: libfaketime and its like change what a C library says. */
int64_t os_now_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

int64_t os_since_boot_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

void os_sleep(int64_t ns)
{
	const struct __kernel_timespec left = {ns / 1000000000, ns % 1000000000};
	if (ns > 0)
		(void)SYS_CALL4(__NR_clock_nanosleep, CLOCK_MONOTONIC, 0, &left, 0);
}

/* A pidfd (Linux 5.3) is readable when its process has ended. Each lives only for one wait. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns)
{
	enum { COUNT_MAX = 16 };
	struct pollfd polled[COUNT_MAX];
	struct __kernel_timespec left = {at_most_ns / 1000000000, at_most_ns % 1000000000};
	int result = 0;

	count = count < COUNT_MAX ? count : COUNT_MAX;
	for (size_t i = 0; i < count; i++) {
		polled[i] = (struct pollfd){process_follow(pids[i]), POLLIN, 0};
		if (polled[i].fd == -ENOSYS || polled[i].fd == -EPERM)
			result = -ENOSYS;
		if (polled[i].fd == -ESRCH)
			left = (struct __kernel_timespec){0, 0};
	}
	if (result == 0 && at_most_ns > 0)
		(void)SYS_CALL5(__NR_ppoll, polled, count, &left, 0, 0);
	for (size_t i = 0; i < count; i++)
		os_close(polled[i].fd);
	return result;
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

int os_parent(void)
{
	return (int)SYS_CALL0(__NR_getppid);
}

uint32_t os_user(void)
{
	return (uint32_t)SYS_CALL0(__NR_geteuid);
}

bool os_is_privileged(void)
{
	return SYS_CALL0(__NR_getuid) != SYS_CALL0(__NR_geteuid) || SYS_CALL0(__NR_getgid) != SYS_CALL0(__NR_getegid);
}

int os_working_directory(char *data, size_t capacity)
{
	long result = SYS_CALL2(__NR_getcwd, data, capacity);
	/* "(unreachable)…" is a directory outside the root: of no use as a path */
	if (result < 0 || data[0] != '/')
		return result < 0 ? (int)result : -ENOENT;
	return 0;
}

int os_host_name(char *data, size_t capacity)
{
	struct new_utsname names;
	long result = SYS_CALL1(__NR_uname, &names);
	if (result < 0)
		return (int)result;
	struct buffer out = {data, 0, capacity, false};
	buffer_string(&out, names.nodename);
	(void)buffer_terminate(&out);
	return 0;
}

/* Lines of /etc/passwd are name:password:uid:… (passwd(5)). */
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
	return -ENOENT;
}
