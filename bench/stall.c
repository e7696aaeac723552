/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how long a program waits to map memory: stall MIB SECONDS. The program holds MIB of memory in small pages. A
 * second thread continuously maps, touches and unmaps a page. The output is the times of start and end, since the
 * epoch, and the longest wait in milliseconds. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

static atomic_bool over;
static double longest, longest_asleep;

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static void *map_and_unmap(void *unused)
{
	enum { SIZE = 4096 };
	long slept = sleeps();

	while (!atomic_load(&over)) {
		double before = now(CLOCK_MONOTONIC);
		char *page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED)
			exit(1);
		*page = 1;
		munmap(page, SIZE);
		double waited = now(CLOCK_MONOTONIC) - before;
		longest = waited > longest ? waited : longest;
		if (waited < 1e-4)
			continue;
		long slept_before = slept;
		slept = sleeps();
		longest_asleep = slept > slept_before && waited > longest_asleep ? waited : longest_asleep;
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 3)
		return 2;
	size_t size = (size_t)atol(argv[1]) << 20;
	struct timespec while_held = {atol(argv[2]), 0};
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, size, MADV_NOHUGEPAGE);
	memset(memory, 1, size);
	double since = now(CLOCK_REALTIME);
	if (pthread_create(&thread, NULL, map_and_unmap, NULL) != 0)
		return 1;
	nanosleep(&while_held, NULL);
	double until = now(CLOCK_REALTIME);
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	printf("%.3f %.3f %.3f %.3f\n", since, until, longest * 1e3, longest_asleep * 1e3);
	return 0;
}
