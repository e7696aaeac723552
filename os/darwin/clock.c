/* SPDX-License-Identifier: Apache-2.0 */
/* macOS implementation of os/clock.h. */
#include "os/clock.h"

#include "os/darwin/error.h"

#include <time.h>

int64_t os_now_ns(void)
{
	return (int64_t)clock_gettime_nsec_np(CLOCK_REALTIME);
}

/* On macOS, CLOCK_MONOTONIC_RAW includes the time asleep. */
int64_t os_since_boot_ns(void)
{
	return (int64_t)clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW);
}

void os_sleep(int64_t ns)
{
	const struct timespec left = {ns / 1000000000, ns % 1000000000};
	if (ns > 0)
		(void)RESULT_OF(nanosleep(&left, NULL));
}
