/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how the cloud of a machine is identified: each cloud's documents, and malformed ones. */
#include "report/services/cloud.h"

#include "os/system.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/service.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

#define DEEP "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
#define DEEPER DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP
#define DEEPEST DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER

static const struct service_answer aws[] = {
	{"PUT /latest/api/token ", "X-aws-ec2-metadata-token-ttl-seconds: 21600", "200 OK", "AQAA==", SERVICE_WHOLE},
	{"GET /latest/meta-data/services/domain ", "X-aws-ec2-metadata-token: AQAA==", "200 OK", "amazonaws.com",
		SERVICE_WHOLE},
	{"GET /latest/meta-data/instance-type ", "X-aws-ec2-metadata-token: AQAA==", "200 OK", "m5.xlarge",
		SERVICE_WHOLE},
	{"GET /latest/meta-data/placement/region ", "X-aws-ec2-metadata-token: AQAA==", "200 OK", "eu-west-1",
		SERVICE_WHOLE},
	{0},
};
static const struct service_answer aws_mute[] = {
	{"PUT /latest/api/token ", NULL, "200 OK", "AQAA==", SERVICE_WHOLE},
	{"GET /latest/meta-data/instance-type ", NULL, "200 OK", "", SERVICE_MUTE},
	{"GET /latest/meta-data/placement/region ", NULL, "200 OK", "eu-west-1\n", SERVICE_WHOLE},
	{0},
};
static const struct service_answer aws_bad_token[] = {
	{"PUT /latest/api/token ", NULL, "200 OK", "A\r\nX-Other: header", SERVICE_WHOLE},
	{"GET /latest/meta-data/placement/region ", NULL, "200 OK", "eu-west-1", SERVICE_WHOLE},
	{0},
};
static const struct service_answer mute[] = {{"", NULL, "200 OK", "", SERVICE_MUTE}, {0}};
static const struct service_answer endless[] = {{"", NULL, "200 OK", "eu-west-1", SERVICE_ENDLESS}, {0}};
static const struct service_answer torn[] = {{"", NULL, "200 OK", "eu-west-1", SERVICE_TORN}, {0}};
static const struct service_answer redirected[] = {
	{"GET /elsewhere ", NULL, "200 OK", "{\"compute\": {\"vmSize\": \"A\", \"location\": \"b\"}}", SERVICE_WHOLE},
	{"", NULL, "302 Found", "", SERVICE_WHOLE},
	{0},
};
static const struct service_answer gcp[] = {
	{"GET /computeMetadata/v1/instance/machine-type ", "Metadata-Flavor: Google", "200 OK",
		"projects/1234/machineTypes/n2-standard-8", SERVICE_WHOLE},
	{"GET /computeMetadata/v1/instance/zone ", "Metadata-Flavor: Google", "200 OK",
		"projects/1234/zones/europe-west1-b", SERVICE_WHOLE},
	{0},
};
static const struct service_answer azure[] = {
	{"GET /metadata/instance?api-version=2021-02-01 ", "Metadata: true", "200 OK",
		"{\"compute\": {\"vmSize\": \"Standard_D4s_v5\", \"location\": \"westeurope\"}}", SERVICE_WHOLE},
	{0},
};
static const struct service_answer hcloud[] = {
	{"GET /hetzner/v1/metadata ", NULL, "200 OK",
		"availability-zone: hel1-dc2\nhostname: a\ninstance-id: 4711\nregion: eu-central\n", SERVICE_WHOLE},
	{0},
};
static const struct service_answer upcloud[] = {
	{"GET /metadata/v1.json ", NULL, "200 OK", "{\"cloud_name\": \"upcloud\", \"region\": \"fi-hel1\"}",
		SERVICE_WHOLE},
	{0},
};
static const struct service_answer alicloud[] = {
	{"PUT /latest/api/token ", "X-aliyun-ecs-metadata-token-ttl-seconds: ", "200 OK", "T0k=", SERVICE_WHOLE},
	{"GET /latest/meta-data/instance/instance-type ", "X-aliyun-ecs-metadata-token: T0k=", "200 OK", "ecs.g6.large",
		SERVICE_WHOLE},
	{"GET /latest/meta-data/region-id ", "X-aliyun-ecs-metadata-token: T0k=", "200 OK", "cn-hangzhou",
		SERVICE_WHOLE},
	{0},
};
static const struct service_answer ovh[] = {
	{"GET /openstack/latest/network_data.json ", NULL, "200 OK",
		"{\"services\": [{\"type\": \"ntp\", \"address\": \"1.1.1.1\"}, "
		"{\"type\": \"dns\", \"address\": \"213.186.33.99\"}]}",
		SERVICE_WHOLE},
	{"GET /openstack/latest/meta_data.json ", NULL, "200 OK", "{\"availability_zone\": \"nova\"}", SERVICE_WHOLE},
	{"GET /latest/meta-data/instance-type ", NULL, "200 OK", "b2-7", SERVICE_WHOLE},
	{0},
};
static const struct service_answer other_openstack[] = {
	{"GET /openstack/latest/network_data.json ", NULL, "200 OK",
		"{\"services\": [{\"type\": \"dns\", \"address\": \"9.9.9.9\"}]}", SERVICE_WHOLE},
	{"GET /openstack/latest/meta_data.json ", NULL, "200 OK", "{\"availability_zone\": \"az1\"}", SERVICE_WHOLE},
	{"GET /latest/meta-data/instance-type ", NULL, "200 OK", "m1.small", SERVICE_WHOLE},
	{0},
};
static const struct service_answer vultr[] = {
	{"GET /v1.json ", NULL, "200 OK", "{\"instance-v2-id\": \"a-b\", \"region\": {\"regioncode\": \"EWR\"}}",
		SERVICE_WHOLE},
	{0},
};
#define AZURE_SAYS(name, text)                                                                                         \
	static const struct service_answer name[] = {{"GET /metadata/", NULL, "200 OK", text, SERVICE_WHOLE}, {0}}
