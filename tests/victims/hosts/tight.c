/* A test program that ends, forks and marks with almost no stack left: tight handler|thread|workers.
 * handler: the signal handler of a fault runs on an alternate stack of 8 KiB, of which the kernel's frame takes up to
 * 3, and exits with 7. thread: a thread with a nearly full stack of 16 KiB forks a child that exits with 3, sets a
 * mark, and ends the process with 5. A function that needs more stack hits a guard page. workers: two children do the
 * same without a guard page. Their parent prints how they ended, and whether anything was written below their
 * stacks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BELOW = 65536, ALTERNATE = 8192, THREAD = 16384, LEFT = 5120, CANARY = 0x5a };

static unsigned char *below; /* memory below the stack, which the parent and its children share */
static char *stack;
static int (*mark)(const char *);

static void make_stack(bool guarded)
{
	below = mmap(NULL, BELOW + THREAD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (below == MAP_FAILED ||
		mmap(below, BELOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != below)
		exit(99);
	memset(below, CANARY, BELOW);
	stack = (char *)below + BELOW;
	if (guarded)
		mprotect(below, BELOW, PROT_NONE);
}

static void on_fault(int signal)
{
	(void)signal;
	_exit(7);
}

static void fault(void)
{
	stack_t alternate = {.ss_sp = stack, .ss_size = ALTERNATE};
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
	sigaltstack(&alternate, NULL);
	sigaction(SIGSEGV, &action, NULL);
	raise(SIGSEGV);
}

static void *in_thread(void *unused)
{
	int status = 0;
	char *here = __builtin_frame_address(0);
	volatile char *used = __builtin_alloca((size_t)(here - stack) - LEFT);

	used[0] = 1;
	pid_t pid = fork();
	if (pid == 0)
		_exit(3);
	waitpid(pid, &status, 0);
	if (mark)
		mark("tight");
	_exit(WEXITSTATUS(status) == 3 ? 5 : 98);
	return unused;
}

static void start_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, stack, THREAD) == 0 &&
		pthread_create(&thread, &attributes, in_thread, NULL) == 0)
		pthread_join(thread, NULL);
	exit(97);
}

static void work(void (*end)(void))
{
	int status = 0;
	int written = 0;

	make_stack(false);
	pid_t pid = fork();
	if (pid == 0)
		end();
	waitpid(pid, &status, 0);
	for (size_t i = 0; i < BELOW; i++)
		written += below[i] != CANARY;
	printf("%d, %d bytes below the stack\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
		written);
}

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "";

	/* Call dlsym before the stack is filled, because the loader needs more stack than will be left. */
	*(void **)&mark = dlsym(RTLD_DEFAULT, "rtrack_mark");
	if (strcmp(how, "workers") == 0) {
		work(fault);
		work(start_thread);
		return 0;
	}
	make_stack(true);
	if (strcmp(how, "handler") == 0)
		fault();
	start_thread();
}
