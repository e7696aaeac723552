/* A random tree of processes that keeps its own account: tree SEED DIRECTORY [STATIC [CLASSES]].
 *
 * The same seed makes the same tree. Each process burns a few milliseconds of CPU by its own clock, touches some
 * memory, which it frees or keeps, writes and reads some bytes, starts children, and ends in one of many ways. A
 * child is a fork, or runs this program, with its environment or without, or the static program STATIC. It may be a
 * daemon that no parent waits for, be killed at any time, or begin a PID namespace. The behaviour of a process
 * follows from its own number, which is derived from its parent's number, so the scheduling order makes no
 * difference. Only the time of a signal depends on the machine. CLASSES adds more, by one letter each:
 *
 *   b   the root begins a PID namespace, and its children live in it
 *   c   some ignore SIGCHLD, so that no account includes their children
 *   d   some run out of descriptors
 *   k   SIGKILL comes at any time, from a timer or a parent; the root is spared
 *   n   children in their own PID namespaces, like sandboxes; their first process is reaped or not
 *   p   pipelines that SIGPIPE ends
 *   r   the root is killed as well
 *   t   some children in their own time namespaces, with another clock since boot
 *   w   the root waits for all processes, daemons included
 *
 * Each process adds lines to DIRECTORY/notes: an event ("touching", "touched", "exec", or how it will end), CPU
 * seconds by its own clock, ru_maxrss (KiB), pid, bytes passed to write(2) and got from read(2), and MiB that it
 * touched. DIRECTORY/table has the memory that each process has touched, and the most that any process saw living
 * processes hold together. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NEW_TIME = 0x80 }; /* CLONE_NEWTIME, which exists since Linux 5.6, and which some headers lack */
enum { DEPTH_MAX = 3, CHILDREN_MAX = 4, CHAIN_MAX = 3, NOTES = 8, PIPE_END = 9, SLOTS = 256, CHILDREN_KEPT = 16 };

enum how { HOW_FORK, HOW_EXEC, HOW_EMPTY, HOW_STATIC, HOW_STATIC_EMPTY, HOW_COUNT };
enum tie { TIE_CHILD, TIE_CHILD_TOO, TIE_SESSION, TIE_DAEMON, TIE_COUNT };

enum end { END_RETURN, END_EXIT, END_KILL, END_SEGV, END_ABORT, END_COUNT };
static const char *const ends[END_COUNT] = {"return", "_exit", "kill", "segv", "abort"};

/* A table in memory that all processes of the tree share. */
struct table {
	int count;
	int peak_mib;
	struct slot {
		int pid;
		int mib;
	} slots[SLOTS];
};

static const char *directory, *static_program, *self, *classes;
static uint64_t state, tree; /* state of the random generator, and the seed */
static struct table *table;
static struct slot *mine;
static size_t moved;
static pid_t kept[CHILDREN_KEPT]; /* children of this process that have not been reaped */
static int kept_count;

/* splitmix64 */
static uint64_t draw(uint64_t below)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

