/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the command line of rtrack-run.
 *
 * Parsing stops at the first word that is not an option, so that the command keeps its own options. A flag and the
 * environment variable of the same setting follow the same rules, because both come from one row of settings.def. An
 * invalid variable is reported like an invalid flag, unless a flag overrides it. */
#define _GNU_SOURCE
#include "launcher/options.h"

#include "core/number.h"
#include "os/defaults.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum own_option {
	OWN_SUMMARY,
	OWN_REPORT,
	OWN_KEEP_OUTPUT,
	OWN_SHIP,
	OWN_SHIP_WAIT,
	OWN_NO_PRELOAD,
	OWN_ATTACH,
	OWN_MAX_MEMORY,
	OWN_MAX_SECONDS,
	OWN_RETRY_ON_OOM,
	OWN_MARK,
	OWN_HELP,
	OWN_HELP_ALL,
	OWN_VERSION,
	OWN_COUNT
};

static const double SHIP_SECONDS = 10;

static const struct {
	const char *flag;
	const char *argument; /* placeholder of the argument in the help; "" if the option has no argument */
	const char *wanted;   /* description of valid arguments, for messages */
	const char *help;
} own_table[OWN_COUNT] = {
	[OWN_SUMMARY] = {"summary", "", "", "print the outcome and the request to stderr at the end"},
	[OWN_REPORT] = {"report", "FILE.html", "the name of a file",
		"write the report of the run to a file when it has ended"},
	[OWN_KEEP_OUTPUT] = {"keep-output", "", "",
		"keep the last 64 KiB that the command writes to stdout and stderr, as files of the run. It works "
		"if these are a terminal or a pipe. The report of a failed run shows the last lines. "
		"The command has a pseudo terminal in place of a terminal"},
	[OWN_SHIP] = {"ship", "URL", "a target such as s3://BUCKET/PREFIX",
		"send the records of the run, while it goes on and at its end, as rtrack-report ship does "
		"(default: $RTRACK_SHIP). After the command's end, rtrack-run waits up to --ship-wait for that"},
	[OWN_SHIP_WAIT] = {"ship-wait", "N", "a number from 0 to 86400",
		"after the command's end, wait up to N seconds until --ship has sent the rest (default: 10). "
		"The next rtrack-report ship --all sends what is left"},
	[OWN_NO_PRELOAD] = {"no-preload", "", "", "do not load the library into the command: sample from outside only"},
	[OWN_ATTACH] = {"attach", "PID", "the number of a process",
		"record a running process and all that it starts, and run no command. Recording ends when they have "
		"ended, or at ^C, with exit status 0. What they used before is not included"},
	[OWN_MAX_MEMORY] = {"max-memory", "SIZE", "a size with its unit from 1M to 1000T, such as 512M or 1.5GiB",
		"end the command and all that it started when their memory exceeds SIZE in a sample: "
		"SIGTERM, 5 s later SIGKILL, and exit status 124. If a control group can be made, the kernel kills "
		"at once what exceeds SIZE by 25 %. K, M, G and T are powers of 1024, as are KiB and so on. KB, MB, GB "
		"and TB are powers of 1000. A bare number is MiB"},
	[OWN_MAX_SECONDS] = {"max-seconds", "N", "a number from 0.001 to 1000000000",
		"end the command in the same way after N seconds"},
	[OWN_RETRY_ON_OOM] = {"retry-on-oom", "N", "a whole number from 1 to 100",
		"run the command again, up to N times, if it exceeded --max-memory. The new limit "
		"is the request that rtrack-report recommend prints"},
	[OWN_MARK] = {"mark", "TEXT", "a text",
		"mark the current time in the enclosing run, and run nothing. "
		"'begin NAME' and 'end NAME' delimit a part of the run. Outside a run, this does nothing"},
	[OWN_HELP] = {"help", "", "", "print the options that most people need, and run nothing"},
	[OWN_HELP_ALL] = {"help-all", "", "", "print all options and variables, and run nothing"},
	[OWN_VERSION] = {"version", "", "", "print the version, and run nothing"},
};

