/* The text of /proc/PID/fdinfo/FD where FD is a client of a graphics driver (kernel document gpu/drm-usage-stats.rst).
 */
#ifndef RTRACK_GPU_FDINFO_H
#define RTRACK_GPU_FDINFO_H

#include "core/number.h"

enum { FDINFO_ENGINES_MAX = 16, FDINFO_NAME_MAX = 32 };

struct fdinfo_engine {
	char name[FDINFO_NAME_MAX];
	uint64_t busy;     /* nanoseconds, or cycles of `total` */
	uint64_t total;    /* cycles that passed meanwhile; 0: busy is nanoseconds */
	uint64_t capacity; /* engines of that name that work side by side */
};

struct fdinfo {
	char device[FDINFO_NAME_MAX]; /* its place on the bus; "": not told */
	uint64_t client;              /* one number may stand in many descriptors */
	size_t engines;
	struct fdinfo_engine engine[FDINFO_ENGINES_MAX];
	double vram_mib; /* UNKNOWN: not told */
};

/* False: it is no client of a graphics driver, or does not say which. */
bool fdinfo_parse(struct text text, struct fdinfo *info);

#endif
