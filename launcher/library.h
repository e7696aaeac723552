/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the library's file and the other programs of rtrack. */
#ifndef RTRACK_LAUNCHER_LIBRARY_H
#define RTRACK_LAUNCHER_LIBRARY_H

#include "core/base.h"
#include "os/build.h"

#define LIBRARY_NAME BUILD_LIBRARY

/* Finds the library's file in the directory of rtrack-run or in the installation directory. Returns false if there
 * is none. In all functions of this file, `path` has SPOOL_PATH_MAX bytes. */
bool library_find(char *path);

/* Writes the path of `rest` in `directory` or, if `up`, in the parent directory of `directory`. Returns false if the
 * path does not fit. */
bool library_join(char *path, const char *directory, bool up, const char *rest);

/* Returns the path of `program` in rtrack-run's directory. If it is not there, returns `program`, for a search in
 * PATH. */
const char *library_find_program(char *path, const char *program);

#endif
