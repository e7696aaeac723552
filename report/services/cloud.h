/* SPDX-License-Identifier: Apache-2.0 */
/* Which cloud this machine is in: by its firmware, then by that cloud's metadata service.
 *
 * A service is asked only when the firmware names its cloud; if the caller wants it, all services are asked. All
 * questions together take at most a second. */
#ifndef RTRACK_REPORT_SERVICES_CLOUD_H
#define RTRACK_REPORT_SERVICES_CLOUD_H

#include "report/say/json.h"
#include "report/services/cloud_document.h"

enum cloud_asking {
	CLOUD_ASK_NAMED, /* the service of the cloud that the firmware names */
	CLOUD_ASK_NONE,  /* no packet is sent */
	CLOUD_ASK_ALL,   /* every service; an answer is preferred to the firmware */
};

struct cloud_discovery {
	enum cloud cloud; /* CLOUD_NONE: none, or unknown */
	struct cloud_facts facts;
	double seconds;
};

/* `root` is put before the paths of the firmware's texts: "" for this machine. `url` replaces the address of every
 * service (NULL: their own). */
void cloud_discover(struct cloud_discovery *found, enum cloud_asking asking, const char *root, const char *url);

/* {"vendor", "instance_type", "region", "discovery_time"}, each "unknown" if it is. */
cJSON *cloud_json(const struct cloud_discovery *found);

#endif
