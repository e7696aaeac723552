/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's GPUs as their driver tells them, by the program that comes with it in every installation and every container
 * that may use them: nvidia-smi. */
#ifndef RTRACK_REPORT_SERVICES_NVIDIA_H
#define RTRACK_REPORT_SERVICES_NVIDIA_H

#include "report/say/json.h"

/* Appends the name of each GPU to `names`, and gives the memory of all (MiB; UNKNOWN if one does not tell its own).
 * Returns how many there are; 0, with nothing changed, when there is no such program or it does not work. */
unsigned nvidia_read(cJSON *names, double *memory_mib);

#endif
