/* SPDX-License-Identifier: Apache-2.0 */
/* Distinguishes signals to rtrack-run from signals to its group, on macOS.
 *
 * macOS does not show the pending signals of another process, so the probe reports its own. The probe answers each
 * byte on its pipe with its mask of pending signals. It ends when rtrack-run closes the pipe. */
#include "launcher/signal_probe.h"

#include "launcher/signals.h"

#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WITNESSED = 31 };

static uint64_t own_pending(void)
{
	sigset_t set;
	uint64_t mask = 0;

	(void)sigemptyset(&set);
	(void)sigpending(&set);
	for (int i = 1; i <= WITNESSED; i++)
		mask |= sigismember(&set, i) == 1 ? signal_bit(i) : 0;
	return mask;
}

static _Noreturn void bear_witness(int end)
{
	char asked;

	for (int i = 0; i < getdtablesize(); i++)
		if (i != end)
			(void)close(i);
	while (read(end, &asked, sizeof asked) == (ssize_t)sizeof asked) {
		uint64_t mask = own_pending();
		if (write(end, &mask, sizeof mask) != (ssize_t)sizeof mask)
			break;
	}
	_exit(0);
}

void signal_probe_start(struct signal_probe *probe)
{
	int pair[2];

	probe->pid = 0;
	if (getpid() == 1 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	pid_t pid = fork();
	if (pid == 0)
		bear_witness(pair[1]);
	(void)close(pair[1]);
	if (pid < 0) {
		(void)close(pair[0]);
		return;
	}
	probe->end = pair[0];
	probe->pid = pid;
}

/* Returns the pending signals, or 0 if the probe does not answer. */
static uint64_t pending(int end)
{
	const char asked = '?';
	uint64_t mask = 0;

	if (write(end, &asked, sizeof asked) != (ssize_t)sizeof asked ||
		read(end, &mask, sizeof mask) != (ssize_t)sizeof mask)
		return 0;
	return mask;
}

/* The kernel signals the processes of a group one by one, and may signal the probe after rtrack-run. The probe is
 * therefore asked again after a short time. */
bool signal_probe_saw(struct signal_probe *probe, int signal)
{
	const struct timespec moment = {0, 1000000};
	struct signal_probe old = *probe;

	if (old.pid <= 0)
		return false;
	uint64_t now = (probe->before | pending(old.end)) & signal_bit(signal);
	if (now == 0) {
		(void)nanosleep(&moment, NULL);
		now = pending(old.end) & signal_bit(signal);
	}
	if (now == 0)
		return false;
	/* A pending signal of another process cannot be cleared, so a new probe replaces this one. */
	uint64_t all = probe->before | pending(old.end);
	signal_probe_start(probe);
	probe->before = all & ~signal_bit(signal);
	signal_probe_stop(&old);
	return true;
}
