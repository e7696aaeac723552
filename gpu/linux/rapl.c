/* SPDX-License-Identifier: Apache-2.0 */
/* Reads RAPL counters.
 *
 * Only the zones named package-N are added up. The counter of a package includes its cores and memory, and the counter
 * of the platform ("psys") includes the packages, so other zones would be added twice. */
#include "gpu/rapl.h"

#include "gpu/linux/sysfs.h"

#include <dirent.h>
#include <string.h>

enum { PACKAGES_MAX = 64 };

#define GROWN_MOST_UJ 1e12 /* maximum plausible increase between two polls (280 Wh) */

static struct {
	size_t count;
	struct package {
		char counter[SYSFS_PATH_MAX];
		double range_uj; /* maximum value of the counter before it wraps around, or UNKNOWN */
		double before_uj;
	} packages[PACKAGES_MAX];
	double sum_uj;
} rapl;

static void add_zone(const char *zone)
{
	struct package *package = &rapl.packages[rapl.count];
	char path[SYSFS_PATH_MAX];
	char name[64];

	if (rapl.count == PACKAGES_MAX || !sysfs_join(path, zone, "name") ||
		!text_starts(sysfs_text(path, name, sizeof name), "package") ||
		!sysfs_join(package->counter, zone, "energy_uj") || !sysfs_join(path, zone, "max_energy_range_uj"))
		return;
	package->range_uj = sysfs_number(path);
	package->before_uj = sysfs_number(package->counter);
	if (number_known(package->before_uj))
		rapl.count++;
}

bool rapl_open(const char *root)
{
	char zones[SYSFS_PATH_MAX];
	char zone[SYSFS_PATH_MAX];
	const struct dirent *entry;

	rapl.count = 0;
	rapl.sum_uj = 0;
	DIR *directory = sysfs_join(zones, root, "sys/class/powercap") ? opendir(zones) : NULL;
	while (directory && (entry = readdir(directory))) {
		const char *colon = strchr(entry->d_name, ':');
		bool package = strncmp(entry->d_name, "intel-rapl:", sizeof "intel-rapl:" - 1) == 0 && colon &&
			       !strchr(colon + 1, ':');
		if (package && sysfs_join(zone, zones, entry->d_name))
			add_zone(zone);
	}
	if (directory)
		(void)closedir(directory);
	return rapl.count > 0;
}

void rapl_poll(void)
{
	for (size_t i = 0; i < rapl.count; i++) {
		struct package *package = &rapl.packages[i];
		double now_uj = sysfs_number(package->counter);
		double grown_uj = now_uj - package->before_uj;

		if (!number_known(now_uj))
			continue;
		/* The counter has wrapped around. The increase is unknown if the counter's range is unknown. */
		if (grown_uj < 0)
			grown_uj = number_known(package->range_uj) ? grown_uj + package->range_uj : 0;
		package->before_uj = now_uj;
		if (grown_uj > 0 && grown_uj < GROWN_MOST_UJ)
			rapl.sum_uj += grown_uj;
	}
}

uint64_t rapl_uj(void)
{
	return (uint64_t)rapl.sum_uj;
}
