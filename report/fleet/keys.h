/* The keys with which questions to S3 are signed, from where the tools of AWS have them, the first that has any:
 *
 *   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
 *   AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN: what AssumeRoleWithWebIdentity gives for them
 *   AWS_SHARED_CREDENTIALS_FILE, else ~/.aws/credentials: the profile AWS_PROFILE, else default
 *   AWS_CONTAINER_CREDENTIALS_FULL_URI or …_RELATIVE_URI, with AWS_CONTAINER_AUTHORIZATION_TOKEN or …_TOKEN_FILE
 *   AWS_EC2_METADATA_SERVICE_ENDPOINT: the role of the instance, by IMDSv2; not asked where it is not set
 *
 * No message of ours holds a key. */
#ifndef RTRACK_REPORT_FLEET_KEYS_H
#define RTRACK_REPORT_FLEET_KEYS_H

#include "core/base.h"

enum { KEYS_SIZE = 256, KEYS_TOKEN_SIZE = 8000 };

struct keys {
	char access[KEYS_SIZE];
	char secret[KEYS_SIZE];
	char token[KEYS_TOKEN_SIZE]; /* "": none */
	double expire;               /* s since the epoch; UNKNOWN: it was not said when */
};

/* Returns NULL, or why there are none. */
const char *keys_find(struct keys *keys);

/* Whether they are to be asked for again: five minutes before their end. */
bool keys_are_old(const struct keys *keys);

/* Seconds since the epoch of a text as "2026-11-21T18:30:00Z"; UNKNOWN: it is none. */
double keys_time(const char *text);

/* The region that AWS_REGION, AWS_DEFAULT_REGION or the profile in AWS_CONFIG_FILE, else ~/.aws/config, names; ""
 * leaves it unknown. */
void keys_region(char *region, size_t size);

#endif
