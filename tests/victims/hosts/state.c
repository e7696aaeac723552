/* A test program that prints what a program can see of its own process at the start of main(). The output must be the
 * same with and without a tracker, except for lines that a test expects to differ (threads, RTRACK_RUN, LD_PRELOAD). It
 * can be built with any C library. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A variable of glibc that is true until the process has had a second thread. */
extern char __libc_single_threaded __attribute__((weak));
extern char **environ;

static int count_entries(const char *path)
{
	DIR *directory = opendir(path);
	int count = 0;

	if (!directory)
		return -1;
	for (struct dirent *entry; (entry = readdir(directory));)
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

static void print_signals(const char *name, const sigset_t *set)
{
	printf("%s:", name);
	for (int signal_number = 1; signal_number < NSIG; signal_number++)
		if (sigismember(set, signal_number) == 1)
			printf(" %d", signal_number);
	putchar('\n');
}

static void print_dispositions(void)
{
	printf("signals handled otherwise than by default:");
	for (int signal_number = 1; signal_number < NSIG; signal_number++) {
		struct sigaction action;
		if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			printf(" %d", signal_number);
	}
	putchar('\n');
}

int main(void)
{
	int saved_errno = errno;
	int descriptor = open("/dev/null", O_RDONLY);
	sigset_t set;
	char path[4096];
	mode_t mask = umask(0);

	umask(mask);
	printf("errno: %d\n", saved_errno);
	printf("first descriptor: %d\n", descriptor);
	close(descriptor);
	printf("descriptors: %d\n", count_entries("/proc/self/fd"));
	printf("threads: %d\n", count_entries("/proc/self/task"));
	if (&__libc_single_threaded)
		printf("single-threaded: %d\n", __libc_single_threaded);
	sigprocmask(SIG_SETMASK, NULL, &set);
	print_signals("blocked signals", &set);
	sigpending(&set);
	print_signals("pending signals", &set);
	print_dispositions();
	printf("umask: %o\n", (unsigned)mask);
	printf("cwd: %s\n", getcwd(path, sizeof(path)) ? path : "?");
	printf("locale: %s\n", setlocale(LC_ALL, NULL));
	printf("dumpable: %d\n", prctl(PR_GET_DUMPABLE, 0L, 0L, 0L, 0L));
	printf("no new privileges: %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0L, 0L, 0L, 0L));
	printf("timer slack: %d\n", prctl(PR_GET_TIMERSLACK, 0L, 0L, 0L, 0L));
	printf("nice: %d\n", getpriority(PRIO_PROCESS, 0));
	if (prctl(PR_GET_NAME, path, 0L, 0L, 0L) == 0)
		printf("name: %s\n", path);
	for (char **entry = environ; *entry; entry++)
		printf("environment: %s\n", *entry);
	return 0;
}
