/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the settings from an environment of any bytes, then from a file of the same bytes. Every setting must be within
 * its bounds. */
#include "core/settings.h"
#include "fuzz/fuzz.h"

enum { ENTRIES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *entries[ENTRIES + 1] = {NULL};
	struct settings settings;

	/* The input contains the values of variables, separated by NULs. The first byte of each value selects the
	 * variable. */
	size_t count = 0;
	for (size_t from = 0; from < size && count < ENTRIES; count++) {
		const uint8_t *nul = memchr(data + from, 0, size - from);
		size_t end = nul ? (size_t)(nul - data) : size;
		const char *name = settings_table[data[from] % SETTING_COUNT].variable;
		size_t begin = from + (end > from);
		entries[count] = malloc(strlen(name) + 1 + (end - begin) + 1);
		REQUIRE(entries[count]);
		strcpy(entries[count], name);
		strcat(entries[count], "=");
		strncat(entries[count], (const char *)data + begin, end - begin);
		from = end + 1;
	}
	settings_read(&settings, entries);
	char *text = fuzz_copy(data, size, true);
	(void)settings_read_file(&settings, text);
	for (int i = 0; i < SETTING_COUNT; i++) {
		REQUIRE(settings.text[i]);
		if (settings_table[i].kind == SETTING_NUMBER || settings_table[i].kind == SETTING_RATE)
			REQUIRE(settings.number[i] >= settings_table[i].minimum &&
				settings.number[i] <= settings_table[i].maximum);
	}
	free(text);
	for (size_t i = 0; i < count; i++)
		free(entries[i]);
	return 0;
}