/* Settings that are exported to the environment, because the library reads them in every process of the run. Other
 * settings are read from the run's directory, or only by rtrack-run. */
static const enum setting_id exported[] = {
	SETTING_ID_EXCLUDE,
	SETTING_ID_MASK,
	SETTING_ID_OWN,
	SETTING_ID_DEBUG,
	SETTING_ID_SPOOL_MAX_MIB,
	SETTING_ID_MEMORY,
	SETTING_ID_GPU,
};

/* Writes the beginning of a message about an invalid value. The caller appends a description of valid values. */
static void complain_about_value(struct buffer *complaint, const char *name, const char *value)
{
	buffer_string(complaint, name);
	buffer_string(complaint, " '");
	buffer_string(complaint, value);
	buffer_string(complaint, "': expected ");
}

/* Returns the list `before` with `item` appended, in the format of text_item_end. Newlines separate the items,
 * because an item from a flag may contain commas. Returns NULL if out of memory. */
static char *join_items(const char *before, const char *item)
{
	bool of_lines = before[0] == '\n' || before[0] == '\0';
	char *joined = NULL;

	if (asprintf(&joined, "%s%s\n%s", of_lines ? "" : "\n", before, item) < 0)
		return NULL;
	for (size_t i = 0; !of_lines && i <= strlen(before); i++)
		joined[i] = joined[i] == ',' ? '\n' : joined[i];
	return joined;
}

/* Returns the absolute path of a file, because processes with other working directories write the file. */
static char *make_absolute(const char *path)
{
	char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	char *joined = NULL;

	if (here && asprintf(&joined, "%s/%s", here, path) < 0)
		joined = NULL;
	free(here);
	return joined;
}

static int take_setting(struct options *options, enum setting_id id, const char *value)
{
	struct settings *settings = &options->settings;
	char *made = NULL;

	if (settings_check(id, value, &settings->number[id]) != 0)
		return -1;
	if (id == SETTING_ID_TAGS || id == SETTING_ID_INPUTS)
		made = join_items(settings->text[id], value);
	else if (id == SETTING_ID_DEBUG)
		made = make_absolute(value);
	settings->text[id] = made ? made : value;
	free(options->made[id]);
	options->made[id] = made;
	options->given[id] = true;
	return 0;
}

static int find_setting(struct text flag)
{
	for (int id = 0; id < SETTING_COUNT && flag.length > 0; id++)
		if (text_is(flag, settings_flag((enum setting_id)id)))
			return id;
	return -1;
}

static int find_own(struct text flag)
{
	for (int id = 0; id < OWN_COUNT; id++)
		if (text_is(flag, own_table[id].flag))
			return id;
	return -1;
}

/* Parses a size with a unit, such as "512M", into MiB. Returns 0, or -1 if it is malformed or out of range. */
static int read_size(const char *value, double *mib)
{
	static const char letters[] = "bkmgt";
	static const double least = 1, most = 1024.0 * 1024 * 1000;
	size_t digits = strspn(value, "0123456789.");
	const char *unit = value + digits;
	const char *found = *unit != '\0' ? strchr(letters, *unit | ' ') : NULL;
	bool decimal = found && found > letters && strcasecmp(unit + 1, "b") == 0;
	double size;

	if (!found || (unit[1] != '\0' && !decimal && (found == letters || strcasecmp(unit + 1, "ib") != 0)))
		return -1;
	if (digits == 0 || number_read((struct text){value, digits}, &size) != 0)
		return -1;
	for (const char *letter = letters; letter < found; letter++)
		size *= decimal ? 1000 : 1024;
	size /= 1024.0 * 1024;
	if (!(size >= least && size <= most))
		return -1;
	*mib = size;
	return 0;
}

static int read_number(const char *value, double least, double most, double *number)
{
	double read;

	if (number_read(text_of(value), &read) != 0 || !(read >= least && read <= most))
		return -1;
	*number = read;
	return 0;
}

/* Returns whether the URL has a scheme that rtrack-report ship may support. */
static bool is_target(const char *url)
{
	static const char *const schemes[] = {
		"s3://", "otlp+http://", "otlp+https://", "pushgateway+http://", "pushgateway+https://", "sentinel:"};

	for (size_t i = 0; i < ARRAY_LENGTH(schemes); i++)
		if (text_starts(text_of(url), schemes[i]))
			return true;
	return false;
}

