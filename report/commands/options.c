/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the command line of rtrack-report. */
#include "report/commands/options.h"

#include "core/number.h"
#include "report/compare/alert.h"
#include "report/model/outcome.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/say/moment.h"
#include "report/say/nearest.h"
#include "report/say/utf8.h"
#include "report/spool/unit.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE_LEAST = 100, SHARE_MOST = 10000 };
static const char share_wanted[] = "1/N with N from 100 to 10000";

const struct command commands_table[COMMAND_COUNT] = {
#define COMMAND(id, argument, help) {#id, argument, help},
#include "report/commands/options.def"
};

const struct option options_table[OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, kind, commands, help)                                                       \
	{letter, name, argument, KIND_OF_##kind, commands, help},
#include "report/commands/options.def"
};

/* -- values ---------------------------------------------------------------------------------------- */

/* Parses a share such as "1/500" into 500. */
static int read_share(const char *value, double *number)
{
	uint64_t count;

	if (strncmp(value, "1/", 2) != 0 || number_read_unsigned(text_of(value + 2), &count) != 0 ||
		count < SHARE_LEAST || count > SHARE_MOST)
		return -1;
	*number = (double)count;
	return 0;
}

static bool is_one_of(const char *words, const char *value)
{
	size_t length = strchr(value, '|') ? 0 : strlen(value);
	for (const char *word = words; word; word = strchr(word, '|')) {
		word += *word == '|';
		if (length > 0 && strncmp(word, value, length) == 0 && (word[length] == '|' || word[length] == '\0'))
			return true;
	}
	return false;
}

/* Formats "a|b|c" as "a, b or c". */
static const char *words_in_prose(const char *words)
{
	static char prose[256];
	struct buffer out = BUFFER(prose);
	const char *last = strrchr(words, '|');

	for (; *words; words++) {
		if (*words == '|')
			buffer_string(&out, words == last ? " or " : ", ");
		else
			buffer_byte(&out, *words);
	}
	return buffer_terminate(&out);
}

const char *options_argument(enum option_id id, enum command_id command)
{
	if (id == OPTION_by && command == COMMAND_compare)
		return "line|function";
	if (id != OPTION_format || command == COMMAND_list)
		return options_table[id].argument;
	return command == COMMAND_sql ? "text" : "text|json";
}

/* Returns whether a word is a status, either as `list` prints it or as JSON contains it. */
static bool is_status(const char *word)
{
	for (int outcome = 0; outcome < OUTCOMES; outcome++)
		if (strcmp(word, outcome_word((enum outcome)outcome)) == 0 ||
			strcmp(word, outcome_key((enum outcome)outcome)) == 0)
			return true;
	return strcmp(word, "oom") == 0;
}

/* Returns the value as records store it: invalid bytes are replaced. */
static const char *as_recorded(const char *value)
{
	static char bytes[8192];
	static struct buffer kept = {bytes, 0, sizeof bytes, false};

	return utf8_recorded(value, &kept);
}

