/* A test program that does a known amount of work on any POSIX system: portable SECONDS MIB STATUS [HOW]. It uses
 * SECONDS of CPU time, half of it in a child that it reaps, touches MIB of memory, and exits with STATUS. HOW is return
 * (the default), _exit, kill (SIGKILL), exec (the program first executes itself), or closed (the program closes every
 * descriptor before the work). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double used(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void work(double seconds)
{
	while (used() < seconds)
		for (volatile int i = 0; i < 100000; i++)
			;
}

int main(int count, char **arguments)
{
	if (count < 4)
		return 2;
	double seconds = atof(arguments[1]);
	size_t bytes = strtoul(arguments[2], NULL, 10) << 20;
	int status = atoi(arguments[3]);
	const char *how = count > 4 ? arguments[4] : "return";

	for (int i = 0; strcmp(how, "closed") == 0 && i < 1024; i++)
		close(i);
	char *data = malloc(bytes + 1);
	if (!data)
		return 3;
	for (size_t i = 0; i < bytes; i += 4096)
		((volatile char *)data)[i] = (char)i;
	pid_t child = seconds > 0 ? fork() : 0;
	if (seconds > 0 && child == 0) {
		work(seconds / 2);
		_exit(0);
	}
	work(seconds / 2);
	if (seconds > 0)
		waitpid(child, NULL, 0);
	if (strcmp(how, "_exit") == 0)
		_exit(status);
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "exec") == 0)
		execlp(arguments[0], arguments[0], "0", "0", arguments[3], (char *)NULL);
	return status;
}
