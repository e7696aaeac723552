/* A test program that uses CPU time and touches memory at a known rate: hog ROOT CHILD CHILDREN RATE [SESSION]. The
 * program uses ROOT seconds of CPU time, and each of its CHILDREN uses CHILD seconds. Each process touches RATE MiB per
 * CPU second. With SESSION, the children are in a session of their own, so that a signal to the process group does not
 * reach them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 1 << 16 };

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void burn(double seconds, double rate)
{
	double begun = cpu_seconds(), used;
	size_t touched = 0;

	while ((used = cpu_seconds() - begun) < seconds) {
		for (volatile unsigned i = 0; i < 10000; i++)
			continue;
		while ((double)touched < used * rate * 1048576) {
			char *memory = malloc(STEP);
			if (!memory)
				exit(9);
			memset(memory, 1, STEP);
			touched += STEP;
		}
	}
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	for (int i = atoi(argv[3]); i > 0; i--)
		if (fork() == 0) {
			if (argc > 5)
				setsid();
			burn(atof(argv[2]), atof(argv[4]));
			_exit(0);
		}
	burn(atof(argv[1]), atof(argv[4]));
	while (wait(NULL) > 0)
		continue;
	return 0;
}
