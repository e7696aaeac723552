/* Forbids itself every system call but write and exit_group: seccomp prctl|syscall|inline. A tracker that makes any
 * other call afterwards gets the process killed; the filter that no library can see being set refuses only. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* prctl by its own instruction: no function of any library is called. */
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
	long result = is_inline                            ? set_inline(&program)
		      : strcmp(arguments[1], "prctl") == 0 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)
							   : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
	if (result != 0)
		return 3;
	(void)!write(STDOUT_FILENO, "alive\n", 6);
	_exit(7);
}
