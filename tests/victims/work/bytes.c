/* A test program that writes and reads known numbers of bytes: bytes DIRECTORY COUNT MIB. The parent starts COUNT
 * children, and each child starts one child. Each of these processes writes MIB to a file and reads the file. Every
 * second child is killed by SIGKILL. All processes are reaped by their parents. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *directory;

static void work(int mib)
{
	static char block[1 << 20];
	char path[4096];
	int length = snprintf(path, sizeof(path), "%s/%d", directory, (int)getpid());
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (length >= (int)sizeof(path) || file < 0)
		_exit(1);
	for (int i = 0; i < mib; i++)
		if (write(file, block, sizeof(block)) != (ssize_t)sizeof(block))
			_exit(1);
	if (fsync(file) != 0 || lseek(file, 0, SEEK_SET) != 0)
		_exit(1);
	for (int i = 0; i < mib; i++)
		if (read(file, block, sizeof(block)) != (ssize_t)sizeof(block))
			_exit(1);
	close(file);
	unlink(path);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	directory = argv[1];
	int count = atoi(argv[2]), mib = atoi(argv[3]);

	for (int i = 0; i < count; i++)
		if (fork() == 0) {
			if (fork() == 0) {
				work(mib);
				_exit(0);
			}
			work(mib);
			wait(NULL);
			if (i % 2 == 1)
				raise(SIGKILL);
			_exit(0);
		}
	work(mib);
	while (wait(NULL) > 0)
		continue;
	return 0;
}
