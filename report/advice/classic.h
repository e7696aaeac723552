/* SPDX-License-Identifier: Apache-2.0 */
/* The predecessor's rule on a run and on the few runs of its job before it: its users' figures, to the MiB.
 *
 * Means are over the runs that finished (over this run when none did), since a run that ended early says little about
 * what the next one needs; peaks are the largest of them all, this run included. The peak of memory is that of the
 * totals, so it holds what a process reached between two samples. A job that was killed for lack of memory, or that
 * filled its limit, is advised at least 1.5 times that limit: how much it would have needed is not known. */
#ifndef RTRACK_REPORT_ADVICE_CLASSIC_H
#define RTRACK_REPORT_ADVICE_CLASSIC_H

#include "report/advice/recommend.h"

/* Fills resources, runs and rule. */
void classic_make(struct recommendation *recommendation, const struct model *model, size_t history_runs);

/* Raises the request of a job that had too little, with a note. */
void classic_apply_limit(struct recommendation *recommendation, const struct model *model);

#endif
