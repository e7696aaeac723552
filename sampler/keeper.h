/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: a separate process that continues the sampling of a run until the last process has ended. The previous
 * sampler has ended before the run. */
#ifndef RTRACK_SAMPLER_KEEPER_H
#define RTRACK_SAMPLER_KEEPER_H

#include "core/settings.h"

/* Writes a keeper's environment: the settings that a sampler uses and that differ from the default. These are
 * NUL-terminated NAME=VALUE strings, followed by an empty string. Settings that do not fit are left out. */
void keeper_write_settings(struct buffer *out, const struct settings *settings);

/* Waits for the run's lock, samples, and ends the run. If a state was saved (sampler_finish, sampler_hand_over), it
 * continues exactly from that state, and otherwise from the existing rows and records. Call it in a process that needs
 * none of its descriptors. It returns when the run has ended, or when another sampler has ended it. */
void keeper_run(const char *directory, char *const *environment);

/* Ends at once a run that should have a keeper, if none can be started. */
void keeper_end(const char *directory, char *const *environment);

/* As keeper_run, but first waits for the end of the run's root, without open files or CPU time. It does nothing if the
 * root has ended the run itself, or another sampler has taken over. */
void keeper_wait(const char *directory, char *const *environment);

#endif
