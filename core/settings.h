/* SPDX-License-Identifier: Apache-2.0 */
/* The settings and their values, generated from settings.def. The library reads the settings from the environment, and
 * replaces a bad value by the default. rtrack-run checks its flags with the same function, and reports a bad value. */
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

/* The current values. Each text points into the environment or into the table. */
struct settings {
	const char *text[SETTING_COUNT];
	double number[SETTING_COUNT]; /* value of NUMBER and RATE settings; 0 for all others */
};

/* Checks one value. For NUMBER and RATE settings, stores the parsed value in *number. Returns 0, or -1 with *number
 * unchanged. */
int settings_check(enum setting_id id, const char *value, double *number);

/* Appends the allowed values for an error message, such as "a number from 0.001 to 3600" or "pss or rss". */
void settings_describe(enum setting_id id, struct buffer *out);

/* Fills all settings from the environment. A missing or bad value gives the default. */
void settings_read(struct settings *settings, char *const *environment);

/* Returns whether the CHOICE setting `id` has the value `word`. */
bool settings_is(const struct settings *settings, enum setting_id id, const char *word);

#endif
