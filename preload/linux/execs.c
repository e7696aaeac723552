/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes calls that execute another program, and dlsym, because programs may look up these functions by dlsym.
 *
 * If the next program loads the library, the library resumes sampling. A static or 32-bit program does not load the
 * library, nor does a program that gains privileges or lacks the library in LD_PRELOAD. Such a program would not be
 * sampled, and its end would not be observed. Therefore a root passes sampling to a keeper before it executes such a
 * program.
 *
 * If the library's file is missing, the library is removed from LD_PRELOAD, because otherwise the dynamic loader
 * would report the missing file on stderr. The file may be hidden, for example, by mount(8). */
#include "core/pattern.h"
#include "core/spool.h"
#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/sys.h"
#include "os/memory.h"
#include "os/self.h"
#include "preload/host.h"
#include "preload/librtrack.h"
#include "preload/member.h"
#include "preload/root.h"

#include <elf.h>
#include <link.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

#define EXPORT __attribute__((visibility("default")))

static bool has_library(char *const *environment)
{
	while (environment && *environment && !host_names_library(*environment))
		environment++;
	return environment && *environment;
}

/* Returns whether a program gains privileges from its file, so that the dynamic loader ignores LD_PRELOAD
 * (AT_SECURE). File capabilities do not matter for root, which has all capabilities already. */
static bool gets_rights(const char *path)
{
	enum { SET_USER = 04000, SET_GROUP = 02000 };
	struct statx status;
	uint32_t user = sys_user();

	return SYS_CALL5(__NR_statx, AT_FDCWD, path, 0, STATX_MODE | STATX_UID | STATX_GID, &status) == 0 &&
	       (((status.stx_mode & SET_USER) && status.stx_uid != user) ||
		       ((status.stx_mode & SET_GROUP) && status.stx_gid != (uint32_t)SYS_CALL0(__NR_getgid)) ||
		       (user != 0 && SYS_CALL4(__NR_getxattr, path, "security.capability", 0, 0) > 0));
}

/* Returns whether a program runs without the library. For a script, the interpreter is checked. A dynamically linked
 * program has a PT_INTERP entry before its first segment (gABI, "Program Header"). If the program headers are not
 * right after the ELF header, which does not occur in practice, the file counts as dynamically linked. Sets *found
 * if the file exists. */
