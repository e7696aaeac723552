/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the command line of rtrack-run: the effect of each option, and the messages about wrong options. */
#include "launcher/options.h"

#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <unistd.h>

enum { WORDS_MAX = 8 };

static char *no_environment[] = {NULL};

static int count_of(char *const *words)
{
	int count = 0;
	while (words[count])
		count++;
	return count;
}

/* The last error message about a command line, without the program's name. */
static char complaint[1024];

static enum options_result read_words(struct options *options, const char *const *words, char **environment)
{
	static char *line[WORDS_MAX + 2];
	struct buffer out = BUFFER(complaint);
	int count = 1;
	line[0] = (char[]){"rtrack-run"};
	for (; *words; words++)
		line[count++] = (char *)(uintptr_t)*words;
	line[count] = NULL;
	enum options_result result = options_read(options, count, line, environment, &out);
	(void)buffer_terminate(&out);
	return result;
}

static void release(struct options *options)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		free(options->made[i]);
}

static const struct {
	const char *what;
	const char *words[WORDS_MAX];
	enum options_result result;
	const char *command; /* the first word of the command */
	int length;
	const char *complaint;
} lines[] = {
	{"a command", {"make", "-j2"}, OPTIONS_RUN, "make", 2, ""},
	{"a command with options of ours", {"make", "--interval", "x"}, OPTIONS_RUN, "make", 3, ""},
	{"a command after an option", {"--summary", "make"}, OPTIONS_RUN, "make", 1, ""},
	{"a command after --", {"--", "--help"}, OPTIONS_RUN, "--help", 1, ""},
	{"a command named -", {"-", "x"}, OPTIONS_RUN, "-", 2, ""},
	{"a command after a value", {"--interval", "2", "make"}, OPTIONS_RUN, "make", 1, ""},
	{"a command after a value with =", {"--interval=2", "make"}, OPTIONS_RUN, "make", 1, ""},
	{"an empty value counts as a value", {"--exclude", "", "make"}, OPTIONS_RUN, "make", 1, ""},
	{"help", {"--help"}, OPTIONS_HELP, NULL, 0, ""},
	{"the whole help", {"--help-all"}, OPTIONS_HELP_ALL, NULL, 0, ""},
	{"help takes precedence over later options", {"--help", "--nonsense"}, OPTIONS_HELP, NULL, 0, ""},
	{"the version", {"--version", "make"}, OPTIONS_VERSION, NULL, 0, ""},
	{"nothing", {NULL}, OPTIONS_WRONG, NULL, 0, "no command given; rtrack-run --help says how"},
	{"no command after --", {"--"}, OPTIONS_WRONG, NULL, 0, "no command given; rtrack-run --help says how"},
	{"an unknown option", {"--nonsense", "make"}, OPTIONS_WRONG, NULL, 0,
		"unknown option '--nonsense'; rtrack-run --help-all lists all"},
	{"one dash", {"-interval", "2"}, OPTIONS_WRONG, NULL, 0,
		"unknown option '-interval'; rtrack-run --help-all lists all"},
	{"the beginning of an option", {"--inter", "2"}, OPTIONS_WRONG, NULL, 0,
		"unknown option '--inter'; rtrack-run --help-all lists all"},
	{"a setting that only the environment may have", {"--run=/x", "make"}, OPTIONS_WRONG, NULL, 0,
		"unknown option '--run=/x'; rtrack-run --help-all lists all"},
	{"a missing value", {"--interval"}, OPTIONS_WRONG, NULL, 0, "--interval needs a value: SECONDS"},
	{"a value for an option without values", {"--summary=yes", "make"}, OPTIONS_WRONG, NULL, 0,
		"--summary takes no value"},
	{"a value that is not a number", {"--interval", "soon", "make"}, OPTIONS_WRONG, NULL, 0,
		"--interval 'soon': expected a number from 0.001 to 3600"},
	{"a value out of range", {"--interval=0", "make"}, OPTIONS_WRONG, NULL, 0,
		"--interval '0': expected a number from 0.001 to 3600"},
	{"a word that is not allowed", {"--memory", "uss", "make"}, OPTIONS_WRONG, NULL, 0,
		"--memory 'uss': expected pss or rss"},
	{"a report without a name", {"--report", "", "make"}, OPTIONS_WRONG, NULL, 0,
		"--report '': expected the name of a file"},
	{"a report to standard output", {"--report=-", "make"}, OPTIONS_WRONG, NULL, 0,
		"--report '-': expected the name of a file"},
	{"a spool without a name", {"--spool=", "make"}, OPTIONS_WRONG, NULL, 0, "--spool '': expected a path"},
	{"a label without a key", {"--tag", "x", "make"}, OPTIONS_WRONG, NULL, 0, "--tag 'x': expected KEY=VALUE"},
};

static void check_lines(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
		struct options options;
		enum options_result result = read_words(&options, lines[i].words, no_environment);
		ok(result == lines[i].result, lines[i].what);
		is_text(complaint, lines[i].complaint, "  its message");
		if (result == OPTIONS_RUN) {
			is_text(options.command[0], lines[i].command, "  the command");
			is_number(options.command_length, lines[i].length, "  its length");
			is_number(count_of(options.command), lines[i].length, "  its end");
		}
		release(&options);
	}
}

/* -- precedence: flags, variables, defaults -- */

