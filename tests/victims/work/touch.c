/* A test program that touches MIB of memory, keeps it for MILLISECONDS and frees it: touch MIB MILLISECONDS. Samples do
 * not show a peak between two ticks, but the kernel keeps the peak as VmHWM. The program prints its VmHWM (KiB) before
 * it ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	size_t size = (size_t)atol(argv[1]) << 20;
	long milliseconds = atol(argv[2]);
	struct timespec hold = {milliseconds / 1000, milliseconds % 1000 * 1000000};
	char line[256];

	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, size);
	nanosleep(&hold, NULL);
	munmap(memory, size);

	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, "VmHWM:", 6) == 0)
			printf("%ld\n", atol(line + 6));
	return 0;
}
