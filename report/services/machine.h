/* SPDX-License-Identifier: Apache-2.0 */
/* Reads facts about this machine, and the share of the machine that this process may use. Needs no network. */
#ifndef RTRACK_REPORT_SERVICES_MACHINE_H
#define RTRACK_REPORT_SERVICES_MACHINE_H

#include "os/system.h"
#include "report/say/json.h"

#include <stdbool.h>

struct machine {
	struct system_facts facts;
	cJSON *gpu_names;      /* one string per GPU; owned */
	double gpu_memory_mib; /* total of all GPUs, or UNKNOWN */
};

/* Reads the facts about this machine. `root` is a prefix of all paths; it is "" for this machine. If `ask_drivers` is
 * set, the GPU drivers are queried too, which may take a second. */
void machine_read(struct machine *machine, const char *root, bool ask_drivers);
void machine_free(struct machine *machine);

/* Returns the object server{} of run.json. */
cJSON *machine_json(const struct machine *machine);

#endif
