/* SPDX-License-Identifier: Apache-2.0 */
/* Implements --keep-output: starts relays of the command's output (relay.c), and writes the files. */
#define _GNU_SOURCE
#include "launcher/beside/keep.h"

#include "core/spool.h"
#include "launcher/message.h"
#include "launcher/signals.h"
#include "launcher/words.h"
#include "os/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { STORE_NS = 1000000000, LOOK_MS = 20 };

/* -- starting -------------------------------------------------------------------------------------- */

static bool is_kept(int descriptor, struct stat *status)
{
	return fstat(descriptor, status) == 0 &&
	       (S_ISFIFO(status->st_mode) || S_ISSOCK(status->st_mode) || isatty(descriptor));
}

/* Opens a pseudo terminal with the size and modes of the terminal `real`. The pseudo terminal passes on bytes
 * unchanged, because the real terminal processes them. */
static int open_terminal(int real, int *in, int *given)
{
	struct termios modes;
	struct winsize size;
	const char *path;

	*in = posix_openpt(O_RDWR | O_NOCTTY);
	if (*in < 0)
		return -1;
	(void)fcntl(*in, F_SETFD, FD_CLOEXEC);
	path = grantpt(*in) == 0 && unlockpt(*in) == 0 ? ptsname(*in) : NULL;
	*given = path ? open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	if (*given < 0) {
		(void)close(*in);
		return -1;
	}
	if (tcgetattr(real, &modes) == 0) {
		modes.c_oflag &= ~(tcflag_t)OPOST;
		(void)tcsetattr(*given, TCSANOW, &modes);
	}
	if (ioctl(real, TIOCGWINSZ, &size) == 0)
		(void)ioctl(*given, TIOCSWINSZ, &size);
	return 0;
}

static int open_pipe(int *in, int *given)
{
	int pair[2];

	if (pipe2(pair, O_CLOEXEC) != 0)
		return -1;
	*in = pair[0];
	*given = pair[1];
	return 0;
}

/* Starts the relay of a stream. Returns 0. On failure, closes everything that it has opened and returns -1 with
 * errno set. */
