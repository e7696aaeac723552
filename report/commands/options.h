/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of rtrack-report. Commands and options are rows of options.def; parser and help are loops over
 * them. */
#ifndef RTRACK_REPORT_COMMANDS_OPTIONS_H
#define RTRACK_REPORT_COMMANDS_OPTIONS_H

#include "core/base.h"
#include "report/compare/condition.h"

#include <stdio.h>
#include <string.h>

enum command_id {
#define COMMAND(id, argument, help) COMMAND_##id,
#include "report/commands/options.def"
	COMMAND_COUNT
};

enum option_id {
#define OPTION(id, letter, name, argument, kind, commands, help) OPTION_##id,
#include "report/commands/options.def"
	OPTION_COUNT
};

/* -- tables ---------------------------------------------------------------------------------------- */

enum option_kind {
	KIND_OF_FLAG,
	KIND_OF_TEXT,
	KIND_OF_CHOICE,
	KIND_OF_COUNT,
	KIND_OF_ROWS,
	KIND_OF_TIME,
	KIND_OF_SHARE,
	KIND_OF_LIST,
	KIND_OF_CONDITION
};

#define ALL ((1u << COMMAND_COUNT) - 1)
#define ONLY(command) (1u << COMMAND_##command)

struct command {
	const char *name;
	const char *argument;
	const char *help;
};
extern const struct command commands_table[]; /* indexed by enum command_id */

struct option {
	char letter;
	const char *name;
	const char *argument;
	enum option_kind kind;
	unsigned commands;
	const char *help;
};
extern const struct option options_table[]; /* indexed by enum option_id */

/* -- a command line -------------------------------------------------------------------------------- */

struct options {
	enum command_id command;
	const char *run;   /* selector of the run, or NULL for the latest */
	const char *other; /* the second run of compare */
	char **words;      /* all arguments except options and the command */
	size_t word_count;
	const char *text[OPTION_COUNT]; /* value of each option, or NULL if the option is not given */
	/* value of each option with a number or a time, or UNKNOWN if the option is not given */
	double number[OPTION_COUNT];
	struct conditions conditions; /* conditions of --fail-if */
	const char *spools[32];       /* values of all --spool options */
	size_t spool_count;
	const char *groups[2]; /* values of all --group options; compare accepts two, other commands one */
	size_t group_count;
	char labels[8192];  /* values of --label and --tag, one per line */
	char lines[8192];   /* values of the other LIST options, one per line */
	bool json;          /* --format json is given */
	bool csv;           /* --format csv is given */
	bool command_given; /* whether the command line names a command; otherwise the default command is used */
};

static inline bool options_given(const struct options *options, enum option_id id)
{
	return options->text[id] != NULL;
}

/* Returns whether an option is given with this value. */
static inline bool options_is(const struct options *options, enum option_id id, const char *value)
{
	return options->text[id] && strcmp(options->text[id], value) == 0;
}

/* Returns whether --user, --status or --label is given, which select runs. */
static inline bool options_choose_runs(const struct options *options)
{
	return options_given(options, OPTION_user) || options_given(options, OPTION_status) ||
	       options_given(options, OPTION_label);
}

/* Parses the command line. Returns 0, or -1 after a message on stderr. */
int options_read(struct options *options, int count, char **arguments);

/* Returns the names of all commands, terminated by NULL. */
const char *const *options_commands(void);

/* Returns the placeholder for the value of an option in the help of one command. For a CHOICE, the placeholder lists
 * the words that are valid for this command. */
const char *options_argument(enum option_id id, enum command_id command);

/* Prints the help of the command that the command line names, or the help of the program if there is none. */
void options_print_help(FILE *out, const struct options *options);

#endif
