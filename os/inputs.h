/* SPDX-License-Identifier: Apache-2.0 */
/* Size of a job's input: the sum of the sizes, at its start, of the files on its command line or named by the user.
 *
 * Files are not opened, only examined with stat. A file whose size could be read only over a network makes the sum
 * unknown. A file that is named twice counts once. */
#ifndef RTRACK_OS_INPUTS_H
#define RTRACK_OS_INPUTS_H

#include "core/base.h"

enum { INPUTS_FILES_MAX = 1000 };

struct inputs_wish {
	/* List (text_item_end) of files, directories (the files in them, not in their subdirectories), and paths with
	 * '*' or '?' in the last component. */
	struct text named;
	/* Command line, or NULL. Arguments that are files count, also as the value after an option's '='. The program,
	 * the script, and the values of output options (-o, --out…, of=) do not count. */
	char *const *arguments;
	int count;
	struct text script; /* part of the argument that names the script */
	bool remote;        /* count files on network file systems too */
	int64_t limit_ns;   /* time limit; 0 if unlimited */
};

/* Returns the size in bytes, or UNKNOWN: no file was named, a file is on a network, there are more than
 * INPUTS_FILES_MAX files, the time limit was reached, or, if there is a limit, a directory is very large. */
double inputs_measure(const struct inputs_wish *wish);

#endif
