/* SPDX-License-Identifier: Apache-2.0 */
/* Relays the command's output.
 *
 * The relay is a separate process, because a program that detaches may write after rtrack-run has ended. The relay
 * never writes to the spool, so a slow file system does not delay the command. Each relay handles one stream. If the
 * reader of that stream is slow, the relay blocks, as the command would. The relay stays in the process group, so that
 * SIGTTOU from a terminal with `tostop` stops it together with the command. The relay blocks all other signals, so that
 * it relays pending output after ^C or ^Z.
 *
 * A pseudo terminal only replaces descriptors. The controlling terminal of the command is unchanged, so job control, ^C
 * and key input work as before. Output passes through the pseudo terminal unchanged (no OPOST), and the real terminal
 * processes it. Modes set on the pseudo terminal are copied to the real one, because ncurses reads keys from there. */
#define _GNU_SOURCE
#include "launcher/beside/relay.h"

#include "launcher/place.h"
#include "os/self.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { IN, OUT, CONTROL, DESCRIPTORS };

enum {
	PIECE = 4096, /* PIPE_BUF on Linux; writes to a pipe up to this size are atomic */
	/* Maximum number of bytes to relay after rtrack-run has asked for the rest, because a program may never stop
	 * writing. It is larger than the capacity of a pipe. */
	DRAIN_MOST = 1 << 20,
};

/* -- the terminal ---------------------------------------------------------------------------------- */

/* Copies the window size of the real terminal to the pseudo terminal. The kernel signaled the programs before the
 * size was copied, so they are signaled again. */
static void follow_size(int ignored)
{
	struct winsize real, ours;
	int saved = errno;

	(void)ignored;
	if (ioctl(OUT, TIOCGWINSZ, &real) == 0 && ioctl(IN, TIOCGWINSZ, &ours) == 0 &&
		memcmp(&real, &ours, sizeof real) != 0 && ioctl(IN, TIOCSWINSZ, &real) == 0) {
		pid_t group = tcgetpgrp(OUT);
		if (group > 1)
			(void)kill(-group, SIGWINCH);
	}
	errno = saved;
}

static void take_changes(tcflag_t *to, tcflag_t before, tcflag_t now)
{
	*to = (*to & ~(before ^ now)) | (now & (before ^ now));
}

