/* A test program that is so small that /proc/PID/stat reports no memory for it: tiny MS MIB [PROGRAM ARG…]. It sleeps
 * for MS milliseconds, allocates MIB of memory, and sleeps again. If PROGRAM is given, it then runs it and waits for
 * it. It is built without any library, for x86-64: -static -nostdlib -fno-stack-protector -fno-pie -no-pie
 * -fno-tree-loop-distribute-patterns. */
#include <sys/mman.h>
#include <sys/syscall.h>

__attribute__((naked, used)) void _start(void);
void _start(void)
{
	__asm__("mov %rsp, %rdi\n\tand $-16, %rsp\n\tcall run");
}

static long call(long number, long a, long b, long c, long d, long e, long f)
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

static long number_of(const char *text)
{
	long number = 0;
	for (; *text; text++)
		number = number * 10 + *text - '0';
	return number;
}

static void rest(long ms)
{
	long time[2] = {ms / 1000, ms % 1000 * 1000000};
	call(SYS_nanosleep, (long)time, 0, 0, 0, 0, 0);
}

__attribute__((used)) void run(long *stack);
void run(long *stack)
{
	long count = stack[0], status = 0;
	char **words = (char **)(stack + 1), **environment = words + count + 1;
	long ms = number_of(words[1]), size = number_of(words[2]) << 20;

	rest(ms);
	if (size > 0) {
		char *memory =
			(char *)call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (long i = 0; i < size; i += 4096)
			((volatile char *)memory)[i] = 1;
		rest(ms);
	}
	if (count > 3) {
		long child = call(SYS_fork, 0, 0, 0, 0, 0, 0);
		if (child == 0)
			call(SYS_execve, (long)words[3], (long)(words + 3), (long)environment, 0, 0, 0);
		call(SYS_wait4, child, (long)&status, 0, 0, 0, 0);
	}
	call(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}
