/* Runs a program that was built for another processor, as if it were native. This program has the name of the other
 * program, and runs the file NAME.guest in the same directory under qemu-user (packages/guest). It is linked
 * statically, and passes LD_PRELOAD only to the guest, so that only the guest leaves records. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef QEMU
#define QEMU "qemu-aarch64", "/usr/aarch64-linux-gnu"
#endif

int main(int count, char **arguments)
{
	static const char *const qemu[] = {QEMU};
	char guest[PATH_MAX] = "";
	char loaded[PATH_MAX + 16];
	char **words = calloc((size_t)count + 10, sizeof *words);
	const char *library = getenv("LD_PRELOAD");
	int used = 0;

	ssize_t length = readlink("/proc/self/exe", guest, sizeof guest - sizeof ".guest");
	if (!words || length <= 0)
		return 125;
	(void)snprintf(guest + length, sizeof guest - (size_t)length, ".guest");
	words[used++] = (char *)qemu[0];
	words[used++] = (char *)"-L";
	words[used++] = (char *)qemu[1];
	if (library) {
		(void)snprintf(loaded, sizeof loaded, "LD_PRELOAD=%s", library);
		words[used++] = (char *)"-E";
		words[used++] = loaded;
		(void)unsetenv("LD_PRELOAD");
	}
	words[used++] = (char *)"-0";
	words[used++] = count > 0 ? arguments[0] : guest;
	words[used++] = guest;
	for (int i = 1; i < count; i++)
		words[used++] = arguments[i];
	(void)execv(qemu[0], words);
	perror(qemu[0]);
	return 126;
}
