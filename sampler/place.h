/* Where a run's sampler lives, and which processes around it are its own. */
#ifndef RTRACK_SAMPLER_PLACE_H
#define RTRACK_SAMPLER_PLACE_H

enum sampler_place {
	SAMPLER_IN_ROOT,     /* a thread of the run's root: the root's figures include ours */
	SAMPLER_IN_LAUNCHER, /* the launcher: its children are all members */
	SAMPLER_IN_KEEPER    /* a process of its own, after one of the others ended before the run did */
};

/* Processes of the tracker that are no part of the run: children of the launcher, the guard that waits for
 * the root's end, rtrack-gpu, the program that sends the run, and those that pass on the command's output. */
enum sampler_helper {
	SAMPLER_HELPER_CLOUD,
	SAMPLER_HELPER_WITNESS,
	SAMPLER_HELPER_GUARD,
	SAMPLER_HELPER_GPU,
	SAMPLER_HELPER_SHIPPER,
	SAMPLER_HELPER_STDOUT,
	SAMPLER_HELPER_STDERR,
	SAMPLER_HELPERS
};

#endif
