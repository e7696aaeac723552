/* What the library needs of the program that loaded it, beyond system calls: its arguments and its
 * environment, its C library's registration functions, and a thread in it. One folder per platform. */
#ifndef RTRACK_PRELOAD_HOST_H
#define RTRACK_PRELOAD_HOST_H

#include "core/base.h"

/* Of a variable that every process writes or reads: where the loader has written already. A page that nothing has
 * written yet costs a process the best part of a microsecond, and each of its forks again. */
#if defined(__APPLE__)
#define BESIDE_LOADER
#else
#define BESIDE_LOADER __attribute__((section(".data")))
#endif

/* The environment as the program's C library has it now; NULL when there is none. */
char **host_environment(void);

/* Puts one NAME=VALUE entry into the environment: in the place of one of that name, else at the end of a new array.
 * `entry` must stay, and be writable: bash writes into the strings while it reads them. */
int host_environment_add(char *entry);

/* Before a call that hands on the host's own environment: takes the library out of LD_PRELOAD if its file is not there,
 * since the loader of every program that the host executes from now on would say so on stderr; or always, as behind a
 * filter of system calls, which those programs would be killed for, with ours. */
void host_forget_library(bool always);

/* Whether an entry of an environment has the loader load this library. */
bool host_names_library(const char *entry);

/* From now on a sandbox may keep this process from files that it has the right to read (landlock(7)). */
void host_is_confined(void);

/* Before an exec with `environment`: what is to be handed on instead. That is another array only where the library's
 * file is not there or may not be read, as below a mount that another process made; then it is without the library, and
 * stays until this thread's next exec. */
char *const *host_environment_to_hand_on(char *const *environment);

/* The name by which this program was executed, as the kernel tells it; NULL: unknown, or the kernel executed the loader
 * and that the program. */
const char *host_executable_name(void);

/* Whether constructors are called with the program's arguments (glibc does, musl does not). */
bool host_gives_arguments(void);

/* Calls `prepare` before every fork(), then `parent` and, in every child that it makes, `child`. */
void host_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* Whether the host was running already when it loaded us: dlopen(). */
bool host_is_running(void);

/* Whether the host looks how many threads it has when it forks, and complains about more than one: Python since 3.12.
 */
bool host_counts_threads(void);

/* Has such a host call `function` in a moment, when it is done with what it does now: a fork, and counting its threads
 * after that. -1: it cannot, or not now. */
int host_call_later(int (*function)(void *unused));
bool host_can_call_later(void);

/* Whether the environment is not to be trusted: another user's or group's rights, or capabilities, came with the file.
 */
bool host_is_privileged(void);

/* The user of the host while its constructors run; later, os_user. */
uint32_t host_user(void);

/* Calls `handler` with the exit status as the last thing that exit() does. -1 when the C library has no
 * such call. */
int host_at_exit(void (*handler)(int status, void *unused));

/* Blocks every signal of the calling thread and returns those that were blocked before; and back. */
uint64_t host_block_signals(void);
void host_restore_signals(uint64_t before);

/* Calls function(argument) on a stack of our own with every signal blocked, and comes back: the host's stack may have
 * no room. From any thread, and from a child of any kind. -1: there is no memory, and nothing was called. */
int host_run(void (*function)(void *), void *argument);

/* The same at the end of a process: the signals stay blocked after it. */
int host_run_last(void (*function)(void *), void *argument);

/* Ends the process at once, as the C library's _exit does. */
_Noreturn void host_exit_now(int status);

/* The function of that name that the host would have called without us; NULL where there is none. */
void *host_find_next(const char *name);

/* The function of that name of ours; NULL: there is none. */
void *host_find_own(const char *name);

/* execve of the next library behind this one. It returns only where it fails. */
int host_execve_through(const char *path, char *const *arguments, char *const *environment);

/* Ends the process by the function of that name that the host would have called without us, which may be a
 * sanitizer's; by host_exit_now where there is none. */
_Noreturn void host_exit_through(const char *name, int status);

/* Looks up what host_exit_through and host_execve_through will call, the next `_exit` and `execve`, while no other
 * thread changes the loader's list. */
void host_find_nexts(void);

/* The text that a program means by `given`. In R that may be what `.C` hands on for a text, an array of them, or what
 * `.Call` does, an object; the latter is to be returned to it. */
const char *host_label(const char *given, bool *is_returned);

/* -- the thread ------------------------------------------------------------------------------------ */

enum { THREAD_STOP = 1, THREAD_ASKED = 2 };

struct host_thread {
	uint32_t call;     /* THREAD_STOP: come to an end; THREAD_ASKED: do at once what is due later */
	uint32_t answered; /* how often the thread has done what was due */
	int tid;           /* 0: there is none (any more) */
	void *stack;
	int *leader_tid; /* the kernel clears it when the main thread ends alone */
	bool outlived;   /* another thread of the host ended after the main thread */
};

enum host_wait { HOST_WAIT_TIME, HOST_WAIT_ASKED, HOST_WAIT_STOP, HOST_WAIT_LEADER };

/* Calls function(argument) on the stack of the thread to come, which is larger than host_run's, and comes back. -1 when
 * there is no memory. */
int host_call(struct host_thread *thread, void (*function)(void *), void *argument);

/* Starts `entry` in a thread of the host with every signal blocked, without thread-local storage, and
 * with a table of descriptors that is its own and empty. It must make system calls only and end with
 * host_thread_exit. Its status is the process' when the main thread has ended alone before it. */
int host_thread_start(struct host_thread *thread, void (*entry)(void *));
_Noreturn void host_thread_exit(int status);

/* In the thread or the keeper, first: parts with the host's descriptors. -1: it could not. */
int host_thread_part(void);

/* In the thread: waits for `left_ns`, until the thread is to stop, or until the main thread has ended alone. */
enum host_wait host_thread_wait(struct host_thread *thread, int64_t left_ns);

/* In the thread: the status with which the process ends, as it would without the thread, where the main thread has
 * ended alone. */
int host_thread_status(const struct host_thread *thread);

/* CPU time that the thread has used until now, in ns. */
uint64_t host_thread_used_ns(const struct host_thread *thread);

/* In the host: wakes the thread up from its wait, and waits until it answers, at most two seconds; -1: it did not. */
int host_thread_ask(struct host_thread *thread);

/* In the thread: what was asked for until now is done. */
void host_thread_answer(struct host_thread *thread);

/* In the host: asks the thread to stop and waits until it has, at most two seconds. */
void host_thread_stop(struct host_thread *thread);

/* -- the keeper ------------------------------------------------------------------------------------- */

/* Starts the library itself as a program, in a session of its own and without anything of the host: the keeper of the
 * run in `directory` (sampler/keeper.h). `settings`: its environment, one NAME=VALUE behind the other and an empty one
 * at the end. -1: it could not be executed. */
int host_start_keeper(const char *directory, const char *settings);

/* The same, for a keeper that waits until the host has ended (keeper_wait); returns its pid. -1, too, where it would
 * disturb: where it would become a child of the host, or the system allows few processes. */
int host_start_guard(const char *directory, const char *settings);

/* Starts rtrack-gpu, which is beside the library, in the same way and with the same cares; returns its pid. `nvml`: as
 * RTRACK_NVML says; "": where it is usually. */
int host_start_gpu(const char *directory, const char *settings, const char *nvml);

/* The path of the library's file; NULL: unknown. To be looked for before the host changes its working directory. */
void host_find_library(void);
const char *host_library_path(void);

#endif
