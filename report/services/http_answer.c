/* Answers of HTTP; see http_answer.h. */
#define _GNU_SOURCE
#include "report/services/http_answer.h"

#include "core/number.h"

#include <string.h>
#include <strings.h>

/* The length of the headers with the empty line behind them; 0: there are none. */
static size_t headers_length(struct text printed)
{
	if (!text_starts(printed, "HTTP/"))
		return 0;
	const char *end = memmem(printed.data, printed.length, "\r\n\r\n", 4);
	return end ? (size_t)(end - printed.data) + 4 : 0;
}

/* Of a first line like "HTTP/1.1 200 OK"; 0: it has none. */
static int status_of(struct text headers)
{
	size_t at = text_find(headers, ' ', 0);
	uint64_t status;

	if (headers.length - at < 4 || number_read_unsigned((struct text){headers.data + at + 1, 3}, &status) != 0)
		return 0;
	return (int)status;
}

struct text http_answer_header(struct text headers, const char *name)
{
	const size_t length = strlen(name);

	for (size_t at = text_find(headers, '\n', 0) + 1; at + length < headers.length;
		at = text_find(headers, '\n', at) + 1) {
		if (strncasecmp(headers.data + at, name, length) != 0)
			continue;
		size_t from = at + length;
		while (headers.data[from] == ' ')
			from++;
		return (struct text){headers.data + from, text_find(headers, '\r', from) - from};
	}
	return (struct text){"", 0};
}

static double retry_after_of(struct text headers)
{
	uint64_t seconds;
	struct text value = http_answer_header(headers, "retry-after:");

	return number_read_unsigned(value, &seconds) == 0 && seconds > 0 ? (double)seconds : UNKNOWN;
}

bool http_answer_read(struct text printed, struct http_answer *answer)
{
	size_t length = headers_length(printed);

	if (length == 0)
		return false;
	for (;;) {
		struct text headers = {printed.data, length};
		struct text rest = {printed.data + length, printed.length - length};
		int status = status_of(headers);
		length = headers_length(rest);
		if (length == 0 || status < 100 || status >= 300) {
			*answer = (struct http_answer){status, retry_after_of(headers), rest, headers};
			return true;
		}
		printed = rest;
	}
}
