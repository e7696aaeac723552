/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of os/file.h.
 *
 * Every append opens the file, writes once, and closes it. If a descriptor were kept open, the host could close it and
 * open a file of its own with the same number. Rows would then be written to that file (docs/hazards.md). */
#include "os/file.h"

#include "core/number.h"
#include "os/clock.h"
#include "os/linux/error.h"
#include "os/linux/listing.h"
#include "os/linux/sys.h"

#include <asm/signal.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/resource.h>
#include <linux/stat.h>
#include <linux/time.h>

/* values of LOCK_SH, LOCK_EX and LOCK_NB of flock(2) */
enum { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2, LOCK_NOT_WAITING = 4 };
enum { SIGNAL_SET_SIZE = 8 };

/* Constants of inode(7). They are repeated here, because linux/stat.h hides them if glibc's headers are included. */
enum {
	MODE_TYPE = 0170000,
	MODE_FILE = 0100000,
	MODE_LINK = 0120000,
	MODE_DIRECTORY = 0040000,
	MODE_STICKY = 01000,
	MODE_OTHERS_WRITE = 022
};

static int at(int directory)
{
	return directory == OS_HERE ? AT_FDCWD : directory;
}

int os_open(int directory, const char *path)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (directory == OS_HERE ? 0 : O_NOFOLLOW);
	return (int)result_of(SYS_CALL4(__NR_openat, at(directory), path, flags, 0));
}

int os_open_as(uint32_t user, uint32_t group, const char *path)
{
	/* Both calls return the previous id. They have no effect unless the caller is root. */
	long own_group = SYS_CALL1(__NR_setfsgid, group), own_user = SYS_CALL1(__NR_setfsuid, user);
	int file = (int)result_of(
		SYS_CALL4(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0));
	(void)SYS_CALL1(__NR_setfsuid, own_user);
	(void)SYS_CALL1(__NR_setfsgid, own_group);
	return file;
}

static int open_to_append(int directory, const char *path, int access)
{
	return (int)result_of(SYS_CALL4(__NR_openat, at(directory), path,
		access | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0));
}

int os_open_append(int directory, const char *path)
{
	return open_to_append(directory, path, O_WRONLY);
}

int os_open_write(int directory, const char *path)
{
	return (int)result_of(SYS_CALL4(
		__NR_openat, at(directory), path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0));
}

int os_open_directory(int directory, const char *path)
{
	return (int)result_of(SYS_CALL4(
		__NR_openat, at(directory), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0));
}

void os_close(int descriptor)
{
	if (descriptor >= 0)
		(void)SYS_CALL1(__NR_close, descriptor);
}

int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset)
{
	return result_of(SYS_CALL4(__NR_pread64, descriptor, data, capacity, offset));
}

/* Removes a row that was truncated because the disk is full or a limit was reached. Otherwise the next row would
 * continue the same line. Does nothing if another process has appended a row since.
 *
 * A bit in the mode of the file records that a row is missing, because the mode can be changed without disk space. */
static void take_back(int descriptor, long written)
{
	enum { FROM_HERE = 1 }; /* SEEK_CUR */
	(void)SYS_CALL2(__NR_fchmod, descriptor, OS_MODE_LACKING);
	long end = SYS_CALL3(__NR_lseek, descriptor, 0, FROM_HERE);
	if (written > 0 && end >= written && os_size(descriptor) == end)
		(void)SYS_CALL2(__NR_ftruncate, descriptor, end - written);
}

enum { AT_THE_END = -1 };

/* Writes the whole of `data`. Returns the number of bytes written, or a negative errno. */
static int64_t write_whole(int descriptor, struct text data, int64_t offset)
{
	if (offset != AT_THE_END)
		return SYS_CALL4(__NR_pwrite64, descriptor, data.data, data.length, offset);
	long written = SYS_CALL3(__NR_write, descriptor, data.data, data.length);
	if (written < (long)data.length)
		take_back(descriptor, written);
	return written;
}

/* Writes without raising SIGXFSZ. The kernel sends this signal to a thread that writes beyond RLIMIT_FSIZE, and the
 * signal would kill the host. The signal is therefore blocked during the write, and consumed afterwards if it is
 * pending. */
static int64_t write_quietly(int descriptor, struct text data, int64_t offset)
{
	const uint64_t blocked = (uint64_t)1 << (SIGXFSZ - 1);
	int64_t written = write_whole(descriptor, data, offset);
	if (written == -EFBIG) {
		const struct __kernel_timespec now = {0, 0};
		(void)SYS_CALL4(__NR_rt_sigtimedwait, &blocked, 0, &now, SIGNAL_SET_SIZE);
	}
	return result_of(written);
}

int64_t os_write(int descriptor, struct text data)
{
	return write_quietly(descriptor, data, AT_THE_END);
}

int64_t os_write_at(int descriptor, struct text data, uint64_t offset)
{
	return write_quietly(descriptor, data, (int64_t)offset);
}

int64_t os_size(int descriptor)
{
	struct statx status;
	long result = SYS_CALL5(__NR_statx, descriptor, "", AT_EMPTY_PATH, STATX_SIZE, &status);
	return result < 0 ? error_of(result) : (int64_t)status.stx_size;
}

