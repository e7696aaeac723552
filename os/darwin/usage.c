/* SPDX-License-Identifier: Apache-2.0 */
/* Resource usage of the calling process, for os/self.h.
 *
 * proc_pid_rusage(3) is used where getrusage(2) lacks a figure or is less exact. ru_inblock is not used, because it is
 * a number of requests instead of bytes. ru_maxrss is in bytes on macOS. */
#include "os/self.h"

#include "os/darwin/calls.h"
#include "os/darwin/error.h"
#include "os/darwin/parse.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND 1000000000u

static void read_rusage(int target, struct rusage *usage)
{
	*usage = (struct rusage){0};
	(void)RESULT_OF(getrusage(target, usage));
}

static void rusage_cpu(const struct rusage *usage, uint64_t cpu_ns[2])
{
	cpu_ns[0] = (uint64_t)usage->ru_utime.tv_sec * NS_PER_SECOND + (uint64_t)usage->ru_utime.tv_usec * 1000;
	cpu_ns[1] = (uint64_t)usage->ru_stime.tv_sec * NS_PER_SECOND + (uint64_t)usage->ru_stime.tv_usec * 1000;
}

/* All of the time is reported as system time. macOS has no RUSAGE_THREAD, and the clock of a thread does not separate
 * user and system time. */
void thread_usage(uint64_t cpu_ns[2])
{
	cpu_ns[0] = 0;
	cpu_ns[1] = (uint64_t)thread_used_ns();
}

int64_t thread_used_ns(void)
{
	return (int64_t)clock_gettime_nsec_np(CLOCK_THREAD_CPUTIME_ID);
}

void process_own_usage(uint64_t cpu_ns[2])
{
	struct rusage usage;
	read_rusage(RUSAGE_SELF, &usage);
	rusage_cpu(&usage, cpu_ns);
}

void process_children_usage(uint64_t cpu_ns[2])
{
	struct rusage usage;
	read_rusage(RUSAGE_CHILDREN, &usage);
	rusage_cpu(&usage, cpu_ns);
}

uint64_t process_begun_rss_kib(bool *waited)
{
	struct rusage usage;
	read_rusage(RUSAGE_SELF, &usage);
	*waited = usage.ru_nvcsw > 0;
	return (uint64_t)usage.ru_maxrss / 1024;
}

uint64_t process_peak_rss_kib(void)
{
	bool waited;
	return process_begun_rss_kib(&waited);
}

/* The peak always belongs to the current program, because exec creates a new task with a new footprint. */
void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib)
{
	struct rusage own, children;
	struct darwin_rusage rusage;
	struct process_reading reading = {.state = 'R'};

	(void)before_kib, (void)small_kib;
	*usage = (struct process_usage){0};
	if (darwin_rusage(getpid(), &rusage) == 0) {
		parse_rusage(&rusage, darwin_timebase(), &reading);
		usage->peak_rss_kib = rusage.peak_footprint / 1024;
		usage->peak_is_own = true;
		usage->energy_nj = reading.energy_nj;
	}
	read_rusage(RUSAGE_SELF, &own);
	read_rusage(RUSAGE_CHILDREN, &children);
	for (int i = 0; i < COUNTER_COUNT; i++)
		usage->own[i] = reading.own[i];
	rusage_cpu(&own, &usage->own[COUNTER_USER_NS]);
	rusage_cpu(&children, &usage->children[COUNTER_USER_NS]);
	usage->own[COUNTER_MAJOR_FAULTS] = (uint64_t)own.ru_majflt;
	usage->children[COUNTER_MAJOR_FAULTS] = (uint64_t)children.ru_majflt;
	usage->children_peak_kib = (uint64_t)children.ru_maxrss / 1024;
	usage->minor_faults = (uint64_t)own.ru_minflt;
	usage->children_minor_faults = (uint64_t)children.ru_minflt;
	usage->voluntary_switches = (uint64_t)own.ru_nvcsw;
	usage->involuntary_switches = (uint64_t)own.ru_nivcsw;
}
