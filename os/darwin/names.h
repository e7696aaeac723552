/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and names of Linux's C library that macOS lacks or names differently. Make includes this header in each
 * file of the programs (-include), because the files use the Linux names. */
#ifndef RTRACK_OS_DARWIN_NAMES_H
#define RTRACK_OS_DARWIN_NAMES_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define st_mtim st_mtimespec
#define fdatasync fsync
#define CLOCK_BOOTTIME CLOCK_MONOTONIC_RAW /* includes the time asleep */

extern char **environ; /* declared by no header */

static inline int names_close_at_exec(int ends[2])
{
	for (int i = 0; i < 2; i++)
		(void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	return 0;
}

/* pipe2 is emulated with two calls. Another thread could fork between them, but these programs have no thread that
 * forks. */
static inline int names_pipe2(int ends[2], int flags)
{
	int result = pipe(ends);
	return result != 0 || !(flags & O_CLOEXEC) ? result : names_close_at_exec(ends);
}
#define pipe2 names_pipe2

/* macOS has neither SOCK_CLOEXEC nor MSG_NOSIGNAL. Instead of MSG_NOSIGNAL, it has the socket option SO_NOSIGPIPE. */
#ifndef SOCK_CLOEXEC
#define SOCK_CLOEXEC 0
static inline int names_socketpair(int domain, int type, int protocol, int ends[2])
{
	const int on = 1;
	int result = socketpair(domain, type, protocol, ends);

	for (int i = 0; result == 0 && i < 2; i++)
		(void)setsockopt(ends[i], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
	return result != 0 ? result : names_close_at_exec(ends);
}
#define socketpair names_socketpair
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* Emulates ppoll(2) for input events on descriptors below FD_SETSIZE. The code for terminals needs no more. */
static inline int names_ppoll(
	struct pollfd *files, unsigned long count, const struct timespec *timeout, const sigset_t *signals)
{
	fd_set readable;
	int last = -1;

	FD_ZERO(&readable);
	for (unsigned long i = 0; i < count; i++) {
		files[i].revents = 0;
		if (files[i].fd < 0 || files[i].fd >= FD_SETSIZE)
			continue;
		FD_SET(files[i].fd, &readable);
		last = files[i].fd > last ? files[i].fd : last;
	}
	int ready = pselect(last + 1, &readable, NULL, NULL, timeout, signals);
	for (unsigned long i = 0; ready > 0 && i < count; i++)
		if (files[i].fd >= 0 && files[i].fd < FD_SETSIZE && FD_ISSET(files[i].fd, &readable))
			files[i].revents = POLLIN;
	return ready;
}
#define ppoll names_ppoll

/* Waits by polling for pending signals, because macOS has only sigwait(2), which has no timeout. The siginfo_t is not
 * filled, because no caller uses it. */
static inline int names_sigtimedwait(const sigset_t *wanted, siginfo_t *unused, const struct timespec *timeout)
{
	const struct timespec moment = {0, 10000000};
	long long left = timeout->tv_sec * 100LL + timeout->tv_nsec / 10000000;

	(void)unused;
	for (;; left--) {
		sigset_t pending;
		int taken = 0;
		(void)sigpending(&pending);
		for (int i = 1; i < NSIG; i++)
			if (sigismember(wanted, i) == 1 && sigismember(&pending, i) == 1)
				return sigwait(wanted, &taken) == 0 ? taken : -1;
		if (left <= 0)
			break;
		(void)nanosleep(&moment, NULL);
	}
	errno = EAGAIN;
	return -1;
}
#define sigtimedwait names_sigtimedwait

static inline void *names_memrchr(const void *data, int byte, size_t length)
{
	const char *bytes = data;

	while (length-- > 0)
		if (bytes[length] == (char)byte)
			return (void *)(uintptr_t)(bytes + length);
	return NULL;
}
#define memrchr names_memrchr

static inline char *names_strchrnul(const char *text, int byte)
{
	while (*text != '\0' && *text != (char)byte)
		text++;
	return (char *)(uintptr_t)text;
}
#define strchrnul names_strchrnul

static inline void *names_mempcpy(void *to, const void *from, size_t length)
{
	return (char *)memcpy(to, from, length) + length;
}
#define mempcpy names_mempcpy

static inline char *names_secure_getenv(const char *name)
{
	return issetugid() ? NULL : getenv(name);
}
#define secure_getenv names_secure_getenv

#endif
