/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with simulated AMD and Intel cards: trees of /sys and /proc as in the kernel's documentation. */
#include "gpu/drm.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <unistd.h>

static struct gpu_poll poll;

static void make_link(const char *target, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", scratch_directory(), name);
	ok(symlink(target, path) == 0, name);
}

static void make_all(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		(void)scratch_make(names[i]);
}

static void make_amd(void)
{
	static const char *const names[] = {"sys", "sys/class", "sys/class/drm", "sys/class/drm/card1", "sys/devices",
		"sys/devices/0000:03:00.0", "sys/devices/0000:03:00.0/hwmon", "sys/devices/0000:03:00.0/hwmon/hwmon4",
		"sys/class/drm/card1-DP-1", "proc"};

	make_all(names, sizeof names / sizeof names[0]);
	make_link("../../../devices/0000:03:00.0", "sys/class/drm/card1/device");
	make_link("../../bus/pci/drivers/amdgpu", "sys/devices/0000:03:00.0/driver");
	scratch_write("sys/devices/0000:03:00.0/vendor", "0x1002\n");
	scratch_write("sys/devices/0000:03:00.0/device", "0x740f\n");
	scratch_write("sys/devices/0000:03:00.0/gpu_busy_percent", "37\n");
	scratch_write("sys/devices/0000:03:00.0/mem_info_vram_total", "17163091968\n");
	scratch_write("sys/devices/0000:03:00.0/mem_info_vram_used", "1073741824\n");
	scratch_write("sys/devices/0000:03:00.0/hwmon/hwmon4/power1_average", "93000000\n");
	scratch_write("sys/devices/0000:03:00.0/hwmon/hwmon4/temp1_input", "51000\n");
	scratch_write("sys/devices/0000:03:00.0/hwmon/hwmon4/freq1_input", "1700000000\n");
}

/* Makes a server's console adapter, and an Intel card that reports nothing about itself. */
static void make_others(void)
{
	static const char *const names[] = {"sys/class/drm/card0", "sys/class/drm/card0/device", "sys/class/drm/card2",
		"sys/class/drm/card2/device"};

	make_all(names, sizeof names / sizeof names[0]);
	scratch_write("sys/class/drm/card0/device/vendor", "0x1a03\n");
	scratch_write("sys/class/drm/card2/device/vendor", "0x8086\n");
	make_link("../../../../bus/pci/drivers/xe", "sys/class/drm/card2/device/driver");
}

static const struct gpu_device *look(int64_t seconds, size_t index)
{
	poll.count = 0;
	drm_poll(&poll, seconds * 1000000000);
	return &poll.devices[index];
}

static void check_cards(void)
{
	ok(!drm_open("/nowhere", false), "without /sys there is no card");
	make_amd();
	make_others();
	ok(drm_open(scratch_directory(), true), "the cards are found");
	const struct gpu_device *amd = look(1, 0);
	is_number((double)poll.count, 2, "a card without figures and a connector do not count");
	is_text(amd->uuid, "0000:03:00.0", "the bus address");
	is_text(amd->name, "amdgpu 1002:740f", "the name");
	is_number(amd->usage, 0.37, "usage");
	is_number(amd->vram_mib, 1024, "memory");
	is_number(amd->vram_total_mib, 16368, "total memory");
	is_number(amd->power_w, 93, "power");
	is_number(amd->temperature_c, 51, "temperature");
	is_number(amd->clock_mhz, 1700, "clock");
	is_number(amd->energy_wh, UNKNOWN, "energy counts from the first poll");
	is_number(look(3601, 0)->energy_wh, 93, "energy is power times time");
	scratch_write("sys/devices/0000:03:00.0/hwmon/hwmon4/energy1_input", "3600000000\n");
	(void)look(3602, 0);
	scratch_write("sys/devices/0000:03:00.0/hwmon/hwmon4/energy1_input", "10800000000\n");
	is_number(look(3702, 0)->energy_wh, 2, "with a counter, energy is its difference");
}