AZURE_SAYS(deep, "{\"compute\": " DEEPEST);
AZURE_SAYS(list, "[{\"compute\": {\"vmSize\": \"A\", \"location\": \"b\"}}]");
AZURE_SAYS(half, "{\"compute\": {\"vmSize\": \"A\"}}");
AZURE_SAYS(numbers, "{\"compute\": {\"vmSize\": 1e999, \"location\": -1}}");
AZURE_SAYS(markup, "{\"compute\": {\"vmSize\": \"<script>\", \"location\": \"b\"}}");
AZURE_SAYS(empty, "");

/* The firmware's vendor and asset tag identify these clouds. */
static const struct {
	const char *what;
	const char *vendor; /* the firmware's vendor */
	const char *product;
	const char *tag;
	enum cloud_asking asking;
	const struct service_answer *answers;
	const char *seen[3]; /* vendor, type, region */
	bool asked;
} cases[] = {
	{"EC2", "Amazon EC2", "m5.large", "", CLOUD_ASK_NAMED, aws, {"aws", "m5.xlarge", "eu-west-1"}, true},
	{"EC2 with a service that answers half of the questions", "Amazon EC2", "m5.large", "", CLOUD_ASK_NAMED,
		aws_mute, {"aws", "m5.large", "eu-west-1"}, true},
	{"EC2 with a service that does not answer", "Amazon EC2", "m5.large", "", CLOUD_ASK_NAMED, mute,
		{"aws", "m5.large", NULL}, true},
	{"a token that contains a newline", "Amazon EC2", "m5.large", "", CLOUD_ASK_NAMED, aws_bad_token,
		{"aws", "m5.large", NULL}, true},
	{"EC2, with the service not allowed", "Amazon EC2", "m5.large", "", CLOUD_ASK_NONE, aws,
		{"aws", "m5.large", NULL}, false},
	{"Google", "Google", "Google Compute Engine", "", CLOUD_ASK_NAMED, gcp,
		{"gcp", "n2-standard-8", "europe-west1"}, true},
	{"Azure", "Microsoft Corporation", "Virtual Machine", "7783-7084-3265-9085-8269-3286-77", CLOUD_ASK_NAMED,
		azure, {"azure", "Standard_D4s_v5", "westeurope"}, true},
	{"Hyper-V", "Microsoft Corporation", "Virtual Machine", "", CLOUD_ASK_NAMED, azure, {NULL, NULL, NULL}, false},
	{"Hetzner", "Hetzner", "vServer", "", CLOUD_ASK_NAMED, hcloud, {"hcloud", NULL, "eu-central"}, true},
	{"UpCloud", "UpCloud", "", "", CLOUD_ASK_NAMED, upcloud, {"upcloud", NULL, "fi-hel1"}, true},
	{"Alibaba", "Alibaba Cloud", "Alibaba Cloud ECS", "", CLOUD_ASK_NAMED, alicloud,
		{"alicloud", "ecs.g6.large", "cn-hangzhou"}, true},
	{"OVH", "OpenStack Foundation", "OpenStack Nova", "", CLOUD_ASK_NAMED, ovh, {"ovh", "b2-7", NULL}, true},
	{"another OpenStack", "OpenStack Foundation", "OpenStack Nova", "", CLOUD_ASK_NAMED, other_openstack,
		{NULL, NULL, NULL}, true},
	{"Vultr", "Vultr", "VC2", "", CLOUD_ASK_NAMED, vultr, {"vultr", NULL, "EWR"}, true},
	{"a cloud that answers in another cloud's format", "Hetzner", "vServer", "", CLOUD_ASK_NAMED, azure,
		{"hcloud", NULL, NULL}, true},
	{"no cloud", "LENOVO", "20XW", "", CLOUD_ASK_NAMED, aws, {NULL, NULL, NULL}, false},
	{"a body that never ends", "Hetzner", "", "", CLOUD_ASK_NAMED, endless, {"hcloud", NULL, NULL}, true},
	{"a torn body", "Hetzner", "", "", CLOUD_ASK_NAMED, torn, {"hcloud", NULL, NULL}, true},
	{"all clouds are queried, EC2 answers", "", "", "", CLOUD_ASK_ALL, aws, {"aws", "m5.xlarge", "eu-west-1"},
		true},
	{"all clouds are queried, Azure answers, whatever the firmware", "Amazon EC2", "m5.large", "", CLOUD_ASK_ALL,
		azure, {"azure", "Standard_D4s_v5", "westeurope"}, true},
	{"all clouds are queried, OVH answers", "", "", "", CLOUD_ASK_ALL, ovh, {"ovh", "b2-7", NULL}, true},
	{"all clouds are queried, another OpenStack answers", "", "", "", CLOUD_ASK_ALL, other_openstack,
		{NULL, NULL, NULL}, true},
	{"all clouds are queried, none answers", "", "", "", CLOUD_ASK_ALL, mute, {NULL, NULL, NULL}, true},
	{"all clouds are queried, all redirect", "", "", "", CLOUD_ASK_ALL, redirected, {NULL, NULL, NULL}, true},
	{"all clouds are queried, all answer forever", "", "", "", CLOUD_ASK_ALL, endless, {NULL, NULL, NULL}, true},
	{"deeply nested JSON", "", "", "", CLOUD_ASK_ALL, deep, {NULL, NULL, NULL}, true},
	{"JSON that is a list", "", "", "", CLOUD_ASK_ALL, list, {NULL, NULL, NULL}, true},
	{"JSON without a key", "", "", "", CLOUD_ASK_ALL, half, {NULL, NULL, NULL}, true},
	{"JSON with numbers in place of texts", "", "", "", CLOUD_ASK_ALL, numbers, {NULL, NULL, NULL}, true},
	{"JSON with markup", "", "", "", CLOUD_ASK_ALL, markup, {NULL, NULL, NULL}, true},
	{"no JSON", "", "", "", CLOUD_ASK_ALL, empty, {NULL, NULL, NULL}, true},
};