static int begin_stream(struct keep_stream *stream, int descriptor)
{
	struct relay relay = {.in = -1, .out = descriptor, .control = -1, .terminal = isatty(descriptor)};
	void *memory = mmap(NULL, sizeof *relay.memory, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int pair[2] = {-1, -1};

	stream->given = -1;
	if (memory == MAP_FAILED)
		return -1;
	relay.memory = memory;
	int result = relay.terminal ? open_terminal(descriptor, &relay.in, &stream->given)
				    : open_pipe(&relay.in, &stream->given);
	if (result == 0)
		result = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
	relay.control = pair[1];
	if (result == 0)
		stream->relay = fork();
	if (result == 0 && stream->relay == 0) {
		words_show("--keep-output"); /* Replaces the command's arguments in the relay's command line. */
		relay_run(&relay);
	}
	int reason = errno;
	if (result != 0 || stream->relay < 0) {
		(void)munmap(memory, sizeof *relay.memory);
		if (stream->given >= 0)
			(void)close(stream->given);
		if (pair[0] >= 0)
			(void)close(pair[0]);
		result = -1;
	}
	if (relay.in >= 0)
		(void)close(relay.in);
	if (relay.control >= 0)
		(void)close(relay.control);
	stream->control = pair[0];
	stream->memory = relay.memory;
	errno = reason;
	return result;
}

void keep_begin(struct keep *keep, const struct options *options)
{
	static const char *const files[] = {SPOOL_STDOUT_FILE, SPOOL_STDERR_FILE};
	struct stat status[2];
	bool kept[2];

	*keep = (struct keep){.stored_ns = 0};
	if (!options->keep_output)
		return;
	for (int i = 0; i < 2; i++)
		kept[i] = is_kept(STDOUT_FILENO + i, &status[i]);
	bool one = kept[0] && kept[1] && status[0].st_dev == status[1].st_dev && status[0].st_ino == status[1].st_ino;
	for (int i = 0; i < 2; i++) {
		struct keep_stream *stream = &keep->streams[i];
		if (!kept[i] || (i == 1 && one))
			continue;
		if (begin_stream(stream, STDOUT_FILENO + i) != 0) {
			message_debug(options->settings.text[SETTING_ID_DEBUG], "the output is not kept: %s",
				strerror(errno));
			continue;
		}
		stream->file = one ? SPOOL_OUTPUT_FILE : files[i];
		stream->is[i] = true;
		stream->is[1] |= one;
	}
}

void keep_give(const struct keep *keep)
{
	for (int i = 0; i < KEEP_STREAMS; i++)
		for (int j = 0; keep->streams[i].file && j < 2; j++)
			if (keep->streams[i].is[j])
				(void)dup2(keep->streams[i].given, STDOUT_FILENO + j);
}

void keep_given(struct keep *keep)
{
	for (int i = 0; i < KEEP_STREAMS; i++)
		if (keep->streams[i].file)
			(void)close(keep->streams[i].given);
}

void keep_name(const struct keep *keep, struct run_output outputs[2])
{
	for (int i = 0; i < KEEP_STREAMS; i++)
		for (int j = 0; keep->streams[i].file && j < 2; j++)
			if (keep->streams[i].is[j])
				(void)snprintf(outputs[j].path, sizeof outputs[j].path, "%s", keep->streams[i].file);
}

bool keep_reap(struct keep *keep, pid_t pid)
{
	for (int i = 0; i < KEEP_STREAMS; i++) {
		if (!keep->streams[i].file || keep->streams[i].relay != pid)
			continue;
		(void)waitpid(pid, NULL, 0);
		keep->streams[i].relay = 0;
		return true;
	}
	return false;
}

/* -- the files ------------------------------------------------------------------------------------- */

static void store_stream(struct keep_stream *stream, const char *directory)
{
	static char text[RELAY_KEPT];
	char path[SPOOL_PATH_MAX];
	uint64_t count = __atomic_load_n(&stream->memory->count, __ATOMIC_ACQUIRE);

	if (count == stream->stored ||
		snprintf(path, sizeof path, "%s/%s", directory, stream->file) >= (int)sizeof path)
		return;
	size_t length = relay_copy(stream->memory, text);
	int file = length > 0 ? open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600) : -1;
	if (file < 0)
		return;
	if (pwrite(file, text, length, 0) == (ssize_t)length && ftruncate(file, (off_t)length) == 0)
		stream->stored = count;
	(void)close(file);
}

static void store_all(struct keep *keep, const char *directory)
{
	for (int i = 0; i < KEEP_STREAMS; i++)
		if (keep->streams[i].file)
			store_stream(&keep->streams[i], directory);
	keep->stored_ns = os_since_boot_ns();
}

void keep_store(struct keep *keep, const char *directory)
{
	if (os_since_boot_ns() - keep->stored_ns >= STORE_NS)
		store_all(keep, directory);
}

/* -- ending ---------------------------------------------------------------------------------------- */

/* Waits until the relay has passed on all output. If the reader of the output is slow, rtrack-run waits for it, as
 * the command itself would without rtrack-run. */
static void wait_for(const struct keep_stream *stream)
{
	struct pollfd answer = {.fd = stream->control, .events = POLLIN};
	struct signal_taken taken;

	while (poll(&answer, 1, LOOK_MS) == 0)
		if (signals_wait(0, &taken) && taken.sent && taken.number != SIGCONT && taken.number != SIGWINCH)
			return;
}

void keep_finish(struct keep *keep, const char *directory)
{
	for (int i = 0; i < KEEP_STREAMS; i++)
		if (keep->streams[i].file)
			(void)shutdown(keep->streams[i].control, SHUT_WR);
	for (int i = 0; i < KEEP_STREAMS; i++)
		if (keep->streams[i].file)
			wait_for(&keep->streams[i]);
	if (directory[0] != '\0')
		store_all(keep, directory);
	for (int i = 0; i < KEEP_STREAMS; i++) {
		if (!keep->streams[i].file)
			continue;
		(void)close(keep->streams[i].control);
		(void)munmap(keep->streams[i].memory, sizeof *keep->streams[i].memory);
	}
	*keep = (struct keep){.stored_ns = 0};
}
