/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the checks of rtrack-report doctor, on captured control group mounts and with missing files. */
#include "os/health.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <string.h>

static struct {
	enum health health;
	char text[512];
	bool told;
} seen[HEALTH_COUNT];

static void take(void *context, enum health_check check, enum health health, const char *finding)
{
	(void)context;
	seen[check].health = health;
	seen[check].told = true;
	snprintf(seen[check].text, sizeof seen[check].text, "%s", finding);
}

static void is_found(enum health_check check, enum health health, const char *finding, const char *what)
{
	is_text(seen[check].text, finding, what);
	ok(seen[check].health == health, "  and its rating");
}

#define V2 "30 29 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_CPU "31 29 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
#define V1_MEMORY "32 29 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"

static void test_cgroups(const char *root)
{
	static const struct {
		const char *mounts, *finding;
		enum health health;
	} cases[] = {
		{V2, "version 2", HEALTH_FINE},
		{V1_CPU V1_MEMORY, "version 1", HEALTH_FINE},
		{V1_CPU, "version 1, without the memory controller", HEALTH_LESS},
		{V1_CPU V1_MEMORY V2, "version 2 beside version 1, which has the memory controller", HEALTH_FINE},
		{V1_CPU V2, "version 2 beside version 1", HEALTH_FINE},
		{"", "none is mounted", HEALTH_LESS},
		{"no line of mounts\n", "none is mounted", HEALTH_LESS},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		scratch_write("proc/self/mountinfo", cases[i].mounts);
		os_examine(root, take, NULL);
		is_found(HEALTH_cgroups, cases[i].health, cases[i].finding, cases[i].finding);
	}
}

int main(void)
{
	const char *root = scratch_directory();

	scratch_make("proc");
	scratch_make("proc/self");
	os_examine(root, take, NULL);
	is_found(HEALTH_proc, HEALTH_BAD, "/proc is not mounted", "no /proc");
	is_found(HEALTH_pss, HEALTH_LESS, "/proc/self/smaps_rollup: No such file or directory", "no smaps_rollup");
	is_found(HEALTH_gpu, HEALTH_FINE, "none", "no GPU");
	is_found(HEALTH_shared, HEALTH_LESS, "/dev/shm is missing", "no /dev/shm");
	ok(!seen[HEALTH_network].told && !seen[HEALTH_preload].told, "other checks do not belong to the system");

	scratch_write("proc/self/stat", "7 (x) R 1\n");
	scratch_write("proc/self/smaps_rollup", "Rss: 4 kB\n");
	scratch_make("proc/pressure");
	scratch_write("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
	scratch_make("dev");
	scratch_write("dev/nvidiactl", "");
	scratch_make("sys");
	scratch_make("sys/class");
	scratch_make("sys/class/drm");
	scratch_make("sys/class/drm/card0");
	scratch_make("sys/class/drm/card0-HDMI-A-1");
	os_examine(root, take, NULL);
	is_found(HEALTH_proc, HEALTH_FINE, "mounted, of this PID namespace", "a /proc");
	is_found(HEALTH_pss, HEALTH_LESS, "/proc/self/smaps_rollup: the expected line is missing",
		"a rollup without PSS");
	is_found(HEALTH_pressure, HEALTH_FINE, "/proc/pressure/memory", "pressure");
	is_found(HEALTH_gpu, HEALTH_FINE, "NVIDIA's device is present; cards of the kernel's own drivers: 1",
		"two GPUs");
	test_cgroups(root);
	return done();
}
