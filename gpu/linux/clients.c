/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and reads the clients of graphics drivers.
 *
 * To find clients, the descriptors of all processes must be read. This takes long if there are many processes, so the
 * search is limited to 1 % of the time. Clients that were found before are read at each poll. */
#define _GNU_SOURCE
#include "gpu/linux/clients.h"

#include "gpu/fdinfo.h"
#include "gpu/linux/sysfs.h"
#include "os/clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLIENTS_MAX = 1024, FILES_MAX = 4096, SCAN_SHARE = 100, FDINFO_MAX = 8192 };

struct client {
	struct fdinfo now;
	int pid;         /* lowest pid among the processes that share the client */
	bool seen;       /* whether the client exists in this poll */
	int64_t time_ns; /* time of the previous poll; 0 if the client is new */
	double usage[FDINFO_ENGINES_MAX];
};

static struct {
	char proc[SYSFS_PATH_MAX];
	struct client_file {
		int pid;
		int descriptor;
	} files[FILES_MAX];
	size_t file_count;
	struct client clients[CLIENTS_MAX];
	size_t count;
	int64_t scan_after_ns;
	bool whole; /* whether the descriptors of all processes were readable, and no table was full */
} all;

void clients_open(const char *root)
{
	(void)sysfs_join(all.proc, root, "proc");
	all.count = all.file_count = 0;
	all.scan_after_ns = 0;
}

static bool is_number(const char *name)
{
	return name[0] >= '0' && name[0] <= '9';
}

static void scan_process(int pid)
{
	char path[SYSFS_PATH_MAX + 32];
	char target[64];
	const struct dirent *entry;

	(void)snprintf(path, sizeof path, "%s/%d/fd", all.proc, pid);
	DIR *directory = opendir(path);
	all.whole &= directory != NULL;
	while (directory && (entry = readdir(directory))) {
		ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target);
		if (length < (ssize_t)sizeof "/dev/dri/" || memcmp(target, "/dev/dri/", sizeof "/dev/dri/" - 1) != 0)
			continue;
		if (all.file_count < FILES_MAX)
			all.files[all.file_count++] = (struct client_file){pid, atoi(entry->d_name)};
		else
			all.whole = false;
	}
	if (directory)
		(void)closedir(directory);
}

static int by_pid(const void *a, const void *b)
{
	const struct client_file *first = a, *second = b;
	return first->pid != second->pid ? first->pid - second->pid : first->descriptor - second->descriptor;
}

static void scan(int64_t now_ns)
{
	int64_t begun_ns = os_since_boot_ns();
	const struct dirent *entry;
	DIR *directory = opendir(all.proc);

	all.file_count = 0;
	all.whole = directory != NULL;
	while (directory && (entry = readdir(directory)))
		if (is_number(entry->d_name))
			scan_process(atoi(entry->d_name));
	if (directory)
		(void)closedir(directory);
	qsort(all.files, all.file_count, sizeof all.files[0], by_pid);
	all.scan_after_ns = now_ns + (os_since_boot_ns() - begun_ns) * SCAN_SHARE;
}

static struct client *client_of(const struct fdinfo *info)
{
	for (size_t i = 0; i < all.count; i++)
		if (all.clients[i].now.client == info->client && strcmp(all.clients[i].now.device, info->device) == 0)
			return &all.clients[i];
	if (all.count == CLIENTS_MAX)
		return NULL;
	struct client *client = &all.clients[all.count++];
	*client = (struct client){.now = *info};
	return client;
}

static uint64_t busy_before(const struct fdinfo *before, const struct fdinfo_engine *engine, uint64_t *total)
{
	*total = 0;
	for (size_t i = 0; i < before->engines; i++)
		if (strcmp(before->engine[i].name, engine->name) == 0) {
			*total = before->engine[i].total;
			return before->engine[i].busy;
		}
	return 0;
}

/* Computes how much a client uses each engine. The result is the fraction of the time since the previous poll during
 * which the engine worked for the client. */
static void take(struct client *client, const struct fdinfo *info, int pid, int64_t now_ns)
{
	for (size_t i = 0; i < info->engines; i++) {
		const struct fdinfo_engine *engine = &info->engine[i];
		uint64_t total;
		uint64_t busy = busy_before(&client->now, engine, &total);
		double passed =
			engine->total > 0 ? (double)engine->total - (double)total : (double)(now_ns - client->time_ns);
		/* can be negative, because drivers sometimes report slightly less than before */
		double grown = (double)engine->busy - (double)busy;
		client->usage[i] =
			client->time_ns > 0 && passed > 0 && grown > 0 ? grown / passed / (double)engine->capacity : 0;
		if (client->usage[i] > 1)
			client->usage[i] = 1;
	}
	client->now = *info;
	client->pid = pid;
	client->seen = true;
	client->time_ns = now_ns;
}

static void read_file(const struct client_file *file, int64_t now_ns)
{
	char path[SYSFS_PATH_MAX + 64];
	char data[FDINFO_MAX];
	struct fdinfo info;

	(void)snprintf(path, sizeof path, "%s/%d/fdinfo/%d", all.proc, file->pid, file->descriptor);
	if (!fdinfo_parse(sysfs_text(path, data, sizeof data), &info))
		return;
	struct client *client = client_of(&info);
	if (!client)
		all.whole = false;
	else if (!client->seen)
		take(client, &info, file->pid, now_ns);
}

void clients_poll(int64_t now_ns)
{
	size_t kept = 0;

	if (now_ns >= all.scan_after_ns)
		scan(now_ns);
	for (size_t i = 0; i < all.count; i++)
		all.clients[i].seen = false;
	for (size_t i = 0; i < all.file_count; i++)
		read_file(&all.files[i], now_ns);
	for (size_t i = 0; i < all.count; i++)
		if (all.clients[i].seen)
			all.clients[kept++] = all.clients[i];
	all.count = kept;
}

/* Adds a client's usage to its process. A process's usage is that of the engine which it uses most. */
static void add_client(struct gpu_device *device, const struct client *client)
{
	struct gpu_process *process = gpu_device_process(device, client->pid);
	double most = 0;

	if (!process) {
		device->told = false;
		return;
	}
	for (size_t i = 0; i < client->now.engines; i++)
		most = client->usage[i] > most ? client->usage[i] : most;
	process->usage = process->usage + most < 1 ? process->usage + most : 1;
	if (number_known(client->now.vram_mib))
		process->vram_mib += client->now.vram_mib;
}

static double busiest_engine(const char *place)
{
	char name[FDINFO_NAME_MAX];
	double most = 0;

	for (size_t i = 0; i < all.count; i++)
		for (size_t k = 0; k < all.clients[i].now.engines; k++) {
			double sum = 0;
			memcpy(name, all.clients[i].now.engine[k].name, sizeof name);
			for (size_t other = 0; other < all.count; other++)
				for (size_t at = 0; at < all.clients[other].now.engines; at++)
					if (strcmp(all.clients[other].now.device, place) == 0 &&
						strcmp(all.clients[other].now.engine[at].name, name) == 0)
						sum += all.clients[other].usage[at];
			most = sum > most ? sum : most;
		}
	return most < 1 ? most : 1;
}

void clients_add(const char *place, struct gpu_device *device)
{
	/* The list of processes includes all members of the run, because their descriptors are readable. Other
	 * processes may be hidden (hidepid). */
	device->told = true;
	for (size_t i = 0; i < all.count; i++)
		if (strcmp(all.clients[i].now.device, place) == 0)
			add_client(device, &all.clients[i]);
	if (!number_known(device->usage))
		device->usage = busiest_engine(place);
}
