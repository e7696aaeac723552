/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the parser of fdinfo, and the reader of small files in /sys, on any bytes. They must not read beyond their
 * buffers. */
#include "fuzz/fuzz.h"
#include "gpu/fdinfo.h"
#include "gpu/poll.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size, false);
	char name[GPU_TEXT_MAX];
	struct fdinfo info;

	(void)fdinfo_parse((struct text){copy, size}, &info);
	REQUIRE(info.engines <= FDINFO_ENGINES_MAX && memchr(info.device, '\0', sizeof info.device));
	for (size_t i = 0; i < info.engines; i++)
		REQUIRE(memchr(info.engine[i].name, '\0', sizeof info.engine[i].name) && info.engine[i].capacity > 0);
	REQUIRE(!(info.vram_mib < 0));
	gpu_copy_text(name, copy, size, "GPU");
	REQUIRE(name[0] != '\0' && memchr(name, '\0', sizeof name));
	free(copy);
	return 0;
}
