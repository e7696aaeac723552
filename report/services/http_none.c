/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces http.c in a build without libcurl (`make CURL=no`): every request fails with a reason. */
#include "report/services/http.h"

#include "core/number.h"
#include "report/say/alloc.h"

#include <stdlib.h>

static const char missing[] = "this rtrack-report was built without libcurl";

struct http {
	int unused;
};

struct http *http_open(double seconds)
{
	(void)seconds;
	return xcalloc(1, sizeof(struct http));
}

void http_add(struct http *http, struct http_request *request)
{
	(void)http;
	request->status = 0;
	request->reason = missing;
	request->body = NULL;
	request->length = 0;
	request->retry_after = UNKNOWN;
	request->found[0] = '\0';
}

void http_run(struct http *http)
{
	(void)http;
}

void http_close(struct http *http)
{
	free(http);
}

void http_request_free(struct http_request *request)
{
	(void)request;
}

const char *http_library(void)
{
	return NULL;
}

const char *http_cannot_sign(void)
{
	return missing;
}
