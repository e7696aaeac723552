/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the cloud to run.json. rtrack-run finds out the cloud only some time after the start of a run. */
#ifndef RTRACK_SAMPLER_RUN_CLOUD_H
#define RTRACK_SAMPLER_RUN_CLOUD_H

#include "core/base.h"

/* The cloud in which a run executes. Unknown texts are empty. Others consist of letters, digits and "._-". */
struct run_cloud {
	struct text vendor;
	struct text instance_type;
	struct text region;
};

/* Adds "cloud" to run.json atomically, unless it exists. Only the run's sampler may call this, because run.json has one
 * writer at a time. Returns 0 or a negative os_error. */
int run_add_cloud(const char *directory, const struct run_cloud *cloud);

#endif