/* Applies an option that is not a setting. Returns 0, or -1 if the value is invalid. */
static int take_own(struct options *options, enum own_option id, const char *value)
{
	double count;

	switch (id) {
	case OWN_SUMMARY:
		options->summary = true;
		return 0;
	case OWN_KEEP_OUTPUT:
		options->keep_output = true;
		return 0;
	case OWN_REPORT:
		options->report = value;
		return value[0] == '\0' || strcmp(value, "-") == 0 ? -1 : 0;
	case OWN_SHIP:
		options->ship = value;
		return is_target(value) ? 0 : -1;
	case OWN_SHIP_WAIT:
		return read_number(value, 0, 86400, &options->ship_seconds);
	case OWN_NO_PRELOAD:
		options->no_preload = true;
		return 0;
	case OWN_ATTACH:
		if (read_number(value, 1, INT32_MAX, &count) != 0 || count != (int)count)
			return -1;
		options->attach = (pid_t)count;
		return 0;
	case OWN_MAX_MEMORY:
		return read_size(value, &options->max_memory_mib);
	case OWN_MAX_SECONDS:
		return read_number(value, 0.001, 1e9, &options->max_seconds);
	case OWN_RETRY_ON_OOM:
		if (read_number(value, 1, 100, &count) != 0 || count != (int)count)
			return -1;
		options->retries = (int)count;
		return 0;
	case OWN_MARK:
		options->mark = value;
		return value[0] == '\0' ? -1 : 0;
	default:
		return 0;
	}
}

/* Parses the option in arguments[*index]. The option's value may be in the next argument. */
static enum options_result take_option(
	struct options *options, int count, char **arguments, int *index, struct buffer *complaint)
{
	const char *word = arguments[*index];
	struct text whole = text_of(word);
	size_t equals = text_find(whole, '=', 0);
	struct text flag = {word + 2, (equals < whole.length ? equals : whole.length) - 2};
	bool has_value = equals < whole.length;
	const char *value = has_value ? word + equals + 1 : "";
	char name[64];

	int setting = text_starts(whole, "--") ? find_setting(flag) : -1;
	int own = text_starts(whole, "--") ? find_own(flag) : -1;
	if (setting < 0 && own < 0) {
		buffer_string(complaint, "unknown option '");
		buffer_string(complaint, word);
		buffer_string(complaint, "'; rtrack-run --help-all lists all");
		return OPTIONS_WRONG;
	}

	const char *argument = setting >= 0 ? settings_table[setting].argument : own_table[own].argument;
	(void)snprintf(name, sizeof name, "--%.*s", (int)flag.length, flag.data);
	if (argument[0] == '\0' && has_value) {
		buffer_string(complaint, name);
		buffer_string(complaint, " takes no value");
		return OPTIONS_WRONG;
	}
	if (argument[0] != '\0' && !has_value) {
		if (*index + 1 >= count) {
			buffer_string(complaint, name);
			buffer_string(complaint, " needs a value: ");
			buffer_string(complaint, argument);
			return OPTIONS_WRONG;
		}
		value = arguments[++*index];
	}

	if (setting >= 0) {
		if (take_setting(options, (enum setting_id)setting, value) == 0)
			return OPTIONS_RUN;
		complain_about_value(complaint, name, value);
		settings_describe((enum setting_id)setting, complaint);
		return OPTIONS_WRONG;
	}
	if (take_own(options, (enum own_option)own, value) != 0) {
		complain_about_value(complaint, name, value);
		buffer_string(complaint, own_table[own].wanted);
		return OPTIONS_WRONG;
	}
	return own == OWN_HELP       ? OPTIONS_HELP
	       : own == OWN_HELP_ALL ? OPTIONS_HELP_ALL
	       : own == OWN_VERSION  ? OPTIONS_VERSION
				     : OPTIONS_RUN;
}

