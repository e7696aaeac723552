/* A run as several jobs, one for each of its phases: what each would ask for, and what that saves. */
#ifndef RTRACK_REPORT_ADVICE_SPLIT_H
#define RTRACK_REPORT_ADVICE_SPLIT_H

#include "report/advice/resources.h"
#include "report/figures/phases.h"

/* What a job for each phase would reserve less than one job that is no slower, which asks for the most that any phase
 * needs as long as it runs. In resources × seconds; 0 where nothing is known. */
struct split {
	double cpu_seconds, cpu_percent;
	double gib_seconds, memory_percent;
	double gpu_seconds, gpu_percent;
	bool worth_it; /* a tenth of one of them, and no phase is shorter than a minute */
};

/* By the rule, of this phase alone. */
struct resources split_needs(const struct phase *phase);

struct split split_of(const struct phases *phases);

/* "1.5 core-hours (25 %), 20 GiB-minutes (12 %)": those resources of which it saves something; or without the per cent.
 */
void split_describe(const struct split *split, bool percent, char *text, size_t size);

/* "split" of an object: null where it is not worth it. */
void split_write_json(const struct split *split, cJSON *object);

#endif