static int read_value(struct options *options, enum option_id id, const char *value)
{
	const struct option *option = &options_table[id];
	const char *wanted = NULL;
	const char *wrong = NULL;
	bool labels = id == OPTION_label || id == OPTION_tag;
	char *lines = labels ? options->labels : options->lines;
	size_t used = strlen(lines), left = (labels ? sizeof options->labels : sizeof options->lines) - used;
	struct alert alert;
	uint64_t count;

	if (id == OPTION_job || id == OPTION_group || labels || id == OPTION_user)
		value = as_recorded(value);
	switch (option->kind) {
	case KIND_OF_FLAG:
		break;
	case KIND_OF_TEXT:
		if (*value == '\0')
			wanted = "a value that is not empty";
		else if (id == OPTION_status && !is_status(value))
			wanted = "finished, failed, killed, running, interrupted, unknown, 'out of memory', 'out of "
				 "time' or oom";
		else if (id == OPTION_spool && options->spool_count == ARRAY_LENGTH(options->spools))
			wrong = "the option is given more than 32 times";
		else if (id == OPTION_spool)
			options->spools[options->spool_count++] = value;
		else if (id == OPTION_group && options->group_count == ARRAY_LENGTH(options->groups))
			wrong = "the option is given more than twice";
		else if (id == OPTION_group)
			options->groups[options->group_count++] = value;
		break;
	case KIND_OF_CHOICE:
		if (!is_one_of(options_argument(id, options->command), value))
			wanted = words_in_prose(options_argument(id, options->command));
		break;
	case KIND_OF_COUNT:
		/* --runs may be 0, because a history may have no earlier run. Other numbers must not be 0. */
		if (number_read_unsigned(text_of(value), &count) != 0 || (count == 0 && id != OPTION_runs) ||
			count > 1000000000)
			wanted = id == OPTION_runs ? "a whole number from 0 to 1000000000"
						   : "a whole number from 1 to 1000000000";
		else
			options->number[id] = (double)count;
		break;
	case KIND_OF_ROWS:
		if (number_read_unsigned(text_of(value), &count) != 0 || count > 1000000000)
			wanted = "a whole number from 0 to 1000000000";
		else
			options->number[id] = count > 0 ? (double)count : INFINITY;
		break;
	case KIND_OF_TIME:
		if (moment_read(value, options_given(options, OPTION_utc), &options->number[id]) != 0)
			wanted = "an age such as 90s, 24h or 7d, or a date such as 2026-11-21";
		break;
	case KIND_OF_SHARE:
		if (read_share(value, &options->number[id]) != 0)
			wanted = share_wanted;
		break;
	case KIND_OF_LIST:
		if (*value == '\0' || snprintf(lines + used, left, "%s%s", used > 0 ? "\n" : "", value) >= (int)left)
			wanted = "text that is not empty, up to 8000 bytes for all of this option";
		else if (labels && !strchr(value, '='))
			wanted = "KEY=VALUE";
		else if (id == OPTION_when)
			wrong = alert_read(&alert, text_of(value));
		break;
	case KIND_OF_CONDITION:
		wrong = conditions_read(&options->conditions, text_of(value));
		break;
	}
	if (wrong) {
		message_print("--%s '%s': %s", option->name, value, wrong);
		return -1;
	}
	if (wanted) {
		message_print("--%s '%s': expected %s", option->name, value, wanted);
		return -1;
	}
	options->text[id] = value;
	return 0;
}

/* -- arguments ------------------------------------------------------------------------------------- */

struct arguments {
	char **items;
	int count;
	int next;
};

/* Prints that a word is unknown, and suggests the nearest known word. `dashes` is "--" if the word is an option. */
static void say_unknown(const char *kind, const char *dashes, const char *shown, const struct nearest *nearest)
{
	if (*nearest->found)
		message_print("unknown %s '%s'; did you mean '%s%s'?", kind, shown, dashes, nearest->found);
	else
		message_print("unknown %s '%s'; see rtrack-report --help", kind, shown);
}

static void say_unknown_option(const char *argument, size_t length)
{
	char word[64] = "", *shown = xstrndup(argument, length);
	struct nearest nearest;

	snprintf(word, sizeof word, "%.*s", length > 2 && length < sizeof word ? (int)length - 2 : 0, argument + 2);
	nearest = nearest_begin(word);
	for (int i = 0; i < OPTION_COUNT; i++)
		nearest_try(&nearest, options_table[i].name);
	say_unknown("option", "--", shown, &nearest);
	free(shown);
}

/* Returns the option that an argument names, or -1 after a message. *value becomes the text after '=' or after the
 * letter, or NULL. */
static int find_option(const char *argument, const char **value)
{
	bool is_long = argument[1] == '-';
	const char *name = argument + (is_long ? 2 : 1);
	size_t length = is_long ? strcspn(name, "=") : 1;

	*value = is_long ? (name[length] == '=' ? name + length + 1 : NULL) : name[1] != '\0' ? name + 1 : NULL;
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option *option = &options_table[i];
		if (is_long ? strlen(option->name) == length && strncmp(option->name, name, length) == 0
			    : option->letter == *name)
			return i;
	}
	say_unknown_option(argument, (size_t)(name - argument) + length);
	return -1;
}