/* Opens a table. `access` is O_WRONLY or O_RDWR. */
static int open_table_of(int directory, const char *path, int access, struct os_table *table)
{
	enum { ALL_MODES = 07777 };
	struct statx status;
	table->file = open_to_append(directory, path, access);
	if (table->file < 0)
		return table->file;
	int result = (int)result_of(
		SYS_CALL5(__NR_statx, table->file, "", AT_EMPTY_PATH, STATX_SIZE | STATX_UID | STATX_MODE, &status));
	table->owner = status.stx_uid;
	table->mode = status.stx_mode & ALL_MODES;
	table->size = status.stx_size;
	return result;
}

/* Returns whether the table belongs to `user`, or to the current user. The two differ if the process has entered a user
 * namespace, because a user namespace maps user ids. */
static bool is_for(const struct os_table *table, uint32_t user)
{
	return table->owner == user || table->owner == sys_user();
}

static int open_table(int directory, const char *path, int access, uint32_t user, struct os_table *table)
{
	int result = open_table_of(directory, path, access, table);
	if (result == 0 && !is_for(table, user))
		result = OS_ERROR_NOT_OURS;
	if (result == 0 || table->file < 0)
		return result;
	os_close(table->file);
	return table->file = result;
}

int os_open_table(int directory, const char *path, uint32_t user, struct os_table *table)
{
	return open_table(directory, path, O_RDWR, user, table);
}

void os_mark_slow(int descriptor, uint32_t mode)
{
	if (descriptor >= 0 && (mode & OS_MODE_SLOW) == 0)
		(void)SYS_CALL2(__NR_fchmod, descriptor, mode | OS_MODE_SLOW);
}

static int whole(int64_t written, struct text data)
{
	if (written < 0)
		return (int)written;
	return (size_t)written == data.length ? 0 : OS_ERROR_FULL;
}

int os_append(int directory, const char *path, struct text data, uint64_t limit)
{
	struct os_table table;
	int result = open_table(directory, path, O_WRONLY, sys_user(), &table);
	if (result != 0)
		return result;
	if (limit > 0 && table.size >= limit)
		result = OS_ERROR_TOO_LARGE;
	else
		result = whole(os_write(table.file, data), data);
	os_close(table.file);
	return result;
}

int os_append_owned(int directory, const char *path, struct text data, uint32_t owner)
{
	struct os_table table;
	int result = open_table_of(directory, path, O_WRONLY, &table);
	if (result == 0 && !is_for(&table, owner))
		result = OS_ERROR_NOT_OURS;
	if (result == 0)
		result = whole(os_write(table.file, data), data);
	os_close(table.file);
	return result;
}

int os_create(int directory, const char *path, struct text data)
{
	int file = (int)result_of(SYS_CALL4(__NR_openat, at(directory), path,
		O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600));
	if (file < 0 && data.length == 0)
		return (int)result_of(SYS_CALL4(__NR_mknodat, at(directory), path, MODE_FILE | 0600, 0));
	if (file < 0)
		return file;
	int result = data.length > 0 ? whole(os_write(file, data), data) : 0;
	os_close(file);
	return result;
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
	return result < 0 && length == 0 ? error_of(result) : (int64_t)length;
}

int64_t os_read_once(int directory, const char *path, char *data, size_t capacity)
{
	int file = os_open(directory, path);
	if (file < 0)
		return file;
	long result = SYS_CALL3(__NR_read, file, data, capacity);
	os_close(file);
	return result_of(result);
}

int64_t os_read_of_root(const char *path, char *data, size_t capacity)
{
	struct statx status;
	int file = os_open(OS_HERE, path);
	if (file < 0)
		return file;
	int64_t result = result_of(SYS_CALL5(
		__NR_statx, file, "", AT_EMPTY_PATH, STATX_SIZE | STATX_UID | STATX_MODE | STATX_TYPE, &status));
	if (result == 0 && ((status.stx_mode & MODE_TYPE) != MODE_FILE || status.stx_uid != 0 ||
				   (status.stx_mode & MODE_OTHERS_WRITE) != 0))
		result = OS_ERROR_NOT_OURS;
	else if (result == 0 && status.stx_size > capacity)
		result = OS_ERROR_TOO_LARGE;
	if (result == 0)
		result = os_read_at(file, data, capacity, 0);
	os_close(file);
	return result;
}

int64_t os_read_link(int directory, const char *path, char *data, size_t capacity)
{
	return result_of(SYS_CALL4(__NR_readlinkat, at(directory), path, data, capacity));
}

int os_make_directory(const char *path)
{
	return (int)result_of(SYS_CALL3(__NR_mkdirat, AT_FDCWD, path, 0700));
}

int os_rename(int directory, const char *from, const char *to)
{
	return (int)result_of(SYS_CALL5(__NR_renameat2, at(directory), from, at(directory), to, 0));
}

int os_remove(int directory, const char *path)
{
	return (int)result_of(SYS_CALL3(__NR_unlinkat, at(directory), path, 0));
}

