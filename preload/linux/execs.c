/* Calls by which the host becomes another program, in which there may be nothing of ours.
 *
 * A program that has the library takes sampling up again. One that has it not, since it is static or LD_PRELOAD is gone
 * or names another library, would be sampled by nobody, and nobody would hear of its end: therefore a root leaves
 * sampling to a keeper before it becomes one. And what is taken out of LD_PRELOAD where a mount hides the library may
 * be back by now: firejail puts its environment together anew for the program that it executes. */
#include "core/spool.h"
#include "os/file.h"
#include "os/self.h"
#include "preload/host.h"
#include "preload/librtrack.h"
#include "preload/member.h"
#include "preload/root.h"

#include <elf.h>
#include <link.h>

#define EXPORT __attribute__((visibility("default")))

/* LD_PRELOAD may name other libraries, and ours by any path. */
SELDOM static bool has_library(char *const *environment)
{
	const char *path = host_library_path();
	const char *name = path ? text_basename(text_of(path)).data : "";

	for (; environment && *environment; environment++) {
		struct text text = text_of(*environment);
		for (bool names = text_starts(text, "LD_PRELOAD="); names && text.length > 0;
			text.data++, text.length--)
			if (text_starts(text, name))
				return true;
	}
	return false;
}

/* A program that a loader loads says so before its first segment (gABI, "Program Header"); where its headers are
 * elsewhere than behind the first, as nowhere, it is taken for one. `found`: set where there is such a file. */
SELDOM_APART static bool is_static(const char *path, bool *found)
{
	enum { ENTRIES = 4 };
	struct {
		ElfW(Ehdr) head;
		ElfW(Phdr) entries[ENTRIES];
	} file;
	size_t i = 0;
	int64_t length = os_read(OS_HERE, path, (char *)&file, sizeof file);

	*found = length >= 0;
	if (length != sizeof file || file.head.e_ident[0] != ELFMAG0)
		return false;
	while (i < ENTRIES && file.entries[i].p_type != PT_INTERP && file.entries[i].p_type != PT_LOAD)
		i++;
	return i < ENTRIES && file.entries[i].p_type == PT_LOAD;
}

/* The same of what execvp finds by a name that is no path: in the first folder of PATH that has it. */
SELDOM_APART static bool is_found_static(const char *name, char *const *environment)
{
	struct text path = text_of(environment_get(environment, "PATH"));
	bool found = false, result = is_static(name, &found);

	found |= text_find(text_of(name), '/', 0) < text_length(name);
	for (size_t start = 0; start < path.length && !found;) {
		char file[SPOOL_PATH_MAX / 8];
		struct buffer out = BUFFER(file);
		size_t end = text_find(path, ':', start);
		buffer_text(&out, (struct text){path.data + start, end - start});
		buffer_byte(&out, '/');
		buffer_string(&out, name);
		result = is_static(buffer_terminate(&out), &found);
		start = end + 1;
	}
	return result;
}

/* A keeper may see only that the root is gone, and in a host that gets orphans as children there is none, as it would
 * become one. The mark is there so that nobody takes the end of the next program for a kill. */
SELDOM_APART static void part(void)
{
	int directory = os_open_directory(OS_HERE, root_directory());
	(void)os_create(directory, SPOOL_PARTED_FILE, TEXT(""));
	os_close(directory);
	if (!os_keeps_orphans())
		root_leave();
}

EACH_PROCESS void library_executes(const char *path, char *const *environment)
{
	host_forget_hidden_library();
	if (root_hosts() && member_is_current() && (!has_library(environment) || is_found_static(path, environment)))
		part();
}

EXPORT EACH_PROCESS int execve(const char *path, char *const *arguments, char *const *environment);
EXPORT EACH_PROCESS int execve(const char *path, char *const *arguments, char *const *environment)
{
	library_executes(path, environment);
	return host_execve_through(path, arguments, environment);
}

EXPORT EACH_PROCESS int execv(const char *path, char *const *arguments);
EXPORT EACH_PROCESS int execv(const char *path, char *const *arguments)
{
	library_executes(path, host_environment());
	return host_execve_through(path, arguments, host_environment());
}

EXPORT int execvp(const char *name, char *const *arguments);
EXPORT int execvp(const char *name, char *const *arguments)
{
	union {
		void *address;
		int (*call)(const char *, char *const *);
	} real = {host_find_next("execvp")};

	library_executes(name, host_environment());
	return real.address ? real.call(name, arguments) : -1;
}

/* -- calls that take their arguments one by one -----------------------------------------------------
 *
 * Nobody can hand those on in C but as a list, which would lie on the host's stack beside the one that the C library
 * makes of them. Therefore their registers are saved, and the C library's function finds them and the stack as they
 * were. execvpe and fexecve have lists, and come this way since it is there. */

