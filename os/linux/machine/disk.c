/* SPDX-License-Identifier: Apache-2.0 */
/* Reads disk traffic, and the space on file systems. */
#include "core/number.h"
#include "core/pattern.h"
#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/sys.h"
#include "os/linux/machine/system.h"

#include <asm/statfs.h>

enum { SECTOR_BYTES = 512 };

/* Returns whether a device is a whole disk. Devices that are stacked on others are excluded by their names. Partitions
 * are excluded because /sys marks them. */
static bool is_whole_disk(uint32_t major, uint32_t minor, struct text name)
{
	char path[64];
	struct buffer out = BUFFER(path);

	if (pattern_list_match(TEXT("loop*,ram*,zram*,dm-*,md*"), name))
		return false;
	buffer_string(&out, "/sys/dev/block/");
	buffer_unsigned(&out, major);
	buffer_byte(&out, ':');
	buffer_unsigned(&out, minor);
	if (os_exists(OS_HERE, buffer_terminate(&out))) {
		buffer_string(&out, "/partition");
		return !os_exists(OS_HERE, buffer_terminate(&out));
	}
	/* Without /sys, partitions are recognized by a digit at the end of the name. Disks such as nvme0n1 and mmcblk0
	 * are then missed, because their names also end in a digit. */
	return name.length > 0 && (name.data[name.length - 1] < '0' || name.data[name.length - 1] > '9');
}

static bool is_counted(struct disk_state *state, uint32_t major, uint32_t minor, struct text name)
{
	uint32_t number = major << 20 | minor;
	for (size_t i = 0; i < state->disk_count; i++)
		if (state->disks[i].number == number)
			return state->disks[i].counted;
	bool counted = is_whole_disk(major, minor, name);
	if (state->disk_count < DISKS_MAX)
		state->disks[state->disk_count++] = (struct disk){number, counted};
	return counted;
}

void disk_traffic(struct disk_state *state, struct text diskstats, uint64_t bytes[2])
{
	struct text line;
	bytes[0] = bytes[1] = 0;
	for (size_t start = 0; parse_line(diskstats, &start, &line);) {
		uint64_t numbers[2] = {0, 0};
		uint64_t sectors[2] = {0, 0};
		size_t at = 0;
		for (int i = 0; i < 2; i++)
			(void)number_read_unsigned(parse_word(line, &at), &numbers[i]);
		struct text name = parse_word(line, &at);
		/* The fields are reads, merged reads, sectors read, ms, writes, merged writes, sectors written
		 * (iostats.rst). */
		for (int field = 1; field <= 7; field++) {
			struct text word = parse_word(line, &at);
			if (field == 3)
				(void)number_read_unsigned(word, &sectors[0]);
			if (field == 7)
				(void)number_read_unsigned(word, &sectors[1]);
		}
		if (!is_counted(state, (uint32_t)numbers[0], (uint32_t)numbers[1], name))
			continue;
		bytes[0] += sectors[0] * SECTOR_BYTES;
		bytes[1] += sectors[1] * SECTOR_BYTES;
	}
}

static bool is_real(const struct mount *mount)
{
	/* Types of file systems that are in memory, or that have no space of their own. Other pseudo file systems are
	 * skipped later, because they have no blocks. */
	static const char left_out[] = "tmpfs*,ramfs*,devtmpfs*,squashfs*,iso9660*,proc*,sysfs*,cgroup*,nsfs*";
	static const char places[][6] = {"/proc", "/sys", "/dev", "/run"};

	for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
		size_t length = text_length(places[i]);
		if (text_starts(mount->point, places[i]) &&
			(mount->point.length == length || mount->point.data[length] == '/'))
			return false;
	}
	return !parse_is_network(mount->type) && !pattern_list_match(TEXT(left_out), mount->type);
}

/* Returns an identifier of the storage of a mount: the pool (zfs), the device file, or otherwise the device number. */
static struct text storage_of(const struct mount *mount)
{
	if (text_is(mount->type, "zfs"))
		return (struct text){mount->source.data, text_find(mount->source, '/', 0)};
	if (text_starts(mount->source, "/dev/"))
		return mount->source;
	return mount->device;
}

static int file_system_space(const char *path, double bytes[3])
{
	struct statfs status;
	if (SYS_CALL2(__NR_statfs, path, &status) < 0)
		return -1;
	double unit = (double)(status.f_frsize ? status.f_frsize : status.f_bsize);
	bytes[0] = (double)status.f_blocks * unit;
	bytes[2] = (double)status.f_bavail * unit;
	bytes[1] = bytes[0] - bytes[2];
	return 0;
}

void disk_find_mounts(struct disk_state *state, struct text mountinfo)
{
	struct text storages[MOUNTS_MAX];
	double spaces[MOUNTS_MAX][3];
	struct text line;
	struct mount mount;

	state->mount_count = 0;
	for (size_t start = 0; parse_line(mountinfo, &start, &line) && state->mount_count < MOUNTS_MAX;) {
		if (parse_mount(line, &mount) != 0 || !is_real(&mount))
			continue;
		size_t slot = state->mount_count;
		struct buffer point = {state->mounts[slot], 0, MOUNT_POINT_MAX, false};
		parse_unescape(mount.point, &point);
		storages[slot] = storage_of(&mount);
		if (point.full || file_system_space(buffer_terminate(&point), spaces[slot]) != 0 ||
			spaces[slot][0] <= 0)
			continue;
		/* In a container, the root file system is an overlay whose space is that of a disk. /etc/hosts is
		 * bind-mounted from the same disk, so that disk must not be added twice. */
		bool known = false;
		for (size_t i = 0; i < slot && !known; i++)
			known = text_equal(storages[i], storages[slot]) ||
				(spaces[i][0] == spaces[slot][0] && spaces[i][2] == spaces[slot][2]);
		if (!known)
			state->mount_count++;
	}
}

void disk_space(const struct disk_state *state, double bytes[3])
{
	bytes[0] = bytes[1] = bytes[2] = 0;
	for (size_t i = 0; i < state->mount_count; i++) {
		double space[3];
		if (file_system_space(state->mounts[i], space) == 0)
			for (int k = 0; k < 3; k++)
				bytes[k] += space[k];
	}
}
