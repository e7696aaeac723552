/* SPDX-License-Identifier: Apache-2.0 */
/* Runs HTTP requests concurrently with libcurl.
 *
 * One multi handle serves the whole program, and one easy handle is reused. The multi handle keeps connections open,
 * and the easy handle keeps TLS sessions, so that a thousand requests to one server need one connection. */
#define _GNU_SOURCE
#include "report/services/http.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/say/progress.h"
#include "report/services/program.h"

#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { AT_ONCE_MAX = 64, TEXT_SIZE = 256, SIGNS_SINCE = 0x075700 /* libcurl 7.87 */ };

struct http {
	double end; /* end of the time limit, as a time of program_clock */
	struct http_request *open[AT_ONCE_MAX];
	size_t count;
	struct progress progress;
};

static CURLM *multi;
static CURL *idle; /* handle that the next request can reuse, or NULL */

/* -- libcurl --------------------------------------------------------------------------------------- */

#if defined CURL_STATICLIB && defined __GLIBC__
int __nss_configure_lookup(const char *database, const char *services);

/* A static program must not load the modules named in /etc/nsswitch.conf, because they need the C library with which
 * they were linked. Therefore only /etc/hosts and DNS are used, because their lookup is built into glibc. */
static void use_own_lookup(void)
{
	(void)__nss_configure_lookup("hosts", "files dns");
}
#else
static void use_own_lookup(void)
{
}
#endif

static void open_library(void)
{
	if (multi)
		return;
	use_own_lookup();
	if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
		multi = curl_multi_init();
	if (!multi)
		alloc_failed();
}

/* Returns the version of the linked libcurl, which may differ from the version of the header. */
const char *http_library(void)
{
	static char text[TEXT_SIZE];
	const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);

	(void)snprintf(text, sizeof text, "libcurl %s %s", info->version,
		info->ssl_version ? info->ssl_version : "without TLS");
	return text;
}

/* libcurl can sign requests since version 7.75. Since version 7.87, it also signs the headers that S3 requires. */
const char *http_cannot_sign(void)
{
	static char text[TEXT_SIZE];
	const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);

	if (info->version_num >= SIGNS_SINCE)
		return NULL;
	(void)snprintf(text, sizeof text, "S3 needs libcurl 7.87 or later; this is %s", info->version);
	return text;
}

/* -- the request ----------------------------------------------------------------------------------- */

static const char *environment(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

/* Returns the file of certificate authorities. Returns NULL if libcurl has its own file, or if none is found. */
static const char *find_authorities(void)
{
	static const char *const usual[] = {
		"/etc/ssl/certs/ca-certificates.crt",                /* Debian, Alpine, Arch, distroless */
		"/etc/pki/tls/certs/ca-bundle.crt",                  /* Red Hat */
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* Red Hat, newer */
		"/etc/ssl/ca-bundle.pem",                            /* SUSE */
		"/etc/ssl/cert.pem",                                 /* OpenBSD, Alpine */
	};
	const char *given = environment("CURL_CA_BUNDLE");
	const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);

	given = given ? given : environment("SSL_CERT_FILE");
	if (given || (info->age >= CURLVERSION_SEVENTH && (info->cainfo || info->capath)))
		return given;
	for (size_t i = 0; i < ARRAY_LENGTH(usual); i++)
		if (access(usual[i], R_OK) == 0)
			return usual[i];
	return NULL;
}

static size_t take_part(char *data, size_t one, size_t length, void *context)
{
	struct http_request *request = context;

	(void)one;
	if (length > request->body_max - request->length)
		return 0;
	request->body = xreallocarray(request->body, request->length + length + 1, 1);
	memcpy(request->body + request->length, data, length);
	request->length += length;
	request->body[request->length] = '\0';
	return length;
}

/* Stores the value of the header that the request wants. A later answer replaces an earlier one, because "100 Continue"
 * may come before the final answer. */
static size_t take_header(char *line, size_t one, size_t length, void *context)
{
	struct http_request *request = context;
	size_t name = request->wanted ? strlen(request->wanted) : 0;

	(void)one;
	if (text_starts((struct text){line, length}, "HTTP/"))
		request->found[0] = '\0';
	if (name == 0 || length < name || strncasecmp(line, request->wanted, name) != 0)
		return length;
	while (name < length && line[name] == ' ')
		name++;
	size_t end = length;
	while (end > name && (line[end - 1] == '\r' || line[end - 1] == '\n' || line[end - 1] == ' '))
		end--;
	if (end - name < sizeof request->found) {
		memcpy(request->found, line + name, end - name);
		request->found[end - name] = '\0';
	}
	return length;
}

