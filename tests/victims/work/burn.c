/* A test program that uses a known amount of CPU time by its own clock: burn SECONDS [PROCESSES [exit|kill|ignore]].
 * Tests compare a tracker's figures with it. Each of PROCESSES processes spins until CLOCK_THREAD_CPUTIME_ID has grown
 * by its part, so the total is the same on a fast, a slow and a busy machine. With "kill" the processes end by SIGKILL,
 * so that none of their code runs at the end. With "ignore" their parent ignores SIGCHLD, and their CPU time is in no
 * account. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void burn(int64_t share_ns)
{
	int64_t start_ns = cpu_ns(); /* CPU time before main() is not part of the burned time */

	while (cpu_ns() - start_ns < share_ns)
		for (volatile unsigned i = 0; i < 10000; i++)
			continue;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	double seconds = atof(argv[1]);
	int processes = argc > 2 ? atoi(argv[2]) : 0;
	int kills = argc > 3 && strcmp(argv[3], "kill") == 0;

	if (processes <= 0) {
		burn((int64_t)(seconds * 1e9));
		return 0;
	}
	if (argc > 3 && strcmp(argv[3], "ignore") == 0)
		(void)signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < processes; i++)
		if (fork() == 0) {
			burn((int64_t)(seconds / processes * 1e9));
			if (kills)
				raise(SIGKILL);
			_exit(0);
		}
	while (wait(NULL) > 0)
		continue;
	return 0;
}
