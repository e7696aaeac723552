/* SPDX-License-Identifier: Apache-2.0 */
/* Runs HTTP requests concurrently within one time limit. No other file uses libcurl.
 *
 * Connections stay open for later requests. Certificates are verified. CURL_CA_BUNDLE or SSL_CERT_FILE names the CA
 * file, and SSL_CERT_DIR the CA folder; the default is the file of libcurl or of the distribution. Redirects are not
 * followed, and cookies are not kept. An answer longer than body_max is dropped. Failed requests are not repeated,
 * because every caller works without an answer. SSL_CERT_DIR a CA folder; the default is libcurl's own file or the
 * distribution's. Redirects are not followed and cookies are not kept. An answer longer than body_max is dropped.
 * Nothing is retried, because every caller works without an answer.
 *
 *   struct http *http = http_open(2);
 *   http_add(http, &request);
 *   http_run(http);
 *   … request.status, request.body …
 *   http_request_free(&request);
 *   http_close(http);
 *
 * `make CURL=no` builds http_none.c instead of http.c: every request fails with a reason. */
#ifndef RTRACK_REPORT_SERVICES_HTTP_H
#define RTRACK_REPORT_SERVICES_HTTP_H

#include "core/base.h"

struct http;

enum { HTTP_HEADERS_MAX = 8, HTTP_FOUND_SIZE = 64 };

/* Keys to sign a request for S3 (AWS Signature Version 4). */
struct http_keys {
	const char *access;
	const char *secret;
	const char *region;
};

struct http_request {
	/* The caller sets the following fields. Strings must remain valid until http_run returns. */
	const char *method; /* NULL means GET */
	const char *url;
	const char *headers[HTTP_HEADERS_MAX]; /* "Name: value", terminated by NULL */
	size_t body_max;                       /* maximum size of the answer's body in bytes */
	/* whether to use the proxy that http_proxy or a similar variable names */
	bool proxy;
	struct text sent; /* body of the request, or no body if `data` is NULL; sent as a form unless a header sets
			     Content-Type */
	const struct http_keys *keys; /* keys for signing, or NULL to send unsigned */
	unsigned rate;                /* upload limit in bytes per second; 0 for no limit */
	const char *wanted;           /* name of the answer header to keep, in lower case and with its colon, or NULL */
	/* Callback for the end of the request, or NULL. It may add further requests. */
	void (*done)(struct http *http, struct http_request *request);
	void *context; /* data of the caller, for `done` */

	/* set by http_run */
	int status;         /* HTTP status such as 200; 0 without a complete answer */
	const char *reason; /* error message if there is no answer, otherwise NULL */
	char *body;         /* body of the answer, NUL-terminated, owned, or NULL */
	size_t length;
	double retry_after;          /* value of the header Retry-After in seconds, or UNKNOWN */
	char found[HTTP_FOUND_SIZE]; /* value of the wanted header, or "" */

	/* internal to http.c */
	struct http *http;
	void *easy;
	struct curl_slist *lines;
	double sent_bytes;
};

/* Begins a set of concurrent requests. All of them together have a time limit of `seconds` from now. */
struct http *http_open(double seconds);

/* Starts a request. *request must not move in memory before http_close. If the request cannot be started, http_add sets
 * its `reason` and does not call `done`. */
void http_add(struct http *http, struct http_request *request);

/* Returns when all requests have ended or the time limit has passed. */
void http_run(struct http *http);

void http_close(struct http *http);
void http_request_free(struct http_request *request);

/* Returns a name such as "libcurl 7.88.1 OpenSSL/3.0.19", or NULL in a build without libcurl. */
const char *http_library(void);

/* Returns why this libcurl cannot sign for S3, or NULL if it can. */
const char *http_cannot_sign(void);

/* Disables core files of this process. Call this function before keys or tokens are in memory. */
void http_forbid_core(void);

/* Appends a percent-encoded path: letters, digits, '-', '.', '_', '~' and '/' are kept. */
void http_encode_path(struct buffer *out, const char *path);

#endif
