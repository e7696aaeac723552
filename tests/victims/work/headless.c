/* A test program that ends its main thread and continues in another thread: headless MIB MILLISECONDS [PROGRAM
 * ARGUMENT]. The other thread touches MIB of memory, keeps it for MILLISECONDS, prints the VmHWM of the process (KiB),
 * and executes PROGRAM. The kernel reports no memory in /proc/PID for a process whose main thread has ended. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char **words;

static void *go_on(void *main_thread)
{
	size_t size = (size_t)atol(words[1]) << 20;
	long milliseconds = atol(words[2]);
	struct timespec hold = {milliseconds / 1000, milliseconds % 1000 * 1000000};
	char line[256];

	pthread_join(*(pthread_t *)main_thread, NULL);
	char *memory = malloc(size);
	if (!memory)
		exit(9);
	memset(memory, 1, size);
	nanosleep(&hold, NULL);
	FILE *status = fopen("/proc/thread-self/status", "r");
	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, "VmHWM:", 6) == 0)
			printf("%ld\n", atol(line + 6));
	fflush(stdout);
	if (!words[3])
		exit(0);
	execv(words[3], words + 3);
	exit(9);
}

int main(int argc, char **argv)
{
	static pthread_t main_thread;
	pthread_t thread;

	if (argc < 3)
		return 2;
	words = argv;
	main_thread = pthread_self();
	if (pthread_create(&thread, NULL, go_on, &main_thread) != 0)
		return 9;
	pthread_exit(NULL);
}
