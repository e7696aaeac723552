/* A library under which the monotonic clock goes on by a second with each look at it, and never else; with CLOCK_STANDS
 * set not even then. Whatever waits for time to pass sees it pass, however fast the machine is. */
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
