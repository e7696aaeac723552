/* Looks at Python processes back to back, as the sampler does ten times a second, and says what was wrong: a stack that
 * cannot be, a file that does not exist.
 *
 * looks COUNT COMMAND [ARGUMENT...]: runs the command, and looks COUNT times at it, or until it ends. Names of
 * functions that consist of letters from a to r prove a stack: a function's name begins with its caller's, as
 * chain.py beside this has it. */
#define _GNU_SOURCE
#include "os/clock.h"
#include "sampler/lines/python.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct python_room room;
static long count[5], cut, impossible, missing, frames;

static bool is_link(const char *name)
{
	return name[0] == 'a' && name[strspn(name, "apqr")] == '\0';
}

/* From the outermost of the frames that were the same twice. */
static void check_stack(const struct python *python)
{
	char caller[256] = "";

	for (size_t i = room.same; i > 0; i--) {
		char name[256];
		struct text text = python_frame_name(python, &room, i - 1);
		(void)snprintf(name, sizeof name, "%.*s", (int)text.length, text.data);
		frames++;
		if (is_link(name) && caller[0] &&
			(strlen(name) != strlen(caller) + 1 || strncmp(name, caller, strlen(caller)) != 0)) {
			impossible++;
			fprintf(stderr, "impossible: %s called %s\n", caller, name);
		}
		(void)snprintf(caller, sizeof caller, "%s", is_link(name) ? name : "");
	}
}

static void check_file(const struct python_place *place)
{
	char path[1100];

	(void)snprintf(path, sizeof path, "%.*s", (int)place->file.length, place->file.data);
	if (path[0] == '<' || path[0] == '\0' || access(path, F_OK) == 0 || strcmp(path, "chain_functions.py") == 0)
		return;
	missing++;
	fprintf(stderr, "missing: %s:%d in %.*s (of %zu frames, %zu same)\n", path, place->line,
		(int)place->function.length, place->function.data, room.all, room.same);
}

int main(int argc, char **argv)
{
	struct python python;
	struct python_thread threads[PYTHON_THREADS_MAX];
	struct python_place place;
	long wanted = argc > 2 ? atol(argv[1]) : 0, done = 0;
	int64_t used_ns = 0;

	if (wanted <= 0)
		return 2;
	int pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	for (int i = 0; python_find(&python, pid, &room) != 0 && i < 200; i++)
		usleep(10000);
	while (done < wanted) {
		size_t found = python_threads(&python, threads);
		if (found == 0 && waitpid(pid, NULL, WNOHANG) != 0)
			break;
		for (size_t i = 0; i < found; i++) {
			int64_t begin_ns = os_since_boot_ns();
			enum python_result result = python_read(&python, &threads[i], &room, &place);
			used_ns += os_since_boot_ns() - begin_ns;
			count[result]++;
			done++;
			if (result != PYTHON_READ)
				continue;
			cut += place.cut;
			check_stack(&python);
			check_file(&place);
		}
	}
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	printf("3.%d: looks %ld read %ld cut %ld idle %ld changed %ld strange %ld refused %ld impossible %ld missing "
	       "%ld frames %ld us %.1f\n",
		python.layout.minor, done, count[PYTHON_READ], cut, count[PYTHON_IDLE], count[PYTHON_CHANGED],
		count[PYTHON_STRANGE], count[PYTHON_REFUSED], impossible, missing, frames,
		done > 0 ? (double)used_ns / 1e3 / (double)done : 0);
	return impossible + missing > 0;
}
