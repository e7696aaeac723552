/* SPDX-License-Identifier: Apache-2.0 */
/* A thread in the host that the host does not notice.
 *
 * The thread is created by a raw clone with NPTL's flags (valgrind accepts no others), without C library and
 * thread-local storage. It has its own stack, and all signals are blocked. pthread_create is not used, because it
 * would permanently end glibc's single-thread optimizations in the host (docs/hazards.md). The thread has its own
 * descriptor table, so the host does not see the thread's descriptors, and the thread keeps none of the host's
 * descriptors open. */
#include "preload/host.h"

#include "os/file.h"
#include "os/linux/listing.h"
#include "os/linux/sys.h"
#include "os/memory.h"
#include "os/process.h"
#include "os/self.h"
#include "preload/stack.h"

#include <asm/signal.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/time.h>
#include <linux/utsname.h>

enum { CLOSE_UNSHARED = 1 << 1, WORD_OF_32_BITS = 2 }; /* CLOSE_RANGE_UNSHARE, FUTEX_32 */

struct wait_word { /* struct futex_waitv */
	uint64_t value;
	uint64_t address;
	uint32_t flags;
	uint32_t reserved;
};

enum { STACK_SIZE = 131072, GUARD_SIZE = 65536, SIGNAL_SET_SIZE = 8 };

#define NS_PER_SECOND 1000000000
#define PATIENCE_NS 2000000000
/* After the end of the main thread, interval for checking whether the other threads have ended. */
#define ENDING_NS 20000000
/* Interval for checking whether the main thread has ended, if the kernel does not wake this thread. */
#define UNHEARD_NS 1000000000

static struct __kernel_timespec timespec_of(int64_t ns)
{
	return (struct __kernel_timespec){ns / NS_PER_SECOND, ns % NS_PER_SECOND};
}

static void *map_stack(void)
{
	char *stack = os_map_apart(GUARD_SIZE + STACK_SIZE);
	if (stack && SYS_CALL3(__NR_mprotect, stack, GUARD_SIZE, PROT_NONE) < 0) {
		os_unmap(stack, GUARD_SIZE + STACK_SIZE);
		return NULL;
	}
	return stack ? stack + GUARD_SIZE + STACK_SIZE : NULL;
}

int host_call(struct host_thread *thread, void (*function)(void *), void *argument)
{
	if (!thread->stack)
		thread->stack = map_stack();
	if (!thread->stack)
		return -1;
	stack_switch(thread->stack, function, argument);
	return 0;
}

uint64_t host_block_signals(void)
{
	const uint64_t all = ~(uint64_t)0;
	uint64_t before = 0;
	(void)SYS_CALL4(__NR_rt_sigprocmask, SIG_BLOCK, &all, &before, SIGNAL_SET_SIZE);
	return before;
}

void host_restore_signals(uint64_t before)
{
	(void)SYS_CALL4(__NR_rt_sigprocmask, SIG_SETMASK, &before, 0, SIGNAL_SET_SIZE);
}

/* Calls close_range(2) with an empty range. Returns whether the call exists and is allowed. */
static bool has_close_range(void)
{
	return SYS_CALL3(__NR_close_range, ~0u, ~0u, 0) == 0;
}

int host_thread_start(struct host_thread *thread, void (*entry)(void *))
{
	unsigned long flags =
		CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

	if (!thread->stack)
		thread->stack = map_stack();
	if (!thread->stack)
		return -1;
	/* Gives the thread its own root directory, because the host may call chroot, and the new root directory may
	 * have no /proc. */
	if (sys_is_translated())
		flags |= CLONE_FS;
	/* Without close_range, the thread gets a copy of the descriptor table when it is created, and closes all of
	 * it. */
	if (has_close_range())
		flags |= CLONE_FILES;
	if (SYS_CALL5(__NR_prctl, PR_GET_TID_ADDRESS, &thread->leader_tid, 0, 0, 0) < 0)
		thread->leader_tid = NULL;
	thread->call = 0;
	uint64_t before = host_block_signals();
	long tid = sys_clone_thread(flags, thread->stack, &thread->tid, &thread->tid, entry, NULL);
	host_restore_signals(before);
	if (tid < 0)
		thread->tid = 0;
	return tid < 0 ? -1 : 0;
}

_Noreturn void host_thread_exit(int status)
{
	for (;;)
		(void)SYS_CALL1(__NR_exit, status);
}

