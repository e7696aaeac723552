/* A test program that starts COUNT children, at most WIDTH of them at the same time: series COUNT WIDTH [COMMAND
 * [ARG…]]. Without COMMAND, each child is a fork that calls _exit immediately. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	int left = atoi(argv[1]), room = atoi(argv[2]);

	while (left > 0 || wait(NULL) > 0) {
		if (left == 0)
			continue;
		if (room == 0)
			wait(NULL);
		else
			room--;
		pid_t child = fork();
		if (child == 0 && argc > 3)
			execv(argv[3], argv + 3);
		if (child <= 0)
			_exit(child < 0 || argc > 3);
		left--;
	}
	return 0;
}
