/* The keeper: samples a run after its sampler ended before the run did, until the last member has ended. */
#ifndef RTRACK_SAMPLER_KEEPER_H
#define RTRACK_SAMPLER_KEEPER_H

#include "core/settings.h"

/* Writes the settings that a sampler goes by, where they are not the default, as a keeper's environment: one NAME=VALUE
 * behind the other, each with its end, and an empty one at the end. One that has no room is left out. */
void keeper_write_settings(struct buffer *out, const struct settings *settings);

/* Waits for the run's lock, takes up sampling, and ends the run. It goes on exactly where a state was saved
 * (sampler_finish, sampler_hand_over), else from the rows and records that there are. To be called in a process of its
 * own without descriptors that matter; returns when the run has ended, or when another sampler ended it. */
void keeper_run(const char *directory, char *const *environment);

/* Ends at once a run that was to be handed over, when no keeper can be started. */
void keeper_end(const char *directory, char *const *environment);

/* The same, once the run's root has ended: until then it holds nothing open and asks for nothing. Where the root ended
 * the run itself, or another sampler has what is left of it, there is nothing to do. */
void keeper_wait(const char *directory, char *const *environment);

#endif
