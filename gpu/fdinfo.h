/* SPDX-License-Identifier: Apache-2.0 */
/* Parses /proc/PID/fdinfo/FD for a client of a graphics driver (kernel document gpu/drm-usage-stats.rst). */
#ifndef RTRACK_GPU_FDINFO_H
#define RTRACK_GPU_FDINFO_H

#include "core/number.h"

enum { FDINFO_ENGINES_MAX = 16, FDINFO_NAME_MAX = 32 };

struct fdinfo_engine {
	char name[FDINFO_NAME_MAX];
	uint64_t busy;     /* busy time in nanoseconds, or in cycles if `total` is nonzero */
	uint64_t total;    /* elapsed cycles; 0 if `busy` is in nanoseconds */
	uint64_t capacity; /* number of parallel engines that have this name */
};

struct fdinfo {
	char device[FDINFO_NAME_MAX]; /* bus address of the device; "" if unknown */
	uint64_t client;              /* client id, which several descriptors may share */
	size_t engines;
	struct fdinfo_engine engine[FDINFO_ENGINES_MAX];
	double vram_mib; /* UNKNOWN if not reported */
};

/* Parses the text. Returns false if the descriptor is not a client of a graphics driver, or if the driver's name is
 * missing. */
bool fdinfo_parse(struct text text, struct fdinfo *info);

#endif
