/* SPDX-License-Identifier: Apache-2.0 */
/* The files of one run, opened below its directory.
 *
 * A run may belong to another user, who can replace any part of a path between two calls. The directory is therefore
 * opened once, and each file below it. A file counts only if it is a regular file of the directory's owner. Symbolic or
 * hard links could otherwise show the reader's own files, and FIFOs or devices could make the reader wait. */
#ifndef RTRACK_REPORT_SPOOL_FILES_H
#define RTRACK_REPORT_SPOOL_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

/* Identity of a run: its directory and the owner of the directory. Names and texts in a run can be copied or forged. */
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

/* The files of a run without a directory, such as the sum of a group. */
#define FILES_NONE ((struct files){.path = "", .directory = -1})

/* Opens a directory. A link at the end of the path is not followed. Returns 0, or -1 with errno, ELOOP for a link. */
int files_open(struct files *files, const char *path);
void files_close(struct files *files);

/* Opens a file for reading. Returns its descriptor, or -1 with errno: EISDIR or EINVAL if it is not a regular file,
 * EPERM if it belongs to another user. */
int files_get(const struct files *files, const char *name);

/* Whether this errno of files_get means that rtrack did not make the file. */
bool files_is_foreign(int error);

/* Stores the status of a file, as stat(2) does. Returns 0, or -1 with errno as files_get does. */
int files_status(const struct files *files, const char *name, struct stat *status);

/* Opens a regular file outside the run's directory. Its absolute path comes from the run's files. Root opens the file
 * with the rights of the run's owner, because a run must not show files that its owner cannot read. Returns the
 * descriptor, or -1. */
int files_get_outside(const struct files *files, const char *path);

/* Like files_get_outside for a file that belongs to the run's owner. */
int files_get_own(const struct files *files, const char *path);

#endif
