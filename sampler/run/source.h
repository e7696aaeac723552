/* What a source of core/orchestrators.def stands for in a process: a text of $VARIABLES, @arguments and the like, of
 * which some (!flow, !step, !name, !index) are only to be found out in files. */
#ifndef RTRACK_SAMPLER_RUN_SOURCE_H
#define RTRACK_SAMPLER_RUN_SOURCE_H

#include "core/base.h"

/* What a process was executed with. */
struct invocation {
	char *const *environment;
	char *const *arguments;
	int count;
};

enum { VALUE_MAX = 512 /* of what a source stands for, in bytes */, ARGUMENTS_SEEN = 512 };

/* How many arguments are looked at. */
static inline int source_arguments_seen(const struct invocation *of)
{
	return of->count < ARGUMENTS_SEEN ? of->count : ARGUMENTS_SEEN;
}

/* Empty where it is not set. */
struct text source_variable(const struct invocation *of, struct text name);

/* Appends what a source stands for; false, and nothing is appended, where a part of it is missing. What is only to be
 * found out is not: each process that starts asks, on little stack. */
bool source_fill(const struct invocation *of, struct buffer *out, struct text text);
bool source_can_fill(const struct invocation *of, const char *source);

/* The same with what is to be found out, for run.json. */
bool source_fill_all(const struct invocation *of, struct buffer *out, const char *source);

/* UNKNOWN where it is none. */
double source_fill_number(const struct invocation *of, const char *source);

static inline bool source_is_of_name(char byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
	       byte == '_';
}

#endif
