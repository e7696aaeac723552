/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and evaluates the conditions of `watch --when`, on which a run causes an alert.
 *
 *   condition = "ended" | "failed" | figure (">" | ">=" | "<" | "<=") bound [("for" | "within") time]
 *   figure    = a column of a tick (alerts.def) or a total (total.def)
 *   bound     = number | name | number "*" name | name "*" number
 *   name      = "limit" | "requested" | "previous"        of the figure's own resource
 *   time      = number ("s" | "m" | "h" | "d")
 *
 * A condition on a column is tested in each row. With `for`, it must hold in every row of that time. With `within`, it
 * must hold after that time if the figure continues the trend that it had over the same length of time. Spaces are
 * allowed between the parts. alert_read does no I/O. */
#ifndef RTRACK_REPORT_COMPARE_ALERT_H
#define RTRACK_REPORT_COMPARE_ALERT_H

#include "core/base.h"
#include "report/model/model.h"

enum alert_kind { ALERT_COMPARES, ALERT_ENDED, ALERT_FAILED };
enum alert_name { ALERT_NUMBER, ALERT_LIMIT, ALERT_REQUESTED, ALERT_PREVIOUS, ALERT_NAMES };

enum alert_figure {
#define ALERT_FIGURE(column, resource, total) ALERT_OF_##column,
#include "report/compare/alerts.def"
	ALERT_TICKS, /* first total; the figure of a total is ALERT_TICKS plus the id of the total */
	ALERT_FIGURES = ALERT_TICKS + TOTAL_COUNT
};

struct alert {
	struct text text; /* text of the condition; must remain valid as long as the alert */
	enum alert_kind kind;
	int figure;
	bool less, or_equal;
	enum alert_name name; /* name in the bound */
	double factor;        /* number by which the name is multiplied, or the whole bound if it has no name */
	double for_seconds;   /* times given after `for` and `within`; UNKNOWN if not given */
	double within_seconds;
};

/* Parses a condition. Returns NULL on success, or a description of the error for the user. */
const char *alert_read(struct alert *alert, struct text text);

/* Returns the bit mask of the columns of process.csv that alert_judge needs. */
uint64_t alert_columns(void);

struct alert_verdict {
	int holds;    /* 1 if the condition holds, 0 if not, -1 if the figure or the bound is unknown */
	double value; /* value and bound are UNKNOWN for `ended` and `failed` */
	double bound;
};

/* Evaluates a condition for a run. `previous` has the totals of the previous run, or is NULL. */
struct alert_verdict alert_judge(const struct alert *alert, const struct model *model, const struct totals *previous);

#endif
