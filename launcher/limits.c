/* SPDX-License-Identifier: Apache-2.0 */
/* Enforces the limits of a run.
 *
 * If the sampler observes that a run exceeds its limit, the run gets SIGTERM and a grace period, so that programs
 * can save their work. Memory may grow faster than the sampler reads it. Therefore, if the command has its own
 * control group, the kernel kills processes at 125 % of the limit. Without a control group, a run above 125 % gets
 * no grace period. */
#define _GNU_SOURCE
#include "launcher/limits.h"

#include "core/number.h"
#include "launcher/message.h"
#include "os/clock.h"

#include <signal.h>
#include <stdio.h>

#define NS_PER_SECOND 1000000000LL

enum { GRACE_SECONDS = 5, GIVE_UP_SECONDS = 5, AGAIN_NS = 50000000, LOOK_NS = 1000000000 };
static const double BEYOND = 1.25; /* multiple of the memory limit above which there is no grace period */

void limits_begin(struct limits *limits, const struct options *options, pid_t root, struct sampler *sampler)
{
	*limits = (struct limits){
		.memory_mib = options->max_memory_mib,
		.seconds = options->max_seconds,
		.root = root,
		.sampler = sampler,
	};
	if (number_known(limits->seconds))
		limits->next_ns = os_since_boot_ns() + (int64_t)(limits->seconds * (double)NS_PER_SECOND);
	if (!number_known(limits->memory_mib))
		return;
	memory_cgroup_open(&limits->cgroup, root, limits->memory_mib * BEYOND);
	if (!sampler && limits->cgroup.directory[0] == '\0')
		message_print("--max-memory has no effect: this run has no record");
}

int64_t limits_wait_until(const struct limits *limits, int64_t next_ns)
{
	int64_t own_ns = limits->next_ns;

	/* The kernel does not notify rtrack-run if it kills one of several processes, so rtrack-run checks for such
	 * a kill every second. */
	if (limits->cgroup.directory[0] != '\0' && limits->reached == LIMIT_NONE) {
		int64_t look_ns = os_since_boot_ns() + LOOK_NS;
		own_ns = own_ns == 0 || look_ns < own_ns ? look_ns : own_ns;
	}
	return own_ns == 0 || (next_ns != 0 && next_ns < own_ns) ? next_ns : own_ns;
}

/* Sends a signal to all processes of the run, and returns their number. */
static size_t signal_all(const struct limits *limits, int signal)
{
	if (limits->sampler)
		return sampler_signal(limits->sampler, signal);
	return kill(limits->root, signal) == 0 ? 1 : 0;
}

static void reach(struct limits *limits, enum limit limit, const char *what)
{
	limits->reached = limit;
	message_print(
		"%s: ending the command and all that it started (SIGTERM, SIGKILL after %d s)", what, GRACE_SECONDS);
	(void)signal_all(limits, SIGTERM);
	/* A stopped process does not handle SIGTERM until it continues. */
	(void)signal_all(limits, SIGCONT);
	limits->next_ns = os_since_boot_ns() + GRACE_SECONDS * NS_PER_SECOND;
	limits->give_up_ns = limits->next_ns + GIVE_UP_SECONDS * NS_PER_SECOND;
}

/* Returns the memory that the run needs, in MiB. A tick reads one process after the other, so the sum may include
 * processes that have ended since. If the sum exceeds the limit, the processes are read again. */
static double memory_needed_mib(const struct limits *limits)
{
	double seen = limits->sampler ? sampler_needed_mib(limits->sampler) : 0;

	if (seen <= limits->memory_mib)
		return seen;
	double now = sampler_needed_now_mib(limits->sampler);
	return now < seen ? now : seen;
}

static void hold_memory(struct limits *limits, bool ticked)
{
	char text[128];

	if (!number_known(limits->memory_mib))
		return;
	double seen = ticked ? memory_needed_mib(limits) : 0;
	if (limits->reached != LIMIT_NONE) {
		if (seen > limits->memory_mib * BEYOND && limits->next_ns > os_since_boot_ns())
			limits->next_ns = os_since_boot_ns();
	} else if (seen > limits->memory_mib) {
		(void)snprintf(text, sizeof text, "%.0f MiB of memory are more than --max-memory, %.0f MiB", seen,
			limits->memory_mib);
		reach(limits, LIMIT_MEMORY, text);
	} else if (memory_cgroup_has_killed(&limits->cgroup)) {
		(void)snprintf(text, sizeof text,
			"the kernel killed a process at %.0f MiB, more than --max-memory, %.0f MiB",
			limits->memory_mib * BEYOND, limits->memory_mib);
		reach(limits, LIMIT_MEMORY, text);
	}
}

void limits_hold(struct limits *limits, bool ticked)
{
	char text[64];

	hold_memory(limits, ticked);
	if (limits->next_ns == 0 || os_since_boot_ns() < limits->next_ns)
		return;
	if (limits->reached == LIMIT_NONE) {
		(void)snprintf(text, sizeof text, "the run is longer than --max-seconds, %g s", limits->seconds);
		reach(limits, LIMIT_SECONDS, text);
	} else {
		(void)signal_all(limits, SIGKILL);
		limits->next_ns = os_since_boot_ns() + AGAIN_NS;
	}
}

bool limits_go_on(struct limits *limits)
{
	/* If the kernel has killed the command at the limit, this records that the limit was reached. */
	hold_memory(limits, false);
	if (limits->reached == LIMIT_NONE || !limits->sampler || os_since_boot_ns() >= limits->give_up_ns)
		return false;
	return sampler_signal(limits->sampler, 0) > 0;
}

void limits_end(struct limits *limits)
{
	static const char *const words[] = {
		[LIMIT_NONE] = NULL, [LIMIT_MEMORY] = "memory", [LIMIT_SECONDS] = "seconds"};

	if (limits->sampler)
		sampler_set_limit(limits->sampler, words[limits->reached]);
	memory_cgroup_close(&limits->cgroup);
}
