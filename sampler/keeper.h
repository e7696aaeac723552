/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: a separate process that continues the sampling of a run until the last process has ended. It takes over
 * if the previous sampler ends before the run. */
#ifndef RTRACK_SAMPLER_KEEPER_H
#define RTRACK_SAMPLER_KEEPER_H

#include "core/settings.h"

/* Writes a keeper's environment: the settings that a sampler uses and that differ from the default. These are
 * NUL-terminated NAME=VALUE strings, followed by an empty string. Settings that do not fit are left out. */
void keeper_write_settings(struct buffer *out, const struct settings *settings);

/* Waits for the run's lock, samples, and ends the run. If a state was saved (sampler_finish, sampler_hand_over), the
 * keeper continues exactly from that state. Otherwise it continues from the existing rows and records. Call it in a
 * process that needs none of its descriptors. It returns when the run has ended, or when another sampler has ended
 * it. */
void keeper_run(const char *directory, char *const *environment);

/* Ends a run for which no keeper can be started. */
void keeper_end(const char *directory, char *const *environment);

/* Waits for the end of the run's root without open files or CPU time, and then does the same as keeper_run. If the root
 * has ended the run itself, or another sampler has taken over, it does nothing. */
void keeper_wait(const char *directory, char *const *environment);

#endif
