/* Other programs' answers; see program.h. */
#define _GNU_SOURCE
#include "report/services/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

double program_clock(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Its standard input and output are one socket: unlike a pipe, it says that nobody reads any more without a signal. */
static int spawn(int *pid, const char *const *arguments, int socket)
{
	posix_spawn_file_actions_t files;

	if (posix_spawn_file_actions_init(&files) != 0)
		return ENOMEM;
	int error = posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (error == 0)
		error = posix_spawnp(pid, arguments[0], &files, NULL, (char *const *)arguments, environ);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

int program_start(struct program_call *program, const char *const *arguments, struct text input)
{
	int ends[2];
	int pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	int error = spawn(&pid, arguments, ends[1]);
	close(ends[1]);
	if (error != 0) {
		close(ends[0]);
		errno = error;
		return -1;
	}
	for (size_t sent = 0; sent < input.length;) {
		ssize_t part = send(ends[0], input.data + sent, input.length - sent, MSG_NOSIGNAL);
		if (part < 0 && errno != EINTR)
			break;
		sent += part > 0 ? (size_t)part : 0;
	}
	shutdown(ends[0], SHUT_WR);
	*program = (struct program_call){pid, ends[0]};
	return 0;
}

int program_end(struct program_call *program, bool killed)
{
	int status = 0;
	int result;

	close(program->socket);
	if (killed)
		kill(program->pid, SIGKILL);
	do
		result = waitpid(program->pid, &status, 0);
	while (result < 0 && errno == EINTR);
	return result == program->pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Whether all of it came. */
static bool read_all(int socket, double end, char *data, size_t size)
{
	size_t length = 0;

	while (length < size) {
		double left = end - program_clock();
		struct pollfd poll_for = {socket, POLLIN, 0};
		if (left <= 0 || poll(&poll_for, 1, (int)(left * 1000) + 1) < 0)
			return false;
		ssize_t part = poll_for.revents ? recv(socket, data + length, size - length, MSG_DONTWAIT) : -1;
		if (part == 0) {
			data[length] = '\0';
			return true;
		}
		length += part > 0 ? (size_t)part : 0;
	}
	return false;
}

char *program_answer(const char *const *arguments, double seconds, size_t size)
{
	struct program_call program;
	char *data = malloc(size);

	if (!data || program_start(&program, arguments, TEXT("")) != 0) {
		free(data);
		return NULL;
	}
	bool whole = read_all(program.socket, program_clock() + seconds, data, size);
	if (program_end(&program, !whole) == 0 && whole)
		return data;
	free(data);
	return NULL;
}
