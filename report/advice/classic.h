/* SPDX-License-Identifier: Apache-2.0 */
/* The predecessor's rule, from a run and the few runs of its job before it. Results match the predecessor's to the MiB.
 *
 * Means are taken over finished runs (or over this run if none finished), because a run that ended early says little
 * about the next one. Peaks are the largest of all runs, including this one. The memory peak is the one in the totals,
 * which includes peaks between samples. A job that was killed for lack of memory, or that filled its limit, gets at
 * least 1.5 times that limit, because its real need is unknown. */
#ifndef RTRACK_REPORT_ADVICE_CLASSIC_H
#define RTRACK_REPORT_ADVICE_CLASSIC_H

#include "report/advice/recommend.h"

/* Sets `resources`, `runs` and `rule` of the recommendation by the classic rule. */
void classic_make(struct recommendation *recommendation, const struct model *model, size_t history_runs);

/* Raises the request of a job that had too little memory, and adds a note. */
void classic_apply_limit(struct recommendation *recommendation, const struct model *model);

#endif
