/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the files of a run in a directory that a test made. */
#ifndef RTRACK_TESTS_RUN_FILES_H
#define RTRACK_TESTS_RUN_FILES_H

#include "report/spool/files.h"
#include "tests/unit/lib/scratch.h"

/* Opens the files of a run. The result is valid until the next call. */
static inline const struct files *files_of(const char *directory)
{
	static struct files files = {.directory = -1};

	files_close(&files);
	(void)files_open(&files, directory);
	return &files;
}

#endif
