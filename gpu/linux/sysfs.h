/* SPDX-License-Identifier: Apache-2.0 */
/* Reads small files in /sys and /proc. Tests put them below a root directory of their own. */
#ifndef RTRACK_GPU_LINUX_SYSFS_H
#define RTRACK_GPU_LINUX_SYSFS_H

#include "core/number.h"

enum { SYSFS_PATH_MAX = 1024 };

/* Reads a file into `data` and strips trailing blanks. Returns an empty text if it is unreadable. */
struct text sysfs_text(const char *path, char *data, size_t capacity);

/* Returns the number that a file contains, or UNKNOWN. */
double sysfs_number(const char *path);

/* Reads the last component of a link's target. Returns false if there is no link. */
bool sysfs_link(const char *path, char *name, size_t capacity);

/* Writes "DIRECTORY/NAME". Returns false if it does not fit. */
bool sysfs_join(char path[SYSFS_PATH_MAX], const char *directory, const char *name);

#endif
