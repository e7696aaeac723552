/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the cloud of this machine by its firmware and by the cloud's metadata service.
 *
 * By default, only the service of the cloud that the firmware names is queried; the caller may request all. All queries
 * together take at most a second. */
#ifndef RTRACK_REPORT_SERVICES_CLOUD_H
#define RTRACK_REPORT_SERVICES_CLOUD_H

#include "report/say/json.h"
#include "report/services/cloud_document.h"

enum cloud_asking {
	CLOUD_ASK_NAMED, /* query the service of the cloud that the firmware names */
	CLOUD_ASK_NONE,  /* send no packets */
	CLOUD_ASK_ALL,   /* query every service; answers take precedence over the firmware */
};

struct cloud_discovery {
	enum cloud cloud; /* CLOUD_NONE if none or unknown */
	struct cloud_facts facts;
	double seconds;
};

/* `root` is a prefix of all firmware paths, "" for this machine. `url` replaces the address of every service, or is
 * NULL. */
void cloud_discover(struct cloud_discovery *found, enum cloud_asking asking, const char *root, const char *url);

/* Returns {"vendor", "instance_type", "region", "discovery_time"}, with "unknown" for unknown facts. */
cJSON *cloud_json(const struct cloud_discovery *found);

#endif