/* If there is no --ship, uses the target from the environment. Returns false if that target is invalid. */
static bool take_target(struct options *options, char **environment, struct buffer *complaint)
{
	const char *value = environment_get(environment, "RTRACK_SHIP");

	if (options->ship || !value || value[0] == '\0')
		return true;
	if (take_own(options, OWN_SHIP, value) == 0)
		return true;
	complain_about_value(complaint, "RTRACK_SHIP", value);
	buffer_string(complaint, own_table[OWN_SHIP].wanted);
	return false;
}

/* Returns whether all variables that no flag overrides have valid values. */
static bool check_variables(const struct options *options, char **environment, struct buffer *complaint)
{
	for (int i = 0; i < SETTING_COUNT; i++) {
		enum setting_id id = (enum setting_id)i;
		const char *value = environment_get(environment, settings_table[i].variable);
		double ignored;
		if (options->given[i] || !value || value[0] == '\0' || settings_check(id, value, &ignored) == 0)
			continue;
		complain_about_value(complaint, settings_table[i].variable, value);
		settings_describe(id, complaint);
		return false;
	}
	return true;
}

enum options_result options_read(
	struct options *options, int count, char **arguments, char **environment, struct buffer *complaint)
{
	static char file[DEFAULTS_TEXT_MAX];
	int index = 1;

	*options = (struct options){.max_memory_mib = UNKNOWN, .max_seconds = UNKNOWN, .ship_seconds = SHIP_SECONDS};
	settings_read(&options->settings, environment);
	(void)defaults_read(&options->settings, environment, file);
	for (; index < count && arguments[index][0] == '-' && arguments[index][1] != '\0'; index++) {
		if (strcmp(arguments[index], "--") == 0) {
			index++;
			break;
		}
		enum options_result result = take_option(options, count, arguments, &index, complaint);
		if (result != OPTIONS_RUN)
			return result;
	}
	if (options->mark && index >= count)
		return OPTIONS_MARK;
	if (options->mark) {
		buffer_string(complaint, "--mark takes no command");
		return OPTIONS_WRONG;
	}
	if (options->attach > 0) {
		bool other = options->ship || number_known(options->max_memory_mib) ||
			     number_known(options->max_seconds) || options->retries > 0 || options->no_preload ||
			     options->keep_output;
		if (index >= count && !other)
			return check_variables(options, environment, complaint) ? OPTIONS_ATTACH : OPTIONS_WRONG;
		buffer_string(complaint, index < count
						 ? "--attach takes no command"
						 : "--attach does not work with --ship, --no-preload, --keep-output, "
						   "--max-memory, --max-seconds and --retry-on-oom");
		return OPTIONS_WRONG;
	}
	if (index >= count) {
		buffer_string(complaint, "no command given; rtrack-run --help says how");
		return OPTIONS_WRONG;
	}
	if (options->retries > 0 && !number_known(options->max_memory_mib)) {
		buffer_string(complaint, "--retry-on-oom needs --max-memory");
		return OPTIONS_WRONG;
	}
	options->command = arguments + index;
	options->command_length = count - index;
	if (settings_is(&options->settings, SETTING_ID_TRACK, "off"))
		return OPTIONS_RUN;
	return take_target(options, environment, complaint) && check_variables(options, environment, complaint)
		       ? OPTIONS_RUN
		       : OPTIONS_WRONG;
}

void options_export(const struct options *options)
{
	for (size_t i = 0; i < ARRAY_LENGTH(exported); i++)
		if (options->given[exported[i]])
			(void)setenv(settings_table[exported[i]].variable, options->settings.text[exported[i]], 1);
}

/* -- help ------------------------------------------------------------------------------------------ */

enum { HELP_WIDTH = 80, HELP_INDENT = 6, BRIEF_INDENT = 27 };

/* Prints words, starting at column `column`, and wraps lines between the columns `indent` and HELP_WIDTH. A word
 * that is longer than a line gets its own line. */
static void print_wrapped(const char *text, int indent, int column)
{
	for (bool first = true; *text != '\0'; first = false) {
		int length = (int)strcspn(text, " ");
		if (column + 1 + length > HELP_WIDTH - 1) {
			(void)putchar('\n');
			column = 0;
		}
		if (first || column == 0)
			column += printf("%*s%.*s", column < indent ? indent - column : 0, "", length, text);
		else
			column += printf(" %.*s", length, text);
		text += length;
		text += strspn(text, " ");
	}
	(void)putchar('\n');
}

