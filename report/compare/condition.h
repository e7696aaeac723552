/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions of `compare --fail-if`: how a figure may not change from one run to another.
 *
 *   condition  = comparison ("," comparison)*      holds when one of them does
 *   comparison = name (">" | ">=" | "<" | "<=") amount
 *   amount     = ("+" | "-") number ["%"]          the change, in the figure's unit or in percent of the first
 *              | number                            the second figure itself
 *
 * Spaces may stand between the parts. Text in, conditions out: nothing is read or printed here. */
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
	struct text text; /* as it was given */
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

/* Appends the conditions in `text`, which must stay as long as they. Returns NULL; or what is wrong with it, for a
 * person. */
const char *conditions_read(struct conditions *conditions, struct text text);

/* (b − a) / |a| in percent; 0 when both are 0, infinite when only `a` is, UNKNOWN when one of them is. */
double condition_percent(double a, double b);

/* Whether the condition holds: 1 or 0; -1 when a figure is unknown. */
int condition_holds(const struct condition *condition, double a, double b);

#endif
