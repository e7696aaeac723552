/* Runs a command and writes the kernel's own account of its whole process tree: account FILE[,CGROUP…] COMMAND [ARG…].
 * This program is the nearest subreaper, so it adopts every orphan. Therefore wait4 returns the figures of all
 * processes: exited, killed, static and daemonised ones. Only children of processes that ignore SIGCHLD are missing.
 * FILE gets one line: CPU seconds of the tree and of this program, the largest resident set of any process (KiB), the
 * number of children reaped here, this program's part of the CPU seconds, bytes read from and written to storage by the
 * tree, and the CPU seconds of the command alone, without its children.
 * First it enters each CGROUP, a directory. Only the command enters a group that limits memory, because this process
 * must not be killed there. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 512 /* bytes per unit of ru_inblock and ru_oublock */, CGROUPS_MAX = 8 };

static double seconds_of(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* Returns true if a group limits memory. In cgroup version 1, every group of the memory controller does. In version 2,
 * a group does if memory.max has a number. */
static bool limits_memory(const char *cgroup)
{
	char path[4096], limit[32] = "max";

	snprintf(path, sizeof(path), "%s/memory.limit_in_bytes", cgroup);
	if (access(path, F_OK) == 0)
		return true;
	snprintf(path, sizeof(path), "%s/memory.max", cgroup);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, limit, sizeof(limit) - 1) < 0)
		limit[0] = 'm';
	if (fd >= 0)
		close(fd);
	return strncmp(limit, "max", 3) != 0;
}

/* Enters the groups that limit memory if `memory` is true, otherwise all other groups. */
static int enter(char *const *cgroups, bool memory)
{
	char path[4096];

	for (; *cgroups; cgroups++) {
		if (limits_memory(*cgroups) != memory)
			continue;
		snprintf(path, sizeof(path), "%s/cgroup.procs", *cgroups);
		int fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, "0", 1) != 1)
			return -1;
		close(fd);
	}
	return 0;
}

/* Returns the CPU time of an ended process that is not reaped yet. It is the first number of its schedstat, in
 * nanoseconds. */
static double alone(pid_t pid)
{
	char path[64], text[128] = "";
	unsigned long long ns = 0;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		sscanf(text, "%llu", &ns);
	if (fd >= 0)
		close(fd);
	return (double)ns / 1e9;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	siginfo_t ended;
	char *cgroups[CGROUPS_MAX + 1] = {0};
	double cpu = 0, own, before, itself = 0;
	long peak = 0, blocks_in = 0, blocks_out = 0;
	int reaped = 0, status, result = 125;

	if (argc < 3 || prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) != 0)
		return 125;
	char *name = strtok(argv[1], ",");
	for (int i = 0; i < CGROUPS_MAX && (cgroups[i] = strtok(NULL, ",")); i++)
		continue;
	if (enter(cgroups, false) != 0)
		return 125;
	/* Measure the CPU time that this process has used so far, because the groups' figures do not include it. */
	getrusage(RUSAGE_SELF, &usage);
	before = seconds_of(&usage);
	pid_t command = fork();
	if (command == 0) {
		if (enter(cgroups, true) != 0)
			_exit(125);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	for (;;) {
		if (waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) == 0 && ended.si_pid == command)
			itself = alone(command);
		pid_t pid = wait4(-1, &status, 0, &usage);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			break;
		if (pid == command)
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		cpu += seconds_of(&usage);
		blocks_in += usage.ru_inblock;
		blocks_out += usage.ru_oublock;
		if (usage.ru_maxrss > peak)
			peak = usage.ru_maxrss;
		reaped++;
	}
	FILE *file = fopen(name, "w");
	if (!file)
		return 125;
	getrusage(RUSAGE_SELF, &usage);
	own = seconds_of(&usage) - before;
	fprintf(file, "%.6f %ld %d %.6f %ld %ld %.6f\n", cpu + own, peak, reaped, own, blocks_in * BLOCK,
		blocks_out * BLOCK, itself);
	fclose(file);
	return result;
}
