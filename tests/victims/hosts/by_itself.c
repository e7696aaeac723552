/* A test program that ends with status 4 by an inline system call, so no interposed function sees its end. Programs
 * that Go links with cgo do the same, and this program contains the ELF note of Go. With an argument, the program kills
 * itself instead. */
#include <signal.h>
#include <sys/syscall.h>

__asm__(".pushsection .note.go.buildid, \"a\", %note\n"
	".balign 4\n"
	".long 4, 4, 4\n"
	".asciz \"Go\\0\"\n"
	".long 0\n"
	".popsection\n");

static void leave(long status)
{
#if defined(__x86_64__)
	__asm__ volatile("syscall" : : "a"((long)SYS_exit_group), "D"(status) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_exit_group;
	register long first __asm__("x0") = status;
	__asm__ volatile("svc 0" : : "r"(number), "r"(first) : "memory");
#elif defined(__riscv)
	register long number __asm__("a7") = SYS_exit_group;
	register long first __asm__("a0") = status;
	__asm__ volatile("ecall" : : "r"(number), "r"(first) : "memory");
#endif
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		raise(SIGKILL);
	leave(4);
	return 99;
}