static void print_setting(enum setting_id id)
{
	const struct setting *row = &settings_table[id];
	char text[512];
	char range[128];
	struct buffer allowed = BUFFER(range);

	settings_describe(id, &allowed);
	(void)snprintf(text, sizeof text, "%s%s%s%s%s%s", settings_help(id), row->kind == SETTING_NUMBER ? "; " : "",
		row->kind == SETTING_NUMBER ? buffer_terminate(&allowed) : "",
		row->fallback[0] != '\0' ? " (default: " : "", row->fallback, row->fallback[0] != '\0' ? ")" : "");
	print_wrapped(text, HELP_INDENT, 0);
}

/* Prints the options that --help lists, each with one short clause. */
static void print_common(void)
{
	static const struct {
		enum setting_id id;
		const char *brief;
	} settings[] = {
#define BRIEF(id, brief) {SETTING_ID_##id, brief},
#include "core/settings.def"
	};
	static const struct {
		enum own_option id;
		const char *brief;
	} own[] = {
		{OWN_SUMMARY, "print the outcome and the request to stderr at the end"},
		{OWN_REPORT, "write the report of the run to a file when it has ended"},
		{OWN_MAX_MEMORY, "end the command and all that it started when their memory exceeds SIZE"},
		{OWN_MAX_SECONDS, "end the command and all that it started after N seconds"},
		{OWN_NO_PRELOAD, "do not load the library into the command"},
		{OWN_ATTACH, "record a running process"},
		{OWN_HELP, "print the options that most people need"},
		{OWN_HELP_ALL, "print all options and variables"},
		{OWN_VERSION, "print the version"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(settings); i++)
		print_wrapped(settings[i].brief, BRIEF_INDENT,
			printf("  --%s %s", settings_flag(settings[i].id), settings_table[settings[i].id].argument));
	for (size_t i = 0; i < ARRAY_LENGTH(own); i++)
		print_wrapped(own[i].brief, BRIEF_INDENT,
			printf("  --%s %s", own_table[own[i].id].flag, own_table[own[i].id].argument));
}

static void print_all(void)
{
	for (int id = 0; id < SETTING_COUNT; id++) {
		const struct setting *row = &settings_table[id];
		const char *flag = settings_flag((enum setting_id)id);
		if (flag[0] == '\0')
			continue;
		(void)printf("  --%s %s, or %s in the environment\n", flag, row->argument, row->variable);
		print_setting((enum setting_id)id);
	}
	for (int id = 0; id < OWN_COUNT; id++) {
		const char *argument = own_table[id].argument;
		(void)printf("  --%s%s%s\n", own_table[id].flag, argument[0] != '\0' ? " " : "", argument);
		print_wrapped(own_table[id].help, HELP_INDENT, 0);
	}
	(void)puts("\nIn the environment only:");
	for (int id = 0; id < SETTING_COUNT; id++) {
		const struct setting *row = &settings_table[id];
		if (settings_flag((enum setting_id)id)[0] != '\0')
			continue;
		(void)printf("  %s=%s\n", row->variable, row->argument);
		print_setting((enum setting_id)id);
	}
}

int options_print_help(bool all)
{
	/* The buffer holds the entire help, so that fflush below writes all of it. If the write fails, errno is then
	 * the reason. */
	static char whole[1 << 14];

	(void)setvbuf(stdout, whole, _IOFBF, sizeof whole);
	(void)puts("Usage: rtrack-run [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		   "Run COMMAND, and record what it and all that it starts use.\n");
	if (all)
		print_all();
	else
		print_common();
	(void)puts("\nThe exit status is the command's own, 128+N if signal N ended it, 127 if it was\n"
		   "not found, 126 if it cannot be run, 125 if rtrack-run itself failed, and 124 if\n"
		   "--max-memory or --max-seconds ended it. rtrack-report shows what the run used.");
	errno = 0;
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1;
}