/* Each name at a place of its own. */
#define EXECL "0"
#define EXECLP "8"
#define EXECLE "16"
#define EXECVPE "24"
#define FEXECVE "32"
static const char names[] = "execl\0\0\0execlp\0\0execle\0\0execvpe\0fexecve";

SELDOM static int fails(void)
{
	return -1;
}

/* `saved`: the registers that hold arguments, and behind them what the caller has on its stack. Returns what is to be
 * called. Of a file that is open already nobody asks whether it is static: it is taken for that. */
__attribute__((used, visibility("hidden"))) SELDOM void *rtrack_before_exec(void *const *saved, size_t name);
void *rtrack_before_exec(void *const *saved, size_t name)
{
#if defined(__x86_64__)
	enum { REGISTERS = 6, BEHIND = REGISTERS + 2 /* the name and the address to return to */ };
#else
	enum { REGISTERS = 8, BEHIND = REGISTERS };
#endif
	char *const *environment = host_environment();
	const char *called = names + name;
	size_t i = 1;

	if (called[0] == 'f') {
		environment = NULL;
	} else if (called[4] == 'v') {
		environment = saved[2];
	} else if (called[5] == 'e') {
		while (saved[i++])
			i = i == REGISTERS ? (size_t)BEHIND : i;
		environment = saved[i == REGISTERS ? (size_t)BEHIND : i];
	}
	library_executes(saved[0], environment);
	void *next = host_find_next(called);
	return next ? next : (void *)fails;
}

#define ENTRIES                                                                                                        \
	ENTRY("execl", EXECL)                                                                                          \
	ENTRY("execlp", EXECLP) ENTRY("execle", EXECLE) ENTRY("execvpe", EXECVPE) ENTRY("fexecve", FEXECVE)

#if defined(__x86_64__)
#define ENTRY(function, name)                                                                                          \
	".globl " function "\n.type " function ", @function\n" function ":\n push $" name "\n"                         \
	" jmp 1f\n"
__asm__(".section .text.unlikely.listed, \"ax\", @progbits\n" ENTRIES "1:	push %r9\n"
	"	push %r8\n"
	"	push %rcx\n"
	"	push %rdx\n"
	"	push %rsi\n"
	"	push %rdi\n"
	"	mov %rsp, %rdi\n"
	"	mov 48(%rsp), %esi\n"
	"	call rtrack_before_exec\n"
	"	pop %rdi\n"
	"	pop %rsi\n"
	"	pop %rdx\n"
	"	pop %rcx\n"
	"	pop %r8\n"
	"	pop %r9\n"
	"	pop %r11\n"
	"	jmp *%rax\n"
	".text\n");
#elif defined(__riscv)
#define ENTRY(function, name)                                                                                          \
	".globl " function "\n.type " function ", %function\n" function ":\n li t0, " name "\n"                        \
	" j 1f\n"
__asm__(".section .text.unlikely.listed, \"ax\", @progbits\n" ENTRIES "1:	addi sp, sp, -80\n"
	"	sd ra, 0(sp)\n"
	"	sd a0, 16(sp)\n"
	"	sd a1, 24(sp)\n"
	"	sd a2, 32(sp)\n"
	"	sd a3, 40(sp)\n"
	"	sd a4, 48(sp)\n"
	"	sd a5, 56(sp)\n"
	"	sd a6, 64(sp)\n"
	"	sd a7, 72(sp)\n"
	"	addi a0, sp, 16\n"
	"	mv a1, t0\n"
	"	call rtrack_before_exec\n"
	"	mv t1, a0\n"
	"	ld ra, 0(sp)\n"
	"	ld a0, 16(sp)\n"
	"	ld a1, 24(sp)\n"
	"	ld a2, 32(sp)\n"
	"	ld a3, 40(sp)\n"
	"	ld a4, 48(sp)\n"
	"	ld a5, 56(sp)\n"
	"	ld a6, 64(sp)\n"
	"	ld a7, 72(sp)\n"
	"	addi sp, sp, 80\n"
	"	jr t1\n"
	".text\n");
#else
#define ENTRY(function, name)                                                                                          \
	".globl " function "\n.type " function ", %function\n" function ":\n mov x9, #" name "\n"                      \
	" b 1f\n"
__asm__(".section .text.unlikely.listed, \"ax\", @progbits\n" ENTRIES "1:	stp x6, x7, [sp, #-16]!\n"
	"	stp x4, x5, [sp, #-16]!\n"
	"	stp x2, x3, [sp, #-16]!\n"
	"	stp x0, x1, [sp, #-16]!\n"
	"	mov x0, sp\n"
	"	mov x1, x9\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x29, sp\n"
	"	bl rtrack_before_exec\n"
	"	mov x9, x0\n"
	"	ldp x29, x30, [sp], #16\n"
	"	ldp x0, x1, [sp], #16\n"
	"	ldp x2, x3, [sp], #16\n"
	"	ldp x4, x5, [sp], #16\n"
	"	ldp x6, x7, [sp], #16\n"
	"	br x9\n"
	".text\n");
#endif
