/* A test program that ends while its output is blocked and its other threads run: lingers FIFO THREADS. The FIFO
 * becomes its standard output. The program prints its pid, fills the FIFO, and leaves some output in the buffer of the
 * C library. exit() therefore blocks when it flushes the buffer, after all exit handlers have run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *unused)
{
	for (volatile unsigned i = 0;; i++)
		continue;
	return unused;
}

int main(int argc, char **argv)
{
	if (argc < 3 || dup2(open(argv[1], O_WRONLY), STDOUT_FILENO) < 0)
		return 2;
	printf("%d\n", getpid());
	fflush(stdout);
	int room = fcntl(STDOUT_FILENO, F_GETPIPE_SZ);
	for (int i = atoi(argv[2]); i > 0; i--) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, work, NULL) != 0)
			return 2;
	}
	for (int i = 0; i < room + 100; i++)
		putchar('.');
	return 0;
}