static bool is_of_class(char letter)
{
	return strchr(classes, letter) != NULL;
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

/* Returns the pid of this process in the PID namespace to which /proc belongs. */
static int outer_pid(void)
{
	char text[16] = "";

	return readlink("/proc/self", text, sizeof(text) - 1) > 0 ? atoi(text) : getpid();
}

static void note(const char *what, size_t mib)
{
	struct rusage usage;
	char line[100];

	getrusage(RUSAGE_SELF, &usage);
	int length = snprintf(line, sizeof(line), "%s %.6f %ld %d %zu %zu\n", what, (double)cpu_ns() / 1e9,
		usage.ru_maxrss, outer_pid(), moved, mib);
	if (write(NOTES, line, (size_t)length) != length)
		_exit(1);
}

/* -- memory ---------------------------------------------------------------------------------------- */

static void open_table(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/table", directory);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*table)) != 0)
		_exit(1);
	table = mmap(NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (table == MAP_FAILED)
		_exit(1);
	close(fd);
}

static int resident_mib(int pid)
{
	char path[40], text[64] = "";
	int pages = 0;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		sscanf(text, "%*d %d", &pages);
	if (fd >= 0)
		close(fd);
	return pages / 256;
}

/* Sums the memory of the processes that have their memory both before and after the sum, and updates the peak. */
static void sum_up(void)
{
	bool lives[SLOTS];
	int count = table->count < SLOTS ? table->count : SLOTS, sum = 0;

	for (int i = 0; i < count; i++)
		lives[i] = table->slots[i].mib > 0 && resident_mib(table->slots[i].pid) >= table->slots[i].mib;
	for (int i = 0; i < count; i++)
		if (lives[i] && resident_mib(table->slots[i].pid) >= table->slots[i].mib)
			sum += table->slots[i].mib;
	for (int peak = table->peak_mib; sum > peak;)
		if (__atomic_compare_exchange_n(
			    &table->peak_mib, &peak, sum, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			break;
}

static void touch(size_t mib, bool keeps)
{
	if (!mine) {
		int index = __atomic_fetch_add(&table->count, 1, __ATOMIC_SEQ_CST);
		mine = &table->slots[index < SLOTS ? index : SLOTS - 1];
	}
	note("touching", mib);
	char *memory = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		_exit(1);
	memset(memory, 1, mib << 20);
	mine->pid = outer_pid();
	mine->mib = (int)mib;
	note("touched", mib);
	sum_up();
	if (keeps)
		return;
	mine->mib = 0;
	munmap(memory, mib << 20);
}

/* Writes and reads bytes. A process sends them through a pipe to itself, so the figures are the same on every file
 * system. */
static void move(size_t bytes)
{
	static char block[4096];
	int both[2];

	if (pipe(both) != 0)
		return;
	for (size_t left = bytes; left > 0; left -= left < sizeof(block) ? left : sizeof(block)) {
		size_t part = left < sizeof(block) ? left : sizeof(block);
		if (write(both[1], block, part) != (ssize_t)part || read(both[0], block, part) != (ssize_t)part)
			_exit(1);
	}
	moved += bytes;
	close(both[0]);
	close(both[1]);
}

/* -- ends ------------------------------------------------------------------------------------------ */

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

static void kill_later(int64_t ns)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	struct itimerspec when = {.it_value = {0, ns}};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
		timer_settime(timer, 0, &when, NULL);
}

/* -- children -------------------------------------------------------------------------------------- */

static void live(uint64_t number, int depth, int chain);

static void become(const char *program, uint64_t number, int depth, int chain, char **environment)
{
	char seed[24], texts[3][24];

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)tree);
	snprintf(texts[0], sizeof(texts[0]), "%llx", (unsigned long long)number);
	snprintf(texts[1], sizeof(texts[1]), "%d", depth);
	snprintf(texts[2], sizeof(texts[2]), "%d", chain);
	char *words[] = {(char *)program, seed, (char *)directory, (char *)static_program, (char *)classes, texts[0],
		texts[1], texts[2], NULL};
	execve(program, words, environment);
	_exit(127);
}

static void live_as(enum how how, uint64_t number, int depth)
{
	char *empty[] = {NULL};
	bool is_static = how >= HOW_STATIC && static_program[0] != '\0';

	mine = NULL;
	moved = 0;
	kept_count = 0;
	if (how == HOW_FORK)
		live(number, depth, 0);
	become(is_static ? static_program : self, number, depth, 0,
		how == HOW_EMPTY || how == HOW_STATIC_EMPTY ? empty : environ);
}

struct life {
	enum how how;
	uint64_t number;
	int depth;
};

/* Makes a process that is pid 1 of a new namespace, by one of two system calls. Returns 0 in that process. */
static pid_t fork_apart(struct life *life)
{
	if (life->number / 256 % 2 == 0)
		return (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, NULL);
	return unshare(CLONE_NEWPID) == 0 ? fork() : -1;
}

/* Makes a process that is pid 1 of a new namespace. The calling process then ends. If `waits` is true, it first waits
 * for the new process. */
static void live_apart(enum how how, uint64_t number, int depth, bool waits)
{
	pid_t first = fork_apart(&(struct life){how, number, depth});

	if (first <= 0)
		live_as(how, number, depth);
	if (waits && first > 0)
		waitpid(first, NULL, 0);
	note("middle", 0);
	_exit(0);
}

/* Makes a time namespace, for the children or for this process itself, and sets the offset of its clock. The offset
 * cannot be set if /proc belongs to another PID namespace. */
static void begin_elsewhen(uint64_t number)
{
	char text[64];
	bool whole = number / 4096 % 4 != 0, goes = number / 16384 % 2 == 0;

	if (unshare(NEW_TIME) != 0)
		return;
	int offsets = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
	int length = snprintf(text, sizeof(text), "boottime %d %d",
		number / 32768 % 4 == 0 ? -2 : 2 + (int)(number % 10000), whole ? 0 : 5000003);
	if (offsets >= 0 && write(offsets, text, (size_t)length) != length)
		_exit(1);
	close(offsets);
	int there = goes ? open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC) : -1;
	if (there >= 0 && setns(there, number / 65536 % 2 == 0 ? NEW_TIME : 0) != 0)
		_exit(1);
	close(there);
}

static void start(uint64_t number, int depth)
{
	enum how how = (enum how)draw(HOW_COUNT);
	enum tie tie = (enum tie)draw(TIE_COUNT);
	bool apart = is_of_class('n') && draw(3) == 0, waits = draw(2) == 0, speaks = draw(2) == 0;
	pid_t child = fork();

	if (child > 0 && kept_count < CHILDREN_KEPT)
		kept[kept_count++] = child;
	if (child != 0)
		return;
	if (tie >= TIE_SESSION)
		setsid();
	if (tie == TIE_DAEMON && fork() != 0) {
		note("middle", 0);
		end_by(speaks ? END_EXIT : END_KILL);
	}
	if (is_of_class('t') && number / 1024 % 4 == 0)
		begin_elsewhen(number);
	if (apart)
		live_apart(how, number, depth, waits);
	live_as(how, number, depth);
}

