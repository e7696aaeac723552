/* A test program that changes its root directory and then uses CPU time: chrooter HOW DIRECTORY SECONDS. HOW is
 * function, number or vfork. One child is made before the change and one after it, and both live as long as the parent.
 * The parent prints how they ended, and exits with status 4. With vfork, a child that shares the parent's memory
 * changes its root and ends. The parent then prints the rest of its LD_PRELOAD. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void burn(double seconds)
{
	struct timespec now;
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < seconds);
}

static double later(double seconds)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 + seconds;
}

static pid_t start_child(double until, int status)
{
	pid_t pid = fork();
	if (pid == 0) {
		burn(until);
		_exit(status);
	}
	return pid;
}

static int end_of(pid_t pid)
{
	int status = 0;
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

int main(int count, char **arguments)
{
	if (count < 4)
		return 2;
	double until = later(atof(arguments[3]));
	if (strcmp(arguments[1], "vfork") == 0) {
		pid_t pid = vfork();
		if (pid == 0)
			_exit(chroot(arguments[2]) == 0 ? 6 : 7);
		const char *preloaded = getenv("LD_PRELOAD");
		printf("%d %s\n", end_of(pid), preloaded && preloaded[0] ? "preloaded" : "nothing");
		return 4;
	}
	pid_t before = start_child(until, 5);
	int failed =
		strcmp(arguments[1], "number") == 0 ? (int)syscall(SYS_chroot, arguments[2]) : chroot(arguments[2]);
	pid_t after = start_child(until, 6);
	burn(until);
	printf("%d %d %d\n", failed, end_of(before), end_of(after));
	return 4;
}
