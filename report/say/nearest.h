/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the words that there are was probably meant by one that there is not. */
#ifndef RTRACK_REPORT_SAY_NEAREST_H
#define RTRACK_REPORT_SAY_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *word;
	char found[80]; /* the nearest so far; "" is none */
	size_t distance;
};

/* A slip a word of three letters, and one more for each four letters: more slips make sense only by chance. A swap of
 * two neighbours is one slip. */
struct nearest nearest_begin(const char *word);

/* Takes the candidate if it is nearer than those before. */
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
