/* A random tree of processes that keeps an account of its own: tree SEED FILE [STATIC].
 *
 * The same seed makes the same tree. Each process burns a few milliseconds of CPU by its own clock, touches some
 * memory, writes and reads some bytes, starts children, and ends in one of many ways: by _exit, SIGKILL, SEGV or abort,
 * after a chain of execs, as a daemon that nobody waits for, with its environment emptied, as the static program
 * STATIC; in every fourth tree some ignore SIGCHLD. What a process is and does follows from its own number, which is
 * drawn from its parent's, so the order in which the machine runs them makes no difference.
 *
 * Before its end each process appends a line to FILE: CPU seconds by its own clock, bytes that it passed to write(2)
 * and got from read(2) for its work, in one word how it is about to end (or that it calls exec, and will speak again),
 * its pid and that of its parent. The root waits until all of them are gone, daemons too: the end of file on a pipe
 * tells, and no pid in FILE is a process any more. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH_MAX = 3, CHILDREN_MAX = 4, CHAIN_MAX = 3, PIPE_END = 9 };

enum way { WAY_FORK, WAY_EXEC, WAY_EMPTY, WAY_STATIC, WAY_DAEMON, WAY_COUNT };

enum end { END_RETURN, END_EXIT, END_KILL, END_SEGV, END_ABORT, END_COUNT };
static const char *const ends[END_COUNT] = {"return", "_exit", "kill", "segv", "abort"};

static const char *file, *static_program, *self;
static uint64_t state, tree; /* of the generator; the seed */

/* splitmix64 */
static uint64_t draw(uint64_t below)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void burn(int64_t ns)
{
	int64_t until_ns = cpu_ns() + ns;

	while (cpu_ns() < until_ns)
		for (volatile unsigned i = 0; i < 1000; i++)
			continue;
}

static void touch(size_t mib)
{
	char *memory = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	memset(memory, 1, mib << 20);
	munmap(memory, mib << 20);
}

/* Through a pipe to itself, so that the bytes are the same on every file system. */
static void move(size_t bytes)
{
	static char block[4096];
	int both[2];

	if (pipe(both) != 0)
		_exit(1);
	for (size_t left = bytes; left > 0; left -= left < sizeof(block) ? left : sizeof(block)) {
		size_t part = left < sizeof(block) ? left : sizeof(block);
		if (write(both[1], block, part) != (ssize_t)part || read(both[0], block, part) != (ssize_t)part)
			_exit(1);
	}
	close(both[0]);
	close(both[1]);
}

static void note(size_t bytes, const char *end)
{
	char line[80];
	int length = snprintf(
		line, sizeof(line), "%.6f %zu %s %d %d\n", (double)cpu_ns() / 1e9, bytes, end, getpid(), getppid());
	int to = open(file, O_WRONLY | O_APPEND | O_CREAT, 0600);

	if (to < 0 || write(to, line, (size_t)length) != length)
		_exit(1);
	close(to);
}

static void end_by(enum end end)
{
	switch (end) {
	case END_RETURN:
		exit(0);
	case END_KILL:
		raise(SIGKILL);
		break;
	case END_SEGV:
		raise(SIGSEGV);
		break;
	case END_ABORT:
		abort();
	default:
		break;
	}
	_exit(0);
}

static void live(uint64_t number, int depth, int chain);

static void become(const char *program, uint64_t number, int depth, int chain, char **environment)
{
	char seed[24], texts[3][24];

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)tree);
	snprintf(texts[0], sizeof(texts[0]), "%llx", (unsigned long long)number);
	snprintf(texts[1], sizeof(texts[1]), "%d", depth);
	snprintf(texts[2], sizeof(texts[2]), "%d", chain);
	char *words[] = {
		(char *)program, seed, (char *)file, (char *)static_program, texts[0], texts[1], texts[2], NULL};
	execve(program, words, environment);
	_exit(127);
}

static void start(uint64_t number, int depth)
{
	char *empty[] = {NULL};
	enum way way = (enum way)draw(static_program[0] != '\0' ? WAY_COUNT : WAY_STATIC);
	pid_t child = fork();

	if (child != 0)
		return;
	if (way == WAY_DAEMON && (setsid() < 0 || fork() != 0)) {
		note(0, "middle");
		_exit(0);
	}
	if (way == WAY_EXEC)
		become(self, number, depth, 0, environ);
	if (way == WAY_EMPTY)
		become(self, number, depth, 0, empty);
	if (way == WAY_STATIC)
		become(static_program, number, depth, 0, environ);
	live(number, depth, 0);
}

static void start_children(int depth, int count)
{
	for (int i = 0; i < count; i++) {
		uint64_t number = draw(UINT64_MAX);
		start(number, depth + 1);
	}
}

/* What a process does, from its number on; does not return. */
static void live(uint64_t number, int depth, int chain)
{
	state = number + (uint64_t)chain;
	size_t mib = draw(4) == 0 ? 20 + draw(60) : 1 + draw(8), bytes = draw(8) == 0 ? draw(4 << 20) : draw(1 << 16);
	int count = depth < DEPTH_MAX ? (int)draw(CHILDREN_MAX) + (depth == 0) : 0;
	bool ignores = tree % 4 == 0 && draw(3) == 0;
	bool waits = draw(8) != 0;
	enum end end = (enum end)draw(END_COUNT);

	signal(SIGCHLD, ignores ? SIG_IGN : SIG_DFL);
	burn((int64_t)draw(8000000));
	if (chain < CHAIN_MAX && depth > 0 && draw(5) == 0) {
		note(0, "exec");
		become(self, number, depth, chain + 1, environ);
	}
	start_children(depth, count);
	touch(mib);
	move(bytes);
	while (waits && wait(NULL) > 0)
		continue;
	burn((int64_t)draw(3000000));
	note(bytes, ignores ? "ignores" : ends[depth == 0 ? END_RETURN : end]);
	if (depth == 0)
		return;
	end_by(end);
}

/* A process that has closed its files may still be about to end. */
static void wait_until_gone(void)
{
	static const struct timespec pause = {0, 1000000};
	FILE *notes = fopen(file, "r");
	int tries = 20000, pid;

	while (notes && fscanf(notes, "%*s %*s %*s %d %*s", &pid) == 1)
		while (pid != getpid() && kill(pid, 0) == 0 && tries-- > 0)
			nanosleep(&pause, NULL);
	if (notes)
		fclose(notes);
}

int main(int argc, char **argv)
{
	struct rlimit none = {0, 0};
	int both[2];
	char byte;

	if (argc < 3)
		return 2;
	self = argv[0];
	file = argv[2];
	static_program = argc > 3 ? argv[3] : "";
	tree = strtoull(argv[1], NULL, 10);
	if (argc > 6) /* one of the tree, after an exec */
		live(strtoull(argv[4], NULL, 16), atoi(argv[5]), atoi(argv[6]));
	setrlimit(RLIMIT_CORE, &none);
	if (pipe(both) != 0 || dup2(both[1], PIPE_END) != PIPE_END)
		return 1;
	close(both[1]);
	fcntl(both[0], F_SETFD, FD_CLOEXEC);
	live(tree * 1000003, 0, 0);
	close(PIPE_END);
	while (read(both[0], &byte, 1) > 0)
		continue;
	while (wait(NULL) > 0)
		continue;
	wait_until_gone();
	return 0;
}
