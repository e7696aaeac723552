/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the machine's row and description on macOS: os/darwin/machine with a simulated kernel. */
#include "os/system.h"

#include "tests/unit/darwin/fake/libproc.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

#define PAGES_OF_MIB(mib) ((uint32_t)((mib)*64)) /* in pages of 16 KiB */

static struct cell cells[SYSTEM_COLUMNS];

static void add_interface(uint8_t type, int32_t flags, uint64_t received, uint64_t sent)
{
	const struct darwin_interface message = {
		.length = sizeof message, .type = type, .flags = flags, .received_bytes = received, .sent_bytes = sent};
	memcpy(fake.interfaces + fake.interfaces_length, &message, sizeof message);
	fake.interfaces_length += sizeof message;
}

static void set_traffic(uint64_t received, uint64_t sent)
{
	fake.interfaces_length = 0;
	add_interface(DARWIN_INTERFACE, DARWIN_LOOPBACK, 777, 777);
	add_interface(0xc, 0, 999, 999); /* an address, not an interface */
	add_interface(DARWIN_INTERFACE, 0x8843, received, sent);
	add_interface(DARWIN_INTERFACE, 0x8843, 10, 20);
}

static void add_mount(const char *device, bool is_local, uint64_t gb, uint64_t free_gb)
{
	fake.mounts[fake.mount_count++] =
		(struct darwin_mount){device, "/", is_local, gb * 1000000000, free_gb * 1000000000};
}

static void begin(void)
{
	memset(&fake, 0, sizeof fake);
	fake.memory = (struct darwin_memory){.free = PAGES_OF_MIB(3000),
		.speculative = PAGES_OF_MIB(1000),
		.active = PAGES_OF_MIB(4000),
		.inactive = PAGES_OF_MIB(3500),
		.wired = PAGES_OF_MIB(2000),
		.compressor = PAGES_OF_MIB(500),
		.purgeable = PAGES_OF_MIB(100),
		.external = PAGES_OF_MIB(2400),
		.internal = PAGES_OF_MIB(5100)};
	fake.swap.used = 256 << 20;
	set_traffic(1000, 2000);
	add_mount("/dev/disk3s1s1", true, 494, 100);
	add_mount("/dev/disk3s5", true, 494, 100);
	add_mount("/dev/disk5s1", true, 1000, 400);
	add_mount("devfs", true, 1, 0);
	add_mount("//user@server/share", false, 9000, 9000);
	add_mount("/dev/diskless", true, 7, 7);
}

static void check_row(void)
{
	struct system_state *state = calloc(1, system_state_size());

	begin();
	fake.ticks[DARWIN_TICKS_USER] = UINT32_MAX - 49;
	system_open(state);
	is_number(system_cpus(state), 10, "CPUs");
	fake.ticks[DARWIN_TICKS_USER] += 150; /* beyond 2^32 */
	fake.ticks[DARWIN_TICKS_NICE] += 50;
	fake.ticks[DARWIN_TICKS_SYSTEM] += 100;
	fake.ticks[DARWIN_TICKS_IDLE] += 5000;
	set_traffic(1500, 2700);
	system_read(state, 2000000000, cells);
	is_number(cells[SYSTEM_utime].number, 2, "user time with nice, across the counter's overflow");
	is_number(cells[SYSTEM_stime].number, 1, "system time");
	is_number(cells[SYSTEM_cpu_usage].number, 1.5, "CPUs in use");
	is_number(cells[SYSTEM_memory_free_mib].number, 2000, "free memory, without pages read ahead");
	is_number(cells[SYSTEM_memory_used_mib].number, 7500, "used: anonymous, wired, compressed");
	is_number(
		cells[SYSTEM_memory_available_mib].number, 16384 - 7500, "available memory: all except memory in use");
	is_number(cells[SYSTEM_memory_cached_mib].number, 2500, "cached memory: file pages and purgeable pages");
	is_number(cells[SYSTEM_memory_active_mib].number, 4000, "active");
	is_number(cells[SYSTEM_memory_inactive_mib].number, 3500, "inactive");
	is_number(cells[SYSTEM_memory_buffers_mib].number, UNKNOWN, "macOS has no figure for buffers");
	is_number(cells[SYSTEM_swap_used_mib].number, 256, "swap");
	is_number(cells[SYSTEM_net_recv_bytes].number, 500, "received bytes, without loopback and address messages");
	is_number(cells[SYSTEM_net_sent_bytes].number, 700, "sent");
	is_number(cells[SYSTEM_disk_space_total_gb].number, 1494, "volumes of a container are counted once");
	is_number(cells[SYSTEM_disk_space_free_gb].number, 500, "free space");
	is_number(cells[SYSTEM_disk_space_used_gb].number, 994, "used space");
	is_number(cells[SYSTEM_disk_read_bytes].number, UNKNOWN, "disk traffic is unknown, not 0");
	is_number((double)system_memory_in_use_kib(state), 7500 * 1024, "memory in use");

	set_traffic(300, 2800);
	fake.interfaces_length -= 7; /* The last message is cut off: an interface with 10 and 20 bytes. */
	fake.ticks[DARWIN_TICKS_USER] += 100000;
	system_read(state, 1000000000, cells);
	is_number(cells[SYSTEM_net_recv_bytes].number, 0, "a vanished interface adds no received bytes");
	is_number(cells[SYSTEM_net_sent_bytes].number, 80, "bytes sent by the remaining interface");
	is_number(cells[SYSTEM_cpu_usage].number, 10, "CPU usage is at most the number of CPUs");
	free(state);
}

static void check_facts(void)
{
	struct system_facts facts;
	char bytes[FIRMWARE_TEXT_MAX];

	begin();
	system_read_facts(&facts, "");
	is_text(facts.os, "macOS 14.5", "system");
	is_text(facts.architecture, "arm64", "architecture");
	is_text(facts.cpu_model, "", "an unknown text is empty");
	is_number(facts.vcpus, 10, "CPUs");
	is_number(facts.memory_mib, 16384, "memory");
	is_number(facts.memory_limit_mib, UNKNOWN, "no memory limit");
	ok(text_is(system_firmware("", FIRMWARE_product_name, bytes), "Mac14,2"), "model");
	ok(system_firmware("", FIRMWARE_sys_vendor, bytes).length == 0, "no firmware vendor");
}

int main(void)
{
	check_row();
	check_facts();
	return done();
}
