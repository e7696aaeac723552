/* SPDX-License-Identifier: Apache-2.0 */
/* Lists NVIDIA GPUs with nvidia-smi, which is part of every driver installation and of every container with GPU
 * access. */
#ifndef RTRACK_REPORT_SERVICES_NVIDIA_H
#define RTRACK_REPORT_SERVICES_NVIDIA_H

#include "report/say/json.h"

/* Appends the name of each GPU to `names`, and stores the total memory in MiB, or UNKNOWN if one GPU does not report
 * it. Returns the number of GPUs, or 0 without changes if nvidia-smi is missing or fails. */
unsigned nvidia_read(cJSON *names, double *memory_mib);

#endif
