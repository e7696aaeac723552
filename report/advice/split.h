/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates what a run would save as several jobs, one for each phase. */
#ifndef RTRACK_REPORT_ADVICE_SPLIT_H
#define RTRACK_REPORT_ADVICE_SPLIT_H

#include "report/advice/resources.h"
#include "report/advice/rule.h"
#include "report/model/phases.h"

/* Savings of separate jobs against one equally fast job, which requests the maximum over all phases for its whole
 * duration. In resource × seconds; 0 if unknown. */
struct split {
	double cpu_seconds, cpu_percent;
	double gib_seconds, memory_percent;
	double gpu_seconds, gpu_percent;
	bool worth_it; /* one saving is at least 10 %, and no phase is shorter than a minute */
};

/* The basis of the job's request. Each phase gets a part of it, in proportion to its peak. */
struct split_basis {
	double peak;    /* MiB, of the run with the phases */
	double largest; /* largest and median peak of the job's runs */
	double median;
	size_t runs;
	double care;
};

/* Derives the basis from the answer for the job's request, for a run with these phases. One run in `failures` may get
 * too little. */
struct split_basis split_basis_of(const struct phases *phases, const struct rule_answer *memory, double failures);

/* The request of one phase. Memory and VRAM use the allowance rule, as if this phase's peak had varied between runs as
 * the job's did. If `basis` is NULL, the classic rule is used. CPUs and GPUs always use the classic rule. */
struct resources split_needs(const struct phase *phase, const struct split_basis *basis);

struct split split_of(const struct phases *phases, const struct split_basis *basis);

/* Formats "1.5 core-hours (25 %), 20 GiB-minutes (12 %)" for the resources with a saving, with or without the
 * percentages. */
void split_describe(const struct split *split, bool percent, char *text, size_t size);

/* Adds "split" to `object`: null if not worthwhile. */
void split_write_json(const struct split *split, cJSON *object);

#endif
