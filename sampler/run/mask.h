/* SPDX-License-Identifier: Apache-2.0 */
/* Masks secrets in command lines, because more people can read the spool than the job's environment.
 *
 * In each argument, and in each word of it (`sh -c 'TOKEN=abc run'`), these are masked:
 *
 *   NAME=VALUE                  the value, if secrets.def has the name; also --NAME=VALUE and -DNAME=VALUE
 *   --NAME VALUE, -NAME VALUE   the next word, unless it begins with "--"
 *   NAME: VALUE                 the value, as in an HTTP header; after "NAME": of JSON, the rest of the argument
 *   pass:VALUE                  the value
 *   SCHEME://USER:PASSWORD@     the password
 *   https://TOKEN@              the token
 *   NAME = VALUE, x["NAME"]=    the value, as in Python and R
 *   ghp_..., sk-..., AKIA...    the word after its prefix; secret_tokens.c has the prefixes
 *   curl -u USER:PASSWORD       the value; secret_options.c has the programs and their options
 *   set NAME VALUE              the value, as in `aws configure set`
 *
 * Matches of the user's patterns are also masked: a name as above, with or without its dashes, or a whole word. A value
 * ends where it would end in a shell: at a space outside quotes. */
#ifndef RTRACK_SAMPLER_RUN_MASK_H
#define RTRACK_SAMPLER_RUN_MASK_H

#include "core/base.h"

#define MASKED "***"

struct mask {
	struct text patterns; /* value of RTRACK_MASK: globs separated by commas, or "off" to mask nothing */
	bool cut;             /* the argument is truncated, so the '@' after a password may be missing */
	/* The fields below are the state from the previous arguments, initially 0 or false. */
	/* If the last argument was an option with a secret value: the byte that the value must contain, or ANY_VALUE.
	 * Otherwise NUL. */
	char awaited;
	unsigned program; /* number of the current program's row in secret_options.c, or 0 */
	bool is_script;   /* the last argument was "-c" or a similar option */
	bool of_tokens;   /* the name of the last secret ended in TOKENS, so its value may be a number of tokens */
};

/* Appends one argument of a command line. Call it for all arguments in order. */
void mask_write(struct mask *mask, struct buffer *out, struct text argument);

/* Appends all arguments, separated by spaces. In `arguments`, NULs separate them. */
void mask_join(struct mask *mask, struct buffer *out, struct text arguments);

#endif
