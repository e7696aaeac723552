/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the library as a program, the keeper. A keeper continues to sample the run after the thread in the host has
 * ended.
 *
 * A fork of the host would keep all of the host's memory alive. Therefore the library's own file is executed, which
 * is a shared object without an interpreter. Its entry point relocates the library and calls the keeper's loop.
 * Until exec, the child shares the host's memory (CLONE_VFORK), so that no page table is copied. */
#include "preload/host.h"

#include "core/number.h"
#include "core/spool.h"
#include "os/clock.h"
#include "os/linux/sys.h"
#include "os/memory.h"
#include "os/process.h"
#include "os/self.h"
#include "sampler/keeper.h"

#include <elf.h>
#include <link.h>
#include <linux/sched.h>

/* Number of arguments of a keeper and of a guard (ARGUMENTS_TO_WAIT), and maximum number of their settings. */
enum { ARGUMENTS = 3, ARGUMENTS_TO_WAIT = 4, SETTINGS_MAX = 4 };
enum { SPAWN_STACK_SIZE = 16384, SIGNAL_TERMINATE = 15, WAIT_FOR_ANY_KIND = 0x40000000 /* __WALL */ };

static char keeper[] = "rtrack-keeper";

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* -- in the host -------------------------------------------------------------------------------------- */

struct spawning {
	const char *path;
	unsigned long flags;
	char *arguments[ARGUMENTS_TO_WAIT + 1];
	char *environment[SETTINGS_MAX + 1];
	char between[12]; /* pid of the intermediate process, as text */
	char *stack;      /* stack of the keeper's process until it calls exec */
	volatile long keeper;
	volatile int failed;
};

static void execute(void *argument)
{
	struct spawning *spawning = argument;

	(void)SYS_CALL0(__NR_setsid);
	(void)SYS_CALL1(__NR_chdir, "/");
	host_restore_signals(~((uint64_t)1 << (SIGNAL_TERMINATE - 1)));
	(void)SYS_CALL3(__NR_execve, spawning->path, spawning->arguments, spawning->environment);
	spawning->failed = 1;
	for (;;)
		(void)SYS_CALL1(__NR_exit, 0);
}

/* Runs in an intermediate process, which starts the keeper and ends immediately, so that the keeper is not a child
 * of the host. A host that waits for all its children would wait for the keeper, which waits for the host. */
static void start_between(void *argument)
{
	struct spawning *spawning = argument;
	struct buffer between = BUFFER(spawning->between);
	int tid;

	buffer_unsigned(&between, (uint64_t)os_pid());
	(void)buffer_terminate(&between);
	spawning->arguments[2] = spawning->between;
	spawning->keeper = sys_clone_thread(spawning->flags, spawning->stack, &tid, &tid, execute, spawning);
	if (spawning->keeper <= 0)
		spawning->failed = 1;
	for (;;)
		(void)SYS_CALL1(__NR_exit, 0);
}

/* Returns the keeper's pid, or -1. */
static int start(const char *path, char *name, const char *directory, const char *settings, const char *last)
{
	char *stack = os_map(SPAWN_STACK_SIZE);
	struct spawning spawning = {.path = path, .arguments = {name, (char *)directory, NULL, (char *)last, NULL}};
	int tid;

	if (!stack)
		return -1;
	for (int i = 0; i < SETTINGS_MAX && settings[0] != '\0'; settings += text_length(settings) + 1)
		spawning.environment[i++] = (char *)settings;
	spawning.stack = stack + SPAWN_STACK_SIZE / 2;
	/* CLONE_UNTRACED hides the child from a debugger that follows children. valgrind does not know this flag. */
	spawning.flags = CLONE_VM | CLONE_VFORK | (sys_is_translated() ? 0 : CLONE_UNTRACED);
	uint64_t before = host_block_signals();
	long pid = sys_clone_thread(spawning.flags, stack + SPAWN_STACK_SIZE, &tid, &tid, start_between, &spawning);
	/* Reaps the intermediate process. The host's ordinary waits do not see that process, because it sends no
	 * signal when it ends, and only __WALL includes such processes. */
	if (pid > 0)
		(void)SYS_CALL4(__NR_wait4, pid, NULL, WAIT_FOR_ANY_KIND, NULL);
	host_restore_signals(before);
	os_unmap(stack, SPAWN_STACK_SIZE);
	return pid > 0 && !spawning.failed ? (int)spawning.keeper : -1;
}

int host_start_keeper(const char *directory, const char *settings)
{
	return start(host_library_path(), keeper, directory, settings, NULL) > 0 ? 0 : -1;
}

