/* AWS Signature Version 4 in headers, as S3 and all that speaks like it want it.
 *
 * curl can sign as well, from 7.75 on: 7.61 and 7.76, which RHEL 8 and 9 have, cannot or leave out the headers that S3
 * wants signed, and 7.88 neither encodes a path nor hashes what is sent. So the signing is here, and no secret goes to
 * curl at all. */
#ifndef RTRACK_REPORT_FLEET_SIGN_H
#define RTRACK_REPORT_FLEET_SIGN_H

#include "core/base.h"
#include "report/say/hash.h"

#include <time.h>

struct sign_keys {
	const char *access;
	const char *secret;
	const char *token; /* of a session; "": none */
};

struct sign_question {
	const char *method;
	const char *host;  /* as the header Host says it */
	const char *path;  /* encoded, with its first '/' */
	const char *query; /* encoded and sorted; "": none */
	const char *region;
	struct text body;
	time_t time;
};

enum { SIGN_HASH_SIZE = 2 * HASH_SIZE + 1, SIGN_DATE_SIZE = sizeof "20260101T000000Z", SIGN_HEADER_SIZE = 8192 };

/* Lines of headers that go with the question. */
struct sign_headers {
	char authorization[SIGN_HEADER_SIZE];
	char date[64];
	char hash[128];
	char token[SIGN_HEADER_SIZE]; /* "": there is none */
};

/* Returns 0; or -1 if a part is too long. */
int sign_make(struct sign_headers *headers, const struct sign_question *question, const struct sign_keys *keys);

/* Appends a path with all but letters, digits, '-', '.', '_', '~' and '/' as %XX. */
void sign_encode_path(struct buffer *out, const char *path);

#endif
