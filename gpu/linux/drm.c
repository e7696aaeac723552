/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the cards in /sys/class/drm and their clients.
 *
 * A card is included if it reports its utilization or its memory, or if its driver reports them for each client. The
 * console graphics of a server reports none of these. */
#include "gpu/drm.h"

#include "gpu/linux/clients.h"
#include "gpu/linux/sysfs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS_MAX = 64 };

#define MIB 1048576.0
#define VRAM_MOST 67108864.0

struct card {
	char device[SYSFS_PATH_MAX]; /* sysfs directory of the device */
	char hwmon[SYSFS_PATH_MAX];  /* hwmon directory with power and temperature, or "" */
	char place[GPU_TEXT_MAX];    /* bus address */
	char name[GPU_TEXT_MAX];
	int number;
	struct gpu_energy energy;
};

static struct {
	size_t count;
	struct card cards[CARDS_MAX];
} drm;

static double number_of(const char *directory, const char *file)
{
	char path[SYSFS_PATH_MAX];
	return directory[0] != '\0' && sysfs_join(path, directory, file) ? sysfs_number(path) : UNKNOWN;
}

static void find_hwmon(struct card *card)
{
	char path[SYSFS_PATH_MAX];
	const struct dirent *entry;
	DIR *directory = sysfs_join(path, card->device, "hwmon") ? opendir(path) : NULL;

	card->hwmon[0] = '\0';
	while (directory && (entry = readdir(directory)))
		if (strncmp(entry->d_name, "hwmon", 5) == 0)
			(void)sysfs_join(card->hwmon, path, entry->d_name);
	if (directory)
		(void)closedir(directory);
}

static bool is_told_by_clients(const char *driver)
{
	return strcmp(driver, "i915") == 0 || strcmp(driver, "xe") == 0;
}

/* Names a card by its driver and its PCI ids, such as "amdgpu 1002:740f". The name of the model is not used, because it
 * would need a table of all PCI ids. */
static void name_card(struct card *card, const char *driver)
{
	char path[SYSFS_PATH_MAX], text[2][32], name[GPU_TEXT_MAX];
	static const char *const files[2] = {"vendor", "device"};

	for (int i = 0; i < 2; i++) {
		struct text id = {"", 0};
		if (sysfs_join(path, card->device, files[i]))
			id = sysfs_text(path, text[i], sizeof text[i] - 1);
		bool prefixed = text_starts(id, "0x");
		memmove(text[i], id.data + (prefixed ? 2 : 0), id.length - (prefixed ? 2 : 0));
		text[i][id.length - (prefixed ? 2 : 0)] = '\0';
	}
	(void)snprintf(name, sizeof name, "%.32s %.16s:%.16s", driver, text[0], text[1]);
	gpu_copy_text(card->name, name, sizeof name, "GPU");
}

static void add(const char *cards, const char *entry, bool without_nvidia)
{
	struct card card = {.number = atoi(entry + 4)};
	char path[SYSFS_PATH_MAX], driver[GPU_TEXT_MAX] = "", data[64];

	if (drm.count == CARDS_MAX || !sysfs_join(path, cards, entry) || !sysfs_join(card.device, path, "device"))
		return;
	if (sysfs_join(path, card.device, "vendor") && without_nvidia &&
		text_is(sysfs_text(path, data, sizeof data), "0x10de"))
		return;
	if (sysfs_join(path, card.device, "driver"))
		(void)sysfs_link(path, driver, sizeof driver);
	if (!number_known(number_of(card.device, "gpu_busy_percent")) &&
		!number_known(number_of(card.device, "mem_info_vram_total")) && !is_told_by_clients(driver))
		return;
	if (!sysfs_link(card.device, card.place, sizeof card.place))
		(void)snprintf(card.place, sizeof card.place, "%.60s", entry);
	name_card(&card, driver);
	find_hwmon(&card);
	/* The array stays sorted by card number. */
	size_t at = drm.count++;
	for (; at > 0 && drm.cards[at - 1].number > card.number; at--)
		drm.cards[at] = drm.cards[at - 1];
	drm.cards[at] = card;
}

bool drm_open(const char *root, bool without_nvidia)
{
	char path[SYSFS_PATH_MAX];
	const struct dirent *entry;
	DIR *directory = sysfs_join(path, root, "sys/class/drm") ? opendir(path) : NULL;

	drm.count = 0;
	/* Skip connectors, such as "card0-DP-1". */
	while (directory && (entry = readdir(directory)))
		if (strncmp(entry->d_name, "card", 4) == 0 && !strchr(entry->d_name, '-'))
			add(path, entry->d_name, without_nvidia);
	if (directory)
		(void)closedir(directory);
	clients_open(root);
	return drm.count > 0;
}

static void read_card(struct card *card, struct gpu_device *device, int64_t now_ns)
{
	double joules = number_of(card->hwmon, "energy1_input") / 1e6;

	device->usage = gpu_sane(number_of(card->device, "gpu_busy_percent"), 100) / 100;
	device->vram_total_mib = gpu_sane(number_of(card->device, "mem_info_vram_total") / MIB, VRAM_MOST);
	device->vram_mib = gpu_sane(number_of(card->device, "mem_info_vram_used") / MIB, device->vram_total_mib);
	device->power_w = gpu_sane(
		known_first(number_of(card->hwmon, "power1_average"), number_of(card->hwmon, "power1_input")) / 1e6,
		1e4);
	device->temperature_c = gpu_sane(number_of(card->hwmon, "temp1_input") / 1e3, 200);
	device->clock_mhz = gpu_sane(number_of(card->hwmon, "freq1_input") / 1e6, 1e5);
	device->energy_wh = gpu_energy_grown(&card->energy, joules, device->power_w, now_ns);
	memcpy(device->uuid, card->place, sizeof device->uuid);
	memcpy(device->name, card->name, sizeof device->name);
}

void drm_poll(struct gpu_poll *poll, int64_t now_ns)
{
	clients_poll(now_ns);
	for (size_t i = 0; i < drm.count; i++) {
		struct gpu_device *device = gpu_poll_add(poll);
		if (!device)
			return;
		read_card(&drm.cards[i], device, now_ns);
		clients_add(drm.cards[i].place, device);
	}
}
