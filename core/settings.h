/* The settings table and its values: one row of settings.def per setting.
 *
 * The library reads the environment and takes the fallback for a bad value; rtrack-run checks its
 * flags with the same function and says what is wrong. */
#ifndef RTRACK_CORE_SETTINGS_H
#define RTRACK_CORE_SETTINGS_H

#include "core/base.h"

enum setting_kind {
	SETTING_TEXT,
	SETTING_NAME,
	SETTING_PATH,
	SETTING_NUMBER,
	SETTING_RATE,
	SETTING_CHOICE,
	SETTING_PAIR,
	SETTING_LIST
};

enum setting_id {
#define SETTING(id, flag, variable, argument, kind, fallback, minimum, maximum, help) SETTING_ID_##id,
#include "core/settings.def"
	SETTING_COUNT
};

struct setting {
	char variable[24]; /* name in the environment */
	char argument[16]; /* as the help shows it; for CHOICE the words allowed, separated by '|' */
	char fallback[8];
	double minimum;
	double maximum;
	uint8_t kind; /* enum setting_kind */
};

extern const struct setting settings_table[SETTING_COUNT];

/* Apart from the rows, as the library has no use for them: the flag without "--" ("": there is none), and what the
 * setting does, for a person. */
const char *settings_flag(enum setting_id id);
const char *settings_help(enum setting_id id);

/* The values in force. Texts belong to the environment or to the table. */
struct settings {
	const char *text[SETTING_COUNT];
	double number[SETTING_COUNT]; /* of NUMBER and RATE settings; 0 for all others */
};

/* Checks one value: 0 and, for NUMBER and RATE, *number set; or -1 with *number untouched. */
int settings_check(enum setting_id id, const char *value, double *number);

/* What settings_check allows, for messages: "a number from 0.001 to 3600", "pss or rss". */
void settings_describe(enum setting_id id, struct buffer *out);

/* Fills all settings from the environment; a missing or bad value becomes the fallback. */
void settings_read(struct settings *settings, char *const *environment);

/* Whether the CHOICE setting `id` has the value `word`. */
bool settings_is(const struct settings *settings, enum setting_id id, const char *word);

#endif
