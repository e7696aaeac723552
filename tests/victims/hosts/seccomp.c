/* A test program that forbids itself every system call except write and exit_group: seccomp
 * prctl|syscall|all|inline|fork. If a tracker makes any other call afterwards, the kernel kills the process. With
 * inline, no library sees that the filter is set, so the filter only refuses calls. With all, the filter applies to all
 * threads, and the process lives on for a while. With fork, a child sets the filter. No fork handler runs in that
 * child, and its parent exits with its status. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

/* Calls prctl by an inline system call instead of a library function. */
static long set_inline(const struct sock_fprog *program)
{
#if defined(__x86_64__)
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_prctl), "D"(PR_SET_SECCOMP), "S"(SECCOMP_MODE_FILTER), "d"(program)
			 : "rcx", "r11", "memory");
	return result;
#else
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0);
#endif
}

/* Forks a child by a system call instead of a library function. Returns the child's status in the parent, and -1 in the
 * child. */
static int unheard_fork(void)
{
	int status;
	long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		return -1;
	if (pid < 0 || waitpid((pid_t)pid, &status, 0) < 0)
		return 4;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **arguments)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	bool is_inline = count > 1 && strcmp(arguments[1], "inline") == 0;
	if (is_inline)
		filter[sizeof filter / sizeof *filter - 1].k = SECCOMP_RET_ERRNO | EPERM;
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 2;
	if (strcmp(arguments[1], "fork") == 0) {
		int status = unheard_fork();
		if (status >= 0)
			return status;
	}
	bool is_for_all = strcmp(arguments[1], "all") == 0;
	long result = is_inline ? set_inline(&program)
		      : is_for_all || strcmp(arguments[1], "syscall") == 0
			      ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
					is_for_all ? SECCOMP_FILTER_FLAG_TSYNC : 0, &program)
			      : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
	if (result != 0)
		return 3;
	/* Busy loop, because a system call such as nanosleep is not allowed. */
	for (volatile long i = 0; is_for_all && i < 100000000; i++)
		;
	(void)!write(STDOUT_FILENO, "alive\n", 6);
	_exit(7);
}
