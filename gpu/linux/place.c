/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of gpu/place.h. */
#define _GNU_SOURCE
#include "gpu/place.h"

#include "os/self.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* PROC_PID_INIT_INO of the kernel's include/linux/proc_ns.h: inode number of the initial PID namespace */
#define FIRST_NAMESPACE 0xeffffffcu
#define NS_PER_SECOND 1000000000

void place_settle(void)
{
	os_close_all();
	/* stdin, stdout and stderr are redirected, because the library of a driver may print. */
	for (int i = 0; i < 3; i++)
		(void)open("/dev/null", O_RDWR);
	(void)setsid();
	if (chdir("/") != 0)
		return;
}

int place_watch(const char *directory)
{
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	if (watch >= 0 && inotify_add_watch(watch, directory, IN_DELETE | IN_DELETE_SELF | IN_ONLYDIR) < 0) {
		(void)close(watch);
		watch = -1;
	}
	return watch;
}

void place_wait(int watch, int64_t ns)
{
	struct pollfd poll = {.fd = watch, .events = POLLIN};
	struct timespec left = {ns / NS_PER_SECOND, ns % NS_PER_SECOND};
	char events[4096];

	if (ns > 0 && ppoll(&poll, 1, &left, NULL) > 0 && read(watch, events, sizeof events) < 0)
		return;
}

bool place_sees_all_processes(void)
{
	struct stat status;
	return stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == FIRST_NAMESPACE;
}

bool place_uses_nvidia(int pid)
{
	static const char device[] = "/dev/nvidia";
	char path[64];
	char target[256];
	const struct dirent *entry;
	bool found = false;

	(void)snprintf(path, sizeof path, "/proc/%d/fd", pid);
	DIR *directory = opendir(path);
	while (directory && !found && (entry = readdir(directory))) {
		ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target);
		found = length > (ssize_t)sizeof device - 1 && memcmp(target, device, sizeof device - 1) == 0;
	}
	if (directory)
		(void)closedir(directory);
	return found;
}
