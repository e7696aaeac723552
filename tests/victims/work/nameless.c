/* Holds MIB of memory that has no name in any directory until it ends, and then lets go of it: nameless KIND MIB.
 *
 * memfd: a file in memory. removed: a file on disk, open. child: a shared mapping that a child has filled. segment: one
 * of System V, which a child has filled, too. Of the last two nothing is resident in this process. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_all(int file, long mib)
{
	static char block[1 << 20];

	memset(block, 1, sizeof block);
	for (long i = 0; i < mib; i++)
		if (write(file, block, sizeof block) != (ssize_t)sizeof block)
			return 1;
	return file < 0;
}

static int open_removed(void)
{
	char path[4096];
	const char *folder = getenv("TMPDIR");

	(void)snprintf(path, sizeof path, "%s/nameless-XXXXXX", folder ? folder : "/tmp");
	int file = mkstemp(path);
	(void)unlink(path);
	return file;
}

static void *map_segment(size_t size)
{
	int segment = shmget(IPC_PRIVATE, size, 0600);
	void *memory = segment < 0 ? MAP_FAILED : shmat(segment, NULL, 0);

	(void)shmctl(segment, IPC_RMID, NULL);
	return memory;
}

static int fill_by_child(void *memory, size_t size)
{
	int status = 1;

	if (memory == MAP_FAILED)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		memset(memory, 1, size);
		_exit(0);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	long mib = atol(argv[2]);
	size_t size = (size_t)mib << 20;

	if (strcmp(argv[1], "memfd") == 0)
		return write_all(memfd_create("nameless", MFD_CLOEXEC), mib);
	if (strcmp(argv[1], "removed") == 0)
		return write_all(open_removed(), mib);
	if (strcmp(argv[1], "child") == 0)
		return fill_by_child(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), size);
	return fill_by_child(map_segment(size), size);
}
