/* SPDX-License-Identifier: Apache-2.0 */
/* The table of settings, generated from settings.def, and the parser of their values. */
#include "core/settings.h"

#include "core/number.h"

const struct setting settings_table[SETTING_COUNT] = {
#define SETTING(id, flag, variable, argument, kind, fallback, minimum, maximum, help)                                  \
	[SETTING_ID_##id] = {variable, argument, fallback, minimum, maximum, SETTING_##kind},
#include "core/settings.def"
};

const char *settings_flag(enum setting_id id)
{
	static const char *const texts[SETTING_COUNT] = {
#define SETTING(id, flag, variable, argument, kind, fallback, minimum, maximum, help) [SETTING_ID_##id] = (flag),
#include "core/settings.def"
	};
	return texts[id];
}

const char *settings_help(enum setting_id id)
{
	static const char *const texts[SETTING_COUNT] = {
#define SETTING(id, flag, variable, argument, kind, fallback, minimum, maximum, help) [SETTING_ID_##id] = (help),
#include "core/settings.def"
	};
	return texts[id];
}

/* Returns whether `word` is one of the words of "a|b|c". */
static bool is_choice(struct text choices, struct text word)
{
	for (size_t start = 0; start <= choices.length;) {
		size_t end = text_find(choices, '|', start);
		if (text_equal((struct text){choices.data + start, end - start}, word))
			return true;
		start = end + 1;
	}
	return false;
}

int settings_check(enum setting_id id, const char *value, double *number)
{
	const struct setting *row = &settings_table[id];
	struct text text = text_of(value);
	double read;

	switch (row->kind) {
	case SETTING_RATE:
		if (text_is(text, "off")) {
			*number = 0;
			return 0;
		}
		__attribute__((fallthrough));
	case SETTING_NUMBER:
		if (text.length == 0 || number_read(text, &read) != 0 ||
			!(read >= row->minimum && read <= row->maximum))
			return -1;
		*number = read;
		return 0;
	case SETTING_CHOICE:
		return is_choice(text_of(row->argument), text) ? 0 : -1;
	case SETTING_PAIR: {
		size_t equals = text_find(text, '=', 0);
		return equals > 0 && equals < text.length ? 0 : -1;
	}
	case SETTING_NAME:
	case SETTING_PATH:
	case SETTING_LIST:
		return text.length > 0 ? 0 : -1;
	default:
		return 0;
	}
}

void settings_describe(enum setting_id id, struct buffer *out)
{
	const struct setting *row = &settings_table[id];

	switch (row->kind) {
	case SETTING_RATE:
		buffer_string(out, "off or ");
		__attribute__((fallthrough));
	case SETTING_NUMBER:
		buffer_string(out, "a number from ");
		number_write(out, row->minimum, row->minimum < 1 && row->minimum > 0 ? 3 : 0);
		buffer_string(out, " to ");
		number_write(out, row->maximum, 0);
		break;
	case SETTING_CHOICE:
		for (const char *byte = row->argument; *byte; byte++) {
			if (*byte == '|')
				buffer_string(out, " or ");
			else
				buffer_byte(out, *byte);
		}
		break;
	case SETTING_PAIR:
		buffer_string(out, "KEY=VALUE");
		break;
	case SETTING_NAME:
		buffer_string(out, "a name");
		break;
	case SETTING_PATH:
	case SETTING_LIST:
		buffer_string(out, "a path");
		break;
	default:
		buffer_string(out, "any text");
		break;
	}
}

/* Returns the setting with this variable, or SETTING_COUNT. */
static int find_setting(struct text variable)
{
	int id = 0;

	while (id < SETTING_COUNT && !text_is(variable, settings_table[id].variable))
		id++;
	return id;
}

/* Finds the value of each setting in the environment, or NULL. The environment is scanned only once, because this
 * function runs at the start of every program. */
static void find_values(const char *values[SETTING_COUNT], char *const *environment)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		values[i] = NULL;
	for (; environment && *environment; environment++) {
		const char *entry = *environment;
		if (entry[0] != 'R' || entry[1] != 'T') /* every name begins with RTRACK */
			continue;
		size_t length = text_find(text_of(entry), '=', 0);
		int id = entry[length] == '=' ? find_setting((struct text){entry, length}) : SETTING_COUNT;
		if (id < SETTING_COUNT && !values[id])
			values[id] = entry + length + 1;
	}
}

void settings_read(struct settings *settings, char *const *environment)
{
	const char *values[SETTING_COUNT];

	find_values(values, environment);
	for (int i = 0; i < SETTING_COUNT; i++) {
		enum setting_id id = (enum setting_id)i;
		settings->number[i] = 0;
		settings->text[i] = settings_table[i].fallback;
		settings->source[i] = SETTING_FROM_DEFAULT;
		if (settings_table[i].kind == SETTING_NUMBER || settings_table[i].kind == SETTING_RATE)
			(void)settings_check(id, settings_table[i].fallback, &settings->number[i]);
		/* An empty variable is treated as unset, as in ${NAME:-default} of the shell. */
		if (values[i] && values[i][0] != '\0' && settings_check(id, values[i], &settings->number[i]) == 0) {
			settings->text[i] = values[i];
			settings->source[i] = SETTING_FROM_ENVIRONMENT;
		}
	}
}

static struct text trim(struct text text)
{
	while (text.length > 0 && text_find(TEXT(" \t\r"), text.data[0], 0) < 3) {
		text.data++;
		text.length--;
	}
	while (text.length > 0 && text_find(TEXT(" \t\r"), text.data[text.length - 1], 0) < 3)
		text.length--;
	return text;
}

/* Reads one line, which ends at `end`, and terminates its value. Returns whether the line is valid. */
static bool read_line(struct settings *settings, char *start, char *end)
{
	struct text line = trim((struct text){start, (size_t)(end - start)});
	double number = 0;

	if (line.length == 0 || line.data[0] == '#')
		return true;
	size_t equals = text_find(line, '=', 0);
	int id = find_setting(trim((struct text){line.data, equals}));
	if (equals == line.length || id == SETTING_COUNT || id == SETTING_ID_RUN)
		return false;
	struct text value = trim((struct text){line.data + equals + 1, line.length - equals - 1});
	start[value.data + value.length - start] = '\0';
	if (value.length == 0)
		return true;
	if (settings_check((enum setting_id)id, value.data, &number) != 0 ||
		(id == SETTING_ID_SPOOL && value.data[0] != '/'))
		return false;
	if (settings->source[id] == SETTING_FROM_ENVIRONMENT)
		return true;
	settings->text[id] = value.data;
	settings->number[id] = number;
	settings->source[id] = SETTING_FROM_FILE;
	return true;
}

unsigned settings_read_file(struct settings *settings, char *text)
{
	unsigned bad = 0;

	for (unsigned number = 1; *text != '\0'; number++) {
		char *end = text + text_find(text_of(text), '\n', 0);
		bool last = *end == '\0';
		if (!read_line(settings, text, end) && bad == 0)
			bad = number;
		if (last)
			break;
		text = end + 1;
	}
	return bad;
}

bool settings_is(const struct settings *settings, enum setting_id id, const char *word)
{
	return text_is(text_of(settings->text[id]), word);
}
