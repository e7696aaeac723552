/* A test program that executes a program with arguments or descriptors that no shell would pass: execs HOW PROGRAM
 * [ARG…]. HOW is one of: no-arguments (argv is empty), empty-name (argv[0] is ""), long N (N further arguments of 64
 * KiB), clean (only the three standard descriptors are open), and empty-environment (only LD_PRELOAD is set). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONG_ARGUMENT = 64 << 10 };

static char **with_long_arguments(int count, char **arguments)
{
	int given = 0;

	while (arguments[given])
		given++;
	char **list = calloc((size_t)(given + count) + 1, sizeof(*list));
	char *argument = malloc(LONG_ARGUMENT + 1);
	if (!list || !argument)
		exit(125);
	memset(argument, 'x', LONG_ARGUMENT);
	argument[LONG_ARGUMENT] = '\0';
	for (int i = 0; i < given + count; i++)
		list[i] = i < given ? arguments[i] : argument;
	return list;
}

int main(int argc, char **argv)
{
	char *none[] = {NULL};
	char *environment[] = {NULL, NULL};

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "no-arguments") == 0)
		execv(argv[2], none);
	if (strcmp(argv[1], "empty-name") == 0) {
		char *program = argv[2];
		argv[2] = "";
		execv(program, argv + 2);
	}
	if (strcmp(argv[1], "long") == 0 && argc > 3)
		execvp(argv[3], with_long_arguments(atoi(argv[2]), argv + 3));
	if (strcmp(argv[1], "clean") == 0) {
		syscall(SYS_close_range, 3U, ~0U, 0U);
		execvp(argv[2], argv + 2);
	}
	if (strcmp(argv[1], "empty-environment") == 0) {
		char *preload = getenv("LD_PRELOAD");
		if (preload)
			environment[0] = preload - strlen("LD_PRELOAD=");
		execve(argv[2], argv + 2, environment);
	}
	perror(argv[2]);
	return 127;
}
