/* SPDX-License-Identifier: Apache-2.0 */
/* macOS checks of os/health.h: the limits of this process, and System Integrity Protection. */
#include "os/health.h"

#include "os/darwin/error.h"
#include "os/file.h"

#include <sys/resource.h>

enum { FEW_DESCRIPTORS = 256, FINDING_LENGTH = 64 };

static void examine_descriptors(health_take *take, void *context)
{
	char finding[FINDING_LENGTH];
	struct buffer out = BUFFER(finding);
	struct rlimit limit;

	if (RESULT_OF(getrlimit(RLIMIT_NOFILE, &limit)) != 0) {
		take(context, HEALTH_descriptors, HEALTH_OPEN, "the kernel does not say");
		return;
	}
	if (limit.rlim_cur == RLIM_INFINITY) {
		buffer_string(&out, "no limit");
	} else {
		buffer_string(&out, "at most ");
		buffer_unsigned(&out, limit.rlim_cur);
	}
	take(context, HEALTH_descriptors, limit.rlim_cur < FEW_DESCRIPTORS ? HEALTH_LESS : HEALTH_FINE,
		buffer_terminate(&out));
}

void os_examine(const char *root, health_take *take, void *context)
{
	(void)root;
	take(context, HEALTH_others, HEALTH_LESS, "macOS shows the use of a process only to its user and to root");
	take(context, HEALTH_io, HEALTH_FINE, "the kernel counts them for each process");
	examine_descriptors(take, context);
}
