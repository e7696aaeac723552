/* A process of which another one, forked from it into a PID namespace below, has the pid there: prints "found" if there
 * was one. That ends at once, and the first works on for 100 ms. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 2, PIDS_MAX = 4000 };

/* In the namespace below. Pids ascend there from 2. */
static int find(pid_t pid)
{
	for (int i = FIRST; i < PIDS_MAX; i++) {
		int status;
		pid_t child = fork();
		if (child == 0)
			_exit(getpid() == pid ? 7 : 0);
		if (child < 0 || waitpid(child, &status, 0) != child)
			return 1;
		if (WEXITSTATUS(status) == 7)
			return 0;
	}
	return 1;
}

int main(void)
{
	pid_t pid = getpid();
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		if (unshare(CLONE_NEWPID) != 0)
			_exit(1);
		pid_t first = fork();
		if (first == 0)
			_exit(find(pid));
		_exit(waitpid(first, &status, 0) == first && status == 0 ? 0 : 1);
	}
	waitpid(child, &status, 0);
	while (clock() < CLOCKS_PER_SEC / 10)
		continue;
	puts(status == 0 ? "found" : "not found");
	return 0;
}
