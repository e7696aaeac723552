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
	ALERT_TICKS, /* totals follow, in the order of their ids */
	ALERT_FIGURES = ALERT_TICKS + TOTAL_COUNT
};

struct alert {
	struct text text; /* the condition as given; must remain valid */
	enum alert_kind kind;
	int figure;
	bool less, or_equal;
	enum alert_name name; /* name in the bound */
	double factor;        /* factor of the name, or the bound itself if it is a number */
	double for_seconds;   /* time after `for` and `within`, or UNKNOWN */
	double within_seconds;
};

/* Parses a condition. Returns NULL, or a description of the error for people. */
const char *alert_read(struct alert *alert, struct text text);

/* Columns of process.csv that alert_judge needs. */
uint64_t alert_columns(void);

struct alert_verdict {
	int holds;    /* 1, 0, or -1 if a figure or the bound is unknown */
	double value; /* value and bound are UNKNOWN for `ended` and `failed` */
	double bound;
};

/* `previous` has the totals of the previous run, or is NULL. */
struct alert_verdict alert_judge(const struct alert *alert, const struct model *model, const struct totals *previous);

#endif
