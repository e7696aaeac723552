/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/fleet/bucket.h"

#include "report/say/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_region[] = "us-east-1", token_header[] = "x-amz-security-token: ";
static const char hash_header[] = "x-amz-content-sha256: "; /* S3 requires that this header is signed. */

enum { ADDRESS_SIZE = 6 * BUCKET_KEY_SIZE };

/* -- opening --------------------------------------------------------------------------------------- */

static const char *endpoint_of_environment(void)
{
	const char *ignore = getenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
	const char *endpoint = getenv("AWS_ENDPOINT_URL_S3");

	if (ignore && strcasecmp(ignore, "true") == 0)
		return "";
	if (!endpoint || !*endpoint)
		endpoint = getenv("AWS_ENDPOINT_URL");
	return endpoint ? endpoint : "";
}

/* Returns whether a path has the component "." or "..". A proxy may remove such a component, and the signature would
 * then be wrong. */
static bool has_dots(const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");
		if ((length == 1 || length == 2) && strspn(path, ".") >= length)
			return true;
		path += length + (path[length] == '/');
	}
	return false;
}

const char *bucket_open(struct bucket *bucket, const char *place)
{
	const char *endpoint = endpoint_of_environment();
	size_t name = strcspn(place, "/");
	const char *prefix = place + name + strspn(place + name, "/");
	size_t length = strlen(prefix);

	*bucket = (struct bucket){.has_keys = false};
	if (http_cannot_sign())
		return http_cannot_sign();
	while (length > 0 && prefix[length - 1] == '/')
		length--;
	if (name == 0 || name >= sizeof bucket->name || strspn(place, "abcdefghijklmnopqrstuvwxyz0123456789.-") < name)
		return "the name of a bucket may have only lower case letters, digits, '-' and '.'";
	if (length > sizeof bucket->prefix / 2 || has_dots(prefix))
		return "the prefix is longer than 1024 bytes, or a part of it is '.' or '..'";
	if (*endpoint && strncmp(endpoint, "http://", 7) != 0 && strncmp(endpoint, "https://", 8) != 0)
		return "AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL must begin with http:// or https://";
	memcpy(bucket->name, place, name);
	memcpy(bucket->prefix, prefix, length);
	(void)snprintf(bucket->endpoint, sizeof bucket->endpoint, "%s", endpoint);
	size_t end = strlen(bucket->endpoint);
	while (end > 0 && bucket->endpoint[end - 1] == '/')
		bucket->endpoint[--end] = '\0';
	keys_region(bucket->region, sizeof bucket->region);
	return NULL;
}

/* -- putting --------------------------------------------------------------------------------------- */

/* Writes the URL of an object. Amazon has one host name per bucket, but its certificate does not match bucket names
 * with a dot. For such buckets, and for all other endpoints, the bucket is the first component of the path. libcurl
 * signs the path unchanged, so the path is encoded here. */
static void put_address(struct buffer *out, const struct bucket *bucket, const char *key)
{
	bool amazon = *bucket->endpoint == '\0';
	bool by_path = !amazon || strchr(bucket->name, '.');

	if (amazon) {
		buffer_string(out, "https://");
		buffer_string(out, by_path ? "" : bucket->name);
		buffer_string(out, by_path ? "s3." : ".s3.");
		buffer_string(out, *bucket->region ? bucket->region : first_region);
		buffer_string(out, ".amazonaws.com");
		buffer_string(out, strncmp(bucket->region, "cn-", 3) == 0 ? ".cn" : "");
	} else {
		buffer_string(out, bucket->endpoint);
	}
	if (by_path) {
		buffer_byte(out, '/');
		buffer_string(out, bucket->name);
	}
	buffer_byte(out, '/');
	http_encode_path(out, bucket->prefix);
	if (*bucket->prefix)
		buffer_byte(out, '/');
	http_encode_path(out, key);
	buffer_terminate(out);
}

static enum sent ask(const struct bucket *bucket, struct target *target, const struct shipment *shipment,
	struct http_request *request, const char *key, struct text body)
{
	char address[ADDRESS_SIZE], hash[HASH_HEX_SIZE], line[HASH_HEX_SIZE + sizeof hash_header];
	char token[KEYS_TOKEN_SIZE + sizeof token_header];
	struct buffer url = BUFFER(address);
	const struct http_keys keys = {
		bucket->keys.access, bucket->keys.secret, *bucket->region ? bucket->region : first_region};

	put_address(&url, bucket, key);
	hash_hex(body, hash);
	(void)snprintf(line, sizeof line, "%s%s", hash_header, hash);
	(void)snprintf(token, sizeof token, "%s%s", token_header, bucket->keys.token);
	if (url.full) {
		(void)snprintf(target->why, sizeof target->why, "the address is too long");
		return SENT_REFUSED;
	}
	*request = (struct http_request){.method = "PUT",
		.url = address,
		.headers = {line, "Content-Type: application/gzip", *bucket->keys.token ? token : NULL},
		.keys = &keys,
		.wanted = "x-amz-bucket-region:"};
	enum sent sent = target_ask(target, shipment, request, body);
	request->keys = NULL;
	return sent;
}

/* Finds the keys again, and sets *same if they are unchanged. Returns NULL, or an error message. */
static const char *renew(struct bucket *bucket, bool *same)
{
	struct keys before = bucket->keys;
	const char *why = bucket->renew ? bucket->renew(bucket) : keys_find(&bucket->keys);

	*same = bucket->has_keys && strcmp(before.access, bucket->keys.access) == 0 &&
		strcmp(before.secret, bucket->keys.secret) == 0 && strcmp(before.token, bucket->keys.token) == 0;
	bucket->has_keys = !why;
	return why;
}

enum sent bucket_put(struct bucket *bucket, struct target *target, const struct shipment *shipment, const char *key,
	struct text body)
{
	enum sent sent = SENT_REFUSED;
	bool renewed = false, moved = false, same = false;
	const char *why = NULL;

	if (!bucket->has_keys || keys_are_old(&bucket->keys))
		why = renew(bucket, &same);
	while (!why) {
		struct http_request request = {0};
		sent = ask(bucket, target, shipment, &request, key, body);
		bool elsewhere =
			sent == SENT_REFUSED && !moved && *request.found && strcmp(request.found, bucket->region) != 0;
		/* A server may reject keys that have expired. The request is then repeated with new keys. */
		bool old_keys = request.status == 401 || request.status == 403 ||
				(request.status == 400 && request.body &&
					(strstr(request.body, "ExpiredToken") || strstr(request.body, "InvalidToken")));
		if (elsewhere)
			(void)snprintf(bucket->region, sizeof bucket->region, "%s", request.found);
		http_request_free(&request);
		moved = moved || elsewhere;
		if (elsewhere)
			continue;
		if (sent != SENT_REFUSED || renewed || !old_keys)
			return sent;
		renewed = true;
		why = renew(bucket, &same);
		if (!why && same)
			return sent;
	}
	(void)snprintf(target->why, sizeof target->why, "%s", why);
	return SENT_REFUSED;
}
