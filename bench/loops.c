/* SPDX-License-Identifier: Apache-2.0 */
/* Does a fixed amount of one kind of work and prints its cost: loops cpu|stdio|malloc|memory|syscall|fork|idle SCALE.
 *
 * The output is wall seconds and CPU seconds. CPU seconds, of the main thread and its children, depend less on other
 * load. Each kind of work depends on something that a library in the process can slow down. stdio and malloc depend on
 * the C library's single-thread optimizations, memory on the caches, and fork on fork handlers and records. syscall
 * makes calls that are interposed, or that take locks if there are threads. idle prints its own resources instead:
 * resident and private memory in KiB, threads, descriptors, and its parent's resident memory. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Returns the CPU time of the main thread and of reaped children. The CPU time of the tracker is not included, because
 * the tracker runs in another thread. */
static double cpu_seconds(void)
{
	struct rusage children;

	getrusage(RUSAGE_CHILDREN, &children);
	return seconds(CLOCK_THREAD_CPUTIME_ID) + (double)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
	       (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) / 1e6;
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

static void loop_syscall(long scale)
{
	int zero = open("/dev/zero", O_RDONLY);
	char byte;

	for (long i = 0; i < scale * 2000000; i++)
		if (read(zero, &byte, 1) != 1 || syscall(SYS_getppid) < 0)
			break;
	close(zero);
}

static void loop_fork(long scale)
{
	for (long i = 0; i < scale * 2000; i++) {
		pid_t pid = fork();
		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			break;
	}
}

static int count_entries(const char *path)
{
	DIR *directory = opendir(path);
	int count = 0;

	for (struct dirent *entry; directory && (entry = readdir(directory));)
		count += entry->d_name[0] != '.';
	if (directory)
		closedir(directory);
	return count;
}

static long resident_kib_of(pid_t pid)
{
	char line[256];
	long resident = 0;

	(void)snprintf(line, sizeof line, "/proc/%d/status", (int)pid);
	FILE *status = fopen(line, "r");
	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, "VmRSS:", 6) == 0)
			resident = atol(line + 6);
	if (status)
		fclose(status);
	return resident;
}

static void print_what_is_there(void)
{
	char line[256];
	long resident = 0, private = 0;
	int threads = count_entries("/proc/self/task"), descriptors = count_entries("/proc/self/fd");
	FILE *rollup = fopen("/proc/self/smaps_rollup", "r");

	while (rollup && fgets(line, sizeof(line), rollup)) {
		if (strncmp(line, "Rss:", 4) == 0)
			resident = atol(line + 4);
		if (strncmp(line, "Private_", 8) == 0 && strchr(line, ':'))
		private += atol(strchr(line, ':') + 1);
	}
	printf("%ld %ld %d %d %ld\n", resident, private, threads, descriptors, resident_kib_of(getppid()));
}

static const struct {
	const char *name;
	void (*loop)(long scale);
} kinds[] = {{"cpu", loop_cpu}, {"stdio", loop_stdio}, {"malloc", loop_malloc}, {"memory", loop_memory},
	{"syscall", loop_syscall}, {"fork", loop_fork}};

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "idle") == 0) {
		print_what_is_there();
		return 0;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			double wall = seconds(CLOCK_MONOTONIC), cpu = cpu_seconds();
			kinds[i].loop(atol(argv[2]));
			printf("%.6f %.6f\n", seconds(CLOCK_MONOTONIC) - wall, cpu_seconds() - cpu);
			return 0;
		}
	return 2;
}