static int take_option(struct options *options, struct arguments *arguments)
{
	const char *value;
	int id = find_option(arguments->items[arguments->next++], &value);

	if (id < 0)
		return -1;
	const struct option *option = &options_table[id];
	if (option->kind == KIND_OF_FLAG && value) {
		message_print("option '--%s' takes no value", option->name);
		return -1;
	}
	if (option->kind == KIND_OF_FLAG)
		value = "";
	else if (!value && arguments->next < arguments->count)
		value = arguments->items[arguments->next++];
	if (!value) {
		message_print("option '--%s' needs a value: %s", option->name,
			id == OPTION_to ? "a form, or a URL to ship to" : option->argument);
		return -1;
	}
	/* settle() parses the values of these options, because they depend on the command or on --utc. */
	if (id == OPTION_to || id == OPTION_format || id == OPTION_by || option->kind == KIND_OF_TIME) {
		options->text[id] = value;
		return 0;
	}
	return read_value(options, (enum option_id)id, value);
}

/* Parses the options whose values depend on other arguments. --format and --by accept different words in some commands.
 * Two options are named --to: for export, the value is a word; for ship, it is a URL. A date depends on --utc. */
static int settle(struct options *options)
{
	const char *format = options->text[OPTION_format], *by = options->text[OPTION_by],
		   *to = options->text[OPTION_to];

	options->text[OPTION_to] = NULL;
	if ((format && read_value(options, OPTION_format, format) != 0) ||
		(by && read_value(options, OPTION_by, by) != 0))
		return -1;
	for (int id = 0; id < OPTION_COUNT; id++)
		if (options_table[id].kind == KIND_OF_TIME && options_given(options, (enum option_id)id) &&
			read_value(options, (enum option_id)id, options->text[id]) != 0)
			return -1;
	return to ? read_value(options, options->command == COMMAND_ship ? OPTION_target : OPTION_to, to) : 0;
}

const char *const *options_commands(void)
{
	static const char *const names[] = {
#define COMMAND(id, argument, help) #id,
#include "report/commands/options.def"
		NULL,
	};
	return names;
}

static int find_command(const char *name)
{
	for (int i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands_table[i].name, name) == 0)
			return i;
	return -1;
}

/* Returns the number of arguments that a command accepts: none for "", one for "[RUN]", two for "A B", any number for
 * "[PLACE]...". */
static int count_arguments(const char *argument)
{
	if (strstr(argument, "..."))
		return INT_MAX;
	return *argument == '\0' ? 0 : strchr(argument, ' ') ? 2 : 1;
}

static int take_words(struct options *options, char **words, int count)
{
	int command = count > 0 ? find_command(words[0]) : -1;
	int used = command >= 0;

	options->command = command >= 0 ? (enum command_id)command : COMMAND_show;
	/* A single word that is not a command selects a run. If --help is given, the word must be a command. */
	if (command < 0 && count > (options_given(options, OPTION_help) ? 0 : 1)) {
		struct nearest nearest = nearest_begin(words[0]);
		for (int i = 0; i < COMMAND_COUNT; i++)
			nearest_try(&nearest, commands_table[i].name);
		say_unknown("command", "", words[0], &nearest);
		return -1;
	}
	options->words = words + used;
	options->word_count = (size_t)(count - used);
	int most = count_arguments(commands_table[options->command].argument);
	if (count - used > most) {
		message_print("unexpected argument '%s'; see rtrack-report %s --help", words[count - 1],
			commands_table[options->command].name);
		return -1;
	}
	if (count > used)
		options->run = words[used];
	if (count > used + 1)
		options->other = words[used + 1];
	return 0;
}

/* If the command line names one run, rejects options that select runs. */
static int check_choice(const struct options *options)
{
	static const enum option_id choosing[] = {OPTION_job, OPTION_since, OPTION_user, OPTION_status,
		OPTION_print_sql, OPTION_group, OPTION_label, OPTION_tag};
	/* Commands other than export check only the first CHOOSING_RUNS options. */
	enum { CHOOSING_RUNS = 5 };
	size_t count = options->command == COMMAND_export ? ARRAY_LENGTH(choosing) : CHOOSING_RUNS;
	const char *with = options->command == COMMAND_recommend && !options_given(options, OPTION_all) ? "--all"
			   : options->command == COMMAND_export && !options_given(options, OPTION_all) &&
					   !options_is(options, OPTION_to, "parquet")
				   ? "--to parquet"
				   : NULL;

	for (size_t i = 0; with && i < count; i++) {
		if (!options_given(options, choosing[i]))
			continue;
		message_print("option '--%s' works only with %s", options_table[choosing[i]].name, with);
		return -1;
	}
	return 0;
}

