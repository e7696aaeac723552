/* A library that replaces the monotonic clock in tests. Each reading of the clock advances it by one second. If the
 * environment has CLOCK_STANDS, the clock never advances. A program that waits for a certain time therefore behaves the
 * same on machines of any speed. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
	static time_t looks;

	if (clock != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, clock, time);
	looks += !getenv("CLOCK_STANDS");
	*time = (struct timespec){1000 + looks, 0};
	return 0;
}
