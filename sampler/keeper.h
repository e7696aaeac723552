/* The keeper: samples a run whose sampler ended before it did, until its last member has ended. */
#ifndef RTRACK_SAMPLER_KEEPER_H
#define RTRACK_SAMPLER_KEEPER_H

/* Waits for the run's lock, takes up sampling where it was left (exactly if a state was saved by sampler_finish,
 * else from the rows and records that there are) and ends the run. To be called in a process of its own without
 * descriptors that matter; returns when the run has ended, or when somebody else ended it. */
void keeper_run(const char *directory, char *const *environment);

/* Ends a run at once that was to be handed over, when no keeper can be started. */
void keeper_end(const char *directory, char *const *environment);

#endif
