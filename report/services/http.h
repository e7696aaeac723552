/* HTTP requests side by side, all within one limit of time.
 *
 * No redirect is followed and no cookie kept. An answer that is longer than was asked for is dropped. Nothing is tried
 * twice: every caller can do without an answer.
 *
 *   struct http *http = http_open(2);
 *   http_add(http, &request);
 *   http_run(http);
 *   … request.status, request.body …
 *   http_request_free(&request);
 *   http_close(http); */
#ifndef RTRACK_REPORT_SERVICES_HTTP_H
#define RTRACK_REPORT_SERVICES_HTTP_H

#include "core/base.h"
#include "report/services/program.h"

struct http;

enum { HTTP_HEADERS_MAX = 8, HTTP_FOUND_SIZE = 64 };

struct http_request {
	/* asked; texts must last until http_run returns */
	const char *method; /* NULL: GET */
	const char *url;
	const char *headers[HTTP_HEADERS_MAX]; /* "Name: value"; NULL ends them */
	size_t body_max;
	bool proxy;            /* heed http_proxy and the like */
	const char *form;      /* that is sent, not beginning with '@'; NULL: none */
	const char *body_path; /* of the file that is sent; NULL: none. curl reads it while http_run goes on */
	unsigned rate;         /* bytes a second that are sent at most; 0: any number */
	const char *wanted;    /* a header of the answer that is to be kept, in lower case with its colon; NULL: none */
	/* Called when the answer is there or will not come; may add further requests. NULL: nobody is told. */
	void (*done)(struct http *http, struct http_request *request);
	void *context; /* of whoever asks */

	/* answered */
	int status;         /* 200 and so on; 0: no whole answer came */
	const char *reason; /* why no answer came; NULL: one came */
	char *body;         /* NUL-terminated; NULL: none. Owned */
	size_t length;
	double retry_after;          /* s, of the header Retry-After; UNKNOWN: there is none */
	char found[HTTP_FOUND_SIZE]; /* of the wanted header; "": there is none */

	/* of http.c */
	struct program_call program;
};

/* All requests together take at most `seconds` from now. NULL with errno when there is no memory. */
struct http *http_open(double seconds);

/* Starts a request; *request must not move until http_close. One that cannot be started gets a reason at once, and its
 * `done` is not called. */
void http_add(struct http *http, struct http_request *request);

/* Returns when all requests are answered or the time is over. */
void http_run(struct http *http);

/* Seconds until the limit. */
double http_time_left(const struct http *http);

void http_close(struct http *http);
void http_request_free(struct http_request *request);

#endif
