/* The smallest shell with job control, on its own terminal: run_shell STEPS COMMAND [ARGUMENT]...
 *
 * Runs COMMAND as the foreground job of a pseudo terminal and performs STEPS, one letter each: l waits for a line of
 * the job and prints it, n types an empty line, z types ^Z, s waits until the job has stopped, f continues the job's
 * process group, c types ^C, u sends SIGUSR1 to the job's first process, e waits for its end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void type(int terminal, char key)
{
	if (write(terminal, &key, 1) != 1)
		exit(100);
}

static void print_line(int terminal)
{
	char byte;

	printf("job: ");
	while (read(terminal, &byte, 1) == 1 && byte != '\n')
		if (byte != '\r')
			putchar(byte);
	putchar('\n');
}

static void print_status(pid_t job, int flags)
{
	int status = 0;

	if (waitpid(job, &status, flags) != job)
		printf("no status\n");
	else if (WIFSTOPPED(status))
		printf("stopped by %d\n", WSTOPSIG(status));
	else if (WIFEXITED(status))
		printf("exit %d\n", WEXITSTATUS(status));
	else
		printf("signal %d\n", WTERMSIG(status));
}

static pid_t start_job(int terminal, char **command)
{
	pid_t job = fork();

	if (job == 0) {
		setpgid(0, 0);
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(terminal, getpid());
		signal(SIGTTOU, SIG_DFL);
		for (int descriptor = 0; descriptor <= 2; descriptor++)
			dup2(terminal, descriptor);
		execvp(command[0], command);
		_exit(127);
	}
	return job;
}

int main(int count, char **arguments)
{
	struct termios modes;

	if (count < 3)
		return 2;
	int keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (keyboard < 0 || grantpt(keyboard) != 0 || unlockpt(keyboard) != 0)
		return 3;

	/* A process that leads a process group cannot begin a session. The shell is therefore started by a child. */
	pid_t shell = fork();
	if (shell > 0) {
		int status = 0;
		waitpid(shell, &status, 0);
		return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	int terminal = open(ptsname(keyboard), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) != 0 || tcgetattr(terminal, &modes) != 0)
		return 5;
	/* Without NOFLSH, a key that raises a signal, such as Ctrl-C, would discard the job's latest output. */
	modes.c_lflag = (modes.c_lflag & ~(tcflag_t)ECHO) | NOFLSH;
	tcsetattr(terminal, TCSANOW, &modes);
	setvbuf(stdout, NULL, _IOLBF, 0);

	pid_t job = start_job(terminal, arguments + 2);
	for (const char *step = arguments[1]; *step != '\0'; step++) {
		switch (*step) {
		case 'l':
			print_line(keyboard);
			break;
		case 'n':
			type(keyboard, '\n');
			break;
		case 'z':
			type(keyboard, 'Z' & 31);
			break;
		case 's':
			print_status(job, WUNTRACED);
			break;
		case 'f':
			kill(-job, SIGCONT);
			break;
		case 'c':
			type(keyboard, 'C' & 31);
			break;
		case 'u':
			kill(job, SIGUSR1);
			break;
		default:
			print_status(job, 0);
			break;
		}
	}
	return 0;
}
