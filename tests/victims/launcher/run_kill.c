/* Sends a signal by any number: run_kill SIGNAL [PID [VALUE]]
 *
 * Without PID it signals itself, with the signal's default action; with VALUE it uses sigqueue(3). Ends with 0 if it
 * survives. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	int number = count > 1 ? atoi(arguments[1]) : 0;
	pid_t target = count > 2 ? atoi(arguments[2]) : getpid();

	if (count > 3) {
		siginfo_t info = {.si_signo = number, .si_code = SI_QUEUE};
		info.si_pid = getpid();
		info.si_uid = getuid();
		info.si_value.sival_int = atoi(arguments[3]);
		return syscall(SYS_rt_sigqueueinfo, target, number, &info) == 0 ? 0 : 1;
	}
	return syscall(SYS_kill, target, number) == 0 ? 0 : 1;
}
