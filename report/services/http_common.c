/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of HTTP that need no library. */
#include "report/services/http.h"

#include <string.h>
#include <sys/resource.h>

void http_encode_path(struct buffer *out, const char *path)
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

/* Sets the size limit of core files to 1, because 0 is not sufficient: with a limit of 0, the kernel still passes the
 * memory to a program that collects core files, such as systemd-coredump. */
void http_forbid_core(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_max < 1)
		return;
	limit.rlim_cur = 1;
	(void)setrlimit(RLIMIT_CORE, &limit);
}
