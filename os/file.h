/* Files, as our programs ask for them.
 *
 * Blanket conditions of all headers in os/: nothing here touches errno, allocates from a C library, prints, or retries
 * in a loop. Integers returned are a result or a negative enum os_error. Descriptors are close-on-exec. Times are
 * nanoseconds; sizes are bytes unless the name says KiB. */
#ifndef RTRACK_OS_FILE_H
#define RTRACK_OS_FILE_H

#include "core/base.h"
#include "os/error.h"

/* Passed as `directory`: paths are relative to the working directory. It is neither a descriptor nor an error
 * number. */
enum { OS_HERE = -1000 };

/* Appends `data` with one write to a file that exists already, and leaves no descriptor behind. No symbolic link at the
 * end of the path is followed. `limit` > 0: a file of that size or larger is not written to (OS_ERROR_TOO_LARGE).
 * OS_ERROR_NOT_OURS: the file belongs to another user.
 *
 * A process that writes by a function of this header blocks SIGXFSZ, or ignores it. The limit on the size of files is
 * not read. A signal that a write past it raises is taken back. */
int os_append(int directory, const char *path, struct text data, uint64_t limit);

/* The mode of a file to which something could not be appended, for want of room: that which os_create gives, and the
 * sticky bit, which means nothing of a file and takes no room. Where the system has none, files have it not. */
enum { OS_MODE_TABLE = 0600, OS_MODE_LACKING = 01600 };

/* Added to the mode of a file of which a writer had to wait too long. The owner's leave to execute means nothing of a
 * table. Where the system has no modes, files have it not. */
enum { OS_MODE_SLOW = 0100 };

/* A file that rows are appended to, open for that and for reading. */
struct os_table {
	int file; /* negative: it is not open */
	uint32_t owner;
	uint32_t mode;
	uint64_t size;
};

/* Opens it as os_append does, with the same checks but for the limit: 0, or why it cannot be written. `user`: the
 * calling process' (os_user). */
int os_open_table(int directory, const char *path, uint32_t user, struct os_table *table);

/* Adds OS_MODE_SLOW to the mode of an open file, unless that has it already. */
void os_mark_slow(int descriptor, uint32_t mode);

/* os_append without a limit for a file that must have the owner of one that passed the checks. */
int os_append_owned(int directory, const char *path, struct text data, uint32_t owner);

/* Makes a file of mode 0600 that must not exist yet (OS_ERROR_EXISTS), with `data` in it. On Linux an empty one needs
 * no descriptor. */
int os_create(int directory, const char *path, struct text data);

/* Reads at most `capacity` bytes from the file's beginning; returns how many. */
int64_t os_read(int directory, const char *path, char *data, size_t capacity);

/* As os_read, but with a single read: for files of the kernel that give all they have at once. */
int64_t os_read_once(int directory, const char *path, char *data, size_t capacity);

int os_open(int directory, const char *path);           /* for reading */
int os_open_append(int directory, const char *path);    /* for appending */
int os_open_write(int directory, const char *path);     /* for os_write_at */
int os_open_directory(int directory, const char *path); /* follows no link at its end */
void os_close(int descriptor);                          /* a negative one is none */
int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset);
int64_t os_write(int descriptor, struct text data);
/* The same in place: what is there is written over, and a write that is cut stays. */
int64_t os_write_at(int descriptor, struct text data, uint64_t offset);
int64_t os_size(int descriptor);
int64_t os_read_link(int directory, const char *path, char *data, size_t capacity); /* without a NUL */
int os_make_directory(const char *path);                                            /* 0700 */
int os_rename(int directory, const char *from, const char *to);
int os_remove(int directory, const char *path);
int os_remove_directory(const char *path);
int os_make_link(const char *target, int directory, const char *path);
bool os_exists(int directory, const char *path);
bool os_may_read(const char *path); /* as the real user: a loader takes LD_PRELOAD from that one */

/* Calls `take` with each name in a directory, in no order; 0, or why it cannot be read. */
int os_list(const char *path, void (*take)(void *context, const char *name), void *context);

/* 0 when `path` is a directory that belongs to this user or to root and that no other user may write to (or, if
 * `sticky_allowed`, that is sticky). A symbolic link at `path` must belong to this user or root as well. Else
 * OS_ERROR_NOT_DIRECTORY, OS_ERROR_NOT_OURS, or the error of looking at it. */
int os_check_directory(const char *path, bool sticky_allowed);

/* Takes the advisory lock on an open file, without waiting: 0, or OS_ERROR_BUSY when another holds it. Several
 * processes may share it, and keep out those that do not; on a network such a file has to be open for reading, and else
 * for writing. */
int os_lock(int descriptor, bool shared);

/* Lets others know, until this process ends or closes any descriptor of the file, that it has the file open and which
 * pid it has for itself. */
int os_hold(int descriptor);

/* The pid of the process that holds an open file (os_hold), if it is the same number for the holder and for the calling
 * process, so that both mean the same process by a pid. Else, and where that cannot be told, 0. */
int os_holder(int descriptor);

/* How long ago the file was last written (ns, by the time of day); negative: an error, or a time in the future. */
int64_t os_age_ns(int directory, const char *path);

/* The table of mounts, for os_file_facts alone; returns its length, 0 where none of them is on a network, `capacity`
 * where it may be longer. */
int64_t os_mounts(char *data, size_t capacity);

enum file_kind { FILE_REGULAR, FILE_DIRECTORY, FILE_OTHER };
struct file_place {
	uint64_t device;
	uint64_t number;
};
struct file_facts {
	enum file_kind kind;
	uint64_t bytes;
	struct file_place place; /* the same for two paths of one file */
};

/* Fills *facts of what a path leads to. With a table of mounts, no server on a network is asked: OS_ERROR_REMOTE where
 * that would be needed. */
int os_file_facts(struct text mounts, const char *path, struct file_facts *facts);

/* The regular file to which a descriptor of this process writes: its path, without a NUL, of which the length is
 * returned, and in *at where the next byte goes. Negative: it is a terminal, a pipe, a file without a name, ... */
int64_t os_output(int descriptor, char *data, size_t capacity, uint64_t *at);

/* Appends the directory for small files that need not survive a reboot, without a '/' at its end; where the system has
 * one in memory, that. */
void os_volatile_directory(struct buffer *out);

#endif
