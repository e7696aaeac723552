/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with simulated energy counters: a tree as in the kernel's document power/powercap. */
#include "gpu/rapl.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

static void set(const char *zone, const char *uj)
{
	char name[256];
	snprintf(name, sizeof name, "sys/class/powercap/%s/energy_uj", zone);
	scratch_write(name, uj);
}

int main(void)
{
	static const char *const zones[][2] = {{"intel-rapl:0", "package-0"}, {"intel-rapl:1", "package-1"},
		{"intel-rapl:0:0", "core"}, {"intel-rapl:2", "psys"}};
	char name[256];

	ok(!rapl_open("/nowhere"), "no counter");
	(void)scratch_make("sys");
	(void)scratch_make("sys/class");
	(void)scratch_make("sys/class/powercap");
	(void)scratch_make("sys/class/powercap/intel-rapl");
	for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
		snprintf(name, sizeof name, "sys/class/powercap/%s", zones[i][0]);
		(void)scratch_make(name);
		snprintf(name, sizeof name, "sys/class/powercap/%s/name", zones[i][0]);
		scratch_write(name, zones[i][1]);
		snprintf(name, sizeof name, "sys/class/powercap/%s/max_energy_range_uj", zones[i][0]);
		scratch_write(name, "1000000\n");
		set(zones[i][0], "999000\n");
	}
	ok(rapl_open(scratch_directory()), "counters");
	is_number((double)rapl_uj(), 0, "energy counts from now on");
	set("intel-rapl:0", "999500\n");
	set("intel-rapl:0:0", "999999\n");
	set("intel-rapl:2", "999999\n");
	rapl_poll();
	is_number((double)rapl_uj(), 500, "energy of the package, not added to that of its parts or the platform");
	set("intel-rapl:0", "250\n");
	set("intel-rapl:1", "999001\n");
	rapl_poll();
	is_number((double)rapl_uj(), 500 + 750 + 1, "a counter that overflowed");
	set("intel-rapl:0", "nonsense\n");
	rapl_poll();
	set("intel-rapl:0", "350\n");
	rapl_poll();
	is_number((double)rapl_uj(), 1351, "a counter that was unreadable for a while");
	return done();
}
