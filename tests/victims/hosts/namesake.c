/* A test program that makes a fork with the same pid as its parent. This is possible because the fork is in an inner
 * PID namespace: namesake WAY. The program prints "found" if the pids were equal. The fork begins a third namespace and
 * ends. The outer process continues for 100 ms. WAY is how the inner namespace begins: unshare, setns, clone, or by a
 * system call number (syscall, clone_number or clone3_number). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 2, PIDS_MAX = 4000, FOUND = 7, CLONE3 = 435 };

/* Forks until a child has the pid `pid`. Runs in the inner namespace, where pids ascend. */
static int find(pid_t pid)
{
	if (getpid() == pid)
		return unshare(CLONE_NEWPID);
	for (int i = FIRST; i < PIDS_MAX; i++) {
		int status;
		pid_t child = fork();
		if (child == 0) {
			bool is_found = getpid() == pid && unshare(CLONE_NEWPID) == 0;
			_exit(is_found ? FOUND : 0);
		}
		if (child < 0 || waitpid(child, &status, 0) != child)
			return 1;
		if (WEXITSTATUS(status) == FOUND)
			return 0;
	}
	return 1;
}

/* Forks a child into a new namespace by setns. Another process is pid 1 of the namespace until `hold` is closed. */
static pid_t fork_by_setns(int *hold)
{
	int ready[2], stay[2];
	char byte;

	if (pipe(ready) != 0 || pipe(stay) != 0)
		return -1;
	pid_t holder = fork();
	if (holder == 0) {
		if (unshare(CLONE_NEWPID) != 0)
			_exit(1);
		pid_t first = fork();
		if (first == 0) {
			close(stay[1]);
			(void)!write(ready[1], "", 1);
			(void)!read(stay[0], &byte, 1);
			_exit(0);
		}
		close(stay[1]);
		waitpid(first, NULL, 0);
		_exit(0);
	}
	close(ready[1]);
	*hold = stay[1];
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/ns/pid_for_children", holder);
	int there = read(ready[0], &byte, 1) == 1 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (there < 0 || setns(there, CLONE_NEWPID) != 0)
		return -1;
	return fork();
}

static pid_t fork_apart(const char *way, int *hold)
{
	uint64_t arguments[11] = {CLONE_NEWPID, [4] = SIGCHLD};

	if (strcmp(way, "unshare") == 0)
		return unshare(CLONE_NEWPID) == 0 ? fork() : -1;
	if (strcmp(way, "syscall") == 0)
		return syscall(SYS_unshare, CLONE_NEWPID) == 0 ? fork() : -1;
	if (strcmp(way, "setns") == 0)
		return fork_by_setns(hold);
	if (strcmp(way, "clone_number") == 0)
		return (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, NULL);
	if (strcmp(way, "clone3_number") == 0)
		return (pid_t)syscall(CLONE3, arguments, sizeof arguments);
	return -1;
}

int main(int count, char **arguments)
{
	pid_t pid = getpid();
	int status = 1, hold = -1;
	pid_t child = fork();

	if (child == 0) {
		pid_t first = fork_apart(count > 1 ? arguments[1] : "unshare", &hold);
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
