/* SPDX-License-Identifier: Apache-2.0 */
/* The settings and their values, generated from settings.def. The library reads the settings from the environment, and
 * those that the environment lacks from a file of the machine (os/defaults.h). It replaces a bad value by the default.
 * rtrack-run checks its flags with the same function, and reports a bad value. */
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
	char variable[24]; /* name of the environment variable */
	char argument[16]; /* placeholder in the help; for CHOICE, the allowed words, separated by '|' */
	char fallback[8];
	double minimum;
	double maximum;
	uint8_t kind; /* enum setting_kind */
};

extern const struct setting settings_table[SETTING_COUNT];

/* Return texts for the help. settings_flag returns the flag without "--", or "" if the setting has no flag. The texts
 * are separate from the rows, because the library does not use them. */
const char *settings_flag(enum setting_id id);
const char *settings_help(enum setting_id id);

/* Where a value comes from. */
enum setting_source { SETTING_FROM_DEFAULT, SETTING_FROM_FILE, SETTING_FROM_ENVIRONMENT };

/* The current values. Each text points into the environment, into the text of the file, or into the table. */
struct settings {
	const char *text[SETTING_COUNT];
	double number[SETTING_COUNT];  /* value of NUMBER and RATE settings; 0 for all others */
	uint8_t source[SETTING_COUNT]; /* enum setting_source */
};

/* Checks one value. For NUMBER and RATE settings, stores the parsed value in *number. Returns 0, or -1 with *number
 * unchanged. */
int settings_check(enum setting_id id, const char *value, double *number);

/* Appends the allowed values for an error message, such as "a number from 0.001 to 3600" or "pss or rss". */
void settings_describe(enum setting_id id, struct buffer *out);

/* Fills all settings from the environment. A missing or bad value gives the default. */
void settings_read(struct settings *settings, char *const *environment);

/* Fills the settings that the environment does not set from the text of a file. A line is NAME=VALUE, with the name of
 * the variable; blank lines and lines that begin with '#' are skipped. The last of several lines with one name counts.
 * RTRACK_RUN cannot be set, and RTRACK_SPOOL must be an absolute path. The settings then point into `text`, which the
 * function modifies. Returns the number of the first line that is not a valid setting, or 0. */
unsigned settings_read_file(struct settings *settings, char *text);

/* Returns whether the CHOICE setting `id` has the value `word`. */
bool settings_is(const struct settings *settings, enum setting_id id, const char *word);

#endif
