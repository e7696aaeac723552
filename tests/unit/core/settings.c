/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of settings: the allowed values, and the defaults that replace other values. */
#include "core/settings.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

static void check_values(void)
{
	static const struct {
		enum setting_id id;
		const char *value;
		bool allowed;
		double number;
	} rows[] = {
		{SETTING_ID_INTERVAL, "0.001", true, 0.001},
		{SETTING_ID_INTERVAL, "3600", true, 3600},
		{SETTING_ID_INTERVAL, "1e1", true, 10},
		{SETTING_ID_INTERVAL, ".5", true, 0.5},
		{SETTING_ID_INTERVAL, ".", false, 0},
		{SETTING_ID_INTERVAL, "0.0009", false, 0},
		{SETTING_ID_INTERVAL, "3600.1", false, 0},
		{SETTING_ID_INTERVAL, "0", false, 0},
		{SETTING_ID_INTERVAL, "-1", false, 0},
		{SETTING_ID_INTERVAL, "1s", false, 0},
		{SETTING_ID_INTERVAL, "1,5", false, 0},
		{SETTING_ID_INTERVAL, "", false, 0},
		{SETTING_ID_INTERVAL, "nan", false, 0},
		{SETTING_ID_MIN_SECONDS, "0", true, 0},
		{SETTING_ID_MIN_SECONDS, "-0", true, 0},
		{SETTING_ID_MEMORY, "pss", true, 0},
		{SETTING_ID_MEMORY, "rss", true, 0},
		{SETTING_ID_MEMORY, "PSS", false, 0},
		{SETTING_ID_MEMORY, "pss|rss", false, 0},
		{SETTING_ID_MEMORY, "ps", false, 0},
		{SETTING_ID_MEMORY, "", false, 0},
		{SETTING_ID_TRACK, "off", true, 0},
		{SETTING_ID_INPUTS, "a.csv", true, 0},
		{SETTING_ID_INPUTS, "", false, 0},
		{SETTING_ID_TAGS, "key=value", true, 0},
		{SETTING_ID_TAGS, "key=", true, 0},
		{SETTING_ID_TAGS, "key=a=b", true, 0},
		{SETTING_ID_TAGS, "=value", false, 0},
		{SETTING_ID_TAGS, "key", false, 0},
		{SETTING_ID_SPOOL, "anything", true, 0},
		{SETTING_ID_SPOOL, "", false, 0},
		{SETTING_ID_JOB, "", false, 0},
		{SETTING_ID_EXCLUDE, "", true, 0},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char what[128];
		double number = 42;
		(void)snprintf(what, sizeof what, "%s: '%s'", settings_table[rows[i].id].variable, rows[i].value);
		ok((settings_check(rows[i].id, rows[i].value, &number) == 0) == rows[i].allowed, what);
		bool numeric = settings_table[rows[i].id].kind == SETTING_NUMBER && rows[i].allowed;
		is_number(number, numeric ? rows[i].number : 42, what);
	}
}

/* Every row of the table obeys the table's rules. */
static void check_table(void)
{
	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting *row = &settings_table[i];
		enum setting_id id = (enum setting_id)i;
		char space[128];
		struct buffer allowed = BUFFER(space);
		double number;
		ok(text_starts(text_of(row->variable), "RTRACK"), row->variable);
		ok(settings_help(id)[0] != '\0' && row->argument[0] != '\0',
			"a setting has a help text and a placeholder for its value");
		ok(row->fallback[0] == '\0' || settings_check(id, row->fallback, &number) == 0,
			"the default of a setting is an allowed value");
		settings_describe(id, &allowed);
		ok(allowed.length > 0 && !allowed.full, "the allowed values of a setting can be printed");
	}
}