/* Returns whether the user's limit on processes leaves room for another one. */
static bool has_room(void)
{
	/* PROCESSES is RLIMIT_NPROC; the header that defines it conflicts with <link.h> */
	enum { ROOM = 4096, PROCESSES = 6 };
	uint64_t limits[2]; /* struct rlimit64 */
	return SYS_CALL4(__NR_prlimit64, 0, PROCESSES, 0, limits) == 0 && limits[0] >= ROOM;
}

static bool may_start(void)
{
	return !sys_is_translated() && !os_keeps_orphans() && has_room();
}

int host_start_guard(const char *directory, const char *settings)
{
	return may_start() ? start(host_library_path(), keeper, directory, settings, "wait") : -1;
}

int host_start_gpu(const char *directory, const char *settings, const char *nvml)
{
	static char name[] = "rtrack-gpu";
	char data[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(data);
	struct text library = text_of(host_library_path());

	buffer_text(&path, (struct text){library.data, library.length - text_basename(library).length});
	buffer_string(&path, name);
	return may_start() ? start(buffer_terminate(&path), name, directory, settings, nvml) : -1;
}

/* -- as a program --------------------------------------------------------------------------------------- */

/* Adds the load address to each address that needs a relative relocation. A program without an interpreter has no
 * other relocations. */
static void relocate(void)
{
	ElfW(Addr) base = (ElfW(Addr)) & __ehdr_start;
	const ElfW(Rela) *entries = NULL;
	size_t size = 0;
#if defined(__x86_64__)
	enum { RELATIVE = R_X86_64_RELATIVE };
#elif defined(__riscv)
	enum { RELATIVE = R_RISCV_RELATIVE };
#else
	enum { RELATIVE = R_AARCH64_RELATIVE };
#endif
	for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_RELA)
			entries = (const void *)(base + entry->d_un.d_ptr);
		else if (entry->d_tag == DT_RELASZ)
			size = entry->d_un.d_val;
	}
	for (size_t i = 0; entries && i < size / sizeof *entries; i++)
		if (ELF64_R_TYPE(entries[i].r_info) == RELATIVE)
			*(ElfW(Addr) *)(base + entries[i].r_offset) = base + (ElfW(Addr))entries[i].r_addend;
}

/* Waits until the intermediate process is reaped. Until then the keeper would count as a member of the run, because its
 * parent is one. */
static void await_reaping(const char *between)
{
	enum { TRIES = 200, PAUSE_NS = 1000000 };
	struct process_reading reading;
	uint64_t pid = 0;

	if (number_read_unsigned(text_of(between), &pid) != 0)
		return;
	for (int i = 0; i < TRIES && process_read((int)pid, false, &reading) == 0; i++)
		os_sleep(PAUSE_NS);
}

/* Entry point of a keeper. `stack` is the kernel's initial stack: the number of arguments, the arguments, NULL, the
 * environment, NULL. */
__attribute__((used, visibility("hidden"))) _Noreturn void rtrack_keeper_main(long *stack);
_Noreturn void rtrack_keeper_main(long *stack)
{
	relocate();
	char **arguments = (char **)(stack + 1);
	bool waits = stack[0] == ARGUMENTS_TO_WAIT;
	bool called = (waits || stack[0] == ARGUMENTS) && text_is(text_of(arguments[0]), keeper);
	if (called) {
		/* Closes the descriptors inherited from the host, because open copies would keep pipes from closing. */
		(void)host_thread_part();
		os_raise_descriptor_limit();
		await_reaping(arguments[2]);
		(waits ? keeper_wait : keeper_run)(arguments[1], arguments + stack[0] + 1);
	}
	host_exit_now(called ? 0 : 1);
}

#if defined(__x86_64__)
__asm__(".text\n"
	".globl rtrack_keeper_start\n"
	".hidden rtrack_keeper_start\n"
	".type rtrack_keeper_start, @function\n"
	"rtrack_keeper_start:\n"
	"	xor %ebp, %ebp\n"
	"	mov %rsp, %rdi\n"
	"	and $-16, %rsp\n"
	"	call rtrack_keeper_main\n"
	"	hlt\n");
#elif defined(__riscv)
__asm__(".text\n"
	".globl rtrack_keeper_start\n"
	".hidden rtrack_keeper_start\n"
	".type rtrack_keeper_start, %function\n"
	"rtrack_keeper_start:\n"
	"	li s0, 0\n"
	"	mv a0, sp\n"
	"	andi sp, sp, -16\n"
	"	call rtrack_keeper_main\n"
	"	ebreak\n");
#else
__asm__(".text\n"
	".globl rtrack_keeper_start\n"
	".hidden rtrack_keeper_start\n"
	".type rtrack_keeper_start, %function\n"
	"rtrack_keeper_start:\n"
	"	mov x29, #0\n"
	"	mov x0, sp\n"
	"	bl rtrack_keeper_main\n"
	"	brk #0\n");
#endif
