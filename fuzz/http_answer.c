/* Any bytes are an answer of HTTP or are none; a body is a part of them. */
#include "fuzz/fuzz.h"
#include "report/services/http_answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, false);
	struct http_answer answer = {-1, -1, {NULL, 0}, {NULL, 0}};

	if (http_answer_read((struct text){copy, size}, &answer)) {
		REQUIRE(answer.status >= 0 && answer.status <= 999);
		REQUIRE(!(answer.retry_after <= 0));
		REQUIRE(answer.body.data >= copy && answer.body.data + answer.body.length == copy + size);
	} else {
		REQUIRE(answer.status == -1);
	}
	free(copy);
	return 0;
}
