/* A test program that starts a daemon and ends after the daemon has ended: daemonize COMMAND [ARG…]. The daemon runs
 * COMMAND. It is forked twice, and leads a session of its own. It is not a child of the job, so the job's
 * RUSAGE_CHILDREN never includes its usage. The program notices the end of the daemon because a pipe is closed. */
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int ends[2];
	char byte;

	if (argc < 2 || pipe(ends) != 0)
		return 2;
	pid_t middle = fork();
	if (middle == 0) {
		close(ends[0]);
		setsid();
		if (fork() == 0) {
			execvp(argv[1], argv + 1);
			_exit(127);
		}
		_exit(0);
	}
	close(ends[1]);
	waitpid(middle, NULL, 0);
	while (read(ends[0], &byte, 1) > 0)
		continue;
	return 0;
}
