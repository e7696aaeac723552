/* SPDX-License-Identifier: Apache-2.0 */
/* Size of a job's input at the start of the job: the sum of the sizes of the files that its command line or the user
 * names. A file that is named twice is added once.
 *
 * Files are not opened, only examined with stat. The sum is unknown if the size of a file could be read only over a
 * network. */
#ifndef RTRACK_OS_INPUTS_H
#define RTRACK_OS_INPUTS_H

#include "core/base.h"

enum { INPUTS_FILES_MAX = 1000 };

struct inputs_wish {
	/* List (text_item_end) of files and directories. The last component of a path may contain '*' and '?'. A
	 * directory stands for the files in it, but not for its subdirectories. */
	struct text named;
	/* Command line, or NULL. An argument is an input if it is a file, or if it is an option with a file after the
	 * '='. The program, the script, and the values of output options (-o, --out…, of=) are not inputs. */
	char *const *arguments;
	int count;
	struct text script; /* name of the script, which points into one of the arguments */
	bool remote;        /* whether to include files on network file systems */
	int64_t limit_ns;   /* time limit; 0 if unlimited */
};

/* Returns the size in bytes. Returns UNKNOWN if no file was named, or a file is on a network, or there are more than
 * INPUTS_FILES_MAX files. If there is a time limit, also returns UNKNOWN if it was reached or a directory is very
 * large. */
double inputs_measure(const struct inputs_wish *wish);

#endif
