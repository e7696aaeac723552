/* AWS Signature Version 4; see sign.h. By "Signature Calculations for the Authorization Header" of the Amazon S3 API
 * Reference. */
#include "report/fleet/sign.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_SIZE = 64, QUESTION_SIZE = 16384 };

/* RFC 2104; `key` is no longer than a block, or is hashed. */
static void hmac(struct text key, struct text content, uint8_t out[HASH_SIZE])
{
	static const uint8_t inner = 0x36, outer = 0x5c;
	char text[BLOCK_SIZE + QUESTION_SIZE];
	uint8_t pad[BLOCK_SIZE] = {0};
	uint8_t digest[HASH_SIZE];

	if (key.length > BLOCK_SIZE)
		hash_sha256(key, pad);
	else
		memcpy(pad, key.data, key.length);
	if (content.length > QUESTION_SIZE)
		content.length = QUESTION_SIZE;
	for (size_t i = 0; i < BLOCK_SIZE; i++)
		text[i] = (char)(pad[i] ^ inner);
	memcpy(text + BLOCK_SIZE, content.data, content.length);
	hash_sha256((struct text){text, BLOCK_SIZE + content.length}, digest);
	for (size_t i = 0; i < BLOCK_SIZE; i++)
		text[i] = (char)(pad[i] ^ outer);
	memcpy(text + BLOCK_SIZE, digest, HASH_SIZE);
	hash_sha256((struct text){text, BLOCK_SIZE + HASH_SIZE}, out);
}

static void put_hexadecimal(struct buffer *out, const uint8_t bytes[HASH_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < HASH_SIZE; i++) {
		buffer_byte(out, digits[bytes[i] >> 4]);
		buffer_byte(out, digits[bytes[i] & 15]);
	}
}

static void put_hash(struct buffer *out, struct text content)
{
	uint8_t bytes[HASH_SIZE];

	hash_sha256(content, bytes);
	put_hexadecimal(out, bytes);
}

void sign_encode_path(struct buffer *out, const char *path)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *path; path++) {
		unsigned char byte = (unsigned char)*path;
		bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
			     (byte >= '0' && byte <= '9') || strchr("-._~/", byte);
		if (plain) {
			buffer_byte(out, *path);
			continue;
		}
		buffer_byte(out, '%');
		buffer_byte(out, digits[byte >> 4]);
		buffer_byte(out, digits[byte & 15]);
	}
}

static void put_line(struct buffer *out, const char *name, const char *value)
{
	buffer_string(out, name);
	buffer_string(out, value);
	buffer_byte(out, '\n');
}

/* The key of the day, the region and the service. */
static void make_key(
	uint8_t key[HASH_SIZE], const struct sign_question *question, const struct sign_keys *keys, struct text day)
{
	char secret[512];
	struct buffer first = BUFFER(secret);
	uint8_t next[HASH_SIZE];

	buffer_string(&first, "AWS4");
	buffer_string(&first, keys->secret);
	hmac((struct text){secret, first.length}, day, key);
	hmac((struct text){(char *)key, HASH_SIZE}, text_of(question->region), next);
	hmac((struct text){(char *)next, HASH_SIZE}, TEXT("s3"), key);
	hmac((struct text){(char *)key, HASH_SIZE}, TEXT("aws4_request"), next);
	memcpy(key, next, HASH_SIZE);
	memset(secret, 0, sizeof secret);
}

static const char *names_of(const struct sign_keys *keys)
{
	return *keys->token ? "host;x-amz-content-sha256;x-amz-date;x-amz-security-token"
			    : "host;x-amz-content-sha256;x-amz-date";
}

static void put_canonical(struct buffer *out, const struct sign_question *question, const struct sign_keys *keys,
	const char *date, const char *hash)
{
	put_line(out, "", question->method);
	put_line(out, "", question->path);
	put_line(out, "", question->query);
	put_line(out, "host:", question->host);
	put_line(out, "x-amz-content-sha256:", hash);
	put_line(out, "x-amz-date:", date);
	if (*keys->token)
		put_line(out, "x-amz-security-token:", keys->token);
	put_line(out, "", "");
	put_line(out, "", names_of(keys));
	buffer_string(out, hash);
}

int sign_make(struct sign_headers *headers, const struct sign_question *question, const struct sign_keys *keys)
{
	char canonical[QUESTION_SIZE], whole[1024], scope[256], hash[SIGN_HASH_SIZE], date[SIGN_DATE_SIZE];
	struct buffer request = BUFFER(canonical), to_sign = BUFFER(whole), within = BUFFER(scope),
		      content = BUFFER(hash);
	struct buffer line = BUFFER(headers->authorization);
	uint8_t key[HASH_SIZE], signature[HASH_SIZE];
	struct tm tm;

	if (strlen(keys->secret) > 256 || !gmtime_r(&question->time, &tm) ||
		strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", &tm) == 0)
		return -1;
	put_hash(&content, question->body);
	buffer_terminate(&content);
	put_canonical(&request, question, keys, date, hash);

	buffer_text(&within, (struct text){date, 8});
	buffer_byte(&within, '/');
	buffer_string(&within, question->region);
	buffer_string(&within, "/s3/aws4_request");
	buffer_terminate(&within);
	put_line(&to_sign, "", "AWS4-HMAC-SHA256");
	put_line(&to_sign, "", date);
	put_line(&to_sign, "", scope);
	put_hash(&to_sign, (struct text){canonical, request.length});
	make_key(key, question, keys, (struct text){date, 8});
	hmac((struct text){(char *)key, HASH_SIZE}, (struct text){whole, to_sign.length}, signature);

	buffer_string(&line, "Authorization: AWS4-HMAC-SHA256 Credential=");
	buffer_string(&line, keys->access);
	buffer_byte(&line, '/');
	buffer_string(&line, scope);
	buffer_string(&line, ",SignedHeaders=");
	buffer_string(&line, names_of(keys));
	buffer_string(&line, ",Signature=");
	put_hexadecimal(&line, signature);
	buffer_terminate(&line);
	(void)snprintf(headers->date, sizeof headers->date, "x-amz-date: %s", date);
	(void)snprintf(headers->hash, sizeof headers->hash, "x-amz-content-sha256: %s", hash);
	int length = snprintf(headers->token, sizeof headers->token, "%s%s",
		*keys->token ? "x-amz-security-token: " : "", keys->token);
	return request.full || to_sign.full || within.full || line.full || length >= (int)sizeof headers->token ? -1
														: 0;
}
