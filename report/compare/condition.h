/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and evaluates the conditions of `compare --fail-if`, which limit how a figure may change between two runs.
 *
 *   condition  = comparison ("," comparison)*      holds if one comparison holds
 *   comparison = name (">" | ">=" | "<" | "<=") amount
 *   amount     = ("+" | "-") number ["%"]          the change, in the figure's unit or in percent of the first
 *              | number                            the second figure itself
 *
 * Spaces are allowed between the parts. This module does no I/O. */
#ifndef RTRACK_REPORT_COMPARE_CONDITION_H
#define RTRACK_REPORT_COMPARE_CONDITION_H

#include "core/base.h"

enum measure_id {
#define MEASURE(name, unit, label, value) MEASURE_##name,
#include "report/compare/measures.def"
	MEASURE_COUNT
};

extern const char *const measure_names[MEASURE_COUNT];

enum condition_kind { CONDITION_VALUE, CONDITION_CHANGE, CONDITION_PERCENT };

enum { CONDITIONS_MAX = 32 };

struct condition {
	struct text text; /* the condition as given */
	enum measure_id measure;
	enum condition_kind kind;
	bool less;     /* < or <= */
	bool or_equal; /* <= or >= */
	double amount;
};

struct conditions {
	struct condition items[CONDITIONS_MAX];
	size_t count;
};

/* Parses the conditions in `text` and appends them. `text` must remain valid as long as the conditions are used.
 * Returns NULL on success, or a description of the error for the user. */
const char *conditions_read(struct conditions *conditions, struct text text);

/* Returns the change (b − a) / |a| in percent. It is 0 if both are 0, infinite if only `a` is 0, and UNKNOWN if one of
 * them is unknown. */
double condition_percent(double a, double b);

/* Returns 1 if the condition holds, 0 if not, -1 if a figure is unknown. */
int condition_holds(const struct condition *condition, double a, double b);

/* -- tokens, also used by `watch --when` ------------------------------------------------------------- */

/* Each function reads a token at the beginning of `text`, and removes it and the spaces around it. */

#define SCAN_LETTERS "abcdefghijklmnopqrstuvwxyz_"
#define SCAN_DIGITS "0123456789."

/* Reads the longest sequence of characters that all occur in `bytes`. */
struct text scan_word(struct text *text, const char *bytes);
bool scan_byte(struct text *text, char byte);
/* Reads <, <=, > or >=. Returns false if there is none. */
bool scan_comparison(struct text *text, bool *less, bool *or_equal);

#endif
