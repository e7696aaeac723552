/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of HTTP with a server in this process: requests, answers and errors. */
#include "report/services/http.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

struct server {
	int socket;
	const char *answer;
	char question[8192];
};

/* Reads one request up to the text `ends`, and answers it. */
static void *serve(void *context)
{
	struct server *server = context;
	size_t length = 0;
	int peer = accept(server->socket, NULL, NULL);

	while (length < sizeof server->question - 1 && !strstr(server->question, "\r\n\r\n")) {
		ssize_t part = read(peer, server->question + length, sizeof server->question - 1 - length);
		if (part <= 0)
			break;
		length += (size_t)part;
	}
	(void)!write(peer, server->answer, strlen(server->answer));
	close(peer);
	return NULL;
}

static void ask(struct http_request *request, struct server *server, const char *answer)
{
	struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof place;
	char url[64];
	pthread_t thread;

	*server = (struct server){.socket = socket(AF_INET, SOCK_STREAM, 0), .answer = answer};
	(void)bind(server->socket, (struct sockaddr *)&place, size);
	(void)listen(server->socket, 1);
	(void)getsockname(server->socket, (struct sockaddr *)&place, &size);
	(void)snprintf(url, sizeof url, "http://127.0.0.1:%d/a%%3Db", ntohs(place.sin_port));
	(void)pthread_create(&thread, NULL, serve, server);
	struct http *http = http_open(30);
	request->url = url;
	http_add(http, request);
	http_run(http);
	http_close(http);
	(void)pthread_join(thread, NULL);
	close(server->socket);
}

static void is_answer(const char *answer, int status, double retry_after, const char *body, const char *what)
{
	struct http_request request = {.body_max = 100};
	struct server server;

	ask(&request, &server, answer);
	if (ok(!request.reason, what)) {
		is_number(request.status, status, "  its status");
		is_number(request.retry_after, retry_after, "  when to ask again");
		ok(strcmp(request.body, body) == 0 && request.length == strlen(body), "  its body");
	}
	http_request_free(&request);
}

static void is_none(const char *answer, const char *reason)
{
	struct http_request request = {.body_max = 4};
	struct server server;

	ask(&request, &server, answer);
	ok(request.reason && strcmp(request.reason, reason) == 0, reason);
	ok(!request.body && request.status == 0, "  and nothing else");
	http_request_free(&request);
}

static void test_question(void)
{
	const struct http_keys keys = {"ACCESS", "a-secret", "region-1"};
	struct http_request request = {.method = "PUT",
		.headers = {"x-amz-content-sha256: 00", "x-amz-security-token: C/D+E=="},
		.body_max = 100,
		.sent = TEXT("body"),
		.keys = &keys,
		.wanted = "x-amz-bucket-region:"};
	struct server server;

	ask(&request, &server, "HTTP/1.1 301 No\r\nX-Amz-Bucket-Region:  eu-west-1 \r\nContent-Length: 0\r\n\r\n");
	ok(strncmp(server.question, "PUT /a%3Db HTTP/1.1\r\n", 21) == 0, "method and path as given");
	const char *credential = strstr(server.question, "Credential=ACCESS/");
	ok(credential && strstr(credential, "/region-1/s3/aws4_request"), "the request is signed for S3 of the region");
	ok(strstr(server.question, "SignedHeaders=") &&
			strstr(server.question, "host;x-amz-content-sha256;x-amz-date;x-amz-security-token"),
		"the signature covers the headers that S3 requires");
	ok(!strstr(server.question, "a-secret"), "the request does not contain the secret");
	ok(strcmp(request.found, "eu-west-1") == 0, "the header that was asked for is returned");
	http_request_free(&request);
}

static void is_encoded(const char *path, const char *expected)
{
	char text[256];
	struct buffer out = BUFFER(text);

	http_encode_path(&out, path);
	ok(strcmp(buffer_terminate(&out), expected) == 0, expected);
}

int main(void)
{
	struct rlimit limit;

	is_encoded("a/b-c._~Z9", "a/b-c._~Z9");
	is_encoded("date=1/x y+z:(é)", "date%3D1/x%20y%2Bz%3A%28%C3%A9%29");
	http_forbid_core();
	ok(getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur <= 1, "no core file");
	if (!http_library())
		return done();
	is_answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", 200, UNKNOWN, "body", "an answer");
	is_answer("HTTP/1.1 204 OK\r\n\r\n", 204, UNKNOWN, "", "an answer without a body");
	is_answer("HTTP/1.1 429 Busy\r\nRetry-After: 1234\r\nContent-Length: 0\r\n\r\n", 429, 1234, "",
		"an answer with a time to retry");
	is_answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 200, UNKNOWN, "x",
		"an answer after 100 Continue");
	is_answer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 302, UNKNOWN, "",
		"a redirect is not followed");
	is_none("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345", "the answer is too long");
	is_none("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n123", "the answer is incomplete");
	is_none("", "the server sent no answer");
	is_none("nothing of HTTP\r\n\r\n", "the answer is not HTTP");
	test_question();
	return done();
}
