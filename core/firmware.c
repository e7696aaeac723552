/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the cloud provider from the firmware's strings. */
#include "core/firmware.h"

#include "core/pattern.h"

const char *const cloud_names[CLOUD_COUNT] = {
#define CLOUD(id) #id,
#include "core/clouds.def"
};

static const struct {
	enum cloud cloud;
	enum firmware_field field;
	const char *pattern;
	bool sure;
} names[] = {
#define FIRMWARE(cloud, field, pattern, sure) {CLOUD_##cloud, FIRMWARE_##field, pattern, sure},
#include "core/clouds.def"
};

enum cloud firmware_cloud(const struct firmware *firmware, bool *sure)
{
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		if (!pattern_match(text_of(names[i].pattern), firmware->fields[names[i].field]))
			continue;
		*sure = names[i].sure;
		return names[i].cloud;
	}
	return CLOUD_NONE;
}

/* On Nitro, EC2 stores the instance type as the product name, such as "m5.large". On Xen, the product name is "HVM
 * domU". */
struct text firmware_instance_type(const struct firmware *firmware, enum cloud cloud)
{
	struct text product = firmware->fields[FIRMWARE_product_name];
	bool is_type = cloud == CLOUD_aws && text_find(product, '.', 0) < product.length &&
		       text_find(product, ' ', 0) == product.length;
	return is_type ? product : (struct text){NULL, 0};
}
