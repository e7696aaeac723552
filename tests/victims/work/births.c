/* A test program that makes children in a given way and prints their statuses in order: births HOW COUNT [COMMAND
 * [ARG…]]. The ways differ in which fork handlers run, and in whether the child shares the parent's memory: fork,
 * vfork, posix_spawn, system, the system call clone, a fork in a thread or a signal handler, the function _Fork, which
 * runs no handlers, and a fork in a constructor before main(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int status_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int constructor_status = -1;

__attribute__((constructor)) static void give_birth_before_main(void)
{
	const char *wanted = getenv("BIRTHS_IN_CONSTRUCTOR");

	if (!wanted)
		return;
	pid_t pid = fork();
	if (pid == 0)
		_exit(atoi(wanted));
	constructor_status = status_of(pid);
}

static int by_fork(char **command)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (command[0])
			execvp(command[0], command);
		_exit(11);
	}
	return status_of(pid);
}

static int by_vfork(char **command)
{
	pid_t pid = vfork();

	if (pid == 0) {
		if (command[0])
			execvp(command[0], command);
		_exit(12);
	}
	return status_of(pid);
}

static int by_spawn(char **command)
{
	static char *const nothing[] = {"true", NULL};
	pid_t pid;

	if (posix_spawnp(&pid, command[0] ? command[0] : "true", NULL, NULL, command[0] ? command : nothing, environ) !=
		0)
		return -1;
	return status_of(pid);
}

static int by_clone(char **command)
{
	(void)command;
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0)
		_exit(13);
	return status_of(pid);
}

static int by_raw_exit(char **command)
{
	(void)command;
	pid_t pid = fork();

	if (pid == 0)
		syscall(SYS_exit_group, 14);
	return status_of(pid);
}

static void *fork_in_thread(void *status)
{
	char *nothing[] = {NULL};

	*(int *)status = by_fork(nothing);
	return NULL;
}

static int by_thread(char **command)
{
	pthread_t thread;
	int status = -1;

	(void)command;
	if (pthread_create(&thread, NULL, fork_in_thread, &status) != 0)
		return -1;
	pthread_join(thread, NULL);
	return status;
}

static int by_system(char **command)
{
	int status = system(command[0] ? command[0] : "exit 15");

	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static volatile pid_t born_in_handler;

static void on_alarm(int number)
{
	(void)number;
	born_in_handler = fork();
	if (born_in_handler == 0)
		_exit(16);
}

static int by_handler(char **command)
{
	(void)command;
	signal(SIGALRM, on_alarm);
	raise(SIGALRM);
	return status_of(born_in_handler);
}

static int by_bare_fork(char **command)
{
	pid_t (*bare_fork)(void) = (pid_t(*)(void))dlsym(RTLD_DEFAULT, "_Fork");

	(void)command;
	pid_t pid = bare_fork ? bare_fork() : fork();
	if (pid == 0)
		_exit(17);
	return status_of(pid);
}

static const struct {
	const char *name;
	int (*birth)(char **command);
} ways[] = {{"fork", by_fork}, {"vfork", by_vfork}, {"posix_spawn", by_spawn}, {"clone", by_clone},
	{"raw_exit", by_raw_exit}, {"thread", by_thread}, {"system", by_system}, {"handler", by_handler},
	{"_Fork", by_bare_fork}};

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "constructor") == 0) {
		printf("%d\n", constructor_status);
		return 0;
	}
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(ways[i].name, argv[1]) != 0)
			continue;
		for (int count = atoi(argv[2]); count > 0; count--)
			printf("%d\n", ways[i].birth(argv + 3));
		return 0;
	}
	return 2;
}
