/* Runs a command for which some files do not exist: conceal GLOB COMMAND [ARG…]. A system call with a path that matches
 * GLOB (extended: @(ONE|OTHER) works, too) fails with ENOENT. A seccomp filter asks this process about each call
 * (seccomp_unotify(2)). This simulates a kernel that lacks a file of /proc. Exits with the command's status once all
 * its processes have ended, or with 125 if it cannot run the command. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Filters system calls that have a path as the second argument. */
static int filter_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_faccessat, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_statx, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

static int pass(int socket, int descriptor)
{
	char byte = 0, control[CMSG_SPACE(sizeof descriptor)] = {0};
	struct iovec data = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};

	if (descriptor >= 0) {
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		*header = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
		return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
	}
	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
		return -1;
	memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
	return descriptor;
}

static void answer(int listener, const char *glob)
{
	struct seccomp_notif asked = {0};
	struct seccomp_notif_resp said = {0};
	char path[PAGE + 1] = "";

	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
		return;
	/* Copy the path in two parts, because the page after its end may not be mapped. */
	char *from = (char *)(uintptr_t)asked.data.args[1];
	size_t first = PAGE - asked.data.args[1] % PAGE;
	struct iovec here = {path, sizeof path - 1};
	struct iovec there[] = {{from, first}, {from + first, sizeof path - 1 - first}};
	(void)process_vm_readv((pid_t)asked.pid, &here, 1, there, 2, 0);
	said.id = asked.id;
	if (fnmatch(glob, path, FNM_EXTMATCH) == 0)
		said.error = -ENOENT;
	else
		said.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	(void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &said);
}

int main(int count, char **arguments)
{
	int pair[2], status = 0;

	if (count < 3 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return 2;
	pid_t child = fork();
	if (child == 0) {
		int listener = filter_calls();
		if (listener < 0 || pass(pair[1], listener) != 0)
			_exit(125);
		(void)close(listener);
		execvp(arguments[2], arguments + 2);
		_exit(127);
	}
	(void)close(pair[1]);
	int listener = pass(pair[0], -1);
	struct pollfd waited = {listener, POLLIN, 0};
	while (listener >= 0 && (poll(&waited, 1, -1) > 0 || errno == EINTR) && !(waited.revents & POLLHUP))
		answer(listener, arguments[1]);
	if (waitpid(child, &status, 0) != child)
		return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
