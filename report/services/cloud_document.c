/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the answers of cloud metadata services. */
#define _GNU_SOURCE
#include "report/services/cloud.h"

#include "report/say/json.h"

#include <string.h>

#define LINK_LOCAL "http://169.254.169.254"

/* All addresses, including Google's, are numeric, so that no name server is queried. */
const struct cloud_service cloud_services[CLOUD_COUNT] = {
	[CLOUD_aws] = {LINK_LOCAL, "/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds: 21600",
		"X-aws-ec2-metadata-token"},
	[CLOUD_gcp] = {LINK_LOCAL, NULL, NULL, NULL},
	[CLOUD_azure] = {LINK_LOCAL, NULL, NULL, NULL},
	[CLOUD_hcloud] = {LINK_LOCAL, NULL, NULL, NULL},
	[CLOUD_upcloud] = {LINK_LOCAL, NULL, NULL, NULL},
	[CLOUD_alicloud] = {"http://100.100.100.200", "/latest/api/token",
		"X-aliyun-ecs-metadata-token-ttl-seconds: 21600", "X-aliyun-ecs-metadata-token"},
	[CLOUD_ovh] = {LINK_LOCAL, NULL, NULL, NULL},
	[CLOUD_vultr] = {LINK_LOCAL, NULL, NULL, NULL},
};

/* -- names ----------------------------------------------------------------------------------------- */

static struct text trim(struct text text)
{
	while (text.length > 0 && strchr(" \t\r\n", text.data[text.length - 1]))
		text.length--;
	while (text.length > 0 && strchr(" \t\r\n", text.data[0]))
		text = (struct text){text.data + 1, text.length - 1};
	return text;
}

static bool take_name(struct text text, char name[CLOUD_NAME_SIZE])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	text = trim(text);
	if (text.length == 0 || text.length >= CLOUD_NAME_SIZE)
		return false;
	for (size_t i = 0; i < text.length; i++)
		if (!memchr(plain, text.data[i], sizeof plain - 1))
			return false;
	memcpy(name, text.data, text.length);
	name[text.length] = '\0';
	return true;
}

bool cloud_read_token(struct text body, char token[CLOUD_TOKEN_SIZE])
{
	body = trim(body);
	if (body.length == 0 || body.length >= CLOUD_TOKEN_SIZE)
		return false;
	for (size_t i = 0; i < body.length; i++)
		if (body.data[i] <= ' ' || body.data[i] > '~')
			return false;
	memcpy(token, body.data, body.length);
	token[body.length] = '\0';
	return true;
}

/* -- documents that consist of one name ------------------------------------------------------------ */

static bool read_type(struct text body, struct cloud_facts *facts)
{
	return take_name(body, facts->instance_type);
}

static bool read_region(struct text body, struct cloud_facts *facts)
{
	return take_name(body, facts->region);
}

/* Checks that the document is the domain of AWS. The domain in China differs. */
static bool read_aws_domain(struct text body, struct cloud_facts *facts)
{
	(void)facts;
	body = trim(body);
	return text_is(body, "amazonaws.com") || text_is(body, "amazonaws.com.cn");
}

/* Finds NAME in "projects/NUMBER/KIND/NAME". */
static bool google_name(struct text body, const char *kind, struct text *name)
{
	body = trim(body);
	*name = text_basename(body);
	struct text before = {body.data, body.length - name->length};
	return text_starts(body, "projects/") && text_ends(before, kind);
}

static bool read_gcp_type(struct text body, struct cloud_facts *facts)
{
	struct text name;
	return google_name(body, "/machineTypes/", &name) && take_name(name, facts->instance_type);
}

/* A zone is the region plus a suffix: "europe-west1-b" is in europe-west1. */
static bool read_gcp_zone(struct text body, struct cloud_facts *facts)
{
	struct text name;
	if (!google_name(body, "/zones/", &name))
		return false;
	size_t end = name.length;
	while (end > 0 && name.data[end - 1] != '-')
		end--;
	return end > 1 && take_name((struct text){name.data, end - 1}, facts->region);
}

/* -- documents of lines ---------------------------------------------------------------------------- */

/* Returns the value of a line "key: value". */
static struct text value_of(struct text body, const char *key)
{
	for (size_t start = 0; start < body.length;) {
		size_t end = text_find(body, '\n', start);
		struct text line = {body.data + start, end - start};
		size_t colon = text_find(line, ':', 0);
		if (colon < line.length && text_is((struct text){line.data, colon}, key))
			return trim((struct text){line.data + colon + 1, line.length - colon - 1});
		start = end + 1;
	}
	return (struct text){NULL, 0};
}

