/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens shared by the conditions of `watch --when` and `compare --fail-if`. Each function removes its token from the
 * beginning of the text, with surrounding spaces. */
#ifndef RTRACK_REPORT_COMPARE_SCAN_H
#define RTRACK_REPORT_COMPARE_SCAN_H

#include "core/base.h"

#define SCAN_LETTERS "abcdefghijklmnopqrstuvwxyz_"
#define SCAN_DIGITS "0123456789."

/* Returns the longest prefix of these bytes. */
struct text scan_word(struct text *text, const char *bytes);
bool scan_byte(struct text *text, char byte);
/* Reads <, <=, > or >=. Returns false if there is none. */
bool scan_comparison(struct text *text, bool *less, bool *or_equal);

#endif
