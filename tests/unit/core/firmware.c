/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how the firmware's texts identify a cloud. */
#include "core/firmware.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

static const struct {
	const char *what;
	const char *fields[FIRMWARE_FIELDS]; /* vendor, product, BIOS vendor and version, asset tag */
	const char *cloud;
	bool sure;
	const char *instance_type;
} machines[] = {
	{"EC2, Nitro", {"Amazon EC2", "c6i.2xlarge", "Amazon EC2", "1.0", "Amazon EC2"}, "aws", true, "c6i.2xlarge"},
	{"EC2, bare metal", {"Amazon EC2", "i3.metal", "Amazon EC2", "1.0", ""}, "aws", true, "i3.metal"},
	{"EC2, Xen", {"Xen", "HVM domU", "Xen", "4.11.amazon", ""}, "aws", true, NULL},
	{"Xen elsewhere", {"Xen", "HVM domU", "Xen", "4.11", ""}, NULL, false, NULL},
	{"Google", {"Google", "Google Compute Engine", "Google", "Google", ""}, "gcp", true, NULL},
	{"a Chromebook", {"Google", "Eve", "coreboot", "", ""}, NULL, false, NULL},
	{"Azure",
		{"Microsoft Corporation", "Virtual Machine", "American Megatrends Inc.", "090008",
			"7783-7084-3265-9085-8269-3286-77"},
		"azure", true, NULL},
	{"Hyper-V elsewhere", {"Microsoft Corporation", "Virtual Machine", "Microsoft Corporation", "", "5555-1"}, NULL,
		false, NULL},
	{"Hetzner", {"Hetzner", "vServer", "Hetzner", "20171111", ""}, "hcloud", true, NULL},
	{"UpCloud", {"UpCloud", "Cloud Server", "SeaBIOS", "", ""}, "upcloud", true, NULL},
	{"Alibaba", {"Alibaba Cloud", "Alibaba Cloud ECS", "SeaBIOS", "", ""}, "alicloud", true, NULL},
	{"Vultr", {"Vultr", "VC2", "Vultr", "", ""}, "vultr", true, NULL},
	{"some OpenStack", {"OpenStack Foundation", "OpenStack Nova", "SeaBIOS", "", ""}, "ovh", false, NULL},
	{"QEMU", {"QEMU", "Standard PC (Q35 + ICH9, 2009)", "SeaBIOS", "1.16.2", ""}, NULL, false, NULL},
	{"a computer with a point in its name", {"Acme", "m5.large", "Acme", "1.0", ""}, NULL, false, NULL},
	{"no firmware", {"", "", "", "", ""}, NULL, false, NULL},
};

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(machines); i++) {
		struct firmware firmware;
		bool sure = false;
		for (int field = 0; field < FIRMWARE_FIELDS; field++)
			firmware.fields[field] = text_of(machines[i].fields[field]);
		enum cloud cloud = firmware_cloud(&firmware, &sure);
		is_text(cloud == CLOUD_NONE ? NULL : cloud_names[cloud], machines[i].cloud, machines[i].what);
		ok(sure == machines[i].sure, "  and whether it is certain");
		is_text(string_of(firmware_instance_type(&firmware, cloud)), machines[i].instance_type,
			"  and the instance type");
	}
	return done();
}
