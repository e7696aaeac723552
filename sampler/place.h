/* SPDX-License-Identifier: Apache-2.0 */
/* The process in which a run's sampler runs, and the other processes of the tracker. */
#ifndef RTRACK_SAMPLER_PLACE_H
#define RTRACK_SAMPLER_PLACE_H

enum sampler_place {
	SAMPLER_IN_ROOT,     /* a thread of the run's root; the kernel's figures for the root include the tracker */
	SAMPLER_IN_LAUNCHER, /* rtrack-run, whose children all belong to the run */
	SAMPLER_IN_KEEPER    /* a separate process that continues after another sampler has ended before the run */
};

/* Helper processes of the tracker, which are not part of the run: the guard that waits for the root's end, rtrack-gpu,
 * the program that sends the run, and others that rtrack-run starts. */
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