/* Closes all descriptors in the thread's own table, on kernels before 5.9. */
static int close_each(void)
{
	char data[2048] __attribute__((aligned(8)));
	struct listing listing;
	uint64_t descriptor;

	listing_open(&listing, "/proc/thread-self/fd", data, sizeof data);
	while (listing_next_number(&listing, &descriptor))
		if ((int)descriptor != listing.directory)
			os_close((int)descriptor);
	return listing_close(&listing);
}

int host_thread_part(void)
{
	(void)SYS_CALL5(__NR_prctl, PR_SET_NAME, "rtrack-sampler", 0, 0, 0);
	/* Leaves the working directory, so that the host can unmount its file system. */
	if (!sys_is_translated())
		(void)SYS_CALL1(__NR_chdir, "/");
	if (has_close_range())
		return SYS_CALL3(__NR_close_range, 0, ~0u, CLOSE_UNSHARED) == 0 ? 0 : -1;
	return close_each();
}

/* Waits until the host makes a request, the main thread ends, or CLOCK_MONOTONIC reaches `until_ns`. `leader`: value
 * of the main thread's tid word, or 0 if unknown. The kernel wakes the tid word without FUTEX_PRIVATE (mm_release in
 * kernel/fork.c). */
static long wait_words(struct host_thread *thread, int64_t until_ns, uint32_t leader)
{
	const struct __kernel_timespec until = timespec_of(until_ns);
	struct wait_word words[2] = {
		{.value = 0, .address = (uint64_t)&thread->call, .flags = WORD_OF_32_BITS},
		{.value = leader, .address = (uint64_t)thread->leader_tid, .flags = WORD_OF_32_BITS},
	};
	if (leader == 0)
		return SYS_CALL6(__NR_futex, &thread->call, FUTEX_WAIT_BITSET, 0, &until, 0, FUTEX_BITSET_MATCH_ANY);
	return SYS_CALL5(__NR_futex_waitv, words, 2, 0, &until, CLOCK_MONOTONIC);
}

static void wake(const uint32_t *word)
{
	enum { ALL_WAITERS = 0x7fffffff };
	(void)SYS_CALL6(__NR_futex, word, FUTEX_WAKE, ALL_WAITERS, 0, 0, 0);
}

