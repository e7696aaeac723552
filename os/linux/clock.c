/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of os/clock.h. */
#include "os/clock.h"

#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/proc.h"
#include "os/linux/sys.h"

#include <linux/time.h>

/* The variable is in .data instead of .bss. The dynamic loader has already written to that page, so a process that
 * reads the variable needs no further page. */
int64_t clock_ahead_ns __attribute__((section(".data"))) = 0;

static int64_t clock_ns(int clock)
{
	struct __kernel_timespec time = {0, 0};
	(void)SYS_CALL2(__NR_clock_gettime, clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The clock is read with a raw system call, because libfaketime and similar libraries change the results of the C
 * library. */
int64_t os_now_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

int64_t os_since_boot_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME) - clock_ahead_ns;
}

bool os_time_is_apart(void)
{
	return clock_ahead_ns != 0;
}

void os_sleep(int64_t ns)
{
	const struct __kernel_timespec left = {ns / 1000000000, ns % 1000000000};
	if (ns > 0)
		(void)SYS_CALL4(__NR_clock_nanosleep, CLOCK_MONOTONIC, 0, &left, 0);
}

/* Reads from /proc/self/timens_offsets how far this process's boot clock is ahead of the machine's. The file describes
 * the time namespace of the process's future children. That is also the namespace of the process, except between
 * unshare and exec. */
bool os_learn_time(void)
{
	char text[PROC_TEXT_MAX];
	int64_t length = os_read_once(OS_HERE, "/proc/self/timens_offsets", text, sizeof text);
	int64_t ahead_ns = parse_ahead((struct text){text, length > 0 ? (size_t)length : 0});

	if (ahead_ns == clock_ahead_ns)
		return true;
	if (ahead_ns % NS_PER_TICK != 0 || !process_shares_time_with_children())
		return false;
	clock_ahead_ns = ahead_ns;
	return true;
}
