/* Holds MIB of one kind of memory until two more ticks have been recorded.
 *
 *   kinds locked MIB    a file that is mapped and locked; exits with status 1 if it may not be locked
 *   kinds freed MIB     memory that is given back by MADV_FREE, and as much that is kept
 *   kinds tables MIB    shared memory that 20 forks have touched
 *
 * The ticks are counted as rows of process.csv of the only run in RTRACK_SPOOL, so the speed of the machine does not
 * matter. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, FORKS = 20 };

static int rows(void)
{
	char pattern[4096];
	glob_t found;
	int count = 0;

	snprintf(pattern, sizeof pattern, "%s/*/process.csv", getenv("RTRACK_SPOOL"));
	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	FILE *file = fopen(found.gl_pathv[0], "r");
	for (int byte; file && (byte = getc(file)) != EOF;)
		count += byte == '\n';
	if (file)
		fclose(file);
	globfree(&found);
	return count;
}

static void wait_for_ticks(void)
{
	int end = rows() + 2;

	while (rows() < end)
		usleep(20000);
}

static char *map(size_t size, int flags, int file)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, file, 0);

	if (memory == MAP_FAILED)
		exit(2);
	return memory;
}

static void touch(char *memory, size_t size)
{
	for (size_t i = 0; i < size; i += PAGE)
		memory[i] = 1;
}

static int hold_tables(size_t size)
{
	char *memory = map(size, MAP_SHARED | MAP_ANONYMOUS, -1);
	int ready[2], forks[FORKS];
	char byte;

	touch(memory, size);
	if (pipe(ready) != 0)
		return 2;
	for (int i = 0; i < FORKS; i++) {
		forks[i] = fork();
		if (forks[i] == 0) {
			touch(memory, size);
			return write(ready[1], "", 1) == 1 ? pause() : 2;
		}
	}
	for (int i = 0; i < FORKS; i++)
		if (read(ready[0], &byte, 1) != 1)
			return 2;
	wait_for_ticks();
	for (int i = 0; i < FORKS; i++)
		if (kill(forks[i], SIGTERM) != 0 || waitpid(forks[i], NULL, 0) != forks[i])
			return 2;
	return 0;
}

int main(int count, char **arguments)
{
	size_t size = count == 3 ? (size_t)atoi(arguments[2]) << 20 : 0;

	if (strcmp(arguments[1], "locked") == 0) {
		char path[] = "/var/tmp/rtrack-kinds-XXXXXX";
		int file = mkstemp(path);
		if (file < 0 || unlink(path) != 0 || ftruncate(file, (off_t)size) != 0)
			return 2;
		if (mlock(map(size, MAP_SHARED, file), size) != 0)
			return 1;
	} else if (strcmp(arguments[1], "freed") == 0) {
		char *memory = map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		touch(memory, size);
		madvise(memory, size, MADV_FREE);
		touch(map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1), size);
	} else {
		return hold_tables(size);
	}
	wait_for_ticks();
	return 0;
}
