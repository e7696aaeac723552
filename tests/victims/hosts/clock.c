/* A library that replaces the monotonic clock for tests. Only a reading of the clock advances it, by one second. With
 * CLOCK_STANDS set, it never advances. A program that waits for time to pass therefore behaves the same on machines of
 * any speed. */
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
