/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests a known word for a misspelled one. */
#ifndef RTRACK_REPORT_SAY_NEAREST_H
#define RTRACK_REPORT_SAY_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *word;
	char found[80]; /* the most similar candidate so far, or "" */
	size_t distance;
};

/* Begins a search for words that are similar to `word`. A word of three letters may have one error, and longer words
 * one more for every four letters. With more errors, a match would be a coincidence. Swapping two neighbouring letters
 * is one error. */
struct nearest nearest_begin(const char *word);

/* Stores the candidate in `found` if it is more similar than all candidates before. */
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
