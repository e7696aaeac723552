/* Holds MIB in a file that has no name in any directory until it ends, and then lets go of it: nameless KIND MIB.
 *
 * memfd: a file in memory. removed: a file on disk. shared: memory that only children of its have written to. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

static int write_by_children(size_t mib)
{
	size_t half = mib / 2 << 20;
	char *memory = mmap(NULL, 2 * half, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; memory != MAP_FAILED && i < 2; i++) {
		if (fork() == 0) {
			memset(memory + i * half, 1, half);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return memory == MAP_FAILED;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "shared") == 0)
		return write_by_children((size_t)atol(argv[2]));
	bool removed = strcmp(argv[1], "removed") == 0;
	return write_all(removed ? open_removed() : memfd_create("nameless", MFD_CLOEXEC), atol(argv[2]));
}
