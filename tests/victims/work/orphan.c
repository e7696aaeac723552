/* Prints whom a child, its child and that one's orphan find as their parents: for a job below another parent of
 * orphans. The orphan waits until its parent is not the one that it had, as daemons do. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(int pipe, const char *who, int parent)
{
	char line[64];
	int length = snprintf(line, sizeof line, "%s %d\n", who, parent);
	if (write(pipe, line, (size_t)length) != length)
		_exit(1);
}

/* Its parent is there until it hears from it. */
static void be_orphaned(int out, int told, pid_t parent)
{
	say(out, "a child's child has its parent:", getppid() == parent);
	say(told, "", 0);
	while (getppid() == parent)
		;
	say(out, "orphan", getppid());
	_exit(0);
}

static void have_child(int out)
{
	int told[2];
	char byte;
	pid_t self = getpid();

	if (pipe(told) != 0)
		_exit(1);
	if (fork() == 0)
		be_orphaned(out, told[1], self);
	_exit(read(told[0], &byte, 1) == 1 ? 0 : 1);
}

int main(void)
{
	int out[2];
	char text[256];
	ssize_t length;
	pid_t self = getpid();

	if (pipe(out) != 0)
		return EXIT_FAILURE;
	pid_t child = fork();
	if (child == 0) {
		say(out[1], "a child has its parent:", getppid() == self);
		have_child(out[1]);
	}
	close(out[1]);
	(void)waitpid(child, NULL, 0);
	while ((length = read(out[0], text, sizeof text)) > 0)
		(void)fwrite(text, 1, (size_t)length, stdout);
	return EXIT_SUCCESS;
}
