/* SPDX-License-Identifier: Apache-2.0 */
/* An HTTP server for one test. Each connection has a process of its own, so that a connection without an answer does
 * not block others. */
#define _GNU_SOURCE
#include "tests/unit/lib/service.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST_SIZE = 8192 };

static pid_t server;
static volatile int *connections;

static void bail_out(const char *what)
{
	printf("Bail out! %s\n", what);
	exit(1);
}

static void send_text(int connection, const char *text)
{
	size_t length = strlen(text);
	while (length > 0) {
		ssize_t sent = write(connection, text, length);
		if (sent <= 0)
			_exit(0);
		text += sent;
		length -= (size_t)sent;
	}
}

static const struct service_answer *find_answer(const struct service_answer *answers, const char *request)
{
	for (; answers->status; answers++)
		if (strncmp(request, answers->request, strlen(answers->request)) == 0 &&
			(!answers->header || strstr(request, answers->header)))
			return answers;
	return NULL;
}

static void answer(int connection, const struct service_answer *answers)
{
	static const struct service_answer missing = {"", NULL, "404 Not Found", "{}", SERVICE_WHOLE};
	char request[REQUEST_SIZE] = "";
	char head[256];
	size_t length = 0;

	while (!strstr(request, "\r\n\r\n")) {
		ssize_t got = read(connection, request + length, sizeof request - 1 - length);
		if (got <= 0)
			return;
		length += (size_t)got;
		request[length] = '\0';
	}
	const struct service_answer *found = find_answer(answers, request);
	if (!found)
		found = &missing;
	if (found->manner == SERVICE_MUTE) {
		while (read(connection, request, sizeof request) > 0)
			;
		return;
	}
	/* An answer that is cut off or endless announces 100 MB, but the server never sends that much. */
	snprintf(head, sizeof head, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n%s\r\n", found->status,
		found->manner == SERVICE_WHOLE ? strlen(found->body) : 100000000,
		strncmp(found->status, "302", 3) == 0 ? "Location: /elsewhere\r\n" : "");
	send_text(connection, head);
	do
		send_text(connection, found->body);
	while (found->manner == SERVICE_ENDLESS);
}

static _Noreturn void serve(int listening, const struct service_answer *answers)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		int connection = accept(listening, NULL, NULL);
		if (connection < 0)
			_exit(1);
		__atomic_add_fetch(connections, 1, __ATOMIC_SEQ_CST);
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(listening);
			answer(connection, answers);
			_exit(0);
		}
		close(connection);
	}
}

void service_stop(void)
{
	if (server > 0) {
		kill(server, SIGKILL);
		waitpid(server, NULL, 0);
	}
	server = 0;
}

const char *service_start(const struct service_answer *answers)
{
	static char url[64];
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	int listening = socket(AF_INET, SOCK_STREAM, 0);

	service_stop();
	if (!connections)
		connections =
			mmap(NULL, sizeof *connections, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (connections == MAP_FAILED || bind(listening, (struct sockaddr *)&address, sizeof address) != 0 ||
		listen(listening, 64) != 0 || getsockname(listening, (struct sockaddr *)&address, &length) != 0)
		bail_out("no server");
	*connections = 0;
	fflush(stdout);
	server = fork();
	if (server == 0)
		serve(listening, answers);
	close(listening);
	if (server < 0)
		bail_out("no server");
	atexit(service_stop);
	snprintf(url, sizeof url, "http://127.0.0.1:%d", ntohs(address.sin_port));
	return url;
}

int service_connections(void)
{
	return __atomic_load_n(connections, __ATOMIC_SEQ_CST);
}