static void check_json(const struct cloud_discovery *found, const char *const seen[3])
{
	static const char *const keys[] = {"vendor", "instance_type", "region"};
	cJSON *json = cloud_json(found);
	for (int i = 0; i < 3; i++)
		is_text(json_string(json, keys[i]), seen[i] ? seen[i] : "unknown", keys[i]);
	ok(json_double(json, "discovery_time") >= 0, "discovery_time");
	cJSON_Delete(json);
}

/* On a busy machine, our test service may take longer than one second, the timeout of an answer. */
static bool came_late(const struct cloud_discovery *found, const char *const seen[3], bool asked)
{
	cJSON *json = cloud_json(found);
	const char *region = json_string(json, "region");
	bool as_seen = !seen[2] || (region && strcmp(region, seen[2]) == 0);
	cJSON_Delete(json);
	return (!as_seen || (asked && service_connections() == 0)) && found->seconds >= 0.9;
}

/* Returns whether the platform reads firmware in the files that Linux has. Otherwise the cloud is known only after all
 * clouds were asked. */
static bool tells_firmware(void)
{
	char bytes[FIRMWARE_TEXT_MAX];
	scratch_write("sys/class/dmi/id/sys_vendor", "Hetzner");
	return system_firmware(scratch_directory(), FIRMWARE_sys_vendor, bytes).length > 0;
}

static const char *const places[] = {"sys", "sys/class", "sys/class/dmi", "sys/class/dmi/id"};

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
		(void)scratch_make(places[i]);

	bool by_firmware = tells_firmware();
	setenv("http_proxy", "http://127.0.0.1:1", 1);
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct cloud_discovery found;
		if (!by_firmware && cases[i].asking != CLOUD_ASK_ALL)
			continue;
		printf("# %s\n", cases[i].what);
		scratch_write("sys/class/dmi/id/sys_vendor", cases[i].vendor);
		scratch_write("sys/class/dmi/id/product_name", cases[i].product);
		scratch_write("sys/class/dmi/id/chassis_asset_tag", cases[i].tag);
		int attempts = 0;
		do
			cloud_discover(&found, cases[i].asking, scratch_directory(), service_start(cases[i].answers));
		while (came_late(&found, cases[i].seen, cases[i].asked) && ++attempts < 30);
		check_json(&found, cases[i].seen);
		ok((service_connections() > 0) == cases[i].asked, cases[i].asked ? "asked" : "not asked");
	}
	struct cloud_discovery found;
	cloud_discover(&found, CLOUD_ASK_NAMED, "/nowhere", service_start(aws));
	ok(found.cloud == CLOUD_NONE && service_connections() == 0, "without firmware, nothing is asked");
	return done();
}