static const struct {
	const char *what;
	const char *words[WORDS_MAX];
	const char *variables[4];
	enum setting_id id;
	const char *text;
	bool given;
} values[] = {
	{"neither", {"a"}, {NULL}, SETTING_ID_INTERVAL, "1", false},
	{"a variable", {"a"}, {"RTRACK_INTERVAL=3"}, SETTING_ID_INTERVAL, "3", false},
	{"an empty variable", {"a"}, {"RTRACK_INTERVAL="}, SETTING_ID_INTERVAL, "1", false},
	{"a flag", {"--interval=2", "a"}, {NULL}, SETTING_ID_INTERVAL, "2", true},
	{"a flag over a variable", {"--interval=2", "a"}, {"RTRACK_INTERVAL=3"}, SETTING_ID_INTERVAL, "2", true},
	{"a flag over a bad variable", {"--interval=2", "a"}, {"RTRACK_INTERVAL=x"}, SETTING_ID_INTERVAL, "2", true},
	{"the last of two flags", {"--job=x", "--job=y", "a"}, {NULL}, SETTING_ID_JOB, "y", true},
	{"labels are collected", {"--tag=a=1", "--tag", "b=2", "x"}, {NULL}, SETTING_ID_TAGS, "\na=1\nb=2", true},
	{"labels of flags are added to those of the variable", {"--tag=a=1", "x"}, {"RTRACK_TAGS=c=3"}, SETTING_ID_TAGS,
		"\nc=3\na=1", true},
	{"commas separate labels in the variable, not in flags", {"--tag=a=1,2", "x"}, {"RTRACK_TAGS=c=3,d=4"},
		SETTING_ID_TAGS, "\nc=3\nd=4\na=1,2", true},
	{"newlines separate labels in a variable that begins with one", {"--input=a,b", "x"}, {"RTRACK_INPUTS=\nc,d"},
		SETTING_ID_INPUTS, "\nc,d\na,b", true},
	{"a file of diagnostics, absolute", {"--debug=/x/y", "a"}, {NULL}, SETTING_ID_DEBUG, "/x/y", true},
};

static void check_values(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
		struct options options;
		ok(read_words(&options, values[i].words, (char **)(uintptr_t)values[i].variables) == OPTIONS_RUN,
			values[i].what);
		is_text(options.settings.text[values[i].id], values[i].text, "  its value");
		ok(options.given[values[i].id] == values[i].given, "  and whether a flag set it");
		release(&options);
	}
}

/* -- sizes -- */

static const struct {
	const char *text;
	double mib; /* 0 if invalid */
} sizes[] = {
	{"512", 0},
	{"4", 0},
	{"512M", 512},
	{"512m", 512},
	{"512MiB", 512},
	{"2G", 2048},
	{"1.5GiB", 1536},
	{"1024K", 1},
	{"1048576B", 1},
	{"1048576000000B", 1000000},
	{"500MB", 500e6 / 1048576},
	{"2gb", 2e9 / 1048576},
	{"1T", 1048576},
	{"1TB", 1e12 / 1048576},
	{".5G", 512},
	{"", 0},
	{"0", 0},
	{"0.5M", 0},
	{"1023K", 0},
	{"1001T", 0},
	{"-1G", 0},
	{"G", 0},
	{"1GiBs", 0},
	{"1Bi", 0},
	{"1BB", 0},
	{"1 G", 0},
	{"1e3", 0},
	{"1,5G", 0},
	{"infinity", 0},
};

static void check_sizes(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
		struct options options;
		const char *words[] = {"--max-memory", sizes[i].text, "make", NULL};
		enum options_result result = read_words(&options, words, no_environment);
		ok(result == (sizes[i].mib > 0 ? OPTIONS_RUN : OPTIONS_WRONG), sizes[i].text);
		ok(result != OPTIONS_RUN || options.max_memory_mib == sizes[i].mib, "  in MiB");
		release(&options);
	}
}

static void check_variables(void)
{
	struct options options;
	char *bad[] = {(char[]){"RTRACK_MEMORY=uss"}, NULL};
	char *off[] = {(char[]){"RTRACK_MEMORY=uss"}, (char[]){"RTRACK=off"}, NULL};

	ok(read_words(&options, (const char *[]){"a", NULL}, bad) == OPTIONS_WRONG, "a bad variable is an error");
	is_text(complaint, "RTRACK_MEMORY 'uss': expected pss or rss", "  with a message");
	ok(read_words(&options, (const char *[]){"a", NULL}, off) == OPTIONS_RUN, "  but not under RTRACK=off");
}

/* A relative path refers to the current directory. It is made absolute, because descendants may run elsewhere. */
static void check_export(void)
{
	struct options options;
	char here[2000];
	char expected[2100];

	ok(getcwd(here, sizeof here) != NULL, "the current directory is known");
	(void)snprintf(expected, sizeof expected, "%s/log", here);
	(void)unsetenv("RTRACK_INTERVAL");
	(void)setenv("RTRACK_EXCLUDE", "before", 1);
	(void)read_words(
		&options, (const char *[]){"--debug=log", "--memory=rss", "--interval=2", "a", NULL}, no_environment);
	options_export(&options);
	is_text(getenv("RTRACK_DEBUG"), expected, "descendants get the absolute path of the file");
	is_text(getenv("RTRACK_MEMORY"), "rss", "  and settings that they need");
	is_text(getenv("RTRACK_INTERVAL"), NULL, "  but not the launcher's own settings");
	is_text(getenv("RTRACK_EXCLUDE"), "before", "  and variables without a flag are unchanged");
	release(&options);
}

int main(void)
{
	check_lines();
	check_values();
	check_sizes();
	check_variables();
	check_export();
	return done();
}