static void check_described(void)
{
	char space[128];
	struct buffer out = BUFFER(space);

	settings_describe(SETTING_ID_INTERVAL, &out);
	is_text(content(&out), "a number from 0.001 to 3600", "the allowed intervals");
	out.length = 0;
	settings_describe(SETTING_ID_MEMORY, &out);
	is_text(content(&out), "pss or rss", "the allowed ways to count memory");
}

static void check_environment(void)
{
	char interval[] = "RTRACK_INTERVAL=0.25", memory[] = "RTRACK_MEMORY=both",
	     job[] = "RTRACK_JOB=", gpu[] = "RTRACK_GPU=x";
	char *environment[] = {interval, memory, job, gpu, NULL};
	char *none[] = {NULL};
	struct settings settings;

	settings_read(&settings, environment);
	is_number(settings.number[SETTING_ID_INTERVAL], 0.25, "a number is read");
	is_text(settings.text[SETTING_ID_MEMORY], "pss", "a bad value gives the default");
	is_text(settings.text[SETTING_ID_JOB], "", "an empty variable counts as unset");

	settings_read(&settings, none);
	is_number(settings.number[SETTING_ID_INTERVAL], 1, "the default interval");
	is_number(settings.number[SETTING_ID_SPOOL_MAX_MIB], 1024, "the default limit on file sizes");
	ok(settings_is(&settings, SETTING_ID_TRACK, "on") && !settings_is(&settings, SETTING_ID_TRACK, "off"),
		"tracking is on");
	settings_read(&settings, NULL);
	is_text(settings.text[SETTING_ID_MEMORY], "pss", "a NULL environment gives the default");
}

static void check_file(void)
{
	char interval[] = "RTRACK_INTERVAL=0.25", memory[] = "RTRACK_MEMORY=both";
	char *environment[] = {interval, memory, NULL};
	char text[] = "# comment\n\n RTRACK_JOB = a b \r\nRTRACK_INTERVAL=7\nRTRACK_MEMORY=rss\nRTRACK_LINES=off\n"
		      "RTRACK_LINES=20\nRTRACK_TAGS=\nRTRACK_SPOOL=/shared";
	char bad[] = "RTRACK_RUN=/run\nRTRACK_SPOOL=shared\nRTRACK_GPU\nRTRACK_GPU=maybe\nRTRACK_GPU=off";
	struct settings settings;

	settings_read(&settings, environment);
	is_number(settings_read_file(&settings, text), 0, "all lines are valid");
	is_number(settings.number[SETTING_ID_INTERVAL], 0.25, "the environment takes precedence over the file");
	is_number(settings.source[SETTING_ID_INTERVAL], SETTING_FROM_ENVIRONMENT, "its source is the environment");
	is_text(settings.text[SETTING_ID_MEMORY], "rss", "the file takes precedence over a bad variable");
	is_text(settings.text[SETTING_ID_JOB], "a b", "blanks around a name and a value are skipped");
	is_number(settings.source[SETTING_ID_JOB], SETTING_FROM_FILE, "the source of that value is the file");
	is_number(settings.number[SETTING_ID_LINES], 20, "the last line with a name counts");
	is_text(settings.text[SETTING_ID_SPOOL], "/shared", "a last line without its end is read");
	is_number(settings.source[SETTING_ID_TAGS], SETTING_FROM_DEFAULT, "an empty value counts as unset");

	settings_read(&settings, NULL);
	is_number(settings_read_file(&settings, bad), 1, "the first bad line is reported");
	is_text(settings.text[SETTING_ID_RUN], "", "a file cannot name the run");
	is_text(settings.text[SETTING_ID_SPOOL], "", "the spool must be an absolute path");
	is_text(settings.text[SETTING_ID_GPU], "off", "a bad line leaves the others valid");
	char rest[] = "RTRACK_GPU=on\nRTRACK_GPU";
	is_number(settings_read_file(&settings, rest), 2, "a line without a value is bad");
}

int main(void)
{
	check_values();
	check_table();
	check_described();
	check_environment();
	check_file();
	return done();
}
