/* Which cloud a machine is in, by what its firmware says: the answer needs no network.
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

/* "aws" and so on. */
extern const char *const cloud_names[CLOUD_COUNT];

enum firmware_field {
	FIRMWARE_sys_vendor,
	FIRMWARE_product_name,
	FIRMWARE_bios_vendor,
	FIRMWARE_bios_version,
	FIRMWARE_chassis_asset_tag,
	FIRMWARE_FIELDS
};

enum { FIRMWARE_TEXT_MAX = 128 }; /* every pattern and instance type that is looked for is shorter */

/* The fields without the line's end; empty where there is none. */
struct firmware {
	struct text fields[FIRMWARE_FIELDS];
};

/* The cloud that the firmware names; CLOUD_NONE: none. *sure is whether it can be no other cloud. */
enum cloud firmware_cloud(const struct firmware *firmware, bool *sure);

/* The instance type where the firmware of `cloud` says it (EC2 on Nitro: its product name), else empty. */
struct text firmware_instance_type(const struct firmware *firmware, enum cloud cloud);

#endif
