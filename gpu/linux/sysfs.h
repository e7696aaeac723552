/* Small files of /sys and /proc, below a root that tests put before them. */
#ifndef RTRACK_GPU_LINUX_SYSFS_H
#define RTRACK_GPU_LINUX_SYSFS_H

#include "core/number.h"

enum { SYSFS_PATH_MAX = 1024 };

/* The content of a file without the blanks at its end, in `data`; empty: it cannot be read. */
struct text sysfs_text(const char *path, char *data, size_t capacity);

/* The number that is all of a file; UNKNOWN: there is none. */
double sysfs_number(const char *path);

/* The last part of where a link leads to; false: there is no link. */
bool sysfs_link(const char *path, char *name, size_t capacity);

/* "DIRECTORY/NAME"; false: it does not fit. */
bool sysfs_join(char path[SYSFS_PATH_MAX], const char *directory, const char *name);

#endif
