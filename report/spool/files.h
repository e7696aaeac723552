/* SPDX-License-Identifier: Apache-2.0 */
/* The files of one run.
 *
 * A run may belong to another user, who can replace any part of a path between two calls. The directory is therefore
 * opened only once, and each file is opened relative to it. Only regular files of the directory's owner are read.
 * Symbolic or hard links could otherwise show private files of the reader, and a FIFO or device could make the reader
 * wait. */
#ifndef RTRACK_REPORT_SPOOL_FILES_H
#define RTRACK_REPORT_SPOOL_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

/* Identifies a run by its directory and the directory's owner. The names and texts in a run cannot identify it, because
 * they can be copied or forged. */
struct run_identity {
	uid_t owner;
	dev_t device;
	ino_t number;
};

struct files {
	const char *path; /* path of the directory, for messages; not owned */
	int directory;    /* descriptor, or -1 */
	uid_t owner;
	gid_t group;
	struct run_identity identity;
};

/* The value for a run that has no directory, such as the sum of a group. */
#define FILES_NONE ((struct files){.path = "", .directory = -1})

/* Opens a directory. Returns 0, or -1 with errno. Fails with ELOOP if the last part of the path is a symbolic link. */
int files_open(struct files *files, const char *path);
void files_close(struct files *files);

/* Opens a file for reading. Returns its descriptor, or -1 with errno. The errno is EISDIR or EINVAL if the file is not
 * a regular file, and EPERM if it belongs to another user. */
int files_get(const struct files *files, const char *name);

/* Returns whether this errno of files_get means that the file was not created by rtrack. */
bool files_is_foreign(int error);

/* Stores the status of a file, as stat(2) does. Returns 0, or -1 with errno as files_get does. */
int files_status(const struct files *files, const char *name, struct stat *status);

/* Opens a regular file outside the run's directory. Its absolute path comes from the run's files. Root opens the file
 * with the rights of the run's owner, because a run must not show files that its owner cannot read. Returns the
 * descriptor, or -1. */
int files_get_outside(const struct files *files, const char *path);

/* Like files_get_outside, but fails if the file does not belong to the run's owner. */
int files_get_own(const struct files *files, const char *path);

#endif