static void check_absurd(void)
{
	scratch_write("sys/devices/0000:03:00.0/gpu_busy_percent", "250\n");
	scratch_write("sys/devices/0000:03:00.0/mem_info_vram_used", "99999999999999\n");
	scratch_write("sys/devices/0000:03:00.0/hwmon/hwmon4/power1_average", "-5\n");
	scratch_write("sys/devices/0000:03:00.0/hwmon/hwmon4/temp1_input", "hot\n");
	const struct gpu_device *amd = look(3703, 0);
	is_number(amd->vram_mib, UNKNOWN, "more memory than the card has is unknown");
	is_number(amd->power_w, UNKNOWN, "negative power is unknown");
	is_number(amd->temperature_c, UNKNOWN, "a temperature that is not a number is unknown");
	ok(!(amd->usage > 1), "usage is at most the whole card");
	scratch_write("sys/devices/0000:03:00.0/gpu_busy_percent", "37\n");
}

static void make_client(const char *pid, const char *file, const char *text)
{
	char name[256];

	snprintf(name, sizeof name, "proc/%s/fdinfo/%s", pid, file);
	scratch_write(name, text);
}

static void check_clients(void)
{
	static const char *const names[] = {"proc/100", "proc/100/fd", "proc/100/fdinfo", "proc/200", "proc/200/fd",
		"proc/200/fdinfo", "proc/300", "proc/300/fd", "proc/self"};
	static const char *const before = "drm-driver: amdgpu\ndrm-pdev: 0000:03:00.0\ndrm-client-id: 4\n"
					  "drm-memory-vram: 512 MiB\ndrm-engine-gfx: 1000000000 ns\n";
	static const char *const after = "drm-driver: amdgpu\ndrm-pdev: 0000:03:00.0\ndrm-client-id: 4\n"
					 "drm-memory-vram: 512 MiB\ndrm-engine-gfx: 3500000000 ns\n";

	make_all(names, sizeof names / sizeof names[0]);
	make_link("/dev/dri/renderD128", "proc/100/fd/5");
	make_link("/dev/dri/renderD128", "proc/100/fd/6");
	make_link("/dev/dri/renderD128", "proc/200/fd/5");
	make_link("/etc/passwd", "proc/300/fd/5");
	make_client("100", "5", before);
	make_client("100", "6", before);
	make_client("200", "5", before);
	ok(drm_open(scratch_directory(), true), "clients");
	(void)look(10, 0);
	make_client("100", "5", after);
	make_client("100", "6", after);
	make_client("200", "5", after);
	const struct gpu_device *amd = look(20, 0);
	ok(amd->told, "the clients can be read");
	is_number((double)amd->count, 1, "a client with three descriptors counts once");
	is_number(amd->processes[0].pid, 100, "the client belongs to the lowest pid");
	is_number(amd->processes[0].usage, 0.25, "the client used a quarter of the time");
	is_number(amd->processes[0].vram_mib, 512, "the client's memory counts once");
	is_number(poll.devices[1].usage, 0, "the other card has no client");
}

static void check_cycles(void)
{
	char text[256];

	make_link("/dev/dri/renderD129", "proc/200/fd/7");
	for (int i = 0; i < 2; i++) {
		snprintf(text, sizeof text,
			"drm-driver: xe\ndrm-pdev: card2\ndrm-client-id: 9\ndrm-cycles-rcs: %d\n"
			"drm-total-cycles-rcs: %d\n",
			1000 + 300 * i, 5000 + 1000 * i);
		make_client("200", "7", text);
		if (i == 0)
			ok(drm_open(scratch_directory(), true), "cycles");
		(void)look(30 + i, 1);
	}
	is_number(poll.devices[1].usage, 0.3, "a card is as busy as its busiest engine");
	is_number(poll.devices[1].processes[0].usage, 0.3, "the usage of the process");
	is_number(poll.devices[1].processes[0].pid, 200, "the process of that usage");
}

int main(void)
{
	check_cards();
	check_absurd();
	check_clients();
	check_cycles();
	return done();
}
