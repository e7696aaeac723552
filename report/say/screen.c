/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a full-screen text on a terminal and updates it. */
#define _GNU_SOURCE
#include "report/say/screen.h"

#include "core/base.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define TAKE "\033[?1049h\033[?25l"
#define GIVE_BACK "\033[?25h\033[?1049l"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static struct {
	bool live;
	bool has_before; /* true if `before` contains the previous settings of the terminal */
	bool keys;       /* keys can be read; false after the end of standard input */
	struct termios before;
	sigset_t outside; /* signal mask during screen_wait */
} screen;

static volatile sig_atomic_t end_signal;
static volatile sig_atomic_t resized;
static volatile sig_atomic_t stopped;

static void take_note(int signal)
{
	if (signal == SIGWINCH)
		resized = 1;
	else if (signal == SIGTSTP)
		stopped = 1;
	else
		end_signal = signal;
}

static void put(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

static void take_terminal(void)
{
	struct termios raw;

	screen.keys = screen.has_before = tcgetattr(STDIN_FILENO, &screen.before) == 0;
	if (screen.keys) {
		raw = screen.before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 1;
		raw.c_cc[VTIME] = 0;
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	put(TAKE);
}

static void give_terminal_back(void)
{
	put(GIVE_BACK);
	if (screen.has_before)
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &screen.before);
}

/* Installs the handler for one signal. The signal is blocked except during screen_wait, so that it never interrupts
 * other work. A signal that is ignored (for example by nohup) remains ignored. */
static void watch_signal(int number, sigset_t *blocked)
{
	struct sigaction old;
	struct sigaction action = {.sa_handler = take_note};

	if (sigaction(number, NULL, &old) != 0 || old.sa_handler == SIG_IGN)
		return;
	sigemptyset(&action.sa_mask);
	(void)sigaction(number, &action, NULL);
	sigaddset(blocked, number);
}

void screen_begin(bool live)
{
	sigset_t blocked;

	screen.live = live;
	sigemptyset(&blocked);
	for (size_t i = 0; i < ARRAY_LENGTH(ending); i++)
		watch_signal(ending[i], &blocked);
	if (live) {
		watch_signal(SIGWINCH, &blocked);
		watch_signal(SIGTSTP, &blocked);
	}
	(void)sigprocmask(SIG_BLOCK, &blocked, &screen.outside);
	for (size_t i = 0; i < ARRAY_LENGTH(ending); i++)
		sigdelset(&screen.outside, ending[i]);
	if (live)
		take_terminal();
}

/* Lets the signal take its default action, which stops or ends the program. */
static void act(int number)
{
	struct sigaction old;
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, number);
	sigemptyset(&action.sa_mask);
	(void)sigaction(number, &action, &old);
	(void)raise(number);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
	(void)sigprocmask(SIG_BLOCK, &only, NULL);
	(void)sigaction(number, &old, NULL);
}

void screen_end(void)
{
	if (screen.live)
		give_terminal_back();
	screen.live = false;
	if (end_signal)
		act(end_signal);
	(void)sigprocmask(SIG_SETMASK, &screen.outside, NULL);
}

void screen_show(const char *text, size_t size, unsigned height)
{
	const char *end = text + size;

	fputs("\033[H", stdout);
	for (unsigned line = 1; text < end && (height == 0 || line <= height); line++) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((line_end ? line_end : end) - text);
		fwrite(text, 1, length, stdout);
		/* Do not write a newline after the last line, because the screen would scroll. */
		fputs(line == height ? "\033[K" : "\033[K\r\n", stdout);
		text += length + (line_end != NULL);
	}
	put("\033[J");
}

static bool read_key(char *key)
{
	ssize_t got = read(STDIN_FILENO, key, 1);
	if (got <= 0 && !(got < 0 && errno == EINTR))
		screen.keys = false;
	return got == 1;
}

enum screen_event screen_wait(int file, int milliseconds, char *key)
{
	struct pollfd files[2] = {{.fd = screen.live && screen.keys ? STDIN_FILENO : -1, .events = POLLIN},
		{.fd = file, .events = POLLIN}};
	struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
	int ready = ppoll(files, 2, &limit, &screen.outside);

	if (end_signal)
		return SCREEN_END;
	if (stopped) {
		stopped = 0;
		give_terminal_back();
		act(SIGTSTP);
		take_terminal();
		resized = 1;
	}
	if (resized) {
		resized = 0;
		return SCREEN_RESIZED;
	}
	if (ready > 0 && files[0].revents && read_key(key))
		return SCREEN_KEY;
	return ready > 0 && files[1].revents ? SCREEN_FILE : SCREEN_TIME;
}