static int take_progress(void *context, curl_off_t all_in, curl_off_t in, curl_off_t all_out, curl_off_t out)
{
	struct http_request *request = context;

	(void)all_in, (void)in, (void)all_out;
	progress_advance(&request->http->progress, (double)out - request->sent_bytes);
	request->sent_bytes = (double)out;
	return 0;
}

static bool set_protocols(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
#else
	return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS)) == CURLE_OK;
#endif
}

static bool set_authorities(CURL *easy)
{
	const char *file = find_authorities();
	const char *folder = environment("SSL_CERT_DIR");

	return (!file || (curl_easy_setopt(easy, CURLOPT_CAINFO, file) == CURLE_OK &&
				 curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, file) == CURLE_OK)) &&
	       (!folder || curl_easy_setopt(easy, CURLOPT_CAPATH, folder) == CURLE_OK);
}

/* libcurl does not hash the body for S3, so the caller must set the header x-amz-content-sha256. */
static bool set_keys(CURL *easy, const struct http_keys *keys)
{
	char how[TEXT_SIZE];

	if (!keys)
		return true;
#if LIBCURL_VERSION_NUM >= 0x074b00
	return snprintf(how, sizeof how, "aws:amz:%s:s3", keys->region) < (int)sizeof how &&
	       curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, how) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_USERNAME, keys->access) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PASSWORD, keys->secret) == CURLE_OK;
#else
	(void)easy, (void)how;
	return false;
#endif
}

static bool set_headers(CURL *easy, struct http_request *request)
{
	for (size_t i = 0; i < HTTP_HEADERS_MAX && request->headers[i]; i++) {
		struct curl_slist *lines = curl_slist_append(request->lines, request->headers[i]);
		if (!lines)
			alloc_failed();
		request->lines = lines;
	}
	return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, request->lines) == CURLE_OK;
}

/* Does not wait for "100 Continue", because some servers never send it. An empty header "Expect:" does not help:
 * libcurl 7.88 would sign it but not send it, and S3 would reject the signature. */
static bool set_body(CURL *easy, const struct http_request *request)
{
	if (!request->sent.data)
		return true;
	return curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->sent.length) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->sent.data) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_MAX_SEND_SPEED_LARGE, (curl_off_t)request->rate) == CURLE_OK;
}

static bool set_calls(CURL *easy, struct http_request *request)
{
	return curl_easy_setopt(easy, CURLOPT_PRIVATE, request) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_part) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, request) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HEADERDATA, request) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, take_progress) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_XFERINFODATA, request) == CURLE_OK;
}

static bool set_options(CURL *easy, struct http_request *request, double seconds)
{
#if LIBCURL_VERSION_NUM >= 0x075700
	/* The end of the program must not wait for a name lookup that hangs. */
	(void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
	return curl_easy_setopt(easy, CURLOPT_URL, request->url) == CURLE_OK && set_protocols(easy) &&
	       curl_easy_setopt(easy, CURLOPT_USERAGENT, "rtrack") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(seconds * 1000) + 1) == CURLE_OK &&
	       (request->proxy || curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK) && set_authorities(easy) &&
	       set_body(easy, request) &&
	       (!request->method || curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) == CURLE_OK) &&
	       set_headers(easy, request) && set_keys(easy, request->keys) && set_calls(easy, request);
}

/* -- the answer ------------------------------------------------------------------------------------ */

