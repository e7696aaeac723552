/* A test program that closes every descriptor that it did not open, as daemons and test harnesses do: closefrom
 * MILLISECONDS. It then opens descriptors of its own, and prints whether anyone else used them. A tracker that keeps a
 * descriptor in the host's table either loses the descriptor, or writes rows into the host's file that later gets the
 * same number. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 16 };

int main(int argc, char **argv)
{
	int descriptors[FILES], damaged = 0;
	long milliseconds = argc > 1 ? atol(argv[1]) : 100;
	struct timespec hold = {milliseconds / 1000, milliseconds % 1000 * 1000000};
	char name[64];

	syscall(SYS_close_range, 3U, ~0U, 0U);
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "/tmp/rtrack-closefrom-%d-%d", (int)getpid(), i);
		descriptors[i] = open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0600);
		unlink(name);
		if (descriptors[i] != 3 + i || write(descriptors[i], "mine", 4) != 4)
			damaged++;
	}
	nanosleep(&hold, NULL);
	for (int i = 0; i < FILES; i++) {
		struct stat status;
		if (fstat(descriptors[i], &status) != 0 || status.st_size != 4 || close(descriptors[i]) != 0)
			damaged++;
	}
	printf("damaged: %d\n", damaged);
	return damaged != 0;
}
