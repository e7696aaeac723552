/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions of `watch --when`: what a run is to be told of.
 *
 *   condition = "ended" | "failed" | figure (">" | ">=" | "<" | "<=") bound [("for" | "within") time]
 *   figure    = a column of a tick (alerts.def) or a total (total.def)
 *   bound     = number | name | number "*" name | name "*" number
 *   name      = "limit" | "requested" | "previous"        of the figure's own resource
 *   time      = number ("s" | "m" | "h" | "d")
 *
 * A figure of a tick is looked for in each row. `for`: it holds in each row of such a time. `within`: it would hold
 * then, if the figure went on as in the last so much time. Spaces may stand between the parts. Text in, a condition
 * out: alert_read reads and prints nothing. */
#ifndef RTRACK_REPORT_COMPARE_ALERT_H
#define RTRACK_REPORT_COMPARE_ALERT_H

#include "core/base.h"
#include "report/model/model.h"

enum alert_kind { ALERT_COMPARES, ALERT_ENDED, ALERT_FAILED };
enum alert_name { ALERT_NUMBER, ALERT_LIMIT, ALERT_REQUESTED, ALERT_PREVIOUS, ALERT_NAMES };

enum alert_figure {
#define ALERT_FIGURE(column, resource, total) ALERT_OF_##column,
#include "report/compare/alerts.def"
	ALERT_TICKS, /* from here on totals, by their ids */
	ALERT_FIGURES = ALERT_TICKS + TOTAL_COUNT
};

struct alert {
	struct text text; /* as it was given, which must stay */
	enum alert_kind kind;
	int figure;
	bool less, or_equal;
	enum alert_name name; /* of the bound */
	double factor;        /* of it; the bound itself where that is a number */
	double for_seconds;   /* UNKNOWN: no such time, as the next */
	double within_seconds;
};

/* Returns NULL; or what is wrong with the text, for a person. */
const char *alert_read(struct alert *alert, struct text text);

/* The columns of process.csv that judging needs. */
uint64_t alert_columns(void);

struct alert_verdict {
	int holds;    /* 1 or 0; -1: a figure or the bound is not known */
	double value; /* UNKNOWN of `ended` and `failed`, as the bound */
	double bound;
};

/* `previous`: totals of the run before; NULL: there is none. */
struct alert_verdict alert_judge(const struct alert *alert, const struct model *model, const struct totals *previous);

#endif
