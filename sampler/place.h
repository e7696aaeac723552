/* SPDX-License-Identifier: Apache-2.0 */
/* Where a run's sampler lives, and which processes belong to the tracker. */
#ifndef RTRACK_SAMPLER_PLACE_H
#define RTRACK_SAMPLER_PLACE_H

enum sampler_place {
	SAMPLER_IN_ROOT,     /* a thread of the run's root, whose figures therefore include the tracker's */
	SAMPLER_IN_LAUNCHER, /* the launcher, whose children are all members */
	SAMPLER_IN_KEEPER    /* a process of its own, after another sampler ended before the run did */
};

/* Processes of the tracker that are not part of the run: children of the launcher, the guard that waits for the root's
 * end, rtrack-gpu, the program that sends the run, and the relays of the command's output. */
enum sampler_helper {
	SAMPLER_HELPER_CLOUD,
	SAMPLER_HELPER_SIGNAL_PROBE,
	SAMPLER_HELPER_GUARD,
	SAMPLER_HELPER_GPU,
	SAMPLER_HELPER_SHIPPER,
	SAMPLER_HELPER_STDOUT,
	SAMPLER_HELPER_STDERR,
	SAMPLER_HELPERS
};

#endif
