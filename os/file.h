/* SPDX-License-Identifier: Apache-2.0 */
/* File operations.
 *
 * Conditions for all headers in os/: no function changes errno, allocates through a C library, prints, or retries in a
 * loop. Integer results are 0 or more, or a negative enum os_error. Descriptors are close-on-exec. Times are
 * nanoseconds; sizes are bytes unless the name has KiB. */
#ifndef RTRACK_OS_FILE_H
#define RTRACK_OS_FILE_H

#include "core/base.h"
#include "os/error.h"

/* Value of `directory` for paths relative to the working directory. It differs from all descriptors and error
 * numbers. */
enum { OS_HERE = -1000 };

/* Appends `data` to an existing file with one write, and closes it again. Does not follow a symbolic link at the end of
 * the path. If `limit` > 0, fails with OS_ERROR_TOO_LARGE if the file has reached that size. Fails with
 * OS_ERROR_NOT_OURS if the file belongs to another user.
 *
 * The caller must block or ignore SIGXFSZ. The functions of this header do not check RLIMIT_FSIZE; they consume the
 * signal that a write beyond it raises. */
int os_append(int directory, const char *path, struct text data, uint64_t limit);

/* Mode of a file to which an append failed because the disk was full: the normal mode plus the sticky bit. The bit has
 * no effect on a regular file, and setting it needs no disk space. Systems without a sticky bit do not set it. */
enum { OS_MODE_TABLE = 0600, OS_MODE_LACKING = 01600 };

/* Added to the mode of a file if a write to it took too long. The owner's execute bit has no effect on a table. Systems
 * without modes do not set it. */
enum { OS_MODE_SLOW = 0100 };

/* A file opened for reading and for appending rows. */
struct os_table {
	int file; /* descriptor; negative if not open */
	uint32_t owner;
	uint32_t mode;
	uint64_t size;
};

/* Opens a table with the checks of os_append, except for the limit. `user`: real user of the calling process (os_user).
 * Returns 0 or a negative os_error. */
int os_open_table(int directory, const char *path, uint32_t user, struct os_table *table);

/* Adds OS_MODE_SLOW to the mode of an open file, unless `mode` already contains it. */
void os_mark_slow(int descriptor, uint32_t mode);

/* As os_append without a limit. It checks only that the file belongs to `owner`, the owner of a file that passed the
 * checks. */
int os_append_owned(int directory, const char *path, struct text data, uint32_t owner);

/* Creates a file with mode 0600 and the content `data`. It must not exist yet (OS_ERROR_EXISTS). On Linux, creating an
 * empty file uses no descriptor. */
int os_create(int directory, const char *path, struct text data);

/* Reads at most `capacity` bytes from the beginning of the file. Returns the number of bytes read. */
int64_t os_read(int directory, const char *path, char *data, size_t capacity);

/* As os_read, but with a single read. Some kernel files return their whole content at once. */
int64_t os_read_once(int directory, const char *path, char *data, size_t capacity);

/* Opens for reading. Follows a symbolic link at the end of `path` only if `directory` is OS_HERE. */
int os_open(int directory, const char *path);
/* Opens for reading, with the rights of that user and group if the process is root, and does not follow a symbolic link
 * at the end of the path. For programs without threads. */
int os_open_as(uint32_t user, uint32_t group, const char *path);
int os_open_append(int directory, const char *path);    /* opens for appending */
int os_open_write(int directory, const char *path);     /* opens for os_write_at */
int os_open_directory(int directory, const char *path); /* does not follow a symbolic link at the end of the path */
void os_close(int descriptor);                          /* ignores negative descriptors */
int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset);
int64_t os_write(int descriptor, struct text data);
/* Overwrites the file at `offset`. A short write is not undone. */
int64_t os_write_at(int descriptor, struct text data, uint64_t offset);
int64_t os_size(int descriptor);
/* The result is not NUL-terminated. */
int64_t os_read_link(int directory, const char *path, char *data, size_t capacity);
int os_make_directory(const char *path); /* creates it with mode 0700 */
int os_rename(int directory, const char *from, const char *to);
int os_remove(int directory, const char *path);
int os_remove_directory(const char *path);
int os_make_link(const char *target, int directory, const char *path);
bool os_exists(int directory, const char *path);
/* Checks access for the real user. If that user cannot read a library, the dynamic loader ignores LD_PRELOAD. */
bool os_may_read(const char *path);

/* Calls `take` with each name in a directory, in arbitrary order. Returns 0, or a negative os_error if the directory
 * cannot be read. */
int os_list(const char *path, void (*take)(void *context, const char *name), void *context);

/* Checks that `path` is a directory owned by this user or root. No other user may have write permission, except if the
 * directory is sticky and `sticky_allowed`. A symbolic link at `path` must also be owned by this user or root. Returns
 * 0, OS_ERROR_NOT_DIRECTORY, OS_ERROR_NOT_OURS, or the error of stat. */
int os_check_directory(const char *path, bool sticky_allowed);

/* Locks an open file (advisory) without waiting. Returns 0, or OS_ERROR_BUSY if another process holds a conflicting
 * lock. On a network file system, a shared lock needs a descriptor open for reading, an exclusive lock one open for
 * writing. */
int os_lock(int descriptor, bool shared);

/* Announces the pid of this process, in its own PID namespace, to other processes that open the file. The announcement
 * ends when the process ends or closes any descriptor of the file. */
int os_hold(int descriptor);

/* Returns the pid that a process announced with os_hold, or 0 if there is none. Also returns 0 if that process is in
 * another PID namespace. */
int os_holder(int descriptor);

/* Returns the time since the file's last modification in ns. The result is negative on an error, or if that time is in
 * the future. */
int64_t os_age_ns(int directory, const char *path);

/* Reads the table of mounts for os_file_facts. Returns its length, or 0 if no file system is on a network. Returns
 * `capacity` if the table may be truncated. */
int64_t os_mounts(char *data, size_t capacity);

enum file_kind { FILE_REGULAR, FILE_DIRECTORY, FILE_OTHER };
struct file_place {
	uint64_t device;
	uint64_t number;
};
struct file_facts {
	enum file_kind kind;
	uint64_t bytes;
	struct file_place place; /* identity of the file: equal for two paths of one file */
};

/* Fills *facts for the file at `path`. With a table of mounts, it contacts no network server, and returns
 * OS_ERROR_REMOTE for a file on one. */
int os_file_facts(struct text mounts, const char *path, struct file_facts *facts);

/* Determines the regular file to which a descriptor of this process writes. Returns the length of its path (without a
 * NUL) and sets *at to the offset of the next write. Returns a negative value for anything else: a terminal, a pipe, a
 * deleted file. */
int64_t os_output(int descriptor, char *data, size_t capacity, uint64_t *at);

/* Appends the directory for small files that need not survive a reboot, without a trailing '/'. If possible, it is in
 * memory. */
void os_volatile_directory(struct buffer *out);

#endif
