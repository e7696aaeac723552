/* One object put into a bucket: where it is, the keys that sign, and what to do about those that have ended. */
#ifndef RTRACK_REPORT_FLEET_BUCKET_H
#define RTRACK_REPORT_FLEET_BUCKET_H

#include "report/fleet/keys.h"
#include "report/fleet/target.h"

enum { BUCKET_NAME_SIZE = 256, BUCKET_KEY_SIZE = 2048 };

struct bucket {
	char name[BUCKET_NAME_SIZE];
	char prefix[BUCKET_KEY_SIZE];   /* without a '/' at either end */
	char endpoint[BUCKET_KEY_SIZE]; /* "http://host:port/path" without a '/' at its end; "": Amazon's */
	char region[64];                /* "": unknown */
	struct keys keys;
	bool has_keys;
	/* Finds new keys; NULL, or why there are none. NULL itself: keys_find. */
	const char *(*renew)(struct bucket *bucket);
	void *context; /* of renew */
};

/* Takes "BUCKET/PREFIX" and what the environment says of endpoint and region. NULL, or what is wrong. */
const char *bucket_open(struct bucket *bucket, const char *place);

/* Puts an object. Its key is without the prefix. */
enum sent bucket_put(struct bucket *bucket, struct target *target, const struct shipment *shipment, const char *key,
	struct text body);

#endif
