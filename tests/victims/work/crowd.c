/* A test program that forks until fork fails, at most COUNT times, and prints the number of children: crowd COUNT
 * [stay]. The children live until all exist. With stay, they live until standard input ends. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	int wanted = count > 1 ? atoi(arguments[1]) : 0, made = 0, ends[2];
	char byte;

	if (pipe(ends) != 0)
		return 2;
	for (; made < wanted; made++) {
		pid_t pid = fork();
		if (pid < 0)
			break;
		if (pid == 0) {
			close(ends[1]);
			_exit((int)read(ends[0], &byte, 1));
		}
	}
	printf("%d\n", made);
	fflush(stdout);
	while (count > 2 && read(0, &byte, 1) > 0)
		;
	close(ends[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
