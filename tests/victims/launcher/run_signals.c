/* Prints every signal that it receives: run_signals COUNT
 *
 * The program blocks all signals, including those that the C library reserves, and prints "ready". It then prints a
 * line "NUMBER CODE VALUE" for each signal, and ends after COUNT signals. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	uint64_t every = UINT64_MAX;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &every, NULL, sizeof every);
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	for (int left = count > 1 ? atoi(arguments[1]) : 1; left > 0; left--) {
		siginfo_t info;
		long number = syscall(SYS_rt_sigtimedwait, &every, &info, NULL, sizeof every);
		int value = info.si_code == SI_QUEUE ? info.si_value.sival_int : 0;
		printf("%ld %d %d\n", number, info.si_code, value);
	}
	return 0;
}
