/* Command lines without their secrets: what the spool keeps is read by more people than the job's own environment is.
 *
 * Masked is, in each argument and word by word within it (`sh -c 'TOKEN=abc run'`):
 *   NAME=VALUE                  the value, where the name is a secret's (secrets.def); so are --NAME=VALUE and
 * -DNAME=VALUE
 *   --NAME VALUE, -NAME VALUE   the next word, unless it begins with "--"
 *   NAME: VALUE                 the value, as of a header; behind "NAME": of JSON all of the argument
 *   pass:VALUE                  the value
 *   SCHEME://USER:PASSWORD@     the password
 * and whatever the user's patterns match: a name as above, with or without its dashes, or a whole word. A value ends
 * where a shell would end it: at a space that no quote encloses. */
#ifndef RTRACK_SAMPLER_RUN_MASK_H
#define RTRACK_SAMPLER_RUN_MASK_H

#include "core/base.h"

#define MASKED "***"

struct mask {
	struct text patterns; /* of RTRACK_MASK: globs separated by commas; "off": nothing is masked */
	bool cut; /* the argument is only the beginning of one: a password may have lost the '@' behind it */
	/* Of the arguments so far, false at first: the last was an option with its value to come; was "-c" or its like.
	 */
	bool awaits_value;
	bool is_script;
	bool of_tokens; /* the last name of a secret was one of tokens, so that a number is how many */
};

/* Appends one argument of a command line; call it for all of them, in their order. */
void mask_write(struct mask *mask, struct buffer *out, struct text argument);

/* Appends all arguments with spaces between them; `arguments` has a NUL between two. */
void mask_join(struct mask *mask, struct buffer *out, struct text arguments);

#endif
