/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: continues the sampling of a run whose sampler has ended, until the last member has ended. */
#ifndef RTRACK_SAMPLER_KEEPER_H
#define RTRACK_SAMPLER_KEEPER_H

#include "core/settings.h"

/* Writes the settings that a sampler uses and that differ from the default as a keeper's environment: consecutive
 * NUL-terminated NAME=VALUE strings and a final empty one. Settings that do not fit are omitted. */
void keeper_write_settings(struct buffer *out, const struct settings *settings);

/* Waits for the run's lock, samples, and ends the run. It continues exactly if a state was saved (sampler_finish,
 * sampler_hand_over), otherwise from the existing rows and records. Call it in a process of its own without valuable
 * descriptors. It returns when the run has ended, or if another sampler has ended it. */
void keeper_run(const char *directory, char *const *environment);

/* Ends a run at once that was meant for a keeper, if none can be started. */
void keeper_end(const char *directory, char *const *environment);

/* As keeper_run, but starts when the run's root has ended; until then it holds no open file and uses no CPU time. It
 * does nothing if the root has ended the run itself, or another sampler has taken over. */
void keeper_wait(const char *directory, char *const *environment);

#endif
