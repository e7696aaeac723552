/* SPDX-License-Identifier: Apache-2.0 */
/* Creates processes as fast as possible and prints the time per process in microseconds: wall time, and CPU time, which
 * depends less on other load. Usage: storm spawn|vfork|exec|fork|threaded|_exit COUNT [PROGRAM [MICROSECONDS]].
 *
 * spawn, vfork and exec run PROGRAM with posix_spawn, with vfork and with fork. The children of fork end with an inline
 * system call instruction, which no library can interpose; syscall() can be interposed. The children of _exit end like
 * ordinary programs. threaded is like fork, in a process with a second thread that only waits. Every child is reaped
 * before the next one is created, so that a tracker's cost per start and end is fully visible. With MICROSECONDS,
 * children are created at that interval if the machine is fast enough. If COUNT is -, each line of standard input is a
 * count and is answered by a line, so that several storms can take short turns. */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

/* Returns the CPU time of this process and its reaped children. */
static double cpu_us(void)
{
	static const int targets[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
	double sum = 0;

	for (int i = 0; i < 2; i++) {
		struct rusage usage;
		getrusage(targets[i], &usage);
		sum += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
		       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	}
	return sum;
}

static void end_unheard(void)
{
#if defined(__x86_64__)
	__asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = SYS_exit_group;
	register long x0 __asm__("x0") = 0;
	__asm__ volatile("svc #0" : : "r"(x8), "r"(x0) : "memory");
#endif
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
		if (strcmp(way, "fork") == 0 || strcmp(way, "threaded") == 0)
			end_unheard();
		_exit(0);
	}
	return pid;
}

static int wait_for_ever(void *unused)
{
	for (;;)
		(void)pause();
	return unused != NULL;
}

/* Starts a thread with clone(2), so that the C library does not know the thread. The tracker starts its thread in the
 * same way. */
static int start_thread(void)
{
	static char stack[16384] __attribute__((aligned(16)));
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;

	return clone(wait_for_ever, stack + sizeof stack, flags, NULL) > 0 ? 0 : -1;
}

/* Busy-waits, because a sleep is longer than the interval between two processes. */
static void wait_until(double due_us)
{
	while (now_us() < due_us)
		continue;
}

static int make_all(const char *way, char **command, int count, double pace)
{
	double start = now_us();
	double used = cpu_us();
	int status;

	for (int i = 0; i < count; i++) {
		wait_until(start + i * pace);
		pid_t pid = give_birth(way, command);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 1;
	}
	printf("%.3f %.3f\n", (now_us() - start) / count, (cpu_us() - used) / count);
	return fflush(stdout) != 0;
}

int main(int argc, char **argv)
{
	char *command[] = {argc > 3 ? argv[3] : "/bin/true", NULL};
	double pace = argc > 4 ? atof(argv[4]) : 0;
	int count, failed = 0;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "threaded") == 0 && start_thread() != 0)
		return 1;
	if (strcmp(argv[2], "-") != 0)
		return make_all(argv[1], command, atoi(argv[2]), pace);
	while (!failed && scanf("%d", &count) == 1)
		failed = make_all(argv[1], command, count, pace);
	return failed;
}
