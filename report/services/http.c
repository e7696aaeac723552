/* HTTP requests side by side; see http.h.
 *
 * Each is a process of the program curl, which gets the question on its standard input, as a token in a header is
 * nobody's business who looks at command lines, and prints the answer with its headers. */
#define _GNU_SOURCE
#include "report/services/http.h"

#include "core/number.h"
#include "report/services/http_answer.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { QUESTION_SIZE = 16384, HEADERS_SIZE = 65536, PART_SIZE = 65536, AT_ONCE_MAX = 64 };

struct http {
	double end; /* of program_clock */
	struct http_request *open[AT_ONCE_MAX];
	size_t count;
};

double http_time_left(const struct http *http)
{
	double left = http->end - program_clock();
	return left > 0 ? left : 0;
}

struct http *http_open(double seconds)
{
	struct http *http = calloc(1, sizeof *http);
	if (http)
		http->end = program_clock() + seconds;
	return http;
}

void http_close(struct http *http)
{
	for (size_t i = 0; i < http->count; i++)
		program_end(&http->open[i]->program, true);
	free(http);
}

void http_request_free(struct http_request *request)
{
	free(request->body);
	request->body = NULL;
	request->length = 0;
}

/* -- the question ---------------------------------------------------------------------------------- */

/* The rest of a line behind its first quote. */
static void put_value(struct buffer *out, const char *value)
{
	for (; *value; value++) {
		static const char plain[] = "\t\n\r\v\"\\", letters[] = "tnrv\"\\";
		const char *found = strchr(plain, *value);
		if (found) {
			buffer_byte(out, '\\');
			buffer_byte(out, letters[found - plain]);
		} else {
			buffer_byte(out, *value);
		}
	}
	buffer_string(out, "\"\n");
}

/* A line of curl's configuration, as curl(1) says under --config. */
static void put_option(struct buffer *out, const char *name, const char *value)
{
	buffer_string(out, name);
	buffer_string(out, " = \"");
	put_value(out, value);
}

/* Only options that curl has had since 7.21, of 2010. */
static void put_question(struct buffer *out, const struct http_request *request, double seconds)
{
	buffer_string(out, "silent\ninclude\ngloboff\nmax-time = ");
	buffer_unsigned(out, (uint64_t)ceil(seconds) + 1);
	buffer_string(out, "\nproto = \"=http,https\"\nuser-agent = \"rtrack\"\n");
	if (request->method)
		put_option(out, "request", request->method);
	for (size_t i = 0; i < HTTP_HEADERS_MAX && request->headers[i]; i++)
		put_option(out, "header", request->headers[i]);
	if (!request->proxy)
		put_option(out, "noproxy", "*");
	if (request->form)
		put_option(out, "data", request->form);
	if (request->body_path) {
		/* Without "100 Continue", which some servers never say. */
		put_option(out, "header", "Expect:");
		/* A curl that outlives a killed sender must not send nothing because the file is gone: with upload-file
		 * it sends no question at all then. It would add the file's name to an address that ends in '/'. */
		bool ends_in_slash = request->url[strlen(request->url) - 1] == '/';
		buffer_string(out, ends_in_slash ? "data-binary = \"@" : "upload-file = \"");
		put_value(out, request->body_path);
	}
	if (request->rate > 0) {
		buffer_string(out, "limit-rate = ");
		buffer_unsigned(out, request->rate);
		buffer_byte(out, '\n');
	}
	put_option(out, "url", request->url);
}

void http_add(struct http *http, struct http_request *request)
{
	/* -q: what a person has in .curlrc is for that person's own use of curl. */
	static const char *const curl[] = {"curl", "-q", "--config", "-", NULL};
	char space[QUESTION_SIZE];
	struct buffer question = BUFFER(space);

	request->status = 0;
	request->retry_after = UNKNOWN;
	request->found[0] = '\0';
	request->reason = NULL;
	request->body = NULL;
	request->length = 0;
	put_question(&question, request, http_time_left(http));
	if (question.full || http->count == AT_ONCE_MAX)
		request->reason = "the question is too long";
	else if (http_time_left(http) <= 0)
		request->reason = "no answer in time";
	else if (program_start(&request->program, curl, (struct text){space, question.length}) == 0)
		http->open[http->count++] = request;
	else
		request->reason = errno == ENOENT ? "there is no curl on this machine" : "curl could not be started";
}

