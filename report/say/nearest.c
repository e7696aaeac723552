/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests a known word for a misspelled one. */
#include "report/say/nearest.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MOST = 64 };

/* Returns the number of errors between two words (Damerau-Levenshtein distance). An error is a letter that is missing,
 * added, replaced, or swapped with the next one. */
static size_t count_slips(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][WORD_MOST + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		above[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
			if (above[j] + 1 < row[j])
				row[j] = above[j] + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		size_t *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_length];
}

struct nearest nearest_begin(const char *word)
{
	size_t length = strlen(word);
	return (struct nearest){.word = word, .distance = length < 3 || length > WORD_MOST ? 0 : (length + 1) / 4 + 1};
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
	size_t length = strlen(nearest->word), other = strlen(candidate);

	if (nearest->distance == 0 || other > WORD_MOST || other < 2)
		return;
	size_t slips = count_slips(nearest->word, length, candidate, other);
	if (slips >= nearest->distance)
		return;
	nearest->distance = slips;
	snprintf(nearest->found, sizeof nearest->found, "%s", candidate);
}
