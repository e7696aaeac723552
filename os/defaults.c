/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the whole machine. */
#include "os/defaults.h"

#include "os/file.h"
#include "os/self.h"

/* Appends the name of the user, or the number if the name is unknown or contains a '/'. */
static void write_user(struct buffer *out, char *const *environment)
{
	char name[64];
	struct text user = {name, 0};

	if (os_user_name(os_user(), name, sizeof name) == 0)
		user = text_of(name);
	else if (environment_get(environment, "USER"))
		user = text_of(environment_get(environment, "USER"));
	if (user.length > 0 && text_find(user, '/', 0) == user.length)
		buffer_text(out, user);
	else
		buffer_unsigned(out, os_user());
}

static void write_spool(struct buffer *out, const char *pattern, char *const *environment)
{
	for (; *pattern; pattern++)
		if (pattern[0] == '%' && pattern[1] == 'u') {
			write_user(out, environment);
			pattern++;
		} else {
			buffer_byte(out, *pattern);
			pattern += pattern[0] == '%' && pattern[1] == '%';
		}
}

int defaults_read(struct settings *settings, char *const *environment, char text[DEFAULTS_TEXT_MAX])
{
	int64_t length = os_read_of_root(DEFAULTS_FILE, text, DEFAULTS_FILE_MAX - 1);
	struct buffer spool = {text + DEFAULTS_FILE_MAX, 0, DEFAULTS_TEXT_MAX - DEFAULTS_FILE_MAX, false};

	if (length < 0)
		return (int)length;
	text[length] = '\0';
	unsigned bad = settings_read_file(settings, text);
	if (settings->source[SETTING_ID_SPOOL] == SETTING_FROM_FILE) {
		write_spool(&spool, settings->text[SETTING_ID_SPOOL], environment);
		settings->text[SETTING_ID_SPOOL] = buffer_terminate(&spool);
	}
	return (int)bad;
}
