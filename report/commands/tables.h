/* The tables of options.def, which are in options.c: what commands and options there are. */
#ifndef RTRACK_REPORT_COMMANDS_TABLES_H
#define RTRACK_REPORT_COMMANDS_TABLES_H

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
extern const struct command commands_table[]; /* by enum command_id */

struct option {
	char letter;
	const char *name;
	const char *argument;
	enum option_kind kind;
	unsigned commands;
	const char *help;
};
extern const struct option options_table[]; /* by enum option_id */

#endif
