/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the Python packages that were installed from a folder on this machine, as by `pip install .`.
 *
 * An installer writes the file direct_url.json (PEP 610) into the .dist-info folder of such a package, and the names of
 * the installed files into RECORD. Environments of conda contain direct_url.json as well, for packages that were built
 * on another machine. Therefore a package counts only if the folder of its source exists. */
#ifndef RTRACK_SAMPLER_LINES_PACKAGES_H
#define RTRACK_SAMPLER_LINES_PACKAGES_H

#include "core/base.h"

enum {
	PACKAGES_SITES_MAX = 4,           /* maximum number of site-packages folders that are searched in a run */
	PACKAGES_DISTRIBUTIONS_MAX = 256, /* maximum number of .dist-info folders searched in a site-packages folder */
	PACKAGES_RECORD_SIZE = 32768      /* maximum number of bytes that are read from a RECORD file */
};

/* The packages of each site-packages folder that were installed from a folder on this machine. */
struct packages {
	size_t count;
	struct packages_site {
		char path[256];
		char names[512]; /* names of top-level folders and files, each with a '\n' at its end */
		size_t length;
	} sites[PACKAGES_SITES_MAX];
};

/* Returns whether `package`, a folder or file in a site-packages folder, was installed from a folder on this machine.
 * The first call for a site-packages folder reads the .dist-info folders in it. `scratch` must have room for RECORD
 * and for a list of names. */
bool packages_is_local(struct packages *packages, int pid, struct text package, struct buffer scratch);

#endif
