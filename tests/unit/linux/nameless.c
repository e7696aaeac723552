/* os/linux/self.c: what is in files that have no name, by its blocks, and at most. */
#define _GNU_SOURCE
#include "os/self.h"

#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <sys/mman.h>
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

static void counts(int kib, int at_most_kib, const char *what)
{
	char says[128];
	uint64_t before = os_nameless_kib(false);
	int file = file_with(kib);

	(void)snprintf(says, sizeof says, "%s: by its blocks", what);
	is_number((double)(os_nameless_kib(false) - before), kib, says);
	(void)snprintf(says, sizeof says, "%s: at most", what);
	is_number((double)(os_nameless_kib(true) - before), at_most_kib, says);
	(void)close(file);
	(void)snprintf(says, sizeof says, "%s: nothing once it is closed", what);
	ok(os_nameless_kib(false) == before, says);
}

int main(void)
{
	counts(0, 0, "a file of holes");
	counts(SIZE_KIB / 2, SIZE_KIB / 2, "half a file");
	counts(SIZE_KIB / 4 * 3 - 128, SIZE_KIB / 4 * 3 - 128, "a file that lacks more than a quarter");
	counts(SIZE_KIB / 4 * 3, SIZE_KIB, "a file that lacks a quarter");
	counts(SIZE_KIB - 128, SIZE_KIB, "a file that lacks a little");
	counts(SIZE_KIB, SIZE_KIB, "a whole file");
	return done();
}
