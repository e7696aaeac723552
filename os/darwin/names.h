/* What macOS has under another name than Linux, or in another form, for what the programs call of the C library. Make
 * includes it before each of their files (-include), so that these know one name. */
#ifndef RTRACK_OS_DARWIN_NAMES_H
#define RTRACK_OS_DARWIN_NAMES_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define st_mtim st_mtimespec
#define CLOCK_BOOTTIME CLOCK_MONOTONIC_RAW /* counts the time asleep, too */

extern char **environ; /* no header declares it */

static inline int names_close_at_exec(int ends[2])
{
	for (int i = 0; i < 2; i++)
		(void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	return 0;
}

/* Between the two calls another thread may fork; none of our programs has another. */
static inline int names_pipe2(int ends[2], int flags)
{
	int result = pipe(ends);
	return result != 0 || !(flags & O_CLOEXEC) ? result : names_close_at_exec(ends);
}
#define pipe2 names_pipe2

/* macOS has the flags of neither, and says of a socket what Linux says of a message. */
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

/* Of descriptors below FD_SETSIZE, and waiting for input alone, as the terminal's code does. */
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

#endif
