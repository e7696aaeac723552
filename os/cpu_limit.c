/* SPDX-License-Identifier: Apache-2.0 */
/* Determines whether a process ended at a limit of its CPU time. */
#include "os/process.h"

#define NS_PER_SECOND 1000000000u

enum { SIGNAL_KILL = 9, SIGNAL_CPU_TIME = 24 };

/* The kernel raises the soft limit by one second when it sends SIGXCPU, so the original limit is one second lower. A
 * process that exceeds the soft limit without dying of SIGXCPU handles that signal, and ends at the hard limit. */
uint64_t process_cpu_limit(const struct process_limits *limits, uint64_t cpu_ns, int signal)
{
	if (signal == SIGNAL_CPU_TIME && limits->cpu_soft > 0 && limits->cpu_soft != UINT64_MAX)
		return limits->cpu_soft - 1;
	return cpu_ns / NS_PER_SECOND <= limits->cpu_soft ? limits->cpu_soft : limits->cpu_hard;
}

/* The kernel compares RLIMIT_CPU with a count of timer ticks. On a busy virtual machine this count exceeds the CPU time
 * by up to a sixth, because ticks include time that the hypervisor took. */
bool process_is_at_cpu_limit(double limit, double cpu_seconds, int signal)
{
	static const double NEARLY = 0.8;

	return signal == SIGNAL_CPU_TIME ? limit >= 0
					 : (signal == 0 || signal == SIGNAL_KILL) && cpu_seconds >= NEARLY * limit;
}
