/* What run.json says of the cloud. That is known only some time after the run has begun, so it is added later; only the
 * launcher does so. */
#ifndef RTRACK_SAMPLER_RUN_CLOUD_H
#define RTRACK_SAMPLER_RUN_CLOUD_H

#include "core/base.h"

/* The cloud that a run is in; unknown texts are empty, the others are of letters, digits and "._-". */
struct run_cloud {
	struct text vendor;
	struct text instance_type;
	struct text region;
};

/* Adds cloud{} to run.json by a rename, unless it has one. Only the run's sampler may call this, since run.json has one
 * writer at a time. Returns 0 or a negative os_error. */
int run_add_cloud(const char *directory, const struct run_cloud *cloud);

#endif
