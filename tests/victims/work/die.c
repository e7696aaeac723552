/* Processes that end badly after a known amount of work: each burns SECONDS of CPU by its own clock, with MIB of
 * memory touched, then ends by END, one of kill, segv, abort, _exit.
 *
 *   die parent COUNT END SECONDS MIB    parallel children that the parent reaps
 *   die ignore COUNT END SECONDS MIB    the parent ignores SIGCHLD, so the kernel adds its children to no account
 *   die orphan COUNT END SECONDS MIB    the parent ends after its children, without reaping any
 *   die late COUNT END SECONDS MIB FILE  the parent reaps its children once FILE, a fifo, is opened
 *   die chain COUNT SECONDS MIB MOST    one process that calls exec COUNT times; its middle program touches MOST MiB */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Uses CPU time, including the time to touch the memory. CPU time before main() is not included. */
static void work(double seconds, size_t mib)
{
	int64_t until_ns = cpu_ns() + (int64_t)(seconds * 1e9);
	char *memory = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	memset(memory, 1, mib << 20);
	while (cpu_ns() < until_ns)
		for (volatile unsigned i = 0; i < 10000; i++)
			continue;
	munmap(memory, mib << 20);
}

static void end_by(const char *end)
{
	if (strcmp(end, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(end, "segv") == 0)
		*(volatile int *)8 = 1;
	if (strcmp(end, "abort") == 0)
		abort();
	_exit(0);
}

/* Makes the children. Each child keeps a pipe open, so end-of-file on the pipe means that all children have ended. */
static void make_children(char **argv)
{
	int ends[2];
	char byte;

	if (pipe(ends) != 0)
		exit(2);
	for (int i = 0; i < atoi(argv[2]); i++)
		if (fork() == 0) {
			close(ends[0]);
			work(atof(argv[4]), (size_t)atol(argv[5]));
			end_by(argv[3]);
		}
	close(ends[1]);
	while (read(ends[0], &byte, 1) > 0 || errno == EINTR)
		errno = 0;
}

static void chain(char **argv)
{
	int left = atoi(argv[2]);
	char next[16];

	work(atof(argv[3]), (size_t)atol(argv[left == 3 ? 5 : 4]));
	if (left <= 1)
		exit(0);
	snprintf(next, sizeof(next), "%d", left - 1);
	execl(argv[0], argv[0], argv[1], next, argv[3], argv[4], argv[5], (char *)NULL);
	exit(1);
}

int main(int argc, char **argv)
{
	if (argc < 6)
		return 2;
	errno = 0;
	if (strcmp(argv[1], "chain") == 0)
		chain(argv);
	if (strcmp(argv[1], "ignore") == 0)
		signal(SIGCHLD, SIG_IGN);
	make_children(argv);
	bool late = strcmp(argv[1], "late") == 0;
	if (late && (argc < 7 || open(argv[6], O_RDONLY) < 0))
		return 2;
	if (late || strcmp(argv[1], "parent") == 0)
		while (wait(NULL) > 0)
			continue;
	return 0;
}
