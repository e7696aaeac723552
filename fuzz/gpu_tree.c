/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates a GPU, an energy counter and a client with files as in /sys and /proc. The input is divided among these
 * files. Every figure that is read from them must be possible. */
#define _GNU_SOURCE
#include "fuzz/fuzz.h"
#include "gpu/drm.h"
#include "gpu/rapl.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

static void write_file(const char *name, const uint8_t *data, size_t size)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", root, name);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
	close(file);
}

static const char *const files[] = {"sys/class/drm/card0/device/gpu_busy_percent",
	"sys/class/drm/card0/device/mem_info_vram_total", "sys/class/drm/card0/device/mem_info_vram_used",
	"sys/class/drm/card0/device/vendor", "sys/class/drm/card0/device/device",
	"sys/class/drm/card0/device/hwmon/hwmon0/power1_average",
	"sys/class/drm/card0/device/hwmon/hwmon0/energy1_input", "sys/class/drm/card0/device/hwmon/hwmon0/temp1_input",
	"sys/class/powercap/intel-rapl:0/energy_uj", "sys/class/powercap/intel-rapl:0/max_energy_range_uj",
	"proc/5/fdinfo/3"};

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status, (void)kind, (void)place;
	return remove(path);
}

static void remove_tree(void)
{
	(void)nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_tree(void)
{
	static const char *const directories[] = {"", "sys", "sys/class", "sys/class/drm", "sys/class/drm/card0",
		"sys/class/drm/card0/device", "sys/class/drm/card0/device/hwmon",
		"sys/class/drm/card0/device/hwmon/hwmon0", "sys/class/powercap", "sys/class/powercap/intel-rapl:0",
		"proc", "proc/5", "proc/5/fd", "proc/5/fdinfo"};
	char path[256];

	snprintf(root, sizeof root, "/dev/shm/rtrack-fuzz-%d", (int)getpid());
	for (size_t i = 0; i < ARRAY_LENGTH(directories); i++) {
		snprintf(path, sizeof path, "%s/%s", root, directories[i]);
		REQUIRE(mkdir(path, 0700) == 0);
	}
	REQUIRE(atexit(remove_tree) == 0);
	write_file("sys/class/powercap/intel-rapl:0/name", (const uint8_t *)"package-0\n", 10);
	snprintf(path, sizeof path, "%s/proc/5/fd/3", root);
	REQUIRE(symlink("/dev/dri/renderD128", path) == 0);
	snprintf(path, sizeof path, "%s/sys/class/drm/card0/device/driver", root);
	REQUIRE(symlink("/drivers/i915", path) == 0);
}

static void require_sane(const struct gpu_device *device)
{
	REQUIRE(!(device->usage < 0 || device->usage > 1));
	REQUIRE(!(device->vram_mib < 0 || device->vram_mib > device->vram_total_mib));
	REQUIRE(!(device->power_w < 0 || device->power_w > 1e4) && !(device->energy_wh < 0));
	for (size_t i = 0; i < device->count; i++)
		REQUIRE(!(device->processes[i].usage < 0 || device->processes[i].usage > 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct gpu_poll poll;
	size_t part = size / (2 * ARRAY_LENGTH(files));

	if (root[0] == '\0')
		make_tree();
	for (size_t look = 0; look < 2; look++) {
		for (size_t i = 0; i < ARRAY_LENGTH(files); i++)
			write_file(files[i], data + (look * ARRAY_LENGTH(files) + i) * part, part);
		if (look == 0 && !drm_open(root, false))
			return 0;
		if (look == 0)
			(void)rapl_open(root);
		poll.count = 0;
		drm_poll(&poll, (int64_t)(look + 1) * 1000000000);
		rapl_poll();
		for (size_t i = 0; i < poll.count; i++)
			require_sane(&poll.devices[i]);
	}
	return 0;
}
