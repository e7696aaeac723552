/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about the GPUs of a run that matter for the next request: unused GPUs, what the run waited for while it held
 * a GPU, throttled GPUs, and GPUs whose usage is unknown. */
#ifndef RTRACK_REPORT_MODEL_GPU_USE_H
#define RTRACK_REPORT_MODEL_GPU_USE_H

#include "report/model/model.h"

enum { GPU_USE_SIZE = 256 };

/* Formats "GPUs 1 and 3 were never used by the job (2 of 4 GPUs)", or "" if the job used all GPUs, there is only
 * one, or the usage is unknown. If the job requested fewer GPUs than the machine has, formats only their number: "1
 * of 2 GPUs was never used by the job". */
void gpu_use_idle(const struct model *model, char text[GPU_USE_SIZE]);

/* Formats "GPU 0 was held back by heat or power, in 40 % of the time", or "" if no GPU was throttled long enough to
 * matter. */
void gpu_use_slowed(const struct gpus *gpus, char text[GPU_USE_SIZE]);

/* Formats "How busy GPU 4 was the driver does not say; …", or "" if there is no GPU of which the driver reports only
 * the memory. */
void gpu_use_unsaid(const struct gpus *gpus, char text[GPU_USE_SIZE]);

/* Formats "It held 1 GPU and used 7 % of it: …", or "" if the job held no GPU, used its GPUs well, or their usage is
 * unknown. */
void gpu_use_wait(const struct model *model, char text[GPU_USE_SIZE]);

/* Returns true if the machine has GPUs, but it is unknown how much the job used them. */
bool gpu_use_untold(const struct gpus *gpus);

/* Returns true if process.csv shows that the job used a GPU. Unlike gpu.csv, process.csv also exists in imported
 * runs. */
bool gpu_use_any(const struct series *process);

/* Returns the columns of a table that gpu_use_wait needs, as a mask for series_load. */
uint64_t gpu_use_columns(enum table_id table);

#endif
