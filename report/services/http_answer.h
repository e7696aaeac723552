/* An answer of HTTP as curl prints it with --include: headers, an empty line, the body. */
#ifndef RTRACK_REPORT_SERVICES_HTTP_ANSWER_H
#define RTRACK_REPORT_SERVICES_HTTP_ANSWER_H

#include "core/base.h"

struct http_answer {
	int status;         /* 200 and so on */
	double retry_after; /* s, of the header Retry-After; UNKNOWN: there is none, or it is a date */
	struct text body;
	struct text headers; /* with the first line */
};

/* What stands behind a header's name, which is in lower case with its colon; empty: there is none. */
struct text http_answer_header(struct text headers, const char *name);

/* False, with *answer untouched, when `printed` has no headers. What precedes the answer is left out: "100 Continue",
 * and what a proxy says of its tunnel. */
bool http_answer_read(struct text printed, struct http_answer *answer);

#endif
