/* Does a fixed amount of one kind of work and prints what it took: loops cpu|stdio|malloc|memory|idle SCALE.
 *
 * Output: wall seconds, and CPU seconds of the main thread, which a busy machine disturbs less. Each
 * kind leans on what a library in the process can spoil: stdio and malloc on the C library's fast paths for
 * a single thread, memory on the caches. "idle" prints its resident and its private memory in KiB instead. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void loop_cpu(long scale)
{
	volatile uint64_t result = 1;
	uint64_t value = 88172645463325252;

	for (long i = 0; i < scale * 100000000; i++) {
		value ^= value << 13;
		value ^= value >> 7;
		value ^= value << 17;
	}
	result = value;
	(void)result;
}

static void loop_stdio(long scale)
{
	FILE *in = fopen("/dev/zero", "r"), *out = fopen("/dev/null", "w");

	for (long i = 0; in && out && i < scale * 50000000; i++)
		putc(getc(in), out);
}

static void loop_malloc(long scale)
{
	enum { KEPT = 64 };
	void *kept[KEPT] = {NULL};

	for (long i = 0; i < scale * 5000000; i++) {
		size_t slot = (size_t)i % KEPT;
		free(kept[slot]);
		kept[slot] = malloc(1500 + (size_t)(i * 37) % 1000);
		if (kept[slot])
			*(volatile char *)kept[slot] = 1;
	}
}

static void loop_memory(long scale)
{
	enum { SIZE = 64 << 20 };
	unsigned char *memory = malloc(SIZE);
	uint32_t at = 1;

	if (!memory)
		return;
	memset(memory, 1, SIZE);
	for (long i = 0; i < scale * 5000000; i++) {
		at = at * 1664525 + 1013904223;
		((volatile unsigned char *)memory)[at % SIZE]++;
	}
}

static void print_memory(void)
{
	char line[256];
	long resident = 0, private = 0;
	FILE *rollup = fopen("/proc/self/smaps_rollup", "r");

	while (rollup && fgets(line, sizeof(line), rollup)) {
		if (strncmp(line, "Rss:", 4) == 0)
			resident = atol(line + 4);
		if (strncmp(line, "Private_", 8) == 0 && strchr(line, ':'))
		private += atol(strchr(line, ':') + 1);
	}
	printf("%ld %ld\n", resident, private);
}

static const struct {
	const char *name;
	void (*loop)(long scale);
} kinds[] = {{"cpu", loop_cpu}, {"stdio", loop_stdio}, {"malloc", loop_malloc}, {"memory", loop_memory}};

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "idle") == 0) {
		print_memory();
		return 0;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
			kinds[i].loop(atol(argv[2]));
			printf("%.6f %.6f\n", seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_THREAD_CPUTIME_ID) - cpu);
			return 0;
		}
	return 2;
}
