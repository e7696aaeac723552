/* SPDX-License-Identifier: Apache-2.0 */
/* macOS implementation of os/file.h.
 *
 * Every append opens the file, writes once and closes it. If a descriptor were kept open, the host could close it and
 * open a file of its own with the same number. */
#include "os/file.h"

#include "os/clock.h"
#include "os/darwin/error.h"
#include "os/self.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int at(int directory)
{
	return directory == OS_HERE ? AT_FDCWD : directory;
}

static int open_as(int directory, const char *path, int flags)
{
	return (int)RESULT_OF(openat(at(directory), path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
}

int os_open(int directory, const char *path)
{
	return open_as(directory, path, O_RDONLY | (directory == OS_HERE ? 0 : O_NOFOLLOW));
}

int os_open_as(uint32_t user, uint32_t group, const char *path)
{
	uid_t own_user = geteuid();
	gid_t own_group = getegid();
	bool changed = own_user == 0 && setegid(group) == 0 && seteuid(user) == 0;
	int file = own_user != 0 || changed ? open_as(OS_HERE, path, O_RDONLY | O_NOFOLLOW) : OS_ERROR_NOT_OURS;
	(void)seteuid(own_user);
	(void)setegid(own_group);
	return file;
}

int os_open_append(int directory, const char *path)
{
	return open_as(directory, path, O_WRONLY | O_APPEND | O_NOFOLLOW);
}

int os_open_write(int directory, const char *path)
{
	return open_as(directory, path, O_WRONLY | O_NOFOLLOW);
}

int os_open_directory(int directory, const char *path)
{
	return open_as(directory, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

void os_close(int descriptor)
{
	if (descriptor >= 0)
		(void)RESULT_OF(close(descriptor));
}

int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset)
{
	return RESULT_OF(pread(descriptor, data, capacity, (off_t)offset));
}

/* Returns whether a write stays below RLIMIT_FSIZE. For a write beyond that limit, the kernel sends SIGXFSZ to the
 * process instead of the writing thread. Blocking the signal in the thread therefore does not help. */
static bool has_room(int descriptor, size_t length, int64_t offset)
{
	struct rlimit limit;

	if (RESULT_OF(getrlimit(RLIMIT_FSIZE, &limit)) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return true;
	int64_t end = (offset < 0 ? os_size(descriptor) : offset) + (int64_t)length;
	return end >= 0 && (uint64_t)end <= limit.rlim_cur;
}

/* Removes a row that was truncated because the disk is full. Otherwise the next row would continue the same line. Does
 * nothing if another process has appended a row since. */
static void take_back(int descriptor, int64_t written)
{
	int64_t end = RESULT_OF(lseek(descriptor, 0, SEEK_CUR));
	if (end >= written && os_size(descriptor) == end)
		(void)RESULT_OF(ftruncate(descriptor, end - written));
}

int64_t os_write(int descriptor, struct text data)
{
	if (!has_room(descriptor, data.length, -1))
		return OS_ERROR_TOO_LARGE;
	int64_t written = RESULT_OF(write(descriptor, data.data, data.length));
	if (written > 0 && (size_t)written < data.length)
		take_back(descriptor, written);
	return written;
}

int64_t os_write_at(int descriptor, struct text data, uint64_t offset)
{
	if (!has_room(descriptor, data.length, (int64_t)offset))
		return OS_ERROR_TOO_LARGE;
	return RESULT_OF(pwrite(descriptor, data.data, data.length, (off_t)offset));
}

int64_t os_size(int descriptor)
{
	struct stat status;
	int64_t result = RESULT_OF(fstat(descriptor, &status));
	return result < 0 ? result : status.st_size;
}

int64_t os_output(int descriptor, char *data, size_t capacity, uint64_t *at)
{
	char path[1024]; /* MAXPATHLEN */
	struct stat status;
	int flags = fcntl(descriptor, F_GETFL);
	off_t offset = lseek(descriptor, 0, SEEK_CUR);

	if (flags < 0 || offset < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
		status.st_nlink == 0 || fcntl(descriptor, F_GETPATH, path) != 0 || text_length(path) > capacity)
		return OS_ERROR_UNSUPPORTED;
	*at = (uint64_t)(flags & O_APPEND ? status.st_size : offset);
	__builtin_memcpy(data, path, text_length(path));
	return (int64_t)text_length(path);
}

static int open_table(int directory, const char *path, int access, uint32_t user, struct os_table *table)
{
	struct stat status;

	table->file = open_as(directory, path, access | O_APPEND | O_NOFOLLOW);
	if (table->file < 0)
		return table->file;
	int result = (int)RESULT_OF(fstat(table->file, &status));
	if (result == 0) {
		table->owner = status.st_uid;
		table->mode = status.st_mode & ALLPERMS;
		table->size = (uint64_t)status.st_size;
		result = table->owner == user ? 0 : OS_ERROR_NOT_OURS;
	}
	if (result == 0)
		return 0;
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
		(void)RESULT_OF(fchmod(descriptor, (mode_t)(mode | OS_MODE_SLOW)));
}

static int whole(int64_t written, struct text data)
{
	if (written < 0)
		return (int)written;
	return (size_t)written == data.length ? 0 : OS_ERROR_FULL;
}

static int append(int directory, const char *path, struct text data, uint64_t limit, uint32_t owner)
{
	struct os_table table;
	int result = open_table(directory, path, O_WRONLY, owner, &table);

	if (result != 0)
		return result;
	result = limit > 0 && table.size >= limit ? OS_ERROR_TOO_LARGE : whole(os_write(table.file, data), data);
	os_close(table.file);
	return result;
}

int os_append(int directory, const char *path, struct text data, uint64_t limit)
{
	return append(directory, path, data, limit, os_user());
}

int os_append_owned(int directory, const char *path, struct text data, uint32_t owner)
{
	return append(directory, path, data, 0, owner);
}

int os_create(int directory, const char *path, struct text data)
{
	int file = (int)RESULT_OF(
		openat(at(directory), path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600));
	if (file < 0)
		return file;
	int result = data.length > 0 ? whole(os_write(file, data), data) : 0;
	os_close(file);
	return result;
}

int64_t os_read(int directory, const char *path, char *data, size_t capacity)
{
	size_t length = 0;
	int64_t result = 0;
	int file = os_open(directory, path);

	if (file < 0)
		return file;
	while (length < capacity) {
		result = RESULT_OF(read(file, data + length, capacity - length));
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
	int64_t result = RESULT_OF(read(file, data, capacity));
	os_close(file);
	return result;
}

int64_t os_read_of_root(const char *path, char *data, size_t capacity)
{
	struct stat status;
	int file = os_open(OS_HERE, path);
	if (file < 0)
		return file;
	int64_t result = RESULT_OF(fstat(file, &status));
	if (result == 0 && (!S_ISREG(status.st_mode) || status.st_uid != 0 || (status.st_mode & (S_IWGRP | S_IWOTH))))
		result = OS_ERROR_NOT_OURS;
	else if (result == 0 && (uint64_t)status.st_size > capacity)
		result = OS_ERROR_TOO_LARGE;
	if (result == 0)
		result = os_read_at(file, data, capacity, 0);
	os_close(file);
	return result;
}

int64_t os_read_link(int directory, const char *path, char *data, size_t capacity)
{
	return RESULT_OF(readlinkat(at(directory), path, data, capacity));
}

int os_make_directory(const char *path)
{
	return (int)RESULT_OF(mkdir(path, 0700));
}

int os_rename(int directory, const char *from, const char *to)
{
	return (int)RESULT_OF(renameat(at(directory), from, at(directory), to));
}

int os_remove(int directory, const char *path)
{
	return (int)RESULT_OF(unlinkat(at(directory), path, 0));
}

int os_remove_directory(const char *path)
{
	return (int)RESULT_OF(rmdir(path));
}

int os_make_link(const char *target, int directory, const char *path)
{
	return (int)RESULT_OF(symlinkat(target, at(directory), path));
}

bool os_exists(int directory, const char *path)
{
	return RESULT_OF(faccessat(at(directory), path, F_OK, 0)) == 0;
}

/* Lists a directory with opendir(3), because programs may not call __getdirentries64.
 *
 * opendir allocates memory, which is unsafe while the host is inside malloc. Therefore only rtrack's programs call this
 * function, and the library while it creates a run, but never from a signal handler. */
int os_list(const char *path, void (*take)(void *context, const char *name), void *context)
{
	const struct dirent *entry;
	int before = errno;
	int listed = os_open_directory(OS_HERE, path);

	if (listed < 0)
		return listed;
	DIR *entries = fdopendir(listed);
	if (!entries) {
		os_close(listed);
		errno = before;
		return OS_ERROR_NO_MEMORY;
	}
	while ((entry = readdir(entries)))
		take(context, entry->d_name);
	(void)closedir(entries);
	errno = before;
	return 0;
}

static bool is_trusted(const struct stat *status)
{
	return status->st_uid == os_user() || status->st_uid == 0;
}

int os_check_directory(const char *path, bool sticky_allowed)
{
	struct stat status;
	int result = (int)RESULT_OF(lstat(path, &status));

	if (result == 0 && S_ISLNK(status.st_mode)) {
		if (!is_trusted(&status))
			return OS_ERROR_NOT_OURS;
		result = (int)RESULT_OF(stat(path, &status));
	}
	if (result < 0)
		return result;
	if (!S_ISDIR(status.st_mode))
		return OS_ERROR_NOT_DIRECTORY;
	/* The owner must be trusted even if the directory is sticky, because the owner can rename and remove its
	 * entries. */
	if (!is_trusted(&status))
		return OS_ERROR_NOT_OURS;
	if (sticky_allowed && (status.st_mode & S_ISVTX))
		return 0;
	return status.st_mode & (S_IWGRP | S_IWOTH) ? OS_ERROR_NOT_OURS : 0;
}

int os_lock(int descriptor, bool shared)
{
	return (int)RESULT_OF(flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB));
}

int64_t os_age_ns(int directory, const char *path)
{
	struct stat status;
	int64_t result = RESULT_OF(fstatat(at(directory), path, &status, AT_SYMLINK_NOFOLLOW));
	if (result < 0)
		return result;
	return os_now_ns() - ((int64_t)status.st_mtimespec.tv_sec * 1000000000 + status.st_mtimespec.tv_nsec);
}
