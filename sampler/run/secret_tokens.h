/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes tokens by their form: most services give their tokens a prefix of their own, such as "ghp_" of GitHub.
 * The prefix shows that a word is a secret, even if no name or option precedes it. */
#ifndef RTRACK_SAMPLER_RUN_SECRET_TOKENS_H
#define RTRACK_SAMPLER_RUN_SECRET_TOKENS_H

#include "core/base.h"

/* Returns the end of the token that begins at `at`, or 0 if there is none. *secret is set to the end of its prefix. */
size_t secret_token_end(struct text text, size_t at, size_t *secret);

#endif
