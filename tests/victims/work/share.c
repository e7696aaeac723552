/* A test program with PROCESSES that share MIB of memory for SECONDS: share map|copy PROCESSES MIB SECONDS [ALIGN]. The
 * memory is shared by a mapping ("map") or as after a fork ("copy"), and all of it is resident in each process. The
 * processes touch it just after the time of day has passed a multiple of ALIGN seconds. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned char sink;

static void look_at(const unsigned char *memory, size_t size)
{
	for (size_t i = 0; i < size; i += 4096)
		sink = memory[i];
}

int main(int argc, char **argv)
{
	int ends[2];
	char byte;

	if (argc < 5 || pipe(ends) != 0)
		return 2;
	int copies = strcmp(argv[1], "copy") == 0, count = atoi(argv[2]);
	size_t size = (size_t)atol(argv[3]) << 20;
	double seconds = atof(argv[4]);
	struct timespec hold = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
	if (argc > 5) {
		struct timespec now;
		clock_gettime(CLOCK_REALTIME, &now);
		time_t align = (time_t)atol(argv[5]);
		now = (struct timespec){(now.tv_sec / align + 1) * align, 20000000};
		clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &now, NULL);
	}
	unsigned char *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, (copies ? MAP_PRIVATE : MAP_SHARED) | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, size);
	for (int i = 1; i < count; i++)
		if (fork() == 0) {
			close(ends[1]);
			look_at(memory, size);
			/* All processes must end together. If one ended earlier, the PSS of the others would grow. */
			(void)!read(ends[0], &byte, 1);
			_exit(0);
		}
	nanosleep(&hold, NULL);
	close(ends[1]);
	munmap(memory, size);
	while (wait(NULL) > 0)
		continue;
	return 0;
}