static int64_t monotonic_ns(void)
{
	struct __kernel_timespec time = {0, 0};
	(void)SYS_CALL2(__NR_clock_gettime, CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * NS_PER_SECOND + time.tv_nsec;
}

static enum host_wait why_called(const struct host_thread *thread)
{
	uint32_t call = __atomic_load_n(&thread->call, __ATOMIC_ACQUIRE);
	return call == THREAD_STOP ? HOST_WAIT_STOP : call == THREAD_ASKED ? HOST_WAIT_ASKED : HOST_WAIT_TIME;
}

enum host_wait host_thread_wait(struct host_thread *thread, int64_t left_ns)
{
	int64_t deadline_ns = monotonic_ns() + left_ns;
	bool without_waitv = sys_is_translated();

	while (left_ns > 0) {
		uint32_t leader =
			thread->leader_tid ? (uint32_t)__atomic_load_n(thread->leader_tid, __ATOMIC_ACQUIRE) : 0;
		/* A kernel without CONFIG_CHECKPOINT_RESTORE does not report the address of the tid word. /proc is then
		 * polled. */
		bool leaderless = leader == 0;
		bool unheard = without_waitv || !thread->leader_tid;
		int64_t most_ns = leaderless && thread->leader_tid ? ENDING_NS : unheard ? UNHEARD_NS : left_ns;
		int64_t slice_ns = most_ns < left_ns ? most_ns : left_ns;
		enum host_wait called = why_called(thread);
		if (called != HOST_WAIT_TIME)
			return called;
		if (leaderless) {
			struct process_reading reading;
			bool read = process_read(os_pid(), false, &reading) == 0;
			bool ended = read && (reading.state == 'Z' || thread->leader_tid);
			thread->outlived |= ended && reading.gauge[GAUGE_THREADS] > 2;
			if (read && reading.state == 'Z' && reading.gauge[GAUGE_THREADS] <= 2)
				return HOST_WAIT_LEADER;
		}
		long result = wait_words(thread, monotonic_ns() + slice_ns, without_waitv ? 0 : leader);
		/* When the main thread ends, the kernel wakes only one waiter. If it has woken this thread, this
		 * thread wakes the next waiter, which may be a thread of the host that joins the main thread.
		 * Otherwise that thread would wait forever. */
		if (leader != 0 && __atomic_load_n(thread->leader_tid, __ATOMIC_ACQUIRE) == 0)
			wake((const uint32_t *)thread->leader_tid);
		if (result == -ENOSYS || result == -EPERM)
			without_waitv = true;
		left_ns = deadline_ns - monotonic_ns();
	}
	return why_called(thread);
}

/* Reads the thread's CPU clock. Its id is ~tid << 3 | 4 (CPUCLOCK_PERTHREAD) | 2 (CPUCLOCK_SCHED), as in
 * include/linux/posix-timers_types.h. */
uint64_t host_thread_used_ns(const struct host_thread *thread)
{
	struct __kernel_timespec time = {0, 0};
	(void)SYS_CALL2(__NR_clock_gettime, (int)(~(unsigned)thread->tid << 3 | 6u), &time);
	return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

/* Since Linux 6.0, a process has the exit status of its last thread. Older kernels use the status of the main
 * thread. The status of an ended thread is not available, but every C library ends threads with status 0. */
int host_thread_status(const struct host_thread *thread)
{
	struct process_reading reading;
	struct new_utsname names;
	uint64_t version = 0;

	if (thread->outlived && SYS_CALL1(__NR_uname, &names) == 0) {
		struct text release = text_of(names.release);
		(void)number_read_unsigned((struct text){release.data, text_find(release, '.', 0)}, &version);
	}
	if (version >= 6 || process_read(os_pid(), false, &reading) != 0)
		return 0;
	return (int)(reading.wait_status >> 8 & 0xff);
}

/* Waits until `word` differs from `value`. Returns 0, or -1 on timeout. */
static int await_change(const uint32_t *word, uint32_t value)
{
	int64_t deadline_ns = monotonic_ns() + PATIENCE_NS;

	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value) {
		int64_t left_ns = deadline_ns - monotonic_ns();
		if (left_ns <= 0)
			return -1;
		const struct __kernel_timespec left = timespec_of(left_ns);
		(void)SYS_CALL6(__NR_futex, word, FUTEX_WAIT, value, &left, 0, 0);
	}
	return 0;
}

int host_thread_ask(struct host_thread *thread)
{
	uint32_t answered = __atomic_load_n(&thread->answered, __ATOMIC_ACQUIRE);
	uint32_t idle = 0;
	/* A thread that is stopping accepts no requests. If another request is pending, one answer serves both. */
	(void)__atomic_compare_exchange_n(
		&thread->call, &idle, THREAD_ASKED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	if (idle == THREAD_STOP)
		return -1;
	wake(&thread->call);
	return await_change(&thread->answered, answered);
}

void host_thread_answer(struct host_thread *thread)
{
	uint32_t asked = THREAD_ASKED;
	(void)__atomic_compare_exchange_n(&thread->call, &asked, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	(void)__atomic_add_fetch(&thread->answered, 1, __ATOMIC_RELEASE);
	wake(&thread->answered);
}

/* Waits until the kernel has removed the thread. The kernel clears the tid when it releases the thread's memory, but
 * unshare and setns still count the thread for some microseconds afterwards. */
static void await_end(uint32_t tid)
{
	enum { YIELDS = 20 };
	const struct __kernel_timespec pause = {0, 20000};
	int64_t deadline_ns = monotonic_ns() + PATIENCE_NS;

	for (int i = 0; SYS_CALL3(__NR_tgkill, os_pid(), tid, 0) == 0 && monotonic_ns() < deadline_ns; i++)
		(void)(i < YIELDS ? SYS_CALL0(__NR_sched_yield) : SYS_CALL2(__NR_nanosleep, &pause, 0));
}

void host_thread_stop(struct host_thread *thread)
{
	__atomic_store_n(&thread->call, THREAD_STOP, __ATOMIC_RELEASE);
	wake(&thread->call);
	uint32_t tid = __atomic_load_n((uint32_t *)&thread->tid, __ATOMIC_ACQUIRE);
	if (tid == 0)
		return;
	(void)await_change((uint32_t *)&thread->tid, tid);
	await_end(tid);
}
