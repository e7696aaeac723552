/* SPDX-License-Identifier: Apache-2.0 */
/* Adds facts about the machine that run.json lacks. */
#define _GNU_SOURCE
#include "report/services/facts.h"

#include "report/services/machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double booted(void)
{
	struct timespec now;
	struct timespec up;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return (double)(now.tv_sec - up.tv_sec);
}

/* Returns whether the run ran on this machine after the last boot. Hardware and cloud instance types change only while
 * a machine is off. */
static bool is_of_this_machine(const struct run *run)
{
	char host[256] = "";

	(void)gethostname(host, sizeof host - 1);
	return *host && strcmp(run->host, host) == 0 && run->start_time >= booted();
}

static bool is_missing(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	return !item || cJSON_IsNull(item);
}

/* Returns the object `key` of run.json, and adds it if it is missing. Returns NULL if the key has another type. */
static cJSON *object_of(cJSON *json, const char *key)
{
	if (is_missing(json, key)) {
		cJSON_DeleteItemFromObjectCaseSensitive(json, key);
		return cJSON_AddObjectToObject(json, key);
	}
	cJSON *object = cJSON_GetObjectItemCaseSensitive(json, key);
	return cJSON_IsObject(object) ? object : NULL;
}

/* Returns whether a fact describes the machine itself. Other facts describe limits of the process that reads them. */
static bool is_of_the_machine(const cJSON *fact)
{
	return strcmp(fact->string, "vcpus") != 0 && strcmp(fact->string, "cgroup_memory_limit_mib") != 0;
}

static void add_server(cJSON *server)
{
	struct machine machine;

	if (!server)
		return;
	machine_read(&machine, "", false);
	cJSON *facts = machine_json(&machine);
	for (cJSON *fact = facts->child; fact;) {
		cJSON *next = fact->next;
		if (!cJSON_IsNull(fact) && is_of_the_machine(fact) && is_missing(server, fact->string)) {
			cJSON_DeleteItemFromObjectCaseSensitive(server, fact->string);
			cJSON_DetachItemViaPointer(facts, fact);
			cJSON_AddItemToObject(server, fact->string, fact);
		}
		fact = next;
	}
	cJSON_Delete(facts);
	machine_free(&machine);
}

static void add_missing(cJSON *cloud, const char *key, const char *value)
{
	if (!*value || !is_missing(cloud, key))
		return;
	cJSON_DeleteItemFromObjectCaseSensitive(cloud, key);
	cJSON_AddStringToObject(cloud, key, value);
}

static void add_cloud(cJSON *json, enum cloud_asking asking)
{
	struct cloud_discovery found;
	const cJSON *known = cJSON_GetObjectItemCaseSensitive(json, "cloud");

	if (!is_missing(known, "vendor") && !is_missing(known, "instance_type") && !is_missing(known, "region"))
		return;
	cloud_discover(&found, asking, "", getenv("RTRACK_METADATA_URL"));
	if (found.cloud == CLOUD_NONE)
		return;
	cJSON *cloud = object_of(json, "cloud");
	const char *vendor = cloud_names[found.cloud];
	if (!cloud || (!is_missing(cloud, "vendor") && strcmp(json_string(cloud, "vendor"), vendor) != 0))
		return;
	add_missing(cloud, "vendor", vendor);
	add_missing(cloud, "instance_type", found.facts.instance_type);
	add_missing(cloud, "region", found.facts.region);
}

void facts_add(struct run *run, enum cloud_asking asking)
{
	if (!is_of_this_machine(run))
		return;
	add_server(object_of(run->json, "server"));
	add_cloud(run->json, asking);
}
