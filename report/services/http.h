/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP requests side by side, within one limit of time, by libcurl. This is the one door to it.
 *
 * Connections stay open for later requests. Certificates are verified: CURL_CA_BUNDLE or SSL_CERT_FILE names a file of
 * authorities, SSL_CERT_DIR a folder; otherwise libcurl's own file, or that of the distribution. No redirect is
 * followed and no cookie is kept. An answer that is longer than body_max is dropped. Nothing is tried twice: every
 * caller can do without an answer.
 *
 *   struct http *http = http_open(2);
 *   http_add(http, &request);
 *   http_run(http);
 *   … request.status, request.body …
 *   http_request_free(&request);
 *   http_close(http);
 *
 * `make CURL=no` takes http_none.c instead of http.c: each request fails and says so. */
#ifndef RTRACK_REPORT_SERVICES_HTTP_H
#define RTRACK_REPORT_SERVICES_HTTP_H

#include "core/base.h"

struct http;

enum { HTTP_HEADERS_MAX = 8, HTTP_FOUND_SIZE = 64 };

/* Keys that sign a request for S3 (AWS Signature Version 4). */
struct http_keys {
	const char *access;
	const char *secret;
	const char *region;
};

struct http_request {
	/* asked; texts must last until http_run returns */
	const char *method; /* NULL: GET */
	const char *url;
	const char *headers[HTTP_HEADERS_MAX]; /* "Name: value"; NULL ends them */
	size_t body_max;                       /* of the answer */
	bool proxy;                            /* heed http_proxy and the like */
	struct text sent;                      /* the body; data NULL: none. Without a Content-Type it is a form */
	const struct http_keys *keys;          /* NULL: not signed */
	unsigned rate;                         /* bytes a second to send at most; 0: no limit */
	const char *wanted; /* a header of the answer to keep, in lower case with its colon; NULL: none */
	/* Called when the answer is there or will not come; may add further requests. NULL: no call. */
	void (*done)(struct http *http, struct http_request *request);
	void *context; /* of the caller */

	/* answered */
	int status;         /* 200 and so on; 0: no whole answer came */
	const char *reason; /* why no answer came; NULL: one came */
	char *body;         /* NUL-terminated; NULL: none. Owned */
	size_t length;
	double retry_after;          /* s, of the header Retry-After; UNKNOWN: there is none */
	char found[HTTP_FOUND_SIZE]; /* the wanted header; "": there is none */

	/* of http.c */
	struct http *http;
	void *easy;
	struct curl_slist *lines;
	double sent_bytes;
};

/* All requests together take at most `seconds` from now. */
struct http *http_open(double seconds);

/* Starts a request; *request must not move until http_close. One that cannot be started gets a reason at once, and its
 * `done` is not called. */
void http_add(struct http *http, struct http_request *request);

/* Returns when all requests are answered or the time is over. */
void http_run(struct http *http);

void http_close(struct http *http);
void http_request_free(struct http_request *request);

/* "libcurl 7.88.1 OpenSSL/3.0.19"; NULL: this program was built without it. */
const char *http_library(void);

/* NULL, or why this libcurl cannot sign for S3. */
const char *http_cannot_sign(void);

/* From here on no core file of this process is written. A caller that takes keys or tokens into memory calls it first.
 */
void http_forbid_core(void);

/* Appends a path: letters, digits, '-', '.', '_', '~' and '/' as they are, each other byte as %XX. */
void http_encode_path(struct buffer *out, const char *path);

#endif
