/* SPDX-License-Identifier: Apache-2.0 */
/* Provides processes for a tracker to sample: crowd PROCESSES WORKERS SECONDS.
 *
 * WORKERS of these processes wake up 100 times per second and work for 50 us, so that they use CPU time in every tick.
 * The other processes sleep. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void work(void)
{
	const struct timespec pause = {0, 10000000};

	for (;;) {
		double until = now_us() + 50;
		while (now_us() < until)
			continue;
		(void)nanosleep(&pause, NULL);
	}
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	int count = atoi(argv[1]), workers = atoi(argv[2]);
	for (int i = 1; i < count; i++) {
		if (fork() != 0)
			continue;
		(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
		if (i <= workers)
			work();
		for (;;)
			(void)pause();
	}
	(void)usleep((useconds_t)(atof(argv[3]) * 1e6));
	return 0;
}
