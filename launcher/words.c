/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites the command line of rtrack-run. */
#include "launcher/words.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct {
	char *room; /* memory of the arguments that may be overwritten; NULL if there is none */
	size_t size;
} words;

void words_keep(int count, char **arguments)
{
	char *end = count > 1 ? arguments[1] : NULL;

	/* The arguments can be overwritten as one area if the kernel has stored them one after the other. */
	for (int i = 1; i < count; i++) {
		if (arguments[i] != end)
			return;
		end += strlen(arguments[i]) + 1;
	}
	for (int i = 1; i < count; i++) {
		char *word = arguments[i];
		char *copy = strdup(word);
		if (!copy)
			return;
		if (i == 1)
			words.room = word;
		arguments[i] = copy;
	}
	words.size = words.room ? (size_t)(end - words.room) : 0;
}

void words_show(const char *directory)
{
	size_t length = strlen(directory);

	if (words.size == 0)
		return;
	memset(words.room, 0, words.size);
	memcpy(words.room, directory, length < words.size ? length : words.size - 1);
}
