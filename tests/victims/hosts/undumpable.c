/* A test program that makes itself undumpable, as programs with secrets do. The files of the process in /proc then
 * belong to root. The program prints which of them it and its child can still read. */
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void look(const char *what)
{
	FILE *own = fopen("/proc/self/io", "r");

	printf("%s: dumpable %d, /proc/self/io %s\n", what, prctl(PR_GET_DUMPABLE, 0L, 0L, 0L, 0L),
		own ? "opens" : "does not open");
	fflush(stdout);
	if (own)
		fclose(own);
}

int main(void)
{
	int status = 0;

	if (prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L) != 0)
		return 2;
	look("parent");
	if (fork() == 0) {
		look("child");
		usleep(50000);
		_exit(3);
	}
	wait(&status);
	return WEXITSTATUS(status);
}
