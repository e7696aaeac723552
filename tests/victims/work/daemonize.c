/* A test program that starts a daemon, which runs a command, and ends once the daemon has ended: daemonize COMMAND
 * [ARG…].
 * The daemon is forked twice and leads its own session. It is not a child of the job, so its figures never reach the
 * job's RUSAGE_CHILDREN. When the daemon ends, a pipe is closed. */
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
