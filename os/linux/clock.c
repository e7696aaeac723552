/* Clocks of os/clock.h on Linux. */
#include "os/clock.h"

#include "os/linux/sys.h"

#include <linux/time.h>

static int64_t clock_ns(int clock)
{
	struct __kernel_timespec time = {0, 0};
	(void)SYS_CALL2(__NR_clock_gettime, clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Raw system calls, not the vDSO: libfaketime and its like change what the C library returns. */
int64_t os_now_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

int64_t os_since_boot_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

void os_sleep(int64_t ns)
{
	const struct __kernel_timespec left = {ns / 1000000000, ns % 1000000000};
	if (ns > 0)
		(void)SYS_CALL4(__NR_clock_nanosleep, CLOCK_MONOTONIC, 0, &left, 0);
}
