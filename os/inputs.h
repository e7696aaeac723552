/* SPDX-License-Identifier: Apache-2.0 */
/* Size of a job's input: the sum of the sizes of the files on its command line or named by the user, when the job
 * starts.
 *
 * Files are not opened, only examined with stat. A file that is named twice counts once. The sum is unknown if a size
 * could be read only over a network. */
#ifndef RTRACK_OS_INPUTS_H
#define RTRACK_OS_INPUTS_H

#include "core/base.h"

enum { INPUTS_FILES_MAX = 1000 };

struct inputs_wish {
	/* List (text_item_end) of files, directories, and paths with '*' or '?' in the last component. A directory
	 * stands for the files in it, without subdirectories. */
	struct text named;
	/* Command line, or NULL. Arguments that are files count, and so do files after the '=' of an option. The
	 * program, the script, and the values of output options (-o, --out…, of=) do not count. */
	char *const *arguments;
	int count;
	struct text script; /* the script's name; points into its argument */
	bool remote;        /* count files on network file systems too */
	int64_t limit_ns;   /* time limit; 0 if unlimited */
};

/* Returns the size in bytes, or UNKNOWN. It is unknown if no file was named, or a file is on a network. It is also
 * unknown if there are more than INPUTS_FILES_MAX files, or the time limit was reached. With a time limit, a very large
 * directory makes it unknown too. */
double inputs_measure(const struct inputs_wish *wish);

#endif
