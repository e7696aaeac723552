/* SPDX-License-Identifier: Apache-2.0 */
/* Options of well-known programs whose value is a secret, although their name does not show it: curl -u, mysql -p. The
 * same letter means something else to other programs (mkdir -p, sort -u), so the program must be known. */
#ifndef RTRACK_SAMPLER_RUN_SECRET_OPTIONS_H
#define RTRACK_SAMPLER_RUN_SECRET_OPTIONS_H

#include "core/base.h"

/* Value of `needed` if any value of the option is a secret. */
#define ANY_VALUE '*'

struct secret_option {
	size_t length; /* length of the option at the beginning of the word, or 0 if the word has no such option */
	char needed;   /* byte that the value must contain to be a secret, or ANY_VALUE */
	bool attached; /* the value is in the same word as the option, never in the next word */
};

/* Returns the number of the program's row in the table, or 0 if there is none. */
unsigned secret_program(struct text name);
/* Returns the option of the program with which the word begins. The value is the rest of the word or, if nothing is
 * left, the next word. */
struct secret_option secret_option_find(unsigned program, struct text word);
/* Returns whether the program takes a name without dashes and its value as two arguments (aws configure set NAME
 * VALUE). */
bool secret_program_sets(unsigned program);

#endif
