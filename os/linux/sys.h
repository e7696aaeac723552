/* SPDX-License-Identifier: Apache-2.0 */
/* System calls of Linux without a C library, for x86-64, aarch64 and riscv64. Only this file and sys.c contain code for
 * a particular processor.
 *
 * Each call returns a result or a negative errno. The variable errno is never changed, because it belongs to the host.
 * Structures are those of the kernel (linux/, asm/). */
#ifndef RTRACK_OS_LINUX_SYS_H
#define RTRACK_OS_LINUX_SYS_H

#include <asm/unistd.h>
#include <stdbool.h>
#include <stdint.h>

/* The headers of Linux 4.18 lack this number, which is the same on all processors. */
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

/* Most calls have at most three arguments. There is a separate function for them, because setting all six registers
 * takes 9 more bytes per call. */
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

#elif defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)

#ifdef __aarch64__
#define SYS_TRAP "svc #0"
#define SYS_NUMBER "x8"
#define SYS_REGISTER(number) "x" #number
#else
#define SYS_TRAP "ecall"
#define SYS_NUMBER "a7"
#define SYS_REGISTER(number) "a" #number
#endif

static inline long sys_call3(long number, long a, long b, long c)
{
	register long call __asm__(SYS_NUMBER) = number;
	register long first __asm__(SYS_REGISTER(0)) = a;
	register long second __asm__(SYS_REGISTER(1)) = b;
	register long third __asm__(SYS_REGISTER(2)) = c;
	__asm__ volatile(SYS_TRAP : "+r"(first) : "r"(call), "r"(second), "r"(third) : "memory");
	return first;
}

static inline long sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long call __asm__(SYS_NUMBER) = number;
	register long first __asm__(SYS_REGISTER(0)) = a;
	register long second __asm__(SYS_REGISTER(1)) = b;
	register long third __asm__(SYS_REGISTER(2)) = c;
	register long fourth __asm__(SYS_REGISTER(3)) = d;
	register long fifth __asm__(SYS_REGISTER(4)) = e;
	register long sixth __asm__(SYS_REGISTER(5)) = f;
	__asm__ volatile(SYS_TRAP
			 : "+r"(first)
			 : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "memory");
	return first;
}

#else
#error "rtrack knows the system calls of x86-64, aarch64 and riscv64 only"
#endif

/* Converts a pointer or an integer to long, the type of all arguments in the kernel's interface. */
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

/* Returns whether valgrind runs this program. The program then avoids pidfd_open and futex_waitv, because valgrind
 * prints a warning for each system call that it does not know. */
bool sys_is_translated(void);

/* Returns the effective user of this process. Files and processes of this user are considered part of the job. */
static inline uint32_t sys_user(void)
{
	return (uint32_t)SYS_CALL0(__NR_geteuid);
}

/* Returns whether 8 bytes at `place` are readable, with a call whose operation (-1) is invalid. The kernel reads the
 * bytes before it checks the operation. EINVAL therefore means that they are readable. */
static inline bool sys_can_read(const void *place)
{
	return SYS_CALL4(__NR_rt_sigprocmask, -1, place, 0, sizeof(uint64_t)) == -22; /* EINVAL */
}

/* Creates a thread with clone(2). The thread runs entry(argument) on the new stack. `entry` must not return. */
long sys_clone_thread(
	unsigned long flags, void *stack_top, int *parent_tid, int *child_tid, void (*entry)(void *), void *argument);

#endif
