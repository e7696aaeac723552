/* SPDX-License-Identifier: Apache-2.0 */
/* What the conditions of `watch --when` and of `compare --fail-if` have in common: words, and how a figure is compared.
 * Each takes what it finds off the beginning of the text, with the spaces around it. */
#ifndef RTRACK_REPORT_COMPARE_SCAN_H
#define RTRACK_REPORT_COMPARE_SCAN_H

#include "core/base.h"

#define SCAN_LETTERS "abcdefghijklmnopqrstuvwxyz_"
#define SCAN_DIGITS "0123456789."

/* All that follow of these bytes. */
struct text scan_word(struct text *text, const char *bytes);
bool scan_byte(struct text *text, char byte);
/* <, <=, > or >=. False: there is none. */
bool scan_comparison(struct text *text, bool *less, bool *or_equal);

#endif
