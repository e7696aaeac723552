/* Sends a signal with any number: run_kill SIGNAL [PID [VALUE]]
 *
 * Without PID, the program sends the signal to itself, and the signal has its default action. With VALUE, the program
 * uses sigqueue(3). The exit status is 0 if the program survives. */
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
