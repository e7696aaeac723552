/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the sources of core/orchestrators.def in a process. A source is a text with elements such as $VARIABLE and
 * @argument. Some elements (!flow, !step, !name, !index) are read from files. */
#ifndef RTRACK_SAMPLER_RUN_SOURCE_H
#define RTRACK_SAMPLER_RUN_SOURCE_H

#include "core/base.h"

/* Arguments and environment of a process at its exec. */
struct invocation {
	char *const *environment;
	char *const *arguments;
	int count;
};

enum { VALUE_MAX = 512 /* maximum size of a value in bytes */, ARGUMENTS_SEEN = 512 };

/* Returns the number of arguments that are examined. */
static inline int source_arguments_seen(const struct invocation *of)
{
	return of->count < ARGUMENTS_SEEN ? of->count : ARGUMENTS_SEEN;
}

/* Returns the value of a variable, or an empty text if it is not set. */
struct text source_variable(const struct invocation *of, struct text name);

/* Appends a source's value. Returns false, and appends nothing, if an element is missing. Elements that are read from
 * files count as missing, because every process calls this function at its start and must use little stack. */
bool source_fill(const struct invocation *of, struct buffer *out, struct text text);
bool source_can_fill(const struct invocation *of, const char *source);

/* Appends a source's value for run.json. Unlike source_fill, this function also reads elements from files. */
bool source_fill_all(const struct invocation *of, struct buffer *out, const char *source);

/* Returns a source's value as a number, or UNKNOWN. */
double source_fill_number(const struct invocation *of, const char *source);

static inline bool source_is_of_name(char byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
	       byte == '_';
}

#endif
