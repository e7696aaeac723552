/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the known word that a misspelled one most likely means. */
#ifndef RTRACK_REPORT_SAY_NEAREST_H
#define RTRACK_REPORT_SAY_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *word;
	char found[80]; /* nearest word so far, or "" */
	size_t distance;
};

/* Begins a search. Allows one typing error for a word of three letters and one more per four letters; with more errors
 * a match would be coincidence. Swapping two neighbours is one error. */
struct nearest nearest_begin(const char *word);

/* Keeps the candidate if it is nearer than all before. */
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