/* Returns a given option that is not valid for groups, or NULL. */
static const char *find_only_of_runs(const struct options *options)
{
	return options_given(options, OPTION_tree)                                          ? "--tree"
	       : options_given(options, OPTION_job)                                         ? "--job"
	       : options_given(options, OPTION_all)                                         ? "--all"
	       : options_is(options, OPTION_by, "process")                                  ? "--by process"
	       : options_is(options, OPTION_rule, "classic")                                ? "--rule classic"
	       : options->command == COMMAND_compare && options_given(options, OPTION_runs) ? "--runs"
											    : NULL;
}

static int check_group(const struct options *options)
{
	const unsigned grouping = ONLY(show) | ONLY(stats) | ONLY(html) | ONLY(recommend) | ONLY(compare);
	bool grouped = options_given(options, OPTION_group) && (grouping & (1u << options->command));
	bool compares = options->command == COMMAND_compare;

	const unsigned of_one_spool = ONLY(import) | ONLY(discover) | ONLY(doctor);

	if (options->spool_count > 1 && (of_one_spool & (1u << options->command)))
		message_print("option '--spool' is given more than once, but %s takes one spool",
			options_commands()[options->command]);
	else if (grouped && !compares && options->run)
		message_print("unexpected argument '%s': --group takes no run", options->run);
	else if (grouped && compares && options->word_count + options->group_count > 2)
		message_print("compare takes two runs or groups; more than two are given");
	else if (!compares && options->group_count > 1)
		message_print("--group '%s': the option is given twice", options->groups[1]);
	else if (grouped && find_only_of_runs(options))
		message_print("option '%s' does not work with groups", find_only_of_runs(options));
	else
		return 0;
	return -1;
}

/* Rejects options that cannot be used for a site, which shows many runs and is a directory. */
static int check_site(const struct options *options)
{
	bool site = options->command == COMMAND_html &&
		    (options_given(options, OPTION_all) || options_given(options, OPTION_job));
	const enum option_id choosing[] = {OPTION_since, OPTION_user, OPTION_status};
	const char *chooses = NULL;

	for (size_t i = 0; i < ARRAY_LENGTH(choosing) && options->command == COMMAND_html; i++)
		if (options_given(options, choosing[i]) && !chooses)
			chooses = options_table[choosing[i]].name;
	if (!site && !chooses)
		return 0;
	if (!site)
		message_print("option '--%s' works only with --all or --job", chooses);
	else if (options->run)
		message_print(
			"unexpected argument '%s': choose the runs of a site by --job, --user, --status or --since",
			options->run);
	else if (options_given(options, OPTION_prices))
		message_print("option '--prices' does not work for a site; use --catalog");
	else if (options_is(options, OPTION_rule, "classic"))
		message_print("option '--rule classic' does not work for a site");
	else if (options_is(options, OPTION_output, "-"))
		message_print("--output '-': a site needs a directory");
	else
		return 0;
	return -1;
}

/* Rejects pairs of options if one of them would be ignored. */
static int check_pairs(const struct options *options)
{
	static const enum option_id apart[][2] = {{OPTION_tree, OPTION_short}, {OPTION_by, OPTION_tree},
		{OPTION_by, OPTION_short}, {OPTION_sort, OPTION_trend}, {OPTION_all, OPTION_trend},
		{OPTION_columns, OPTION_trend}};
	static const struct {
		enum option_id option;
		const char *format;
	} unwritten[] = {{OPTION_tree, "json"}, {OPTION_short, "json"}, {OPTION_trend, "csv"}, {OPTION_columns, "json"},
		{OPTION_columns, "csv"}};

	for (size_t i = 0; i < ARRAY_LENGTH(apart); i++) {
		if (!options_given(options, apart[i][0]) || !options_given(options, apart[i][1]))
			continue;
		message_print("--%s and --%s cannot be used together", options_table[apart[i][0]].name,
			options_table[apart[i][1]].name);
		return -1;
	}
	for (size_t i = 0; i < ARRAY_LENGTH(unwritten); i++) {
		if (!options_is(options, OPTION_format, unwritten[i].format) ||
			!options_given(options, unwritten[i].option))
			continue;
		message_print("--%s and --format %s cannot be used together", options_table[unwritten[i].option].name,
			unwritten[i].format);
		return -1;
	}
	if (options_is(options, OPTION_rule, "classic") && options_given(options, OPTION_failures)) {
		message_print("--failures and --rule classic cannot be used together");
		return -1;
	}
	return 0;
}

