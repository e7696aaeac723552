/* A test program that forks until fork fails, but at most COUNT times: crowd COUNT [stay]. It prints the number of
 * children. The children live until all of them exist. With `stay`, they live until standard input is closed. */
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
