/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates what a run would save if each of its phases were a separate job. */
#ifndef RTRACK_REPORT_ADVICE_SPLIT_H
#define RTRACK_REPORT_ADVICE_SPLIT_H

#include "report/advice/resources.h"
#include "report/advice/rule.h"
#include "report/model/phases.h"

/* Savings of separate jobs compared with one job. The one job is as fast, and requests the maximum of all phases for
 * its whole duration. Savings are in resource × seconds; an unknown saving is 0. */
struct split {
	double cpu_seconds, cpu_percent;
	double gib_seconds, memory_percent;
	double gpu_seconds, gpu_percent;
	bool worth_it; /* whether at least one saving is 10 % or more, and no phase is shorter than a minute */
};

/* The figures on which the job's request is based. For a phase, they are scaled by the peak of the phase. */
struct split_basis {
	double peak;    /* peak of the run with the phases, in MiB */
	double largest; /* largest peak of the job's runs */
	double median;
	size_t runs;
	double care;
};

/* Returns the basis for the phases of a run. `memory` is the answer of the rule for the whole job. One run in
 * `failures` may get less than it needs. */
struct split_basis split_basis_of(const struct phases *phases, const struct rule_answer *memory, double failures);

/* Returns the request of one phase. For memory and VRAM, the allowance rule assumes that the peak of the phase varies
 * from run to run like the peak of the job. If `basis` is NULL, the classic rule is used instead. CPUs and GPUs always
 * use the classic rule. */
struct resources split_needs(const struct phase *phase, const struct split_basis *basis);

struct split split_of(const struct phases *phases, const struct split_basis *basis);

/* Formats the savings as "1.5 CPU-hours (25 %), 20 GiB-minutes (12 %)". Resources without a saving are omitted. The
 * percentages are written only if `percent` is set. */
void split_describe(const struct split *split, bool percent, char *text, size_t size);

/* Adds the key "split" to `object`. Its value is null if the split is not worthwhile. */
void split_write_json(const struct split *split, cJSON *object);

#endif
