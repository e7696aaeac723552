/* SPDX-License-Identifier: Apache-2.0 */
/* Distinguishes signals to rtrack-run from signals to its group, on Linux. */
#include "launcher/signal_probe.h"

#include "launcher/linux/status.h"
#include "launcher/place.h"
#include "launcher/signals.h"
#include "os/self.h"

#include <sys/prctl.h>
#include <unistd.h>

void signal_probe_start(struct signal_probe *probe)
{
	pid_t launcher = getpid();

	probe->pid = 0;
	probe->end = -1;
	if (launcher == 1)
		return;
	pid_t pid = fork();
	if (pid > 0)
		probe->pid = pid;
	if (pid != 0)
		return;
	place_die_with_parent();
	/* The probe has another name, so that a command that kills rtrack-run by name (killall) does not kill the
	 * probe. */
	(void)prctl(PR_SET_NAME, "rtrack-probe");
	os_close_all();
	while (getppid() == launcher)
		(void)pause();
	_exit(0);
}

/* Returns the signals pending for the whole process, not for a single thread, or 0 if unknown. */
static uint64_t pending(pid_t pid)
{
	return status_signals(pid, "ShdPnd:");
}

/* Returns the pending signals that the kernel discards when it sends `signal`: SIGCONT discards stop signals, and a
 * stop signal discards SIGCONT. */
static uint64_t undone_by(int signal)
{
	const uint64_t stops = signal_bit(SIGTSTP) | signal_bit(SIGTTIN) | signal_bit(SIGTTOU);

	if (signal == SIGCONT)
		return stops;
	return (stops & signal_bit(signal)) != 0 ? signal_bit(SIGCONT) : 0;
}

bool signal_probe_saw(struct signal_probe *probe, int signal)
{
	probe->before &= ~undone_by(signal);
	struct signal_probe old = *probe;

	if (old.pid <= 0)
		return false;
	/* If `signal` is not pending in the probe, a later stop signal such as ^Z may have discarded a SIGCONT
	 * there, or the reverse. Such a signal counts as sent to the group, because passing on SIGCONT would
	 * continue a command that should stop. */
	uint64_t now = pending(old.pid);
	if (((old.before | now) & signal_bit(signal)) == 0 && (now & undone_by(signal)) == 0)
		return false;
	/* A pending signal of another process cannot be cleared, so a new probe replaces the old one. The other
	 * signals that are pending in the old probe are kept for later calls. */
	signal_probe_start(probe);
	probe->before = (old.before | pending(old.pid)) & ~signal_bit(signal);
	signal_probe_stop(&old);
	return true;
}
