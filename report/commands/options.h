/* The command line of rtrack-report: one row a command, one row an option; parser and help are loops over them. */
#ifndef RTRACK_REPORT_COMMANDS_OPTIONS_H
#define RTRACK_REPORT_COMMANDS_OPTIONS_H

#include "core/base.h"
#include "report/compare/condition.h"

#include <stdio.h>

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

struct options {
	enum command_id command;
	const char *run;   /* NULL: the latest */
	const char *other; /* the second run of compare */
	char **words;      /* all that are no option, without the command */
	size_t word_count;
	const char *text[OPTION_COUNT]; /* the value given; NULL: not given */
	double number[OPTION_COUNT];    /* of options that are numbers or times; UNKNOWN: not given */
	struct conditions conditions;   /* --fail-if */
	const char *spools[32];         /* all that --spool named */
	size_t spool_count;
	const char *groups[2]; /* all that --group named; two to compare */
	size_t group_count;
	char lines[8192];   /* of the options that are a LIST, a line each */
	bool json;          /* --format json */
	bool csv;           /* --format csv */
	bool command_given; /* in so many words */
};

static inline bool options_given(const struct options *options, enum option_id id)
{
	return options->text[id] != NULL;
}

/* Whether --user or --status choose runs. */
static inline bool options_choose_runs(const struct options *options)
{
	return options_given(options, OPTION_user) || options_given(options, OPTION_status);
}

/* Fills *options. Returns 0; or -1 after a message on stderr. */
int options_read(struct options *options, int count, char **arguments);

/* The names of all commands, up to a NULL. */
const char *const *options_commands(void);

/* What stands for the option's value in the help of one command: of a CHOICE the words that this command takes. */
const char *options_argument(enum option_id id, enum command_id command);

/* The help of the program, or of one command when --help came with it. */
void options_print_help(FILE *out, const struct options *options);

#endif
