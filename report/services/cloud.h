/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the cloud of this machine by its firmware and by the cloud's metadata service.
 *
 * By default, only the service of the cloud that the firmware names is queried. The caller may request queries of all
 * services. All queries together take at most a second. */
#ifndef RTRACK_REPORT_SERVICES_CLOUD_H
#define RTRACK_REPORT_SERVICES_CLOUD_H

#include "core/firmware.h"
#include "report/say/json.h"

/* -- cloud_document.c -------------------------------------------------------------------------------- */

/* Parses the answers of cloud metadata services.
 *
 * The parsers do no I/O. An answer may come from any host, so the format of every document is checked, and names may
 * contain only letters, digits and "._-". */
enum { CLOUD_NAME_SIZE = 65, CLOUD_TOKEN_SIZE = 1025 };

/* Facts about a cloud instance. An empty string means unknown. */
struct cloud_facts {
	char instance_type[CLOUD_NAME_SIZE];
	char region[CLOUD_NAME_SIZE];
};

/* One document that a metadata service offers. */
struct cloud_document {
	enum cloud cloud;
	const char *path;   /* path and query for GET */
	const char *header; /* required header "Name: value", or NULL */
	bool proves;        /* whether only this cloud gives such an answer */
	/* Parses the document into *facts. If the format is wrong, returns false and leaves *facts unchanged. */
	bool (*read)(struct text body, struct cloud_facts *facts);
};

extern const struct cloud_document cloud_documents[];
extern const size_t cloud_document_count;

/* The metadata service of a cloud, and how to query it. */
struct cloud_service {
	const char *url;          /* URL with a numeric host, which needs no name server */
	const char *token_path;   /* path to PUT first to get a token, or NULL */
	const char *token_ttl;    /* header of the token request */
	const char *token_header; /* name of the header that carries the token */
};

extern const struct cloud_service cloud_services[CLOUD_COUNT];

/* Copies the token. Returns false if the body is not a valid token. */
bool cloud_read_token(struct text body, char token[CLOUD_TOKEN_SIZE]);

/* -- cloud.c ----------------------------------------------------------------------------------------- */

enum cloud_asking {
	CLOUD_ASK_NAMED, /* query the service of the cloud that the firmware names */
	CLOUD_ASK_NONE,  /* send no packets */
	CLOUD_ASK_ALL,   /* query every service; answers take precedence over the firmware */
};

struct cloud_discovery {
	enum cloud cloud; /* CLOUD_NONE if there is no cloud or it is unknown */
	struct cloud_facts facts;
	double seconds;
};

/* Detects the cloud of this machine. `root` is a prefix of all firmware paths; it is "" for this machine. If `url` is
 * not NULL, it replaces the address of every service. */
void cloud_discover(struct cloud_discovery *found, enum cloud_asking asking, const char *root, const char *url);

/* Returns {"vendor", "instance_type", "region", "discovery_time"}, with "unknown" for unknown facts. */
cJSON *cloud_json(const struct cloud_discovery *found);

#endif
