/* Where the other parts of rtrack are. */
#ifndef RTRACK_LAUNCHER_LIBRARY_H
#define RTRACK_LAUNCHER_LIBRARY_H

#include "core/base.h"
#include "os/build.h"

#define LIBRARY_NAME BUILD_LIBRARY

/* Finds the library's file: beside the launcher, or where it was installed. `path` has SPOOL_PATH_MAX bytes, here and
 * below. */
bool library_find(char *path);

/* "DIRECTORY/REST", without the last part of the directory if `up`; false if it does not fit. */
bool library_join(char *path, const char *directory, bool up, const char *rest);

/* The path of `program` in the launcher's own directory, or `program` itself, to be looked up in PATH. */
const char *library_find_program(char *path, const char *program);

#endif
