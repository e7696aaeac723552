/* A test program: arithmetic [trap]. It prints which floating-point exceptions are raised at its start, in forks, and
 * later. With `trap`, it enables traps for all of them. The program itself does no floating-point arithmetic, so a
 * tracker that does is noticed. */
#define _GNU_SOURCE
#include <fenv.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void print(const char *when)
{
	printf("%s: flags %#x, rounding %d\n", when, (unsigned)fetestexcept(FE_ALL_EXCEPT), fegetround());
	(void)fflush(stdout);
}

static int child(const char *when)
{
	pid_t pid = fork();

	if (pid == 0) {
		print(when);
		_exit(3);
	}
	int status = -1;
	(void)waitpid(pid, &status, 0);
	return status;
}

int main(int argc, char **argv)
{
	print("at the start");
#ifdef __GLIBC__
	if (argc > 1 && strcmp(argv[1], "trap") == 0)
		(void)feenableexcept(FE_ALL_EXCEPT);
#else
	(void)argc, (void)argv;
#endif
	(void)fesetround(FE_DOWNWARD);
	printf("%d\n", child("in a child"));
	print("after a fork");
	(void)feraiseexcept(argc > 1 ? 0 : FE_UNDERFLOW);
	/* A tracker's thread must stop before prctl and start again afterwards. The wait lasts for several ticks. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)unshare(CLONE_NEWUSER);
	(void)usleep(300000);
	printf("%d\n", child("in a later child"));
	print("at the end");
	return 5;
}