/* Uses CPU time and writes to a pipe until no process reads from the pipe. */
static void write_on(void)
{
	static char block[65536];

	signal(SIGPIPE, SIG_DFL);
	note("endless", 0);
	for (;;) {
		burn(500000);
		if (write(STDOUT_FILENO, block, sizeof(block)) < 0)
			_exit(0);
	}
}

/* Starts a pipeline: a process that writes endlessly, and a reader that soon stops. */
static void start_pipeline(void)
{
	enum how how = (enum how)draw(HOW_COUNT);
	size_t wanted = draw(1 << 20);
	int both[2];

	if (pipe2(both, O_CLOEXEC) != 0)
		return;
	pid_t writer = fork();
	if (writer == 0) {
		dup2(both[1], STDOUT_FILENO);
		close(both[0]);
		close(both[1]);
		if (how == HOW_FORK)
			write_on();
		live_as(how, 0, -1);
	}
	pid_t reader = fork();
	if (reader == 0) {
		static char block[4096];
		close(both[1]);
		for (ssize_t got; wanted > 0 && (got = read(both[0], block, sizeof(block))) > 0;)
			wanted -= (size_t)got < wanted ? (size_t)got : wanted;
		note("return", 0);
		exit(0);
	}
	close(both[0]);
	close(both[1]);
}

/* Performs all actions of the process with this number. Returns only in the root of the tree. */
static void live(uint64_t number, int depth, int chain)
{
	state = number + (uint64_t)chain;
	if (depth < 0)
		write_on();
	size_t mib = draw(4) == 0 ? 20 + draw(60) : 1 + draw(8), bytes = draw(8) == 0 ? draw(4 << 20) : draw(1 << 16);
	int count = depth < DEPTH_MAX ? (int)draw(CHILDREN_MAX - (uint64_t)(depth > 1)) + (depth == 0) : 0;
	bool ignores = draw(3) == 0 && is_of_class('c');
	bool kills = draw(4) == 0 && is_of_class('k');
	bool is_short = draw(3) == 0 && is_of_class('d');
	bool pipes = draw(3) == 0 && is_of_class('p');
	bool waits = draw(8) != 0, keeps = draw(2) == 0;
	int64_t after_ns = 1000000 + (int64_t)draw(30000000);
	enum end end = (enum end)draw(END_COUNT);
	struct rlimit few = {PIPE_END + 1 - draw(2) * 6, PIPE_END + 1};

	signal(SIGCHLD, ignores ? SIG_IGN : SIG_DFL);
	if (depth == 0 ? is_of_class('r') : kills)
		kill_later(after_ns);
	if (is_short)
		setrlimit(RLIMIT_NOFILE, &few);
	burn((int64_t)draw(8000000));
	if (chain < CHAIN_MAX && depth > 0 && draw(5) == 0) {
		note("exec", 0);
		become(self, number, depth, chain + 1, environ);
	}
	for (int i = 0; i < count; i++)
		start(draw(UINT64_MAX), depth + 1);
	if (pipes)
		start_pipeline();
	touch(mib, keeps);
	move(bytes);
	if (kills && !ignores)
		for (int i = 0; i < kept_count; i += 2)
			kill(kept[i], SIGKILL);
	while (waits && wait(NULL) > 0)
		continue;
	burn((int64_t)draw(3000000));
	note(ends[depth == 0 ? END_RETURN : end], 0);
	if (depth > 0)
		end_by(end);
}

/* Waits until the last descendant has closed the pipe. Only the root calls this function. */
static void wait_for_all(int pipe_end)
{
	char byte;

	close(PIPE_END);
	while (read(pipe_end, &byte, 1) > 0)
		continue;
	while (wait(NULL) > 0)
		continue;
}

int main(int argc, char **argv)
{
	struct rlimit none = {0, 0};
	char path[4096];
	int both[2];

	if (argc < 3)
		return 2;
	self = argv[0];
	tree = strtoull(argv[1], NULL, 10);
	directory = argv[2];
	static_program = argc > 3 ? argv[3] : "";
	classes = argc > 4 ? argv[4] : "w";
	if (argc > 7) { /* a process of the tree that has called exec */
		open_table();
		live(strtoull(argv[5], NULL, 16), atoi(argv[6]), atoi(argv[7]));
	}
	setrlimit(RLIMIT_CORE, &none);
	snprintf(path, sizeof(path), "%s/notes", directory);
	int notes = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
	if (notes < 0 || dup2(notes, NOTES) < 0 || pipe(both) != 0 || dup2(both[1], PIPE_END) != PIPE_END)
		return 1;
	close(notes);
	close(both[1]);
	fcntl(both[0], F_SETFD, FD_CLOEXEC);
	open_table();
	if (is_of_class('b') && unshare(CLONE_NEWPID) != 0)
		return 1;
	live(tree * 1000003, 0, 0);
	if (is_of_class('w'))
		wait_for_all(both[0]);
	return 0;
}
