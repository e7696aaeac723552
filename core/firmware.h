/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the cloud provider of a machine from its firmware, without using the network.
 *
 * os/system.h reads the firmware. The fields are those of SMBIOS (DMTF DSP0134), types 0, 1 and 3. */
#ifndef RTRACK_CORE_FIRMWARE_H
#define RTRACK_CORE_FIRMWARE_H

#include "core/base.h"

enum cloud {
	CLOUD_NONE = -1,
#define CLOUD(id) CLOUD_##id,
#include "core/clouds.def"
	CLOUD_COUNT
};

/* The names of the clouds, such as "aws". */
extern const char *const cloud_names[CLOUD_COUNT];

enum firmware_field {
	FIRMWARE_sys_vendor,
	FIRMWARE_product_name,
	FIRMWARE_bios_vendor,
	FIRMWARE_bios_version,
	FIRMWARE_chassis_asset_tag,
	FIRMWARE_FIELDS
};

/* size of a buffer for one field; larger than every pattern and every instance type */
enum { FIRMWARE_TEXT_MAX = 128 };

/* The firmware's fields without the newline; an absent field is empty. */
struct firmware {
	struct text fields[FIRMWARE_FIELDS];
};

/* Returns the cloud that the firmware identifies, and sets *sure to whether only this cloud uses these firmware
 * strings. Returns CLOUD_NONE with *sure unchanged if no known cloud matches. */
enum cloud firmware_cloud(const struct firmware *firmware, bool *sure);

/* Returns the instance type, or an empty text. Only EC2 on Nitro stores the instance type in the firmware, as the
 * product name. */
struct text firmware_instance_type(const struct firmware *firmware, enum cloud cloud);

#endif
