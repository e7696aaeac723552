/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the answers of cloud metadata services.
 *
 * The parsers do no I/O. An answer may come from any host, so the format of every document is checked, and names may
 * contain only letters, digits and "._-". */
#ifndef RTRACK_REPORT_SERVICES_CLOUD_DOCUMENT_H
#define RTRACK_REPORT_SERVICES_CLOUD_DOCUMENT_H

#include "core/firmware.h"

enum { CLOUD_NAME_SIZE = 65, CLOUD_TOKEN_SIZE = 1025 };

/* Empty strings are unknown. */
struct cloud_facts {
	char instance_type[CLOUD_NAME_SIZE];
	char region[CLOUD_NAME_SIZE];
};

/* One document of a service. */
struct cloud_document {
	enum cloud cloud;
	const char *path;   /* path and query for GET */
	const char *header; /* required header "Name: value", or NULL */
	bool proves;        /* no other cloud gives such an answer */
	/* Parses the document into *facts. Returns false, leaving *facts unchanged, if the format is wrong. */
	bool (*read)(struct text body, struct cloud_facts *facts);
};

extern const struct cloud_document cloud_documents[];
extern const size_t cloud_document_count;

/* How to query a cloud's service. */
struct cloud_service {
	const char *url;          /* URL with a numeric host, so that no name server is queried */
	const char *token_path;   /* path to PUT first to get a token, or NULL */
	const char *token_ttl;    /* header of the token request */
	const char *token_header; /* name of the header that carries the token */
};

extern const struct cloud_service cloud_services[CLOUD_COUNT];

/* Copies the token. Returns false if the body is not a valid token. */
bool cloud_read_token(struct text body, char token[CLOUD_TOKEN_SIZE]);

#endif
