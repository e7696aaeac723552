/* A test program that writes a little output and then ends in a given way: ends HOW [STATUS]. Each way passes through a
 * different part of the C library, or through none. A tracked program must end in each way exactly as an untracked
 * program does, and must not hang. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say_exit(void)
{
	puts("atexit handler");
}

static void say_quick(void)
{
	static const char text[] = "at_quick_exit handler\n";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		abort();
}

static int status;

static void *exit_later(void *unused)
{
	(void)unused;
	usleep(20000);
	exit(status);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2)
		return 2;
	const char *how = argv[1];
	status = argc > 2 ? atoi(argv[2]) : 0;
	atexit(say_exit);
	at_quick_exit(say_quick);
	printf("ends by %s\n", how);
	fflush(stdout);

	if (strcmp(how, "return") == 0)
		return status;
	if (strcmp(how, "exit") == 0)
		exit(status);
	if (strcmp(how, "_exit") == 0)
		_exit(status);
	if (strcmp(how, "_Exit") == 0)
		_Exit(status);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(status);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "segv") == 0) {
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
	}
	if (strcmp(how, "signal") == 0)
		raise(status);
	if (strcmp(how, "exit_group") == 0)
		syscall(SYS_exit_group, status);
	if (strcmp(how, "raw_exit") == 0) /* ends the only thread by the system call exit */
		syscall(SYS_exit, status);
#if defined(__x86_64__)
	if (strcmp(how, "unseen_exit") == 0) /* ends the only thread by an inline system call */
		__asm__ volatile("syscall" : : "a"(SYS_exit), "D"(status) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	if (strcmp(how, "unseen_exit") == 0) {
		register long call __asm__("x8") = SYS_exit;
		register long code __asm__("x0") = status;
		__asm__ volatile("svc #0" : : "r"(call), "r"(code) : "memory");
	}
#endif
	if (strcmp(how, "pthread_exit") == 0)
		pthread_exit(NULL);
	if (strcmp(how, "pthread_exit_then_exit") == 0) { /* the main thread is a zombie while other threads continue */
		pthread_create(&thread, NULL, exit_later, NULL);
		pthread_exit(NULL);
	}
	return 2;
}
