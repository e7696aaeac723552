/* Objects of a bucket; see bucket.h. */
#define _GNU_SOURCE
#include "report/fleet/bucket.h"

#include "report/fleet/sign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_region[] = "us-east-1";

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

/* Whether a part of the path is "." or "..", which whoever is on the way might take out. */
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
	while (length > 0 && prefix[length - 1] == '/')
		length--;
	if (name == 0 || name >= sizeof bucket->name || strspn(place, "abcdefghijklmnopqrstuvwxyz0123456789.-") < name)
		return "a bucket's name has lower case letters, digits, '-' and '.'";
	if (length > sizeof bucket->prefix / 2 || has_dots(prefix))
		return "a prefix is 1024 bytes at most, and no part of it is '.' or '..'";
	if (*endpoint && strncmp(endpoint, "http://", 7) != 0 && strncmp(endpoint, "https://", 8) != 0)
		return "AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is no URL of http or https";
	memcpy(bucket->name, place, name);
	memcpy(bucket->prefix, prefix, length);
	(void)snprintf(bucket->endpoint, sizeof bucket->endpoint, "%s", endpoint);
	size_t end = strlen(bucket->endpoint);
	while (end > 0 && bucket->endpoint[end - 1] == '/')
		bucket->endpoint[--end] = '\0';
	keys_region(bucket->region, sizeof bucket->region);
	return NULL;
}

/* -- one question ---------------------------------------------------------------------------------- */

struct address {
	char scheme[9];
	char host[BUCKET_KEY_SIZE];
	char path[4 * BUCKET_KEY_SIZE]; /* encoded */
};

/* Amazon has a name for each bucket; one with a dot would not fit its certificate. An endpoint of one's own has one
 * host. */
static void find_address(const struct bucket *bucket, const char *key, struct address *address)
{
	struct buffer path = BUFFER(address->path), host = BUFFER(address->host);
	bool amazon = *bucket->endpoint == '\0';
	bool by_path = !amazon || strchr(bucket->name, '.');
	const char *scheme_end = amazon ? NULL : strstr(bucket->endpoint, "://") + 3;

	if (amazon) {
		memcpy(address->scheme, "https://", 9);
		buffer_string(&host, by_path ? "" : bucket->name);
		buffer_string(&host, by_path ? "s3." : ".s3.");
		buffer_string(&host, *bucket->region ? bucket->region : first_region);
		buffer_string(&host, ".amazonaws.com");
		buffer_string(&host, strncmp(bucket->region, "cn-", 3) == 0 ? ".cn" : "");
	} else {
		bool secure = strncmp(bucket->endpoint, "https", 5) == 0;
		struct text name = {scheme_end, strcspn(scheme_end, "/")};
		memcpy(address->scheme, secure ? "https://" : "http://", secure ? 9 : 8);
		/* curl leaves a usual port out of the header that is signed. */
		const char *usual = secure ? ":443" : ":80";
		buffer_text(
			&host, (struct text){name.data, name.length - (text_ends(name, usual) ? strlen(usual) : 0)});
		buffer_string(&path, scheme_end + name.length);
	}
	buffer_terminate(&host);
	if (by_path) {
		buffer_byte(&path, '/');
		buffer_string(&path, bucket->name);
	}
	buffer_byte(&path, '/');
	sign_encode_path(&path, bucket->prefix);
	if (*bucket->prefix)
		buffer_byte(&path, '/');
	sign_encode_path(&path, key);
	buffer_terminate(&path);
}

static enum sent ask(const struct bucket *bucket, struct target *target, const struct shipment *shipment,
	struct http_request *request, const char *key, struct text body)
{
	static struct sign_headers headers;
	static struct address address;
	char url[sizeof address + 16];

	find_address(bucket, key, &address);
	(void)snprintf(url, sizeof url, "%s%s%s", address.scheme, address.host, address.path);
	const struct sign_keys keys = {bucket->keys.access, bucket->keys.secret, bucket->keys.token};
	const struct sign_question question = {.method = "PUT",
		.host = address.host,
		.path = address.path,
		.query = "",
		.region = *bucket->region ? bucket->region : first_region,
		.body = body,
		.time = time(NULL)};
	if (sign_make(&headers, &question, &keys) != 0) {
		(void)snprintf(target->why, sizeof target->why, "the address or the keys are too long");
		return SENT_REFUSED;
	}
	*request = (struct http_request){.method = "PUT",
		.url = url,
		.headers = {headers.authorization, headers.date, headers.hash, "Content-Type: application/gzip",
			*headers.token ? headers.token : NULL},
		.wanted = "x-amz-bucket-region:"};
	return target_ask(target, shipment, request, body);
}

/* Finds keys again; *same: they are those that there were. */
static const char *renew(struct bucket *bucket, bool *same)
{
	struct keys before = bucket->keys;
	const char *why = bucket->renew ? bucket->renew(bucket) : keys_find(&bucket->keys);

	*same = bucket->has_keys && strcmp(before.access, bucket->keys.access) == 0 &&
		strcmp(before.secret, bucket->keys.secret) == 0 && strcmp(before.token, bucket->keys.token) == 0;
	bucket->has_keys = !why;
	return why;
}

/* Whether other keys might be taken where these were not. */
static bool blames_keys(const struct http_request *request)
{
	return request->status == 401 || request->status == 403 ||
	       (request->status == 400 && request->body &&
		       (strstr(request->body, "ExpiredToken") || strstr(request->body, "InvalidToken")));
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
		bool other_keys = sent == SENT_REFUSED && !renewed && blames_keys(&request);
		if (elsewhere)
			(void)snprintf(bucket->region, sizeof bucket->region, "%s", request.found);
		http_request_free(&request);
		moved = moved || elsewhere;
		if (!elsewhere && !other_keys)
			return sent;
		if (!elsewhere) {
			renewed = true;
			why = renew(bucket, &same);
			if (!why && same)
				return sent;
		}
	}
	(void)snprintf(target->why, sizeof target->why, "%s", why);
	return SENT_REFUSED;
}
