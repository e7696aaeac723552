/* SPDX-License-Identifier: Apache-2.0 */
/* What the metadata services of the clouds answer, and what can be learnt from it.
 *
 * Readers take bytes and give texts, with no I/O. The answer may come from any host, so the shape of every document is
 * checked, and of a name only letters, digits and "._-" are taken. */
#ifndef RTRACK_REPORT_SERVICES_CLOUD_DOCUMENT_H
#define RTRACK_REPORT_SERVICES_CLOUD_DOCUMENT_H

#include "core/firmware.h"

enum { CLOUD_NAME_SIZE = 65, CLOUD_TOKEN_SIZE = 1025 };

/* Empty: not known. */
struct cloud_facts {
	char instance_type[CLOUD_NAME_SIZE];
	char region[CLOUD_NAME_SIZE];
};

/* One document of a service. */
struct cloud_document {
	enum cloud cloud;
	const char *path;   /* with its query, for GET */
	const char *header; /* "Name: value" that must come with it, or NULL */
	bool proves;        /* no other cloud answers like this */
	/* Takes what the document says. False, with *facts untouched, when it is not of the right shape. */
	bool (*read)(struct text body, struct cloud_facts *facts);
};

extern const struct cloud_document cloud_documents[];
extern const size_t cloud_document_count;

/* How to ask a cloud's service. */
struct cloud_service {
	const char *url;          /* its host is a number, so that no name server is asked */
	const char *token_path;   /* to be PUT first; NULL: no token is needed */
	const char *token_ttl;    /* header of that request */
	const char *token_header; /* name of the header in which the token goes along */
};

extern const struct cloud_service cloud_services[CLOUD_COUNT];

/* Copies the token; false when the body is none. */
bool cloud_read_token(struct text body, char token[CLOUD_TOKEN_SIZE]);

#endif
