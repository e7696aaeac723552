/* os/linux/self.c: what is in files that have no name, by its blocks, and at most. */
#define _GNU_SOURCE
#include "os/clock.h"
#include "os/self.h"

#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20, SIZE_KIB = 4096 };

/* A file in memory of 4 MiB, whose blocks are counted to the byte at any time; only the first `kib` have been written.
 */
static int file_with(int kib)
{
	static char block[MIB];
	int file = memfd_create("nameless", MFD_CLOEXEC);

	if (file < 0 || ftruncate(file, SIZE_KIB * 1024) != 0)
		abort();
	for (int written = 0; written < kib; written += MIB / 8 / 1024)
		if (write(file, block, MIB / 8) != MIB / 8)
			abort();
	return file;
}

/* Of files that were written before some time to come. */
static uint64_t by_blocks(void)
{
	return os_nameless_kib(os_now_ns() + 1000000000);
}

static void counts(int kib, int at_most_kib, const char *what)
{
	char says[128];
	uint64_t before = by_blocks();
	int file = file_with(kib);

	(void)snprintf(says, sizeof says, "%s: by its blocks", what);
	is_number((double)(by_blocks() - before), kib, says);
	(void)snprintf(says, sizeof says, "%s: at most", what);
	is_number((double)(os_nameless_kib(0) - before), at_most_kib, says);
	(void)close(file);
	(void)snprintf(says, sizeof says, "%s: nothing once it is closed", what);
	ok(by_blocks() == before, says);
}

/* Nobody has touched it here, as another may have. */
static void check_shared(void)
{
	uint64_t before = os_shared_kib();
	char *shared = mmap(NULL, SIZE_KIB * 1024, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *private = mmap(NULL, SIZE_KIB * 1024, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t child = shared == MAP_FAILED || private == MAP_FAILED ? -1 : fork();

	if (child == 0) {
		memset(shared, 1, SIZE_KIB * 1024);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		abort();
	is_number((double)(os_shared_kib() - before), SIZE_KIB, "memory that is shared, and that another has touched");
	(void)munmap(shared, SIZE_KIB * 1024);
	ok(os_shared_kib() == before, "nothing once it is let go of");
	(void)munmap(private, SIZE_KIB * 1024);
}

int main(void)
{
	check_shared();
	counts(0, 0, "a file of holes");
	counts(SIZE_KIB / 2, SIZE_KIB / 2, "half a file");
	counts(SIZE_KIB / 4 * 3 - 128, SIZE_KIB / 4 * 3 - 128, "a file that lacks more than a quarter");
	counts(SIZE_KIB / 4 * 3, SIZE_KIB, "a file that lacks a quarter");
	counts(SIZE_KIB - 128, SIZE_KIB, "a file that lacks a little");
	counts(SIZE_KIB, SIZE_KIB, "a whole file");
	/* The thread that looks at a run's beginning may come late. */
	int64_t begun_ns = os_now_ns() - 10000000;
	uint64_t before = os_nameless_kib(begun_ns);
	(void)file_with(SIZE_KIB);
	ok(by_blocks() == before + SIZE_KIB, "a file that is written when the run has begun is there");
	ok(os_nameless_kib(begun_ns) == before, "and is none that was there before");
	return done();
}
