/* HTTP requests side by side; see http.h. */
#define _GNU_SOURCE
#include "report/services/http.h"

#include "core/number.h"
#include "report/services/libcurl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct libcurl *libcurl; /* NULL: there is none; each request gets that as its reason */

struct http {
	CURLM *multi; /* NULL: there is no libcurl */
	double end;   /* monotonic, s */
};

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double http_time_left(const struct http *http)
{
	double left = http->end - now();
	return left > 0 ? left : 0;
}

struct http *http_open(double seconds)
{
	struct http *http = malloc(sizeof *http);

	libcurl = libcurl_get();
	CURLM *multi = libcurl && http ? libcurl->multi_init() : NULL;
	if (!http || (libcurl && !multi)) {
		free(http);
		errno = ENOMEM;
		return NULL;
	}
	*http = (struct http){multi, now() + seconds};
	return http;
}

void http_close(struct http *http)
{
	if (http->multi)
		libcurl->multi_cleanup(http->multi);
	free(http);
}

void http_request_free(struct http_request *request)
{
	free(request->body);
	request->body = NULL;
	request->length = 0;
}

/* -- one request ----------------------------------------------------------------------------------- */

static size_t take_body(char *data, size_t unit, size_t count, void *context)
{
	struct http_request *request = context;
	size_t length = unit * count;

	if (length > request->body_max - request->length) {
		request->reason = "the answer is too long";
		return 0;
	}
	char *body = realloc(request->body, request->length + length + 1);
	if (!body)
		return 0;
	memcpy(body + request->length, data, length);
	request->body = body;
	request->length += length;
	body[request->length] = '\0';
	return length;
}

static struct curl_slist *header_list(const struct http_request *request)
{
	struct curl_slist *list = NULL;
	for (size_t i = 0; i < HTTP_HEADERS_MAX && request->headers[i]; i++) {
		struct curl_slist *longer = libcurl->slist_append(list, request->headers[i]);
		list = longer ? longer : list;
	}
	return list;
}

static void set_protocols(CURL *handle)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	libcurl->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	libcurl->easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
/* Else the end of the program would wait for a name server that does not answer. */
#if LIBCURL_VERSION_NUM >= 0x075700
	libcurl->easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static void set_options(CURL *handle, struct http_request *request, double seconds)
{
	libcurl->easy_setopt(handle, CURLOPT_URL, request->url);
	if (request->method)
		libcurl->easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
	libcurl->easy_setopt(handle, CURLOPT_HTTPHEADER, request->header_list);
	libcurl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
	libcurl->easy_setopt(handle, CURLOPT_WRITEDATA, request);
	libcurl->easy_setopt(handle, CURLOPT_PRIVATE, request);
	libcurl->easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)(seconds * 1000) + 1);
	libcurl->easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
	libcurl->easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
	libcurl->easy_setopt(handle, CURLOPT_USERAGENT, "rtrack");
	if (!request->proxy)
		libcurl->easy_setopt(handle, CURLOPT_PROXY, "");
	set_protocols(handle);
}

void http_add(struct http *http, struct http_request *request)
{
	request->status = 0;
	request->retry_after = UNKNOWN;
	request->reason = http->multi ? NULL : "there is no libcurl on this machine";
	request->body = NULL;
	request->length = 0;
	request->header_list = NULL;
	request->handle = NULL;
	if (!http->multi)
		return;
	CURL *handle = libcurl->easy_init();
	request->header_list = header_list(request);
	request->handle = handle;
	if (handle) {
		set_options(handle, request, http_time_left(http));
		if (libcurl->multi_add_handle(http->multi, handle) == CURLM_OK)
			return;
	}
	request->reason = "no memory";
	libcurl->easy_cleanup(handle);
	libcurl->slist_free_all(request->header_list);
	request->handle = NULL;
}

static void finish(struct http *http, CURL *handle, CURLcode result)
{
	struct http_request *request = NULL;
	curl_off_t retry_after = 0;
	long status = 0;

	libcurl->easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&request);
	libcurl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
	libcurl->easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after);
	if (retry_after > 0)
		request->retry_after = (double)retry_after;
	if (result == CURLE_OK)
		request->status = (int)status;
	else if (!request->reason)
		request->reason =
			result == CURLE_OPERATION_TIMEDOUT ? "no answer in time" : libcurl->easy_strerror(result);
	if (result != CURLE_OK)
		http_request_free(request);
	libcurl->multi_remove_handle(http->multi, handle);
	libcurl->easy_cleanup(handle);
	libcurl->slist_free_all(request->header_list);
	request->handle = NULL;
	request->header_list = NULL;
	if (request->done)
		request->done(http, request);
}

/* -- all of them ----------------------------------------------------------------------------------- */

/* Finishes the requests that are done; returns whether there were any. */
static bool finish_those_done(struct http *http)
{
	CURLMsg *message;
	int left;
	bool any = false;

	while ((message = libcurl->multi_info_read(http->multi, &left))) {
		if (message->msg != CURLMSG_DONE)
			continue;
		finish(http, message->easy_handle, message->data.result);
		any = true;
	}
	return any;
}

/* Each request has the remaining time as its own limit, so libcurl ends them all in time. */
void http_run(struct http *http)
{
	int running = 1;

	while (http->multi) {
		if (libcurl->multi_perform(http->multi, &running) != CURLM_OK)
			return;
		bool any = finish_those_done(http);
		if (running == 0 && !any)
			return;
		if (running > 0 && !any)
			libcurl->multi_poll(http->multi, NULL, 0, 100, NULL);
	}
}
