/* Answers of HTTP as curl prints them. */
#include "report/services/http_answer.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

#include <string.h>

static void is_answer(const char *printed, int status, double retry_after, const char *body, const char *what)
{
	struct http_answer answer = {-1, -1, {NULL, 0}, {NULL, 0}};

	if (!ok(http_answer_read(text_of(printed), &answer), what))
		return;
	is_number(answer.status, status, "  its status");
	is_number(answer.retry_after, retry_after, "  when to ask again");
	ok(text_is(answer.body, body), "  its body");
}

static void is_none(const char *printed, const char *what)
{
	struct http_answer answer;
	ok(!http_answer_read(text_of(printed), &answer), what);
}

static void is_header(const char *printed, const char *name, const char *value, const char *what)
{
	struct http_answer answer;

	ok(http_answer_read(text_of(printed), &answer) && text_is(http_answer_header(answer.headers, name), value),
		what);
}

int main(void)
{
	is_header("HTTP/1.1 301 No\r\nA: b\r\nX-Amz-Bucket-Region:  eu-west-1\r\n\r\n",
		"x-amz-bucket-region:", "eu-west-1", "a header");
	is_header("HTTP/1.1 301 No\r\nA: b\r\n\r\nX: c\r\n", "x:", "", "a header that only the body has");
	is_answer("HTTP/1.1 200 OK\r\nServer: x\r\n\r\nbody\r\n\r\n", 200, UNKNOWN, "body\r\n\r\n", "an answer");
	is_answer("HTTP/2 404 \r\n\r\n", 404, UNKNOWN, "", "one without a reason or a body");
	is_answer("HTTP/1.1 429 Busy\r\nRETRY-after:   1234\r\nX: y\r\n\r\n", 429, 1234, "",
		"one that asks for patience");
	is_answer("HTTP/1.1 503 Busy\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n\r\n", 503, UNKNOWN, "",
		"patience until a date");
	is_answer("HTTP/1.1 503 Busy\r\nRetry-After: -1\r\n\r\n", 503, UNKNOWN, "", "patience of less than nothing");
	is_answer("HTTP/1.1 200 OK\r\nX-Retry-After: 7\r\n\r\nRetry-After: 8\r\n\r\n", 200, UNKNOWN,
		"Retry-After: 8\r\n\r\n", "no header of that name");
	is_answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody", 200, UNKNOWN, "body",
		"a continuation before it");
	is_answer("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 302 Found\r\n\r\nbody", 302, UNKNOWN, "body",
		"a proxy before it");
	is_answer("HTTP/1.1 500 Oops\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", 500, UNKNOWN, "HTTP/1.1 200 OK\r\n\r\n",
		"a body that looks like an answer, of one that failed");
	is_answer("HTTP/1.1\r\n\r\nbody", 0, UNKNOWN, "body", "one without a status");
	is_none("", "nothing");
	is_none("HTTP/1.1 200 OK\r\nServer: x\r\n", "headers without an end");
	is_none("body\r\n\r\n", "a body alone");
	return done();
}
