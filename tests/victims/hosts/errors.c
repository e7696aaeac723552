/* A test program that makes each call that a tracker may interpose. Each call is made twice: once it fails, and once it
 * succeeds. The program prints the return value and errno. A successful call must leave errno unchanged. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BEFORE = 77 };

#define SAY(call)                                                                                                      \
	do {                                                                                                           \
		errno = BEFORE;                                                                                        \
		long result = (long)(call);                                                                            \
		int after = errno;                                                                                     \
		printf("%s: %ld, errno %d\n", #call, result, after);                                                   \
	} while (0)

static int errno_after_fork(void)
{
	errno = BEFORE;
	pid_t pid = fork();
	int status = 0, after = errno;

	if (pid == 0)
		_exit(after);
	waitpid(pid, &status, 0);
	return after == BEFORE ? WEXITSTATUS(status) : -after;
}

int main(void)
{
	SAY(unshare(-1));
	SAY(setns(-1, 0));
	SAY(prctl(-1, 0L, 0L, 0L, 0L));
	SAY(syscall(-1));
	SAY(syscall(SYS_prctl, -1));
	SAY(syscall(SYS_capset, NULL, NULL));
	SAY(chroot("/nowhere/at/all"));
	SAY(setresuid(getuid(), (uid_t)-1, geteuid()));
	SAY(setuid(getuid()));
	SAY(prctl(PR_GET_DUMPABLE, 0L, 0L, 0L, 0L));
	SAY(syscall(SYS_getpid) == getpid());
	SAY(unshare(0));
	printf("errno on both sides of a fork: %d\n", errno_after_fork());
	return 0;
}