/* -- the answer ------------------------------------------------------------------------------------ */

/* By curl(1), "Exit codes". */
static const char *reason_of(int status)
{
	switch (status) {
	case 1:
		return "its protocol is neither http nor https";
	case 3:
		return "its address is none";
	case 5:
		return "the proxy's name is not known";
	case 6:
		return "its name is not known";
	case 7:
		return "nobody answers there";
	case 18:
		return "the answer broke off";
	case 28:
		return "no answer in time";
	case 52:
		return "it answered nothing";
	case 35:
	case 51:
	case 58:
	case 60:
	case 77:
		return "its certificate could not be checked";
	default:
		return "the connection failed";
	}
}

/* The body moves to the front of what was printed. */
static void take_body(struct http_request *request)
{
	struct http_answer answer;

	if (!http_answer_read((struct text){request->body, request->length}, &answer)) {
		request->reason = "the answer has no headers";
		return;
	}
	if (answer.body.length > request->body_max) {
		request->reason = "the answer is too long";
		return;
	}
	request->status = answer.status;
	request->retry_after = answer.retry_after;
	if (request->wanted) {
		struct text found = http_answer_header(answer.headers, request->wanted);
		if (found.length < sizeof request->found)
			memcpy(request->found, found.data, found.length);
		request->found[found.length < sizeof request->found ? found.length : 0] = '\0';
	}
	request->length = answer.body.length;
	memmove(request->body, answer.body.data, answer.body.length);
	request->body[request->length] = '\0';
}

/* Ends the request at this place of the list with a reason, or as curl says. `done` may add others. */
static void finish(struct http *http, size_t which, const char *reason)
{
	struct http_request *request = http->open[which];

	http->open[which] = http->open[--http->count];
	int status = program_end(&request->program, reason != NULL);
	if (reason)
		request->reason = reason;
	else if (status != 0)
		request->reason = reason_of(status);
	else
		take_body(request);
	if (request->reason)
		http_request_free(request);
	if (request->done)
		request->done(http, request);
}

/* Takes what there is to read of one request; returns whether that was the end of it, with the reason if there is one.
 */
static bool take_part(struct http_request *request, const char **reason)
{
	char part[PART_SIZE];
	ssize_t length = recv(request->program.socket, part, sizeof part, MSG_DONTWAIT);

	*reason = NULL;
	if (length <= 0)
		return length == 0 || (errno != EAGAIN && errno != EINTR);
	if ((size_t)length > request->body_max + HEADERS_SIZE - request->length) {
		*reason = "the answer is too long";
		return true;
	}
	char *body = realloc(request->body, request->length + (size_t)length + 1);
	if (!body) {
		*reason = "no memory";
		return true;
	}
	memcpy(body + request->length, part, (size_t)length);
	request->body = body;
	request->length += (size_t)length;
	body[request->length] = '\0';
	return false;
}

void http_run(struct http *http)
{
	while (http->count > 0) {
		struct pollfd wait_for[AT_ONCE_MAX];
		double left = http_time_left(http);
		const char *reason;

		if (left <= 0) {
			finish(http, 0, "no answer in time");
			continue;
		}
		for (size_t i = 0; i < http->count; i++)
			wait_for[i] = (struct pollfd){http->open[i]->program.socket, POLLIN, 0};
		poll(wait_for, (nfds_t)http->count, (int)(left * 1000) + 1);
		/* From the last one on: one that is finished has its place taken by one that was looked at. */
		for (size_t i = http->count; i-- > 0;)
			if (wait_for[i].revents && take_part(http->open[i], &reason))
				finish(http, i, reason);
	}
}
