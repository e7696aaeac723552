/* Runs a command in which some writes are short, as on a network or a full file system: shorten EVERY FIRST COMMAND
 * [ARG…]. Writes to files are counted over all processes and threads, except writes to standard descriptors. Write
 * number FIRST, and every EVERY-th write after it, writes only half of its bytes. The program itself prints only its
 * own failure, to stderr. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long every;
static unsigned long first;
static unsigned long count;

#ifdef __x86_64__
enum { SHORTEST = 16 };

/* Writes that are being shortened. `pid` is the process, or 0 for an unused entry. `length` is the original length,
 * which is restored in the process's register after the call. */
static struct {
	pid_t pid;
	unsigned long long length;
} shortened[64];

/* Returns true if a descriptor is a regular file. Only writes to files are shortened, because a write to a pipe must be
 * complete. */
static bool is_file(pid_t pid, unsigned long long descriptor)
{
	char path[64];
	struct stat status;
	snprintf(path, sizeof path, "/proc/%d/fd/%llu", (int)pid, descriptor);
	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool put_back(pid_t pid, struct user_regs_struct *registers)
{
	for (size_t i = 0; i < sizeof shortened / sizeof *shortened; i++) {
		if (shortened[i].pid != pid)
			continue;
		shortened[i].pid = 0;
		registers->rdx = shortened[i].length;
		return true;
	}
	return false;
}

static bool shorten(pid_t pid, struct user_regs_struct *registers)
{
	if (registers->orig_rax != SYS_write || registers->rdi < 3 || registers->rdx < SHORTEST ||
		!is_file(pid, registers->rdi) || count++ % every != first)
		return false;
	for (size_t i = 0; i < sizeof shortened / sizeof *shortened; i++) {
		if (shortened[i].pid != 0)
			continue;
		shortened[i].pid = pid;
		shortened[i].length = registers->rdx;
		registers->rdx /= 2;
		return true;
	}
	return false;
}

/* A process stops twice for each system call, before and after it. At the first stop, the result is -ENOSYS. */
static void look_at(pid_t pid)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, pid, 0, &registers) != 0)
		return;
	bool begins = registers.rax == (unsigned long long)-ENOSYS;
	if (begins ? shorten(pid, &registers) : put_back(pid, &registers))
		(void)ptrace(PTRACE_SETREGS, pid, 0, &registers);
}
#endif

static void go_on(pid_t pid, int status)
{
	int event = status >> 16;
	int number = WSTOPSIG(status);

#ifdef __x86_64__
	if (event == 0 && number == (SIGTRAP | 0x80))
		look_at(pid);
#endif
	if (event == PTRACE_EVENT_STOP && number != SIGTRAP)
		(void)ptrace(PTRACE_LISTEN, pid, 0, 0);
	else
		(void)ptrace(PTRACE_SYSCALL, pid, 0, event != 0 || number == (SIGTRAP | 0x80) ? 0 : number);
}

static int follow(pid_t command)
{
	int status;
	int result = 125;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status))
			go_on(pid, status);
		else if (pid == command)
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	return result;
}

int main(int arguments, char **argument)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
			     PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	int status;

	if (arguments < 4)
		return 2;
	every = strtoul(argument[1], NULL, 10);
	first = strtoul(argument[2], NULL, 10);
	pid_t command = fork();
	if (command == 0) {
		(void)raise(SIGSTOP);
		execvp(argument[3], argument + 3);
		_exit(127);
	}
	if (every == 0 || command < 0 || waitpid(command, &status, WUNTRACED) != command ||
		ptrace(PTRACE_SEIZE, command, 0, options) != 0) {
		(void)kill(command, SIGKILL);
		return 125;
	}
	(void)kill(command, SIGCONT);
#ifndef __x86_64__
	(void)first;
	(void)count;
#endif
	return follow(command);
}
