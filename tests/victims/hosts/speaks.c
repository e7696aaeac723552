/* A test program that calls the tracker through include/rtrack.h: speaks WORD…. Each word is one call. "open PATH"
 * opens the library. "burn" uses 0.2 s of CPU time. "mark LABEL", "flush", "stop" and "start" print the return value.
 * "child" runs /bin/true, and "system COMMAND" runs a command. With "threads", two threads call flush fifty times at
 * the same time. */
#define _GNU_SOURCE
#include "../../../include/rtrack.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Uses the clock of the thread, because the clock of the process includes the thread of the sampler. */
static void burn(void)
{
	struct timespec now = {0, 0};
	struct timespec start;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 < 0.2);
}

static void *flush_often(void *failed)
{
	for (int i = 0; i < 50; i++)
		*(int *)failed += rtrack_flush() != 0;
	return NULL;
}

static int flush_side_by_side(void)
{
	pthread_t threads[2];
	int failed[2] = {0, 0};

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, flush_often, &failed[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return failed[0] + failed[1];
}

int main(int count, char **words)
{
	for (int i = 1; i < count; i++) {
		const char *word = words[i];
		const char *next = i + 1 < count ? words[i + 1] : "";
		if (strcmp(word, "open") == 0 && ++i)
			printf("open %d\n", dlopen(next, RTLD_NOW | RTLD_GLOBAL) != NULL);
		else if (strcmp(word, "mark") == 0 && ++i)
			printf("mark %d\n", rtrack_mark(next));
		else if (strcmp(word, "system") == 0 && ++i)
			printf("system %d\n", system(next));
		else if (strcmp(word, "flush") == 0)
			printf("flush %d\n", rtrack_flush());
		else if (strcmp(word, "stop") == 0)
			printf("stop %d\n", rtrack_stop());
		else if (strcmp(word, "start") == 0)
			printf("start %d\n", rtrack_start());
		else if (strcmp(word, "threads") == 0)
			printf("threads %d\n", flush_side_by_side());
		else
			burn();
	}
	return 0;
}
