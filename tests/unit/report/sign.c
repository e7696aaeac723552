/* Signatures of S3: the examples that the Amazon S3 API Reference gives under "Signature Calculations for the
 * Authorization Header". */
#include "report/fleet/sign.h"

#include "tests/unit/lib/tap.h"

#include <string.h>

static const struct sign_keys keys = {"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
static const time_t example_time = 1369353600; /* 2013-05-24T00:00:00Z */

static void is_signed(const char *query, const char *signature, const char *what)
{
	const struct sign_question question = {.method = "GET",
		.host = "examplebucket.s3.amazonaws.com",
		.path = "/",
		.query = query,
		.region = "us-east-1",
		.body = TEXT(""),
		.time = example_time};
	struct sign_headers headers;

	ok(sign_make(&headers, &question, &keys) == 0, what);
	const char *found = strstr(headers.authorization, "Signature=");
	ok(found && strcmp(found + 10, signature) == 0, "  its signature");
	ok(strcmp(headers.date, "x-amz-date: 20130524T000000Z") == 0, "  its date");
	ok(strstr(headers.authorization, "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
					 "SignedHeaders=host;x-amz-content-sha256;x-amz-date,") != NULL,
		"  what it is for");
	ok(!strstr(headers.authorization, keys.secret), "  without the secret");
}

static void is_encoded(const char *path, const char *expected)
{
	char text[256];
	struct buffer out = BUFFER(text);

	sign_encode_path(&out, path);
	ok(strcmp(buffer_terminate(&out), expected) == 0, expected);
}

int main(void)
{
	is_signed("lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
		"the example of a lifecycle");
	is_signed("max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
		"the example of a list");

	const struct sign_keys session = {"A", "B", "C/D+E=="};
	const struct sign_question question = {.method = "PUT",
		.host = "h",
		.path = "/",
		.query = "",
		.region = "r",
		.body = TEXT("x"),
		.time = example_time};
	struct sign_headers headers;
	ok(sign_make(&headers, &question, &session) == 0, "a session");
	ok(strcmp(headers.token, "x-amz-security-token: C/D+E==") == 0, "  its token");
	ok(strstr(headers.authorization, ";x-amz-date;x-amz-security-token,") != NULL, "  which is signed");
	ok(strcmp(headers.hash, "x-amz-content-sha256: "
				"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881") == 0,
		"  and the hash of what is sent");

	is_encoded("a/b-c._~Z9", "a/b-c._~Z9");
	is_encoded("date=1/x y+z:(é)", "date%3D1/x%20y%2Bz%3A%28%C3%A9%29");
	return done();
}
