/* System calls of Linux without a C library, for x86-64 and aarch64: the one file that differs
 * between processors.
 *
 * A call returns what the kernel returns: a result, or a negative errno. errno itself is never touched,
 * since the host's errno is the host's. Structures are the kernel's own (linux/, asm/). */
#ifndef RTRACK_OS_LINUX_SYS_H
#define RTRACK_OS_LINUX_SYS_H

#include <asm/unistd.h>
#include <stdbool.h>
#include <stdint.h>

/* Newer than the headers of Linux 4.18, which some systems build with; the same on every processor. */
#ifndef __NR_pidfd_send_signal
#define __NR_pidfd_send_signal 424
#endif
#ifndef __NR_pidfd_open
#define __NR_pidfd_open 434
#endif
#ifndef __NR_close_range
#define __NR_close_range 436
#endif
#ifndef __NR_futex_waitv
#define __NR_futex_waitv 449
#endif

/* Most calls have three arguments at most: to fill the registers of the other three, too, took 9 bytes in each place.
 */
#if defined(__x86_64__)

static inline long sys_call3(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}

static inline long sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

static inline long sys_call3(long number, long a, long b, long c)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}

static inline long sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
}

#elif defined(__riscv) && __riscv_xlen == 64

static inline long sys_call3(long number, long a, long b, long c)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
	return a0;
}

static inline long sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a5 __asm__("a5") = f;
	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5) : "memory");
	return a0;
}

#else
#error "rtrack knows the system calls of x86-64, aarch64 and riscv64 only"
#endif

/* Pointers and numbers of every width go through long, as the kernel's own interface has it. */
#define SYS_ARGUMENT(x) ((long)(x))
#define SYS_CALL0(n) sys_call3(n, 0, 0, 0)
#define SYS_CALL1(n, a) sys_call3(n, SYS_ARGUMENT(a), 0, 0)
#define SYS_CALL2(n, a, b) sys_call3(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), 0)
#define SYS_CALL3(n, a, b, c) sys_call3(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c))
#define SYS_CALL4(n, a, b, c, d) sys_call6(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c), SYS_ARGUMENT(d), 0, 0)
#define SYS_CALL5(n, a, b, c, d, e)                                                                                    \
	sys_call6(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c), SYS_ARGUMENT(d), SYS_ARGUMENT(e), 0)
#define SYS_CALL6(n, a, b, c, d, e, f)                                                                                 \
	sys_call6(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c), SYS_ARGUMENT(d), SYS_ARGUMENT(e),              \
		SYS_ARGUMENT(f))

/* Whether valgrind runs this program: it prints on the host's stderr about each system call that it does not know, so
 * pidfd_open and futex_waitv are not made then. */
bool sys_is_translated(void);

/* The user with the files and processes that count as ours. */
static inline uint32_t sys_user(void)
{
	return (uint32_t)SYS_CALL0(__NR_geteuid);
}

/* Whether the kernel can read 8 bytes there, which it does before it finds that it is asked for nothing. */
static inline bool sys_can_read(const void *place)
{
	return SYS_CALL4(__NR_rt_sigprocmask, -1, place, 0, sizeof(uint64_t)) == -22; /* EINVAL */
}

/* clone(2) of a thread: the child starts at entry(argument) on the new stack and never returns from
 * here. x86-64 orders the arguments of clone otherwise than aarch64 and riscv64 do. */
long sys_clone_thread(
	unsigned long flags, void *stack_top, int *parent_tid, int *child_tid, void (*entry)(void *), void *argument);

#endif