/* The answer has no instance type: instance-id is only the number of a machine. */
static bool read_hcloud(struct text body, struct cloud_facts *facts)
{
	return value_of(body, "instance-id").length > 0 && take_name(value_of(body, "region"), facts->region);
}

/* -- JSON documents -------------------------------------------------------------------------------- */

static bool take_string(const cJSON *object, const char *key, char name[CLOUD_NAME_SIZE])
{
	return take_name(text_of(json_string(object, key)), name);
}

static bool azure_facts(const cJSON *json, struct cloud_facts *facts)
{
	const cJSON *compute = cJSON_GetObjectItemCaseSensitive(json, "compute");
	struct cloud_facts found = *facts;
	if (!take_string(compute, "vmSize", found.instance_type) || !take_string(compute, "location", found.region))
		return false;
	*facts = found;
	return true;
}

static bool upcloud_facts(const cJSON *json, struct cloud_facts *facts)
{
	return strcmp(json_string(json, "cloud_name"), "upcloud") == 0 && take_string(json, "region", facts->region);
}

/* Many clouds are OpenStack; OVH is recognized by its own name server in network_data. */
static bool ovh_network(const cJSON *json, struct cloud_facts *facts)
{
	const cJSON *service;
	(void)facts;
	cJSON_ArrayForEach(service, cJSON_GetObjectItemCaseSensitive(json, "services"))
	{
		if (strcmp(json_string(service, "type"), "dns") == 0)
			return strcmp(json_string(service, "address"), "213.186.33.99") == 0;
	}
	return false;
}

static bool ovh_facts(const cJSON *json, struct cloud_facts *facts)
{
	const char *zone = json_string(json, "availability_zone");
	return strcmp(zone, "nova") != 0 && take_name(text_of(zone), facts->region);
}

static bool vultr_facts(const cJSON *json, struct cloud_facts *facts)
{
	bool ours = *json_string(json, "instanceid") != '\0' || *json_string(json, "instance-v2-id") != '\0';
	return ours && take_string(cJSON_GetObjectItemCaseSensitive(json, "region"), "regioncode", facts->region);
}

static bool read_json(
	struct text body, struct cloud_facts *facts, bool (*take)(const cJSON *json, struct cloud_facts *facts))
{
	cJSON *json = cJSON_ParseWithLength(body.data, body.length);
	bool taken = cJSON_IsObject(json) && take(json, facts);
	cJSON_Delete(json);
	return taken;
}

#define JSON_READER(take)                                                                                              \
	static bool read_##take(struct text body, struct cloud_facts *facts)                                           \
	{                                                                                                              \
		return read_json(body, facts, take);                                                                   \
	}
JSON_READER(azure_facts)
JSON_READER(upcloud_facts)
JSON_READER(ovh_network)
JSON_READER(ovh_facts)
JSON_READER(vultr_facts)

/* -- the table ------------------------------------------------------------------------------------- */

#define GOOGLE "Metadata-Flavor: Google"

const struct cloud_document cloud_documents[] = {
	{CLOUD_aws, "/latest/meta-data/services/domain", NULL, true, read_aws_domain},
	{CLOUD_aws, "/latest/meta-data/instance-type", NULL, false, read_type},
	{CLOUD_aws, "/latest/meta-data/placement/region", NULL, false, read_region},
	{CLOUD_gcp, "/computeMetadata/v1/instance/machine-type", GOOGLE, true, read_gcp_type},
	{CLOUD_gcp, "/computeMetadata/v1/instance/zone", GOOGLE, false, read_gcp_zone},
	{CLOUD_azure, "/metadata/instance?api-version=2021-02-01", "Metadata: true", true, read_azure_facts},
	{CLOUD_hcloud, "/hetzner/v1/metadata", NULL, true, read_hcloud},
	{CLOUD_upcloud, "/metadata/v1.json", NULL, true, read_upcloud_facts},
	{CLOUD_alicloud, "/latest/meta-data/instance/instance-type", NULL, false, read_type},
	{CLOUD_alicloud, "/latest/meta-data/region-id", NULL, true, read_region},
	{CLOUD_ovh, "/openstack/latest/network_data.json", NULL, true, read_ovh_network},
	{CLOUD_ovh, "/openstack/latest/meta_data.json", NULL, false, read_ovh_facts},
	{CLOUD_ovh, "/latest/meta-data/instance-type", NULL, false, read_type},
	{CLOUD_vultr, "/v1.json", NULL, true, read_vultr_facts},
};
const size_t cloud_document_count = ARRAY_LENGTH(cloud_documents);
