/* SPDX-License-Identifier: Apache-2.0 */
/* Uploads objects to an S3 bucket. Expired keys are renewed. If the server names another region, that region is used.
 */
#ifndef RTRACK_REPORT_FLEET_BUCKET_H
#define RTRACK_REPORT_FLEET_BUCKET_H

#include "report/fleet/keys.h"
#include "report/fleet/target.h"

enum { BUCKET_NAME_SIZE = 256, BUCKET_KEY_SIZE = 2048 };

struct bucket {
	char name[BUCKET_NAME_SIZE];
	char prefix[BUCKET_KEY_SIZE];   /* prefix of all keys, without a '/' at either end */
	char endpoint[BUCKET_KEY_SIZE]; /* "http://host:port/path" without a '/' at its end, or "" for Amazon */
	char region[64];                /* "" if unknown */
	struct keys keys;
	bool has_keys;
	/* Callback that finds new keys. It returns NULL, or an error message. If there is no callback, keys_find is
	 * called. */
	const char *(*renew)(struct bucket *bucket);
	void *context; /* argument of renew */
};

/* Opens "BUCKET/PREFIX". The environment names the endpoint and the region. Returns NULL, or an error message. */
const char *bucket_open(struct bucket *bucket, const char *place);

/* Uploads an object. The prefix of the bucket is added to the key. */
enum sent bucket_put(struct bucket *bucket, struct target *target, const struct shipment *shipment, const char *key,
	struct text body);

#endif
