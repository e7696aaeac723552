/* A test program that calls one of the exec functions: becomes HOW PROGRAM ARGUMENT. If PROGRAM is "many", the program
 * executes sh with an environment of its own and with more arguments than fit into registers. sh prints both. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char *own[] = {"OWN=own", NULL};
	static const char *const text = "echo $OWN $0 $1 $2 $3 $4 $5 $6 $7 $8";

	if (argc < 4)
		return 2;
	const char *how = argv[1], *program = argv[2], *argument = argv[3];
	char *words[] = {argv[2], argv[3], NULL};
	if (strcmp(how, "execl") == 0 && strcmp(program, "many") == 0)
		execl("/bin/sh", "sh", "-c", text, "0", "1", "2", "3", "4", "5", "6", "7", "8", (char *)0);
	else if (strcmp(how, "execlp") == 0 && strcmp(program, "many") == 0)
		execlp("sh", "sh", "-c", text, "0", "1", (char *)0);
	else if (strcmp(how, "execle") == 0 && strcmp(program, "many") == 0)
		execle("/bin/sh", "sh", "-c", text, "0", "1", "2", "3", "4", "5", "6", "7", "8", (char *)0, own);
	else if (strcmp(how, "execle few") == 0)
		execle("/bin/sh", "sh", "-c", text, (char *)0, own);
	else if (strcmp(how, "execl") == 0)
		execl(program, program, argument, (char *)0);
	else if (strcmp(how, "execlp") == 0)
		execlp(program, program, argument, (char *)0);
	else if (strcmp(how, "execle") == 0)
		execle(program, program, argument, (char *)0, environ);
	else if (strcmp(how, "execvpe") == 0)
		execvpe(program, words, environ);
	perror(how);
	return 9;
}
