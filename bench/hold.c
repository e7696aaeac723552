/* SPDX-License-Identifier: Apache-2.0 */
/* Holds MIB of memory in small pages for SECONDS: hold MIB SECONDS. Prints the time at which all of the memory was
 * resident and the time of its release, both in seconds since the epoch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	size_t size = (size_t)atol(argv[1]) << 20;
	struct timespec hold = {atol(argv[2]), 0};
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, size, MADV_NOHUGEPAGE);
	memset(memory, 1, size);
	double since = now();
	nanosleep(&hold, NULL);
	printf("%.3f %.3f\n", since, now());
	return 0;
}