static bool is_http(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

static const char *reason_of(CURLcode code, const struct http_request *request)
{
	switch (code) {
	case CURLE_UNSUPPORTED_PROTOCOL:
		return is_http(request->url) ? "the answer is not HTTP"
					     : "the address must begin with http:// or https://";
	case CURLE_URL_MALFORMAT:
		return "the address is not valid";
	case CURLE_COULDNT_RESOLVE_PROXY:
		return "the name of the proxy is unknown";
	case CURLE_COULDNT_RESOLVE_HOST:
		return "the name of the server is unknown";
	case CURLE_COULDNT_CONNECT:
		return "no server answers there";
	case CURLE_PARTIAL_FILE:
		return "the answer is incomplete";
	case CURLE_WRITE_ERROR:
		return "the answer is too long";
	case CURLE_OPERATION_TIMEDOUT:
		return "no answer in time";
	case CURLE_OUT_OF_MEMORY:
		return "out of memory";
	case CURLE_GOT_NOTHING:
		return "the server sent no answer";
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CACERT_BADFILE:
		return "the certificate of the server could not be checked";
	default:
		return "the connection failed";
	}
}

/* Releases the request's handle. One handle is kept for reuse, because it holds TLS sessions. */
static void release(struct http_request *request)
{
	curl_slist_free_all(request->lines);
	request->lines = NULL;
	if (!request->easy)
		return;
	(void)curl_multi_remove_handle(multi, request->easy);
	if (idle) {
		curl_easy_cleanup(request->easy);
	} else {
		idle = request->easy;
		/* The keys must not remain in a handle that is kept for reuse. */
		curl_easy_reset(idle);
	}
	request->easy = NULL;
}

/* Ends the request at index `which` and calls its `done`. This callback may start further requests. */
static void finish(struct http *http, size_t which, CURLcode code)
{
	struct http_request *request = http->open[which];
	curl_off_t wait = 0;
	long status = 0;

	http->open[which] = http->open[--http->count];
	if (code == CURLE_OK) {
		(void)curl_easy_getinfo(request->easy, CURLINFO_RESPONSE_CODE, &status);
		(void)curl_easy_getinfo(request->easy, CURLINFO_RETRY_AFTER, &wait);
		request->status = (int)status;
		request->retry_after = wait > 0 ? (double)wait : UNKNOWN;
		/* The body of an empty answer is "", not NULL. */
		if (!request->body)
			request->body = xcalloc(1, 1);
	} else {
		request->reason = reason_of(code, request);
		http_request_free(request);
	}
	release(request);
	if (request->done)
		request->done(http, request);
}

static void finish_handle(struct http *http, const CURL *easy, CURLcode code)
{
	for (size_t i = 0; i < http->count; i++)
		if (http->open[i]->easy == easy) {
			finish(http, i, code);
			return;
		}
}

/* -- all requests ---------------------------------------------------------------------------------- */

static double time_left(const struct http *http)
{
	double left = http->end - program_clock();
	return left > 0 ? left : 0;
}

struct http *http_open(double seconds)
{
	struct http *http = xcalloc(1, sizeof *http);

	open_library();
	http->end = program_clock() + seconds;
	return http;
}

void http_add(struct http *http, struct http_request *request)
{
	double seconds = time_left(http);

	request->http = http;
	request->status = 0;
	request->retry_after = UNKNOWN;
	request->found[0] = '\0';
	request->reason = NULL;
	request->body = NULL;
	request->length = 0;
	request->lines = NULL;
	request->sent_bytes = 0;
	request->easy = idle ? idle : curl_easy_init();
	idle = NULL;
	if (seconds <= 0)
		request->reason = "no answer in time";
	else if (http->count == AT_ONCE_MAX || !request->easy || !set_options(request->easy, request, seconds) ||
		 curl_multi_add_handle(multi, request->easy) != CURLM_OK)
		request->reason = "the request could not be sent";
	if (request->reason)
		release(request);
	else
		http->open[http->count++] = request;
}

static void run(struct http *http)
{
	while (http->count > 0) {
		const CURLMsg *message;
		double left = time_left(http);
		int count;

		(void)curl_multi_perform(multi, &count);
		while ((message = curl_multi_info_read(multi, &count)))
			if (message->msg == CURLMSG_DONE)
				finish_handle(http, message->easy_handle, message->data.result);
		if (http->count > 0 && left <= 0)
			finish(http, 0, CURLE_OPERATION_TIMEDOUT);
		else if (http->count > 0)
			(void)curl_multi_poll(multi, NULL, 0, (int)(left * 1000) + 1, NULL);
	}
}

void http_run(struct http *http)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction before;
	double bytes = 0;

	for (size_t i = 0; i < http->count; i++)
		bytes += (double)http->open[i]->sent.length;
	progress_begin(&http->progress, bytes > 0 ? "sending" : "waiting for an answer", bytes);
	/* SIGPIPE is ignored, because a TLS library may write to a connection that the peer has closed. */
	(void)sigaction(SIGPIPE, &ignore, &before);
	run(http);
	(void)sigaction(SIGPIPE, &before, NULL);
	progress_end(&http->progress);
}

void http_close(struct http *http)
{
	while (http->count > 0)
		release(http->open[--http->count]);
	free(http);
}

void http_request_free(struct http_request *request)
{
	free(request->body);
	request->body = NULL;
	request->length = 0;
}
