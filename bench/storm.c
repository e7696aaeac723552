/* Makes processes as fast as it can and prints the microseconds each took: storm spawn|vfork|exec|fork|_exit COUNT
 * [PROGRAM [MICROSECONDS]].
 *
 * spawn, vfork and exec run PROGRAM by posix_spawn, vfork and fork. fork makes children that end by a bare system call,
 * which no library can interpose; those of _exit end as programs do. Every child is waited for before the next is made,
 * so that what a tracker adds to a start and an end shows up undivided. With MICROSECONDS, no child is made earlier
 * than that after the previous one was due: a steady rate, as long as the machine keeps up. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static pid_t give_birth(const char *way, char **command)
{
	pid_t pid = -1;

	if (strcmp(way, "spawn") == 0)
		return posix_spawn(&pid, command[0], NULL, NULL, command, environ) == 0 ? pid : -1;
	if (strcmp(way, "vfork") == 0) {
		if ((pid = vfork()) == 0) {
			execv(command[0], command);
			_exit(127);
		}
		return pid;
	}
	if ((pid = fork()) == 0) {
		if (strcmp(way, "exec") == 0)
			execv(command[0], command);
		if (strcmp(way, "fork") == 0)
			syscall(SYS_exit_group, 0);
		_exit(0);
	}
	return pid;
}

/* Waits by looking at the clock, since a sleep is longer than the time between two births. */
static void wait_until(double due_us)
{
	while (now_us() < due_us)
		continue;
}

int main(int argc, char **argv)
{
	char *command[] = {argc > 3 ? argv[3] : "/bin/true", NULL};
	int status;

	if (argc < 3)
		return 2;
	int count = atoi(argv[2]);
	double pace = argc > 4 ? atof(argv[4]) : 0;
	/* A library that interposes syscall() looks for the next one at its first call: that is done here, not in every
	 * child. */
	(void)syscall(SYS_getpid);
	double start = now_us();
	for (int i = 0; i < count; i++) {
		wait_until(start + i * pace);
		pid_t pid = give_birth(argv[1], command);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 1;
	}
	printf("%.3f\n", (now_us() - start) / count);
	return 0;
}
