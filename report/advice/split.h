/* SPDX-License-Identifier: Apache-2.0 */
/* A run as several jobs, one for each of its phases: what each would ask for, and what that saves. */
#ifndef RTRACK_REPORT_ADVICE_SPLIT_H
#define RTRACK_REPORT_ADVICE_SPLIT_H

#include "report/advice/resources.h"
#include "report/advice/rule.h"
#include "report/model/phases.h"

/* What a job for each phase would reserve less than one job that is no slower, which asks for the most that any phase
 * needs as long as it runs. In resources × seconds; 0 where nothing is known. */
struct split {
	double cpu_seconds, cpu_percent;
	double gib_seconds, memory_percent;
	double gpu_seconds, gpu_percent;
	bool worth_it; /* a tenth of one of them, and no phase is shorter than a minute */
};

/* What the job's own request rests on; its request is shared out by the peaks of the phases. */
struct split_basis {
	double peak;    /* of the run that has the phases, MiB */
	double largest; /* of the job's runs, and their median */
	double median;
	size_t runs;
	double care;
};

/* Of the answer that the job's request is, for a run with these phases; `failures` is its aim. */
struct split_basis split_basis_of(const struct phases *phases, const struct rule_answer *memory, double failures);

/* Memory and VRAM by the allowance rule: as if each run of the job had had this phase with a peak that differed as its
 * own did. `basis` NULL: by the classic rule, of this phase alone, as CPUs and GPUs always are. */
struct resources split_needs(const struct phase *phase, const struct split_basis *basis);

struct split split_of(const struct phases *phases, const struct split_basis *basis);

/* "1.5 core-hours (25 %), 20 GiB-minutes (12 %)": those resources of which it saves something; or without the per cent.
 */
void split_describe(const struct split *split, bool percent, char *text, size_t size);

/* "split" of an object: null where it is not worth it. */
void split_write_json(const struct split *split, cJSON *object);

#endif