int os_remove_directory(const char *path)
{
	return (int)result_of(SYS_CALL3(__NR_unlinkat, AT_FDCWD, path, AT_REMOVEDIR));
}

int os_make_link(const char *target, int directory, const char *path)
{
	return (int)result_of(SYS_CALL3(__NR_symlinkat, target, at(directory), path));
}

bool os_exists(int directory, const char *path)
{
	return SYS_CALL3(__NR_faccessat, at(directory), path, 0) == 0;
}

bool os_may_read(const char *path)
{
	enum { TO_READ = 4 }; /* R_OK */
	return SYS_CALL3(__NR_faccessat, AT_FDCWD, path, TO_READ) == 0;
}

void listing_open(struct listing *listing, const char *path, char *data, size_t capacity)
{
	*listing = (struct listing){.data = data, .capacity = capacity, .directory = os_open_directory(OS_HERE, path)};
}

bool listing_next(struct listing *listing)
{
	if (listing->at >= listing->length) {
		listing->at = 0;
		listing->length = SYS_CALL3(__NR_getdents64, listing->directory, listing->data, listing->capacity);
	}
	listing->entry = (const void *)(listing->data + listing->at);
	if (listing->length <= 0)
		return false;
	listing->at += listing->entry->length;
	return true;
}

bool listing_next_number(struct listing *listing, uint64_t *number)
{
	while (listing_next(listing))
		if (number_read_unsigned(text_of(listing->entry->name), number) == 0)
			return true;
	return false;
}

int listing_close(struct listing *listing)
{
	os_close(listing->directory);
	return (int)result_of(listing->length);
}

int os_list(const char *path, void (*take)(void *context, const char *name), void *context)
{
	char data[2048] __attribute__((aligned(8)));
	struct listing listing;

	listing_open(&listing, path, data, sizeof data);
	while (listing_next(&listing))
		take(context, listing.entry->name);
	return listing_close(&listing);
}

static bool is_trusted(const struct statx *status)
{
	return status->stx_uid == sys_user() || status->stx_uid == 0;
}

int os_check_directory(const char *path, bool sticky_allowed)
{
	const unsigned wanted = STATX_TYPE | STATX_MODE | STATX_UID;
	struct statx status;
	long result = SYS_CALL5(__NR_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, wanted, &status);
	if (result == 0 && (status.stx_mode & MODE_TYPE) == MODE_LINK) {
		if (!is_trusted(&status))
			return OS_ERROR_NOT_OURS;
		result = SYS_CALL5(__NR_statx, AT_FDCWD, path, 0, wanted, &status);
	}
	if (result < 0)
		return error_of(result);
	if ((status.stx_mode & MODE_TYPE) != MODE_DIRECTORY)
		return OS_ERROR_NOT_DIRECTORY;
	/* The owner must be trusted even if the directory is sticky, because the owner can rename and remove its
	 * entries. */
	if (!is_trusted(&status))
		return OS_ERROR_NOT_OURS;
	if (sticky_allowed && (status.stx_mode & MODE_STICKY))
		return 0;
	return status.stx_mode & MODE_OTHERS_WRITE ? OS_ERROR_NOT_OURS : 0;
}

int os_lock(int descriptor, bool shared)
{
	return (int)result_of(
		SYS_CALL2(__NR_flock, descriptor, (shared ? LOCK_SHARED : LOCK_EXCLUSIVE) | LOCK_NOT_WAITING));
}

/* os_hold locks one byte for reading with fcntl(2), far beyond all rows. The offset of the byte is HELD_FROM plus the
 * pid of the holder in the holder's PID namespace. os_holder compares it with the pid that the kernel reports, which is
 * the holder's pid in the caller's namespace, or 0. */
#define HELD_FROM ((int64_t)1 << 40)
#define HELD_LENGTH ((int64_t)1 << 31)

int os_hold(int descriptor)
{
	struct flock lock = {.l_type = F_RDLCK, .l_start = HELD_FROM + SYS_CALL0(__NR_getpid), .l_len = 1};
	return (int)result_of(SYS_CALL3(__NR_fcntl, descriptor, F_SETLK, &lock));
}

int os_holder(int descriptor)
{
	struct flock lock = {.l_type = F_WRLCK, .l_start = HELD_FROM, .l_len = HELD_LENGTH};
	bool held = SYS_CALL3(__NR_fcntl, descriptor, F_GETLK, &lock) == 0 && lock.l_type == F_RDLCK &&
		    lock.l_pid > 0 && lock.l_start == HELD_FROM + lock.l_pid;

	return held ? lock.l_pid : 0;
}

int64_t os_age_ns(int directory, const char *path)
{
	struct statx status;
	long result = SYS_CALL5(__NR_statx, at(directory), path, AT_SYMLINK_NOFOLLOW, STATX_MTIME, &status);
	if (result < 0)
		return error_of(result);
	return os_now_ns() - (status.stx_mtime.tv_sec * 1000000000 + status.stx_mtime.tv_nsec);
}

void os_volatile_directory(struct buffer *out)
{
	buffer_string(out, os_exists(OS_HERE, "/dev/shm") ? "/dev/shm" : "/tmp");
}
