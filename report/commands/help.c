/* SPDX-License-Identifier: Apache-2.0 */
/* Prints --help: the tables of commands and options, in 80 columns. */
#include "report/commands/options.h"
#include "report/say/terminal.h"

#include <stdio.h>
#include <string.h>

enum { HELP_WIDTH = 80, HELP_INDENT = 27, ARGUMENT_INDENT = 12 };

/* Writes `text`, indented by HELP_INDENT columns. `column` is the current column of the output. */
static void print_wrapped(FILE *out, const char *text, int column)
{
	if (column >= HELP_INDENT) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s", HELP_INDENT - column, "");
	terminal_wrap(&(struct terminal){.out = out, .width = HELP_WIDTH}, text, HELP_INDENT, HELP_INDENT);
}

/* Writes the placeholder of a value, such as "text|json". A long placeholder is wrapped after a '|'. Returns the column
 * after the placeholder. */
static int print_argument(FILE *out, const char *argument, int column)
{
	while (*argument) {
		int length = (int)strcspn(argument, "|");
		length += argument[length] == '|';
		if (column + length > HELP_WIDTH)
			column = fprintf(out, "\n%*s", ARGUMENT_INDENT, "") - 1;
		column += fprintf(out, "%.*s", length, argument);
		argument += length;
	}
	return column;
}

/* Returns the help text of an option for one command, or for all commands if `command` is COMMAND_COUNT. */
static const char *help_of(enum option_id id, enum command_id command)
{
	static const struct {
		enum option_id id;
		unsigned commands;
		const char *help;
	} own[] = {
#define OWN(id, commands, help) {OPTION_##id, commands, help},
#include "report/commands/options.def"
	};

	for (size_t i = 0; i < ARRAY_LENGTH(own) && command != COMMAND_COUNT; i++)
		if (own[i].id == id && own[i].commands & (1u << command))
			return own[i].help;
	return options_table[id].help;
}

/* Writes the option and its placeholder: "  -f, --format text|json". Returns the column after them. */
static int print_name(FILE *out, const struct option *option, const char *argument)
{
	int column = option->letter ? fprintf(out, "  -%c, ", option->letter) : fprintf(out, "      ");

	column += fprintf(out, "--%s", option->name);
	return *argument ? print_argument(out, argument, column + fprintf(out, " ")) : column;
}

static void print_option(FILE *out, enum option_id id, enum command_id command)
{
	const struct option *option = &options_table[id];
	const char *argument = command == COMMAND_COUNT ? option->argument : options_argument(id, command);

	print_wrapped(out, help_of(id, command), print_name(out, option, argument));
}

/* Writes the options of a command, or of all commands if `command` is COMMAND_COUNT. If `exactly` is set, an option of
 * three or more commands is listed only for all commands, and any other option only for its own commands. */
static void print_options(FILE *out, const char *title, enum command_id command, bool exactly)
{
	unsigned mask = command == COMMAND_COUNT ? ALL : 1u << command;
	bool any = false;

	for (int i = 0; i < OPTION_COUNT; i++) {
		bool shared = __builtin_popcount(options_table[i].commands) >= 3;
		if (!(options_table[i].commands & mask) || (exactly && (shared != (mask == ALL))))
			continue;
		if (!any)
			fprintf(out, "\n%s:\n", title);
		any = true;
		print_option(out, (enum option_id)i, command);
	}
}

static void print_run_note(FILE *out)
{
	fputs("\nRUN is a run's id, the beginning of one, a directory, or the name of a job, for\n"
	      "its latest run. Without RUN it is the latest run of all. A and B are RUNs. As A\n"
	      "or B, - is the finished run of the job before the other one. compare B is\n"
	      "compare - B.\n",
		out);
}

static void print_commands(FILE *out)
{
	fputs("Usage: rtrack-report [COMMAND] [RUN] [OPTION]...\n\n"
	      "Reports what recorded runs have used.\n\nCommands:\n",
		out);
	for (int i = 0; i < COMMAND_COUNT; i++)
		print_wrapped(out, commands_table[i].help,
			fprintf(out, "  %s %s", commands_table[i].name, commands_table[i].argument));
}

static void print_common(FILE *out)
{
	static const struct {
		enum option_id id;
		const char *brief;
	} common[] = {
#define BRIEF(id, brief) {OPTION_##id, brief},
#include "report/commands/options.def"
	};

	fputs("\nOptions that many commands take:\n", out);
	for (size_t i = 0; i < ARRAY_LENGTH(common); i++) {
		const struct option *option = &options_table[common[i].id];
		print_wrapped(out, common[i].brief, print_name(out, option, option->argument));
	}
}

static void print_all(FILE *out)
{
	print_options(out, "Options", COMMAND_COUNT, true);
	for (int i = 0; i < COMMAND_COUNT; i++) {
		char title[64];
		snprintf(title, sizeof title, "Options of %s", commands_table[i].name);
		print_options(out, title, (enum command_id)i, true);
	}
}

void options_print_help(FILE *out, const struct options *options)
{
	const struct command *command = &commands_table[options->command];
	bool all = options_given(options, OPTION_help_all);

	if (options->command_given && !all) {
		fprintf(out, "Usage: rtrack-report %s %s%s[OPTION]...\n\n%c%s.\n", command->name, command->argument,
			*command->argument ? " " : "", command->help[0] - 'a' + 'A', command->help + 1);
		print_options(out, "Options", options->command, false);
		if (strstr(command->argument, "RUN") || strchr(command->argument, ' '))
			print_run_note(out);
		if (options->command == COMMAND_sql)
			fputs("\nPLACE is a spool, a run's directory, a directory of Parquet that export made, or\n"
			      "the URL of a bucket with a copy of one. Without PLACE it is the spool.\n",
				out);
		return;
	}
	print_commands(out);
	if (all)
		print_all(out);
	else
		print_common(out);
	print_run_note(out);
	fputs("\nThe default COMMAND is show. rtrack-report COMMAND --help prints its options.\n"
	      "Exit status: 0 done; 1 no such run, or no usable data; 2 wrong command line;\n"
	      "3 --fail-if holds.\n",
		out);
}
