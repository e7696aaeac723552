/* SPDX-License-Identifier: Apache-2.0 */
/* What this machine is and how much of it a process here may use; no network is asked. */
#ifndef RTRACK_REPORT_SERVICES_MACHINE_H
#define RTRACK_REPORT_SERVICES_MACHINE_H

#include "os/system.h"
#include "report/say/json.h"

#include <stdbool.h>

struct machine {
	struct system_facts facts;
	cJSON *gpu_names;      /* a text for each GPU; owned */
	double gpu_memory_mib; /* of all; UNKNOWN: not told */
};

/* `root` is put before all paths: "" for this machine. `ask_drivers`: ask the GPUs' own drivers too, which may take
 * a second. */
void machine_read(struct machine *machine, const char *root, bool ask_drivers);
void machine_free(struct machine *machine);

/* The keys of run.json's server{}. */
cJSON *machine_json(const struct machine *machine);

#endif
