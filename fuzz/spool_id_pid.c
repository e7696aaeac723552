/* SPDX-License-Identifier: Apache-2.0 */
/* Runs spool_id_pid on any bytes. It must also find the pid in every id that spool_write_id has written. */
#include "core/spool.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char space[SPOOL_ID_MAX];
	struct buffer out = BUFFER(space);
	struct {
		uint32_t seconds;
		uint32_t pid;
		uint16_t random;
	} numbers = {0, 0, 0};

	char *copy = fuzz_copy(data, size, false);
	REQUIRE(spool_id_pid((struct text){copy, size}) >= -1);
	memcpy(&numbers, data, size < sizeof numbers ? size : sizeof numbers);
	int pid = (int)(numbers.pid & INT32_MAX);
	spool_write_id(&out, numbers.seconds, (struct text){copy, size}, pid, numbers.random);
	REQUIRE(!out.full && !memchr(space, '/', out.length));
	REQUIRE(spool_id_pid((struct text){space, out.length}) == pid);
	free(copy);
	return 0;
}