static bool same_modes(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_lflag == b->c_lflag &&
	       memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

static void follow_modes(struct termios *known)
{
	struct termios now, real;

	if (tcgetattr(IN, &now) != 0 || same_modes(&now, known))
		return;
	if (tcgetattr(OUT, &real) == 0) {
		take_changes(&real.c_iflag, known->c_iflag, now.c_iflag);
		take_changes(&real.c_oflag, known->c_oflag | OPOST, now.c_oflag | OPOST);
		take_changes(&real.c_lflag, known->c_lflag, now.c_lflag);
		for (int i = 0; i < NCCS; i++)
			if (now.c_cc[i] != known->c_cc[i])
				real.c_cc[i] = now.c_cc[i];
		(void)tcsetattr(OUT, TCSANOW, &real);
	}
	*known = now;
}

/* The command normally reads keys from the real terminal, which is its stdin and /dev/tty. But less and more read
 * keys from the terminal of stderr, which is the pseudo terminal here, and disable line editing there. If line
 * editing is disabled and a key stays unread at the real terminal, this key and all later keys are forwarded to the
 * pseudo terminal. */
struct keys {
	bool here;    /* keys are forwarded to the pseudo terminal */
	bool refused; /* the real terminal cannot be read */
};

static bool is_edited(const struct termios *modes)
{
	return (modes->c_lflag & ICANON) != 0;
}

static void pass_keys(struct keys *keys, struct termios *modes)
{
	enum { PATIENCE_MS = 200 };
	struct pollfd output = {IN, POLLIN, 0}, key = {OUT, POLLIN, 0};
	char pressed[64];
	int count = 0;

	if (!keys->here && poll(&output, 1, PATIENCE_MS) != 0)
		return;
	follow_modes(modes);
	if (is_edited(modes) || poll(&key, 1, 0) <= 0 || ioctl(OUT, FIONREAD, &count) != 0)
		return;
	ssize_t length = read(OUT, pressed, (size_t)count < sizeof pressed ? (size_t)count : sizeof pressed);
	keys->refused = length <= 0 || write(IN, pressed, (size_t)length) != length;
	keys->here = !keys->refused;
}

/* -- bytes ----------------------------------------------------------------------------------------- */

static void keep(struct relay_memory *memory, const char *data, size_t length)
{
	size_t at = memory->count % RELAY_RING;
	size_t first = length < RELAY_RING - at ? length : RELAY_RING - at;

	memcpy(memory->ring + at, data, first);
	memcpy(memory->ring, data + first, length - first);
	__atomic_store_n(&memory->count, memory->count + length, __ATOMIC_RELEASE);
}

size_t relay_copy(const struct relay_memory *memory, char out[RELAY_KEPT])
{
	uint64_t count = __atomic_load_n(&memory->count, __ATOMIC_ACQUIRE);
	size_t length = count < RELAY_KEPT ? (size_t)count : RELAY_KEPT;
	size_t at = (size_t)(count - length) % RELAY_RING;
	size_t first = length < RELAY_RING - at ? length : RELAY_RING - at;

	memcpy(out, memory->ring + at, first);
	memcpy(out + first, memory->ring, length - first);
	/* The relay may at this time overwrite a chunk that `count` does not include yet. */
	uint64_t after = __atomic_load_n(&memory->count, __ATOMIC_ACQUIRE);
	return after - count > RELAY_RING - RELAY_KEPT - RELAY_CHUNK ? 0 : length;
}

/* Returns the length of the next piece to write, at most PIECE. If the data is longer, the piece ends at a newline
 * if possible. */
static size_t piece_of(const char *data, size_t length)
{
	if (length <= PIECE)
		return length;
	const char *end = memrchr(data, '\n', PIECE);
	return end ? (size_t)(end - data) + 1 : PIECE;
}

static bool pass_on(const char *data, size_t length)
{
	while (length > 0) {
		ssize_t done = write(OUT, data, piece_of(data, length));
		/* The write returns EAGAIN if another process has made the terminal non-blocking. */
		if (done < 0 && errno == EAGAIN) {
			struct pollfd room = {.fd = OUT, .events = POLLOUT};
			(void)poll(&room, 1, -1);
		} else if (done < 0 && errno != EINTR) {
			return false;
		} else if (done > 0) {
			data += done;
			length -= (size_t)done;
		}
	}
	return true;
}

/* Returns whether the stream ends when its last reader has closed it. This is true of an anonymous pipe, because
 * only a named pipe can get a new reader. */
static bool ends_with_reader(void)
{
	struct stat own, out;
	int pair[2];

	if (pipe(pair) != 0)
		return false;
	bool same =
		fstat(pair[0], &own) == 0 && fstat(OUT, &out) == 0 && S_ISFIFO(out.st_mode) && own.st_dev == out.st_dev;
	(void)close(pair[0]);
	(void)close(pair[1]);
	return same;
}

/* Terminal modes are copied with each output, and once more at the end, because a program such as less may restore the
 * modes after its last output. */
static void relay_all(const struct relay *relay)
{
	struct pollfd watched[DESCRIPTORS] = {[IN] = {IN, POLLIN, 0},
		[OUT] = {ends_with_reader() ? OUT : -1, 0, 0},
		[CONTROL] = {CONTROL, POLLIN, 0}};
	static char data[RELAY_CHUNK];
	struct termios modes = {0};
	struct keys keys = {false, false};
	size_t left = DRAIN_MOST;
	bool asked = false;

	if (relay->terminal && tcgetattr(IN, &modes) != 0)
		return;
	while (true) {
		if (relay->terminal && is_edited(&modes))
			keys = (struct keys){false, false};
		if (relay->terminal)
			watched[OUT] = (struct pollfd){is_edited(&modes) || keys.refused ? -1 : OUT, POLLIN, 0};
		int found = poll(watched, DESCRIPTORS, asked ? 0 : -1);
		if (found < 0 && errno != EINTR)
			return;
		if (found < 0)
			continue;
		if (asked && (watched[IN].revents == 0 || left == 0)) {
			follow_modes(&modes);
			(void)close(CONTROL);
			asked = false;
		}
		if (watched[OUT].revents != 0 && !relay->terminal)
			return;
		if (watched[OUT].revents != 0)
			pass_keys(&keys, &modes);
		if (watched[CONTROL].revents != 0) {
			watched[CONTROL].fd = -1;
			asked = true;
		}
		if (watched[IN].revents == 0)
			continue;
		ssize_t length = read(IN, data, sizeof data);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0) {
			follow_modes(&modes);
			return;
		}
		keep(relay->memory, data, (size_t)length);
		if (relay->terminal) {
			follow_size(0);
			follow_modes(&modes);
		}
		if (!pass_on(data, (size_t)length))
			return;
		left -= asked ? (size_t)length < left ? (size_t)length : left : 0;
	}
}

/* Waits until rtrack-run has ended. rtrack-run reads the relay's CPU time, so the relay must not end earlier. */
static void wait_for_launcher(void)
{
	char byte;

	while (read(CONTROL, &byte, 1) < 0 && errno == EINTR)
		;
}

_Noreturn void relay_run(const struct relay *relay)
{
	const struct sigaction action = {.sa_handler = follow_size, .sa_flags = SA_RESTART};
	sigset_t heard;

	if (dup2(relay->out, OUT) < 0 || dup2(relay->in, IN) < 0 || dup2(relay->control, CONTROL) < 0)
		_exit(1);
	os_close_from(DESCRIPTORS);
	place_free_directory();
	(void)sigemptyset(&heard);
	(void)sigaddset(&heard, SIGTTOU);
	if (relay->terminal) {
		/* SIGCONT is handled too, because a stopped job gets no SIGWINCH when the window size changes. */
		(void)sigaction(SIGWINCH, &action, NULL);
		(void)sigaction(SIGCONT, &action, NULL);
		(void)sigaddset(&heard, SIGWINCH);
		(void)sigaddset(&heard, SIGCONT);
	}
	(void)sigprocmask(SIG_UNBLOCK, &heard, NULL);
	relay_all(relay);
	(void)close(IN);
	(void)close(OUT);
	wait_for_launcher();
	_exit(0);
}
