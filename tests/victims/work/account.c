/* Runs a command and writes the kernel's own account of its whole tree: account FILE[,CGROUP…] COMMAND [ARG…].
 *
 * As the nearest sub-reaper it inherits every orphan, so that wait4 hands it the figures of all
 * processes: exited, killed, static and daemonised ones, but for children of those that ignore SIGCHLD. FILE gets one
 * line: CPU seconds of the tree and of itself, the largest resident set of any process (KiB), how many children were
 * reaped here, its own share of the CPU seconds, bytes read from and written to storage by the tree, and the CPU
 * seconds of the command alone, without its children. Before that it enters each CGROUP, a directory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 512 }; /* the unit of ru_inblock and ru_oublock */

static double seconds_of(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static int enter(const char *cgroup)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int result = fd >= 0 && write(fd, "0", 1) == 1 ? 0 : -1;
	if (fd >= 0)
		close(fd);
	return result;
}

/* Whoever tells the truth is not to be killed for lack of memory in a group that it entered. */
static void spare(const char *score)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, score, strlen(score)) < 0)
		errno = 0; /* others than root may only make it more likely */
	if (fd >= 0)
		close(fd);
}

/* CPU time of a process that has ended and was not reaped yet: the first number of its schedstat, in ns. */
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
	double cpu = 0, own, itself = 0;
	long peak = 0, blocks_in = 0, blocks_out = 0;
	int reaped = 0, status, result = 125;

	if (argc < 3 || prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) != 0)
		return 125;
	char *name = strtok(argv[1], ",");
	for (char *cgroup; (cgroup = strtok(NULL, ","));)
		if (enter(cgroup) != 0)
			return 125;
	spare("-1000");
	pid_t command = fork();
	if (command == 0) {
		spare("0");
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
	own = seconds_of(&usage);
	fprintf(file, "%.6f %ld %d %.6f %ld %ld %.6f\n", cpu + own, peak, reaped, own, blocks_in * BLOCK,
		blocks_out * BLOCK, itself);
	fclose(file);
	return result;
}
