/* A test program that is a daemon. It uses SECONDS of CPU time and MIB of memory, and prints when it ended (seconds
 * since the epoch): daemon wait|leave|raw|killed SECONDS MIB.
 * The daemon is forked twice and leads its own session. With "wait", the process that started it ends after it,
 * otherwise before it. With "raw", it is forked by a direct system call, so that no fork handler runs. With "killed",
 * it ends by SIGKILL. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void work(double seconds, size_t mib)
{
	char *memory = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	memset(memory, 1, mib << 20);
	while (cpu_ns() < (int64_t)(seconds * 1e9))
		for (volatile unsigned i = 0; i < 10000; i++)
			continue;
}

static pid_t give_birth(const char *how)
{
	return strcmp(how, "raw") == 0 ? (pid_t)syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L) : fork();
}

int main(int argc, char **argv)
{
	struct timespec now;
	int ends[2];
	char byte;

	if (argc < 4 || pipe(ends) != 0)
		return 2;
	pid_t middle = give_birth(argv[1]);
	if (middle == 0) {
		close(ends[0]);
		setsid();
		if (give_birth(argv[1]) != 0)
			_exit(0);
		work(atof(argv[2]), (size_t)atol(argv[3]));
		if (strcmp(argv[1], "killed") == 0)
			raise(SIGKILL);
		clock_gettime(CLOCK_REALTIME, &now);
		printf("%.3f\n", (double)now.tv_sec + (double)now.tv_nsec / 1e9);
		fflush(stdout);
		_exit(0);
	}
	close(ends[1]);
	waitpid(middle, NULL, 0);
	if (strcmp(argv[1], "wait") == 0 && read(ends[0], &byte, 1) != 0)
		return 1;
	return 0;
}
