/* How much a job is given to read: the sizes of the files that it was told of, at its start.
 *
 * Nothing is opened; a file is looked at, and where that would ask a network, its size is unknown and with it the sum.
 * A file that is named twice counts once. */
#ifndef RTRACK_OS_INPUTS_H
#define RTRACK_OS_INPUTS_H

#include "core/base.h"

enum { INPUTS_FILES_MAX = 1000 };

struct inputs_wish {
	/* A list (text_item_end) of files, directories (the files in them, not those further down) and files with '*'
	 * or
	 * '?' in the last part of their path. */
	struct text named;
	/* A command line, or NULL. Its arguments that are files count, also behind the '=' of an option. The program,
	 * the script, and outputs by their option's name (-o, --out…, of=) do not. */
	char *const *arguments;
	int count;
	struct text script; /* a part of the argument that names the script */
	bool remote;        /* files of network file systems count as well */
	int64_t limit_ns;   /* how long it may take; 0: as long as it takes */
};

/* Bytes; UNKNOWN where no file was named, one is on a network, or, with a limit, a directory has very many
 * names; there are more than INPUTS_FILES_MAX, or time is up. */
double inputs_measure(const struct inputs_wish *wish);

#endif
