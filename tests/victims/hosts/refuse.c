/* Runs a command for which one kind of system call fails, by a filter that all its processes inherit: refuse WHAT ERRNO
 * COMMAND [ARG…].
 * A tracker makes the calls that fail, but a shell does not: writes to descriptors other than the standard ones, files
 * opened for appending, threads, and large private mappings without a file. Other calls are newer than some kernels
 * (close_range 5.9, clone3 and pidfd_open 5.3, pidfd_send_signal 5.1, futex_waitv 5.16), or missing in kernels built
 * without them (kcmp, PR_GET_TID_ADDRESS). */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	unsigned call;
	unsigned argument;
	unsigned short test;
	unsigned value;
} kinds[] = {
	{"write", SYS_write, 0, BPF_JGE, 3},
	{"append", SYS_openat, 2, BPF_JSET, O_APPEND},
	{"create", SYS_openat, 2, BPF_JSET, O_EXCL},
	{"directory", SYS_mkdirat, 2, BPF_JGE, 0},
	{"thread", SYS_clone, 0, BPF_JSET, CLONE_THREAD},
	{"close_range", 436, 0, BPF_JGE, 0},
	{"clone3", 435, 0, BPF_JGE, 0},
	{"pidfd_open", 434, 0, BPF_JGE, 0},
	{"pidfd_send_signal", 424, 0, BPF_JGE, 0},
	{"futex_waitv", 449, 0, BPF_JGE, 0},
	{"kcmp", SYS_kcmp, 0, BPF_JGE, 0},
	{"tid_address", SYS_prctl, 0, BPF_JEQ, PR_GET_TID_ADDRESS},
	{"map", SYS_mmap, 1, BPF_JGE, 131072},
};

static int refuse(size_t kind, unsigned error)
{
	/* Mappings of files are allowed, because the loader needs them. They are recognised by their descriptor. */
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kinds[kind].call, 0, 6),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 2),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + kinds[kind].argument * 8),
		BPF_JUMP(BPF_JMP | kinds[kind].test | BPF_K, kinds[kind].value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0;
}

int main(int count, char **arguments)
{
	for (size_t i = 0; count > 3 && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, arguments[1]) != 0)
			continue;
		if (refuse(i, (unsigned)atoi(arguments[2])) != 0)
			return 125;
		execvp(arguments[3], arguments + 3);
		return 127;
	}
	return 2;
}
