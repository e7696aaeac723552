/* A test program that does something unusual that real programs do: odd WHAT. The table at the end lists the choices.
 * Each uses some hundredths of a second of CPU time where a tracker may miss it: in a handler, in a thread that
 * outlives the main thread, in a child made by an unusual call, or in a program that replaces this one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *self;

static void work(double seconds)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	double end = (double)now.tv_sec + (double)now.tv_nsec / 1e9 + seconds;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < end);
}

static void reap(void)
{
	int status, sum = 0;

	while (wait(&status) > 0)
		sum += WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
	printf("%d\n", sum);
	fflush(stdout);
}

static void *execute(void *unused)
{
	work(0.05);
	execl("/bin/sh", "sh", "-c", "seq 20000 | sort | tail -n 1; exit 3", (char *)0);
	return unused;
}

static void *work_on(void *unused)
{
	work(0.15);
	puts("the last");
	fflush(stdout);
	return unused;
}

static pthread_t begin(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, NULL) != 0)
		abort();
	return thread;
}

static void thread_executes(void)
{
	begin(execute);
	work(60);
}

static void thread_outlives(void)
{
	begin(work_on);
	work(0.02);
	syscall(SYS_exit, 7);
}

static void *fork_in_little(void *unused)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(3);
	waitpid(pid, &status, 0);
	(void)unused;
	return (void *)(intptr_t)WEXITSTATUS(status);
}

static void little_threads(void)
{
	pthread_t threads[20];
	pthread_attr_t attributes;
	intptr_t sum = 0;
	void *result;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16384);
	for (int i = 0; i < 20; i++)
		if (pthread_create(&threads[i], &attributes, fork_in_little, NULL) != 0)
			abort();
	for (int i = 0; i < 20; i++) {
		pthread_join(threads[i], &result);
		sum += (intptr_t)result;
	}
	printf("%d\n", (int)sum);
}

static void becomes_daemon(void)
{
	work(0.05);
	if (daemon(1, 0) == 0)
		work(0.1);
}

static void executes_itself(void)
{
	const char *left = getenv("LEFT");
	char next[16];

	snprintf(next, sizeof next, "%d", left ? atoi(left) - 1 : 60);
	work(0.001);
	setenv("LEFT", next, 1);
	if (!left || atoi(left) > 0)
		execl(self, self, "executes itself", (char *)0);
	exit(3);
}

static void without_environment(void)
{
	char *words[] = {"sh", "-c", "seq 20000 | sort | tail -n 1; exit 3", NULL};

	work(0.02);
	execve("/bin/sh", words, NULL);
}

static int in_clone(void *unused)
{
	(void)unused;
	work(0.05);
	return 5;
}

static void clones(void)
{
	static const int flags[] = {SIGCHLD, CLONE_FILES | CLONE_FS | SIGCHLD, CLONE_VFORK | CLONE_VM | SIGCHLD, 0};
	static char stack[65536] __attribute__((aligned(16)));
	int status = 0;

	for (int i = 0; i < 4; i++) {
		pid_t pid = clone(in_clone, stack + sizeof stack, flags[i], NULL);
		waitpid(pid, &status, __WALL);
		printf("%d\n", WEXITSTATUS(status));
	}
}

static void vforks(void)
{
	int status = 0;

	for (volatile int i = 0; i < 10; i++) {
		pid_t pid = vfork();
		if (pid == 0) {
			execl(i % 2 ? "/bin/sh" : "/nowhere/at/all", "sh", "-c", "seq 100 | sort >/dev/null; exit 3",
				(char *)0);
			_exit(9);
		}
		waitpid(pid, &status, 0);
		printf("%d\n", WEXITSTATUS(status));
	}
}

static int fork_and_end(void *unused)
{
	(void)unused;
	pid_t child = fork();
	if (child == 0) {
		work(0.005);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	_exit(4);
}

/* Starts children that share the memory of this process. Each of them forks, and then this process forks. */
static void lodgers_fork(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	int status = 0;

	for (volatile int i = 0; i < 20; i++) {
		pid_t pid = i % 2 ? vfork() : clone(fork_and_end, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
		if (pid == 0)
			fork_and_end(NULL);
		waitpid(pid, &status, 0);
		printf("%d\n", WEXITSTATUS(status));
		if (fork() == 0) {
			work(0.005);
			_exit(0);
		}
	}
	reap();
	exit(3);
}

static void gives_up_calls(void)
{
	work(0.02);
	if (prctl(PR_SET_SECCOMP, 1L) != 0) /* 1 is SECCOMP_MODE_STRICT */
		return;
	for (volatile long i = 0; i < 30000000; i++)
		continue;
	syscall(SYS_exit, 3);
}

static void dies_with_its_parent(void)
{
	if (fork() == 0) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			work(60);
		}
		work(0.1);
		_exit(1);
	}
	reap();
}

static void traces(void)
{
	int status = 0, stops = 0;
	pid_t pid = fork();

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execute(NULL);
	}
	for (; waitpid(pid, &status, 0) > 0 && WIFSTOPPED(status); stops++)
		ptrace(PTRACE_CONT, pid, NULL, WSTOPSIG(status) == SIGTRAP ? NULL : (void *)(intptr_t)WSTOPSIG(status));
	printf("%d %d\n", stops > 0, WEXITSTATUS(status));
}

static void executes_what_is_gone(void)
{
	char data[65536];
	int in = open("/bin/sh", O_RDONLY | O_CLOEXEC), out = memfd_create("gone", MFD_CLOEXEC);
	char *words[] = {"sh", "-c", "seq 20000 | sort | tail -n 1; exit 3", NULL};

	for (ssize_t length; (length = read(in, data, sizeof data)) > 0;)
		if (write(out, data, (size_t)length) != length)
			abort();
	if (fork() == 0) {
		fexecve(out, words, environ);
		_exit(9);
	}
	reap();
	fexecve(out, words, environ);
}

static void without_descriptors(void)
{
	while (dup(0) >= 0)
		continue;
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			work(0.03);
			_exit(i);
		}
	while (wait(NULL) > 0)
		continue;
	work(0.03);
	exit(4);
}

static void ends_its_group(void)
{
	setpgid(0, 0);
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			work(0.03);
			pause();
		}
	work(0.1);
	kill(0, SIGTERM);
	pause();
}

static const struct {
	const char *name;
	void (*function)(void);
} things[] = {
	{"a thread executes", thread_executes},
	{"a thread outlives the main one", thread_outlives},
	{"little threads fork", little_threads},
	{"daemon", becomes_daemon},
	{"executes itself", executes_itself},
	{"no environment", without_environment},
	{"clones", clones},
	{"vforks", vforks},
	{"lodgers fork", lodgers_fork},
	{"seccomp", gives_up_calls},
	{"a parent's death", dies_with_its_parent},
	{"traces", traces},
	{"a file that is gone", executes_what_is_gone},
	{"no descriptor", without_descriptors},
	{"ends its group", ends_its_group},
};

int main(int argc, char **argv)
{
	self = argv[0];
	for (size_t i = 0; argc > 1 && i < sizeof things / sizeof *things; i++)
		if (strcmp(argv[1], things[i].name) == 0) {
			things[i].function();
			return 0;
		}
	return 2;
}
