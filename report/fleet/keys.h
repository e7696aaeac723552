/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that sign requests to S3. They come from the first of these sources that has any:
 *
 *   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
 *   AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, by AssumeRoleWithWebIdentity
 *   the profile AWS_PROFILE (default: "default") in AWS_SHARED_CREDENTIALS_FILE or ~/.aws/credentials
 *   AWS_CONTAINER_CREDENTIALS_FULL_URI or …_RELATIVE_URI, with AWS_CONTAINER_AUTHORIZATION_TOKEN or …_TOKEN_FILE
 *   AWS_EC2_METADATA_SERVICE_ENDPOINT, if set: the role of the instance, by IMDSv2
 *
 * No message contains a key. */
#ifndef RTRACK_REPORT_FLEET_KEYS_H
#define RTRACK_REPORT_FLEET_KEYS_H

#include "core/base.h"

enum { KEYS_SIZE = 256, KEYS_TOKEN_SIZE = 8000 };

struct keys {
	char access[KEYS_SIZE];
	char secret[KEYS_SIZE];
	char token[KEYS_TOKEN_SIZE]; /* session token, or "" for long-term keys */
	double expire;               /* time in seconds since the epoch, or UNKNOWN */
};

/* Finds the user's keys for S3. Returns NULL, or an error message. */
const char *keys_find(struct keys *keys);

/* Sets all keys. `expire` is a time such as "2026-11-21T18:30:00Z", or "". Returns false if a key is missing, too long,
 * or has a control character. */
bool keys_set(struct keys *keys, const char *access, const char *secret, const char *token, const char *expire);

/* Returns whether the keys expire within five minutes and should be renewed. */
bool keys_are_old(const struct keys *keys);

/* Reads the region from AWS_REGION, AWS_DEFAULT_REGION, or the profile in AWS_CONFIG_FILE or ~/.aws/config. The region
 * is "" if none of them has it. */
void keys_region(char *region, size_t size);

#endif
