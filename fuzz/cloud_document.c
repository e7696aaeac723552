/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as the answer of a metadata service. An accepted value must be a valid name, and an accepted token
 * must fit into a header. */
#include "fuzz/fuzz.h"
#include "report/services/cloud.h"

static void require_name(const char name[CLOUD_NAME_SIZE])
{
	REQUIRE(memchr(name, '\0', CLOUD_NAME_SIZE));
	REQUIRE(strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, false);
	struct text body = {copy, size};
	char token[CLOUD_TOKEN_SIZE] = "none";

	for (size_t i = 0; i < cloud_document_count; i++) {
		struct cloud_facts facts = {"type", "region"};
		if (!cloud_documents[i].read(body, &facts))
			REQUIRE(strcmp(facts.instance_type, "type") == 0 && strcmp(facts.region, "region") == 0);
		require_name(facts.instance_type);
		require_name(facts.region);
	}
	if (cloud_read_token(body, token))
		REQUIRE(strlen(token) > 0 && !strpbrk(token, " \r\n\t"));
	else
		REQUIRE(strcmp(token, "none") == 0);
	free(copy);
	return 0;
}
