/* SPDX-License-Identifier: Apache-2.0 */
/* What the next request should know of the GPUs that a run had: which of them it never used, what it waited for while
 * it held one and used little of it, which of them were slowed, and of which it is unknown how busy they were. */
#ifndef RTRACK_REPORT_MODEL_GPU_USE_H
#define RTRACK_REPORT_MODEL_GPU_USE_H

#include "report/model/model.h"

enum { GPU_USE_SIZE = 256 };

/* "GPUs 1 and 3 were never used by the job (2 of 4 GPUs)"; "" where all were, there is one, or it cannot be told. Of a
 * job that could have fewer than there are, which ones those were is unknown: "1 of 2 GPUs was never used by the job".
 */
void gpu_use_idle(const struct model *model, char text[GPU_USE_SIZE]);

/* "GPU 0 was held back by heat or power, in 40 % of the time"; "" where none was for GPU_USE_SLOWED of it. */
void gpu_use_slowed(const struct gpus *gpus, char text[GPU_USE_SIZE]);

/* "How busy GPU 4 was the driver does not say; …"; "" where it says that of all that it says anything of. */
void gpu_use_unsaid(const struct gpus *gpus, char text[GPU_USE_SIZE]);

/* "It held 1 GPU and used 7 % of it: …"; "" where it held none, used GPU_USE_LEAST of it, or that cannot be told. */
void gpu_use_wait(const struct model *model, char text[GPU_USE_SIZE]);

/* Whether the run had GPUs, and its own part of their use is unknown. */
bool gpu_use_untold(const struct gpus *gpus);

/* Whether the series of a job say that it used a GPU. They have what no row tells of each, as of an imported run. */
bool gpu_use_any(const struct series *process);

/* The columns of a table that gpu_use_wait needs. */
uint64_t gpu_use_columns(enum table_id table);

#endif
