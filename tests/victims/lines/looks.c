/* Reads the stack of a Python or R process again and again without a pause, although the sampler reads it only ten
 * times a second. Prints errors: an impossible stack, or a file that does not exist.
 * looks COUNT COMMAND [ARGUMENT...]: runs the command, and reads its stack COUNT times, or until it ends. Status 2
 * means that no interpreter was found. Function names with letters from a to r show whether a stack is valid: in
 * chain.py and chain.R, a function's name begins with its caller's name.
 * looks ends COMMAND [ARGUMENT...]: reads each process whose pid a Python program prints, until the process is gone.
 * These are forks of that program, as in ends.py, and each waits for a byte. */
#define _GNU_SOURCE
#include "os/clock.h"
#include "sampler/lines/python.h"
#include "sampler/lines/r.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct python_room room;
static long count[5], done, cut, impossible, missing, frames;
static int64_t used_ns;

static bool is_link(const char *name)
{
	return name[0] == 'a' && name[strspn(name, "apqr")] == '\0';
}

/* Checks the name of a function against the name of its caller. Called from the outermost function inwards. */
static void check_call(char caller[256], struct text text)
{
	char name[256];

	(void)snprintf(name, sizeof name, "%.*s", (int)text.length, text.data);
	frames++;
	if (is_link(name) && caller[0] &&
		(strlen(name) != strlen(caller) + 1 || strncmp(name, caller, strlen(caller)) != 0)) {
		impossible++;
		fprintf(stderr, "impossible: %s called %s\n", caller, name);
	}
	(void)snprintf(caller, 256, "%s", is_link(name) ? name : "");
}

static void check_stack(const struct python *python)
{
	char caller[256] = "";

	struct place_frame frame;

	for (size_t i = room.same; i > 0; i--)
		check_call(caller, python_frame(python, &room, i - 1, &frame) ? frame.function : TEXT(""));
}

static void check_file(const struct place *place)
{
	char path[1100];

	(void)snprintf(path, sizeof path, "%.*s", (int)place->file.length, place->file.data);
	if (path[0] == '<' || path[0] == '\0' || access(path, F_OK) == 0 || strcmp(path, "chain_functions.py") == 0)
		return;
	missing++;
	fprintf(stderr, "missing: %s:%d in %.*s (of %zu frames, %zu same)\n", path, place->line,
		(int)place->function.length, place->function.data, room.all, room.same);
}

static void note(enum place_result result, const struct place *place, int64_t begin_ns)
{
	used_ns += os_since_boot_ns() - begin_ns;
	count[result]++;
	done++;
	if (result != PLACE_READ)
		return;
	cut += place->cut;
	check_file(place);
}

/* Reads and checks the stack of each Python thread. Returns false if there is no thread. */
static bool look_at_python(const struct python *python)
{
	struct python_thread threads[PYTHON_THREADS_MAX];
	struct place place;
	size_t found = python_threads(python, threads);

	for (size_t i = 0; i < found; i++) {
		int64_t begin_ns = os_since_boot_ns();
		enum place_result result = python_read(python, &threads[i], &room, &place);
		note(result, &place, begin_ns);
		if (result == PLACE_READ)
			check_stack(python);
	}
	return found > 0;
}

/* Reads and checks the R stack. In chain.R, the length of a function's name is the depth of its frame. */
static bool look_at_r(const struct r *r, struct r_script *script)
{
	static struct r_room r_room;
	struct place place;
	int64_t begin_ns = os_since_boot_ns();
	enum place_result result = r_read(r, script, &r_room, &place);
	char name[256];

	note(result, &place, begin_ns);
	if (result != PLACE_READ)
		return result != PLACE_REFUSED;
	frames += (long)place.depth;
	(void)snprintf(name, sizeof name, "%.*s", (int)place.function.length, place.function.data);
	if (is_link(name) && strlen(name) != place.depth) {
		impossible++;
		fprintf(stderr, "impossible: %s in a stack of %zu\n", name, place.depth);
	}
	return true;
}

/* Reads the stack of each forked process until the process has ended. */
static void look_at_forks(const struct python *python, FILE *pids, int begin)
{
	long processes = 0, read = 0;
	int pid;

	while (fscanf(pids, "%d", &pid) == 1) {
		struct python one = *python;
		long before = count[PLACE_READ];
		one.pid = pid;
		if (write(begin, "\n", 1) != 1)
			break;
		while (look_at_python(&one) || kill(pid, 0) == 0)
			;
		processes++;
		read += count[PLACE_READ] > before;
	}
	printf("processes %ld, %ld of them read; ", processes, read);
}

int main(int argc, char **argv)
{
	struct python python;
	struct r r = {.pid = 0};
	struct r_script script = {.data = NULL};
	bool forks = argc > 2 && strcmp(argv[1], "ends") == 0;
	long wanted = argc > 2 ? atol(argv[1]) : 0;
	int named[2], begun[2], status = 0;

	if ((wanted <= 0 && !forks) || pipe(named) != 0 || pipe(begun) != 0)
		return 2;
	int pid = fork();
	if (pid == 0) {
		if (forks && (dup2(named[1], 1) < 0 || dup2(begun[0], 0) < 0))
			_exit(127);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	for (int i = 0; python_find(&python, pid, &room) != 0 && i < 200; i++) {
		static struct r_room r_room;
		usleep(10000);
		if (r_find(&r, pid, &r_room) != 0)
			continue;
		r_script_open(&script, pid);
		break;
	}
	if (python.runtime == 0 && r.context == 0) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		fprintf(stderr, "looks: %s: no interpreter that is known\n", argv[2]);
		return 2;
	}
	(void)close(named[1]);
	if (forks)
		look_at_forks(&python, fdopen(named[0], "r"), begun[1]);
	while (done < wanted) {
		bool found = r.context != 0 ? look_at_r(&r, &script) : look_at_python(&python);
		if (!found && waitpid(pid, NULL, WNOHANG) != 0)
			break;
	}
	if (!forks)
		(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	printf("%s 3.%d: looks %ld read %ld cut %ld idle %ld changed %ld strange %ld refused %ld impossible %ld "
	       "missing %ld frames %ld us %.1f\n",
		r.context != 0 ? "R" : "Python", python.layout.minor, done, count[PLACE_READ], cut, count[PLACE_IDLE],
		count[PLACE_CHANGED], count[PLACE_STRANGE], count[PLACE_REFUSED], impossible, missing, frames,
		done > 0 ? (double)used_ns / 1e3 / (double)done : 0);
	return impossible + missing > 0 || (forks && status != 0);
}
