/* A test program that sends itself signals while it is tracked. It prints how many signals it received, and in which
 * thread. The kernel delivers a signal for a process to any thread that does not block the signal. The tracker's thread
 * must not receive any of them: not those for sigwait or signalfd, and not those of the profiling timer. The tracker
 * must also not interrupt a blocking read. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

enum { ROUNDS = 200, PROFILED = 20 };

static volatile sig_atomic_t profiled, elsewhere;

static void on_profile(int number)
{
	(void)number;
	profiled++;
	elsewhere += gettid() != getpid();
}

static int hear_by_sigwait(const sigset_t *set)
{
	int heard = 0;

	for (int i = 0; i < ROUNDS; i++) {
		int number;
		kill(getpid(), SIGUSR1);
		heard += sigwait(set, &number) == 0 && number == SIGUSR1;
	}
	return heard;
}

static int hear_by_signalfd(const sigset_t *set)
{
	int heard = 0, descriptor = signalfd(-1, set, 0);

	for (int i = 0; i < ROUNDS; i++) {
		struct signalfd_siginfo information;
		kill(getpid(), SIGUSR1);
		heard += read(descriptor, &information, sizeof information) == sizeof information &&
			 information.ssi_signo == SIGUSR1;
	}
	close(descriptor);
	return heard;
}

static void be_profiled(void)
{
	const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = on_profile, .sa_flags = SA_RESTART};

	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	while (profiled < PROFILED)
		;
	setitimer(ITIMER_PROF, &never, NULL);
}

/* Reads from a pipe that a child keeps open for a moment without writing to it. */
static int wait_for_nothing(void)
{
	int ends[2];
	char byte;

	if (pipe(ends) != 0)
		return -1;
	if (fork() == 0) {
		usleep(100000);
		_exit(0);
	}
	close(ends[1]);
	return read(ends[0], &byte, 1) == 0 ? 0 : errno;
}

int main(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	printf("heard by sigwait: %d\n", hear_by_sigwait(&set));
	printf("heard by signalfd: %d\n", hear_by_signalfd(&set));
	be_profiled();
	printf("profiled elsewhere: %d\n", (int)elsewhere);
	printf("a read that waited: %d\n", wait_for_nothing());
	return 0;
}
