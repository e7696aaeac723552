/* What the next request should know of the GPUs that a run had: which of them it never used, and what it waited for
 * while it held one and used little of it. */
#ifndef RTRACK_REPORT_GPUS_GPU_USE_H
#define RTRACK_REPORT_GPUS_GPU_USE_H

#include "report/figures/summary.h"

enum { GPU_USE_SIZE = 256 };

/* "2 of 4 GPUs were never used: 1 and 3"; "" where all were, there is one, or it cannot be told. */
void gpu_use_idle(const struct gpus *gpus, char text[GPU_USE_SIZE]);

/* "It held 1 GPU and used 7 % of it: …"; "" where it held none, used GPU_USE_LEAST of it, or that cannot be told. */
void gpu_use_wait(const struct summary *summary, const struct run *run, char text[GPU_USE_SIZE]);

/* Whether the run had GPUs, and nobody can tell what of them was its own. */
bool gpu_use_untold(const struct gpus *gpus);

/* The columns of a table that gpu_use_wait needs. */
uint64_t gpu_use_columns(enum table_id table);

#endif