static bool is_bare(const char *path, bool *found)
{
	enum { ENTRIES = 4, SCRIPTS_MAX = 5 };
	struct {
		ElfW(Ehdr) head;
		ElfW(Phdr) entries[ENTRIES];
		char end;
	} file;
	char *text = (char *)&file;

	for (int scripts = 0; scripts <= SCRIPTS_MAX; scripts++) {
		size_t i = 0, at = 2;
		if (gets_rights(path))
			return *found = true;
		int64_t length = os_read(OS_HERE, path, text, offsetof(__typeof__(file), end));
		*found |= length >= 0;
		if (length > 2 && text[0] == '#' && text[1] == '!') {
			struct text word = parse_word((struct text){text, (size_t)length}, &at);
			text[at] = '\0';
			path = word.data;
			continue;
		}
		if (length != offsetof(__typeof__(file), end) || file.head.e_ident[0] != ELFMAG0)
			return false;
		if (file.head.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
			return true;
		while (i < ENTRIES && file.entries[i].p_type != PT_INTERP && file.entries[i].p_type != PT_LOAD)
			i++;
		return i < ENTRIES && file.entries[i].p_type == PT_LOAD;
	}
	return false;
}

/* Like is_bare, for a program that execvp executes. If `name` contains no '/', this is the first such file in the
 * directories of PATH. */
static bool is_found_bare(const char *name, char *const *environment)
{
	struct text path = text_of(environment_get(environment, "PATH"));
	bool found = false, result = is_bare(name, &found);

	found |= text_find(text_of(name), '/', 0) < text_length(name);
	for (size_t start = 0; start < path.length && !found;) {
		char file[SPOOL_PATH_MAX / 8];
		struct buffer out = BUFFER(file);
		size_t end = text_find(path, ':', start);
		buffer_text(&out, (struct text){path.data + start, end - start});
		buffer_byte(&out, '/');
		buffer_string(&out, name);
		result = is_bare(buffer_terminate(&out), &found);
		start = end + 1;
	}
	return result;
}

/* Returns the environment to pass on. Under a seccomp filter, returns `environment` without a system call, because
 * the filter may kill the host for system calls of the library. */
static char *const *to_hand_on(char *const *environment)
{
	return member_is_silent() ? environment : host_environment_to_hand_on(environment);
}

/* Called before this process executes another program. Returns the environment to pass. `path` is NULL if a descriptor
 * specifies the file. */
static char *const *to_execute(const char *path, char *const *environment)
{
	environment = to_hand_on(environment);
	if (!member_has_begun())
		return environment;
	/* A program that loads the library is still not tracked if RTRACK is off or the program is excluded. If
	 * `path` is excluded but is a link to a program that is not, the program is tracked and its end is recorded
	 * twice. */
	bool off = text_is(text_of(environment_get(environment, "RTRACK")), "off");
	bool parts = off || !has_library(environment) || os_is_privileged() ||
		     pattern_list_match(text_of(library_excluded_by(environment)), text_of(path)) ||
		     is_found_bare(path, environment);
	member_executes(off ? NULL : path, parts, root_used_ns());
	/* The keeper may see only that the root is gone. root_part therefore records that the end is unknown, so
	 * that readers do not take it for a kill. If the host adopts orphans, a keeper would become its child, so no
	 * keeper is started. */
	if (parts && root_has_sampler()) {
		root_part();
		if (!os_keeps_orphans())
			root_leave();
	}
	return environment;
}

EXPORT int execve(const char *path, char *const *arguments, char *const *environment);
EXPORT int execve(const char *path, char *const *arguments, char *const *environment)
{
	return host_execve_through(path, arguments, to_execute(path, environment));
}

EXPORT int execv(const char *path, char *const *arguments);
EXPORT int execv(const char *path, char *const *arguments)
{
	return host_execve_through(path, arguments, to_execute(path, host_environment()));
}

EXPORT int execvp(const char *name, char *const *arguments);
EXPORT int execvp(const char *name, char *const *arguments)
{
	char *const *own = host_environment(), *const *environment = to_execute(name, own);
	union {
		void *address;
		int (*call)(const char *, char *const *, char *const *);
	} real = {host_find_next(environment == own ? "execvp" : "execvpe")};

	/* execvp has only two parameters, and ignores the third argument. */
	return real.address ? real.call(name, arguments, environment) : -1;
}

/* -- calls that return, or take their arguments one by one --------------------------------------------
 *
 * In C, a wrapper of these calls would need a second list of arguments on the host's stack. Also, if a thread is
 * cancelled in system(), the library must have no frame on the thread's stack. The wrappers therefore save and
 * restore the registers, and enter the C library's function with the stack unchanged. */

/* Where a call takes its environment: the index of an argument, LAST if it follows the list of arguments, or OWN if
 * the call uses the process's environment. NO_EXEC: the call executes nothing. */
enum { NO_EXEC = 253, LAST = 254, OWN = 255 };

/* The order must be that of ENTRIES below. */
static const struct {
	char name[13];
	unsigned char environment;
} calls[] = {{"execl", OWN}, {"execlp", OWN}, {"execle", LAST}, {"execvpe", 2}, {"posix_spawn", 5}, {"posix_spawnp", 5},
	{"system", OWN}, {"popen", OWN}, {"dlsym", NO_EXEC}};
enum { EXECL = 0, EXECVPE = 3 };

static int fails(void)
{
	return -1;
}

/* Returns the index in `saved` of the argument after index `i`. `saved` contains the arguments from registers, and
 * behind them the caller's stack. */
static size_t behind(size_t i)
{
#if defined(__x86_64__)
	enum { REGISTERS = 6, BEHIND = REGISTERS + 2 /* the call number and the return address */ };
#else
	enum { REGISTERS = 8, BEHIND = REGISTERS };
#endif
	return i + 1 == REGISTERS ? (size_t)BEHIND : i + 1;
}

/* Executes the program of execl or execlp with another environment. The host's variable `environ` must not be changed,
 * because a child of vfork shares it with its parent. */
static void execute_listed(void **saved, void *environment, const char *function)
{
	size_t count = 0, i = 1;
	for (; saved[i]; i = behind(i))
		count++;
	void **list = os_map((count + 1) * sizeof *list);
	union {
		void *address;
		int (*call)(const void *, void **, void *);
	} real = {host_find_next(function)};

	i = 1;
	for (size_t place = 0; list && place < count; i = behind(i))
		list[place++] = saved[i];
	if (list && real.address)
		(void)real.call(saved[0], list, environment);
}

/* Looks up a function for a program, such as Python's ctypes. If the result is the function that host_find_next
 * finds, returns rtrack's function instead. Other results are returned unchanged. Otherwise a library that
 * interposes the same function could get rtrack's function, which would call that library again. */
static void *look_up(void *handle, const char *name)
{
	union {
		void *address;
		void *(*call)(void *, const char *);
	} real = {host_find_next("dlsym")};
	void *found = real.call(handle, name);

	return found && found == host_find_next(name) ? host_find_own(name) : found;
}

/* Returns whether dlsym is called with an explicit handle for a function that the library interposes. RTLD_NEXT and
 * RTLD_DEFAULT are excluded, because for them glibc determines the calling library from the return address. */
static bool is_asked_for_ours(void **saved)
{
	void *const to_all = NULL, *const to_next = (void *)-1; /* RTLD_DEFAULT, RTLD_NEXT */

	return saved[0] != to_all && saved[0] != to_next && saved[1] && host_find_own(saved[1]);
}

/* Replaces the environment in the saved arguments by the one to pass on. If the call takes no environment, hand_on
 * executes the program itself, and returns false if that fails. */
static bool hand_on(void **saved, size_t call)
{
	bool comes_back = call > EXECVPE;
	void *own = host_environment(), **environment = &own;
	size_t i = 1;

	if (calls[call].environment == LAST) {
		while (saved[i])
			i = behind(i);
		environment = &saved[behind(i)];
	} else if (calls[call].environment != OWN) {
		environment = &saved[calls[call].environment];
	}
	void *handed_on = (void *)(comes_back ? to_hand_on(*environment) : to_execute(saved[0], *environment));
	if (handed_on != *environment && environment == &own) {
		if (!comes_back) {
			execute_listed(saved, handed_on, call == EXECL ? "execve" : "execvpe");
			return false;
		}
		host_forget_library(false);
	}
	*environment = handed_on;
	return true;
}

/* Called from the assembler code below. Returns the function to enter. */
__attribute__((used, visibility("hidden"))) void *rtrack_before_call(void **saved, size_t call);
void *rtrack_before_call(void **saved, size_t call)
{
	static void *nexts[sizeof calls / sizeof *calls - EXECVPE];
	void *once = NULL, **known = call > EXECVPE ? &nexts[call - EXECVPE] : &once;
	bool executes = calls[call].environment != NO_EXEC;

	if (!executes && is_asked_for_ours(saved))
		return (void *)look_up;
	if (executes && !hand_on(saved, call))
		return (void *)fails;
	if (!*known)
		*known = host_find_next(calls[call].name);
	return *known ? *known : (void *)fails;
}

#define ENTRIES                                                                                                        \
	ENTRY("execl", "0")                                                                                            \
	ENTRY("execlp", "1")                                                                                           \
	ENTRY("execle", "2")                                                                                           \
	ENTRY("execvpe", "3")                                                                                          \
	ENTRY("posix_spawn", "4")                                                                                      \
	ENTRY("posix_spawnp", "5") ENTRY("system", "6") ENTRY("popen", "7") ENTRY("dlsym", "8")

#if defined(__x86_64__)
#define ENTRY(function, call)                                                                                          \
	".globl " function "\n.type " function ", @function\n" function ":\n push $" call "\n"                         \
	" jmp 1f\n"
__asm__(".text\n" ENTRIES "1:	push %r9\n"
	"	push %r8\n"
	"	push %rcx\n"
	"	push %rdx\n"
	"	push %rsi\n"
	"	push %rdi\n"
	"	mov %rsp, %rdi\n"
	"	mov 48(%rsp), %esi\n"
	"	call rtrack_before_call\n"
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
#define ENTRY(function, call)                                                                                          \
	".globl " function "\n.type " function ", %function\n" function ":\n li t0, " call "\n"                        \
	" j 1f\n"
__asm__(".text\n" ENTRIES "1:	addi sp, sp, -80\n"
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
	"	call rtrack_before_call\n"
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
#define ENTRY(function, call)                                                                                          \
	".globl " function "\n.type " function ", %function\n" function ":\n mov x9, #" call "\n"                      \
	" b 1f\n"
__asm__(".text\n" ENTRIES "1:	stp x6, x7, [sp, #-16]!\n"
	"	stp x4, x5, [sp, #-16]!\n"
	"	stp x2, x3, [sp, #-16]!\n"
	"	stp x0, x1, [sp, #-16]!\n"
	"	mov x0, sp\n"
	"	mov x1, x9\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x29, sp\n"
	"	bl rtrack_before_call\n"
	"	mov x9, x0\n"
	"	ldp x29, x30, [sp], #16\n"
	"	ldp x0, x1, [sp], #16\n"
	"	ldp x2, x3, [sp], #16\n"
	"	ldp x4, x5, [sp], #16\n"
	"	ldp x6, x7, [sp], #16\n"
	"	br x9\n"
	".text\n");
#endif
