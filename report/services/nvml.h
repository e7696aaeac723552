/* NVIDIA's GPUs as their driver's own library tells them, where it is: libnvidia-ml.so.1, which is loaded when asked
 * for and never linked. */
#ifndef RTRACK_REPORT_SERVICES_NVML_H
#define RTRACK_REPORT_SERVICES_NVML_H

#include "report/say/json.h"

/* Appends the name of each GPU to `names`, and gives the memory of all (MiB; UNKNOWN if one does not tell its own).
 * Returns how many there are; 0, with nothing changed, when there is no library or it does not work. */
unsigned nvml_read(cJSON *names, double *memory_mib);

#endif