static int check_options(const struct options *options)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		/* Every command accepts --offline. The option has no effect on commands that never query a service. */
		if (!options->text[i] || i == OPTION_offline || (options_table[i].commands & (1u << options->command)))
			continue;
		message_print("option '--%s' does not work with '%s'; see rtrack-report %s --help",
			options_table[i].name, commands_table[options->command].name,
			commands_table[options->command].name);
		return -1;
	}
	if (check_pairs(options) != 0 || check_choice(options) != 0 || check_group(options) != 0 ||
		check_site(options) != 0)
		return -1;
	if (options_given(options, OPTION_help) || options_given(options, OPTION_version))
		return 0;
	if (options->command == COMMAND_compare && options->word_count == 0 && options->group_count < 2) {
		message_print("compare needs a run, or two; see rtrack-report compare --help");
		return -1;
	}
	if (options->command == COMMAND_import && !options->run) {
		message_print("import needs a file; see rtrack-report import --help");
		return -1;
	}
	return 0;
}

/* Uses an environment variable for an option that the command line lacks. */
static int take_environment(struct options *options)
{
	const unsigned advising = ONLY(recommend) | ONLY(show) | ONLY(html);
	const char *value = getenv("RTRACK_FAILURES");

	if (!(advising & (1u << options->command)) || options_given(options, OPTION_failures) || !value || !*value ||
		options_given(options, OPTION_help) || options_given(options, OPTION_version))
		return 0;
	if (read_share(value, &options->number[OPTION_failures]) == 0)
		return 0;
	message_print("RTRACK_FAILURES '%s': expected %s", value, share_wanted);
	return -1;
}

/* Treats the argument of `list` as the value of --job. */
static int take_job(struct options *options)
{
	const char *job = options->run;

	if (options->command != COMMAND_list || !job)
		return 0;
	options->run = NULL;
	options->word_count = 0;
	return read_value(options, OPTION_job, job);
}

/* Treats a run such as "slurm:7" as a group. There are two exceptions: compare does this itself, and watch accepts only
 * one run. */
static void take_unit(struct options *options)
{
	if (options->command == COMMAND_compare || options->command == COMMAND_watch || !options->run ||
		!unit_is_name(options->run) || options->group_count == ARRAY_LENGTH(options->groups))
		return;
	options->groups[options->group_count++] = options->run;
	options->text[OPTION_group] = options->run;
	options->run = NULL;
	options->word_count = 0;
}

int options_read(struct options *options, int count, char **items)
{
	struct arguments arguments = {items, count, 1};
	/* The array of arguments is reused: each word is stored in place of an argument that was already read. */
	char **words = items + 1;
	int word_count = 0;
	bool ended = false;
	int result = 0;

	*options = (struct options){0};
	for (int i = 0; i < OPTION_COUNT; i++)
		options->number[i] = UNKNOWN;
	while (result == 0 && arguments.next < count) {
		char *item = items[arguments.next];
		if (!ended && strcmp(item, "--") == 0) {
			ended = true;
			arguments.next++;
		} else if (!ended && item[0] == '-' && item[1] != '\0') {
			result = take_option(options, &arguments);
		} else {
			words[word_count++] = item;
			arguments.next++;
		}
	}
	/* `help` means --help. A following word is the command to describe. */
	bool helps = result == 0 && word_count > 0 && strcmp(words[0], "help") == 0 && !ended;
	if (helps || options_given(options, OPTION_help_all))
		options->text[OPTION_help] = "";
	if (result == 0)
		result = take_words(options, words + helps, word_count - helps);
	options->command_given = result == 0 && word_count > helps && find_command(words[helps]) >= 0;
	if (result == 0) {
		take_unit(options);
		result = take_job(options) != 0 || settle(options) != 0 || check_options(options) != 0 ||
					 take_environment(options) != 0
				 ? -1
				 : 0;
	}
	options->csv = options_is(options, OPTION_format, "csv");
	options->json = options_is(options, OPTION_format, "json");
	return result;
}
