/* SPDX-License-Identifier: Apache-2.0 */
/* Reads small files in /sys and /proc. Tests read such files below another root directory. */
#ifndef RTRACK_GPU_LINUX_SYSFS_H
#define RTRACK_GPU_LINUX_SYSFS_H

#include "core/number.h"

enum { SYSFS_PATH_MAX = 1024 };

/* Reads a file into `data` and removes trailing blanks. Returns an empty text if the file is unreadable. */
struct text sysfs_text(const char *path, char *data, size_t capacity);

/* Returns the number in a file, or UNKNOWN. */
double sysfs_number(const char *path);

/* Reads the last component of the target of a symbolic link. Returns false if there is no such link. */
bool sysfs_link(const char *path, char *name, size_t capacity);

/* Writes "DIRECTORY/NAME". Returns false if the path is too long. */
bool sysfs_join(char path[SYSFS_PATH_MAX], const char *directory, const char *name);

#endif
