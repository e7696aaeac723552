/* SPDX-License-Identifier: Apache-2.0 */
/* Resource usage of the calling process, for os/self.h, from getrusage(2), the CPU clocks, and files in /proc/self.
 *
 * Disk I/O comes from getrusage(2), in blocks of 512 bytes. /proc/PID/io is not used for it, because it includes the
 * I/O of children. */
#include "os/self.h"

#include "os/linux/proc.h"
#include "os/linux/sys.h"
#include "os/process.h"

#include <linux/resource.h>
#include <linux/time.h>

#define NS_PER_SECOND 1000000000u

static void read_rusage(int target, struct rusage *usage)
{
	*usage = (struct rusage){0};
	(void)SYS_CALL2(__NR_getrusage, target, usage);
}

static void rusage_cpu(const struct rusage *usage, uint64_t cpu_ns[2])
{
	cpu_ns[0] = (uint64_t)usage->ru_utime.tv_sec * NS_PER_SECOND + (uint64_t)usage->ru_utime.tv_usec * 1000;
	cpu_ns[1] = (uint64_t)usage->ru_stime.tv_sec * NS_PER_SECOND + (uint64_t)usage->ru_stime.tv_usec * 1000;
}

static uint64_t clock_ns(int clock)
{
	struct __kernel_timespec time = {0, 0};
	(void)SYS_CALL2(__NR_clock_gettime, clock, &time);
	return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

/* Reads the user and system CPU time of a thread or process. Their sum is the time of the CPU clock, which is exact.
 * User time is from getrusage(2), which is only updated at timer ticks. System time is the difference. */
static void usage_by_clock(int target, int clock, uint64_t cpu_ns[2])
{
	struct rusage usage;
	uint64_t total = clock_ns(clock);
	read_rusage(target, &usage);
	rusage_cpu(&usage, cpu_ns);
	cpu_ns[0] = cpu_ns[0] < total ? cpu_ns[0] : total;
	cpu_ns[1] = total - cpu_ns[0];
}

void thread_usage(uint64_t cpu_ns[2])
{
	usage_by_clock(RUSAGE_THREAD, CLOCK_THREAD_CPUTIME_ID, cpu_ns);
}

int64_t thread_used_ns(void)
{
	return (int64_t)clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void process_own_usage(uint64_t cpu_ns[2])
{
	usage_by_clock(RUSAGE_SELF, CLOCK_PROCESS_CPUTIME_ID, cpu_ns);
}

void process_children_usage(uint64_t cpu_ns[2])
{
	struct rusage usage;
	read_rusage(RUSAGE_CHILDREN, &usage);
	rusage_cpu(&usage, cpu_ns);
}

int64_t thread_queued_ns(void)
{
	struct schedstat schedstat;
	bool told = proc_read_schedstat(0, (uint64_t)SYS_CALL0(__NR_gettid), &schedstat);
	return told && schedstat.queued_ns < INT64_MAX ? (int64_t)schedstat.queued_ns : -1;
}

int thread_io(uint64_t counters[COUNTER_COUNT])
{
	char name[48];
	struct buffer out = BUFFER(name);
	return proc_read_io(0, proc_of_thread(&out, (uint64_t)SYS_CALL0(__NR_gettid), "io"), counters);
}

uint64_t process_begun_rss_kib(bool *waited)
{
	struct rusage usage;
	read_rusage(RUSAGE_SELF, &usage);
	*waited = usage.ru_nvcsw > 0;
	return (uint64_t)usage.ru_maxrss;
}

uint64_t process_peak_rss_kib(void)
{
	bool waited;
	return process_begun_rss_kib(&waited);
}

static void rusage_counters(const struct rusage *usage, uint64_t counters[COUNTER_COUNT])
{
	enum { BLOCK_BYTES = 512 };
	rusage_cpu(usage, &counters[COUNTER_USER_NS]);
	counters[COUNTER_DISK_READ] = (uint64_t)usage->ru_inblock * BLOCK_BYTES;
	counters[COUNTER_DISK_WRITE] = (uint64_t)usage->ru_oublock * BLOCK_BYTES;
	counters[COUNTER_MAJOR_FAULTS] = (uint64_t)usage->ru_majflt;
}

void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib)
{
	struct rusage own;
	struct rusage children;

	*usage = (struct process_usage){0};
	read_rusage(RUSAGE_SELF, &own);
	if ((uint64_t)own.ru_maxrss > before_kib || (uint64_t)own.ru_maxrss <= small_kib) {
		usage->peak_rss_kib = (uint64_t)own.ru_maxrss;
		usage->peak_is_own = (uint64_t)own.ru_maxrss > before_kib;
	} else {
		usage->peak_rss_kib = process_read_peak_kib(0);
		usage->peak_is_own = usage->peak_rss_kib > 0;
		/* The CPU time is read again, so that it includes the cost of reading the status file. */
		read_rusage(RUSAGE_SELF, &own);
	}
	read_rusage(RUSAGE_CHILDREN, &children);
	rusage_counters(&own, usage->own);
	rusage_counters(&children, usage->children);
	usage->children_peak_kib = (uint64_t)children.ru_maxrss;
	usage->minor_faults = (uint64_t)own.ru_minflt;
	usage->children_minor_faults = (uint64_t)children.ru_minflt;
	usage->voluntary_switches = (uint64_t)own.ru_nvcsw;
	usage->involuntary_switches = (uint64_t)own.ru_nivcsw;
}
