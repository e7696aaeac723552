/* Which cloud a machine is in, as far as its firmware says: no packet needs to be sent for that.
 *
 * Reading the firmware is left to os/system.h; the fields are those of SMBIOS (DMTF DSP0134), types 0, 1 and 3. */
#ifndef RTRACK_CORE_FIRMWARE_H
#define RTRACK_CORE_FIRMWARE_H

#include "core/base.h"

enum cloud {
	CLOUD_NONE = -1,
#define CLOUD(id) CLOUD_##id,
#include "core/clouds.def"
#undef CLOUD
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

enum { FIRMWARE_TEXT_MAX = 128 }; /* no field that says something to us is longer */

/* The fields without the line's end; empty where there is none. */
struct firmware {
	struct text fields[FIRMWARE_FIELDS];
};

/* CLOUD_NONE: it names none. *sure is whether it can be no other. */
enum cloud firmware_cloud(const struct firmware *firmware, bool *sure);

/* The instance type where the firmware of `cloud` says it (EC2 on Nitro: its product name), else empty. */
struct text firmware_instance_type(const struct firmware *firmware, enum cloud cloud);

#endif
