/* SPDX-License-Identifier: Apache-2.0 */
/* File operations.
 *
 * These conditions apply to all headers in os/: no function changes errno, allocates memory through a C library,
 * prints, or retries in a loop. An integer result is 0 or more, or a negative enum os_error. Descriptors are
 * close-on-exec. Times are in nanoseconds. Sizes are in bytes, unless the name contains KiB. */
#ifndef RTRACK_OS_FILE_H
#define RTRACK_OS_FILE_H

#include "core/base.h"
#include "os/error.h"

/* Value of `directory` for a path relative to the working directory. No descriptor and no error number has this
 * value. */
enum { OS_HERE = -1000 };

/* Appends `data` to an existing file: opens it, writes once, and closes it. Does not follow a symbolic link at the end
 * of the path. Fails with OS_ERROR_TOO_LARGE if `limit` is not 0 and the file has reached that size. Fails with
 * OS_ERROR_NOT_OURS if the file belongs to another user.
 *
 * The caller must block or ignore SIGXFSZ. The functions of this header do not check RLIMIT_FSIZE. If a write beyond
 * that limit raises the signal, they consume it. */
int os_append(int directory, const char *path, struct text data, uint64_t limit);

/* Modes of a table. OS_MODE_LACKING marks a file to which an append failed because the disk was full. It has the sticky
 * bit, which has no effect on a regular file and can be set without disk space. Systems without a sticky bit do not set
 * it. */
enum { OS_MODE_TABLE = 0600, OS_MODE_LACKING = 01600 };

/* Bit that is added to the mode of a file if a write to the file was slow. It is the owner's execute bit, which has no
 * effect on a table. Systems without file modes do not set it. */
enum { OS_MODE_SLOW = 0100 };

/* A file that is open for reading and for appending rows. */
struct os_table {
	int file; /* descriptor; negative if not open */
	uint32_t owner;
	uint32_t mode;
	uint64_t size;
};

/* Opens a table. Makes the checks of os_append, but not that of the limit. `user` is the user of the calling process
 * (os_user). Returns 0 or a negative os_error. */
int os_open_table(int directory, const char *path, uint32_t user, struct os_table *table);

/* Adds OS_MODE_SLOW to the mode of an open file. `mode` is the current mode; if it already contains the bit, the
 * function does nothing. */
void os_mark_slow(int descriptor, uint32_t mode);

/* Appends to a file that os_append accepted before. Checks only that the file still belongs to `owner`. There is no
 * limit on its size. */
int os_append_owned(int directory, const char *path, struct text data, uint32_t owner);

/* Creates a file with mode 0600 and the content `data`. Returns OS_ERROR_EXISTS if the file exists. On Linux, no
 * descriptor is used if `data` is empty. */
int os_create(int directory, const char *path, struct text data);

/* Reads at most `capacity` bytes from the beginning of the file. Returns the number of bytes read. */
int64_t os_read(int directory, const char *path, char *data, size_t capacity);

/* Reads the beginning of a file, like os_read, but with only one system call. This is enough for kernel files that
 * return their whole content in one read. */
int64_t os_read_once(int directory, const char *path, char *data, size_t capacity);

/* Reads a regular file that belongs to root and that no other user may write. Returns its length, OS_ERROR_NOT_OURS for
 * another file, or OS_ERROR_TOO_LARGE if the file is larger than `capacity`. */
int64_t os_read_of_root(const char *path, char *data, size_t capacity);

/* Opens a file for reading. Follows a symbolic link at the end of `path` only if `directory` is OS_HERE. */
int os_open(int directory, const char *path);
/* Opens a file for reading, and does not follow a symbolic link at the end of the path. If the process is root, the
 * kernel checks access for `user` and `group` instead. Only programs without threads may call this function. */
int os_open_as(uint32_t user, uint32_t group, const char *path);
int os_open_append(int directory, const char *path); /* opens for appending */
int os_open_write(int directory, const char *path);  /* opens for os_write_at */
/* opens a directory, and does not follow a symbolic link at the end of the path */
int os_open_directory(int directory, const char *path);
void os_close(int descriptor); /* does nothing if the descriptor is negative */
int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset);
int64_t os_write(int descriptor, struct text data);
/* Overwrites the file from `offset` on. If only a part could be written, that part remains. */
int64_t os_write_at(int descriptor, struct text data, uint64_t offset);
int64_t os_size(int descriptor);
/* Reads the target of a symbolic link. The result has no NUL at the end. */
int64_t os_read_link(int directory, const char *path, char *data, size_t capacity);
int os_make_directory(const char *path); /* creates a directory with mode 0700 */
int os_rename(int directory, const char *from, const char *to);
int os_remove(int directory, const char *path);
int os_remove_directory(const char *path);
int os_make_link(const char *target, int directory, const char *path);
bool os_exists(int directory, const char *path);
/* Returns whether the real user may read the file. The dynamic loader ignores an LD_PRELOAD library that the real user
 * cannot read. */
bool os_may_read(const char *path);

/* Calls `take` with each name in a directory, in arbitrary order. Returns 0, or a negative os_error if the directory
 * cannot be read. */
int os_list(const char *path, void (*take)(void *context, const char *name), void *context);

/* Checks that `path` is a directory owned by this user or root. Other users must not have write permission, unless the
 * directory is sticky and `sticky_allowed` is true. If `path` is a symbolic link, this user or root must also own the
 * link. Returns 0, OS_ERROR_NOT_DIRECTORY, OS_ERROR_NOT_OURS, or the error of stat. */
int os_check_directory(const char *path, bool sticky_allowed);

/* Locks an open file without waiting (advisory lock). Returns 0, or OS_ERROR_BUSY if another process holds a
 * conflicting lock. On a network file system, the descriptor must be open for reading if the lock is shared, and open
 * for writing if it is exclusive. */
int os_lock(int descriptor, bool shared);

/* Announces the pid of this process to other processes that open the file. The pid is that in the process's own PID
 * namespace. The announcement ends when the process ends, or closes any descriptor of the file. */
int os_hold(int descriptor);

/* Returns the pid that a process has announced with os_hold. Returns 0 if there is none, or if that process is in
 * another PID namespace. */
int os_holder(int descriptor);

/* Returns the time since the last modification of a file in ns. The result is negative if the call fails, or if the
 * modification time is in the future. */
int64_t os_age_ns(int directory, const char *path);

/* Reads the table of mounts for os_file_facts. Returns its length, or 0 if all file systems are local. If the result is
 * `capacity`, the table may be truncated. */
int64_t os_mounts(char *data, size_t capacity);

enum file_kind { FILE_REGULAR, FILE_DIRECTORY, FILE_OTHER };
struct file_place {
	uint64_t device;
	uint64_t number;
};
struct file_facts {
	enum file_kind kind;
	uint64_t bytes;
	struct file_place place; /* identity of the file, which is equal for all paths that lead to it */
};

/* Reads the facts of the file at `path`. If `mounts` is not empty, the function does not access files on a network, and
 * returns OS_ERROR_REMOTE for them. */
int os_file_facts(struct text mounts, const char *path, struct file_facts *facts);

/* Finds the regular file to which a descriptor of this process writes. Returns the length of its path (without a NUL),
 * and sets *at to the offset of the next write. Returns a negative value if the descriptor is of another kind, such as
 * a terminal or a pipe, or if the file is deleted. */
int64_t os_output(int descriptor, char *data, size_t capacity, uint64_t *at);

/* Appends the path of a directory for small files that are not needed after a reboot, without a trailing '/'. If
 * possible, the directory is in memory. */
void os_volatile_directory(struct buffer *out);

#endif
