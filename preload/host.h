/* SPDX-License-Identifier: Apache-2.0 */
/* What the library needs of its host beyond system calls: arguments and environment, the C library's registration
 * functions, and a thread. One implementation per platform. */
#ifndef RTRACK_PRELOAD_HOST_H
#define RTRACK_PRELOAD_HOST_H

#include "core/base.h"

/* Places a variable that every process accesses in a page that the loader has already written. The first write to a
 * page costs almost a microsecond, in a process and again in each of its forks. */
#if defined(__APPLE__)
#define BESIDE_LOADER
#else
#define BESIDE_LOADER __attribute__((section(".data")))
#endif

/* Returns the C library's current environment, or NULL. */
char **host_environment(void);

/* Puts a NAME=VALUE entry into the environment: replaces an entry with that name, or appends it in a new array. `entry`
 * must remain valid and be writable, because bash temporarily writes into the strings. */
int host_environment_add(char *entry);

/* Removes the library from LD_PRELOAD in the host's environment if its file is missing, because the loader of every
 * executed program would report that on stderr. Call it before an operation that passes on the environment. `always`:
 * removes it unconditionally, as under a seccomp filter that would kill programs for our system calls. */
void host_forget_library(bool always);

/* Returns whether an entry of an environment makes the loader load this library. */
bool host_names_library(const char *entry);

/* Announces that a sandbox may deny access to files that this process has permission to read (landlock(7)). */
void host_is_confined(void);

/* Returns the environment to pass to an exec. It differs from `environment` only if the library's file is missing or
 * unreadable, as below a mount made by another process: then it excludes the library, and stays valid until this
 * thread's next exec. */
char *const *host_environment_to_hand_on(char *const *environment);

/* Returns the name by which this program was executed, or NULL if it is unknown or the loader was executed
 * explicitly. */
const char *host_executable_name(void);

/* Returns whether constructors receive the program's arguments (glibc: yes, musl: no). */
bool host_gives_arguments(void);

/* Registers functions for fork(): `prepare` runs before it, then `parent`, and `child` in the new process. */
void host_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* Returns whether the host was already running when it loaded us with dlopen(). */
bool host_is_running(void);

/* Returns whether the host counts its threads when it forks, and warns if there is more than one: Python since 3.12. */
bool host_counts_threads(void);

/* Makes a host that counts its threads call `function` soon after its current operation: a fork, followed by the
 * counting. Returns 0, or -1 if that is not possible. */
int host_call_later(int (*function)(void *unused));
bool host_can_call_later(void);

/* Returns whether the environment is not trusted: the executable gave the process another user's or group's rights, or
 * capabilities. */
bool host_is_privileged(void);

/* Returns the user of the host: cheap while its constructors run, otherwise like os_user. */
uint32_t host_user(void);

/* Registers `handler` to be called with the exit status at the very end of exit(). Returns -1 if the C library has no
 * such function. */
int host_at_exit(void (*handler)(int status, void *unused));

/* host_block_signals blocks every signal in the calling thread and returns the previous mask; host_restore_signals
 * restores it. */
uint64_t host_block_signals(void);
void host_restore_signals(uint64_t before);

/* Calls function(argument) on a stack of our own with every signal blocked, because the host's stack may be too small.
 * Usable in any thread and in a child of any kind. Returns 0, or -1 if there is no memory, without calling the
 * function. */
int host_run(void (*function)(void *), void *argument);

/* As host_run, for the end of a process: the signals stay blocked. */
int host_run_last(void (*function)(void *), void *argument);

/* Ends the process at once, like the C library's _exit. */
_Noreturn void host_exit_now(int status);

/* Returns the function of that name that the host would call without us, or NULL. */
void *host_find_next(const char *name);

/* Returns our function of that name, or NULL. */
void *host_find_own(const char *name);

/* Calls the next library's execve. Returns only on failure. */
int host_execve_through(const char *path, char *const *arguments, char *const *environment);

/* Ends the process with the function of that name that the host would call without us, such as a sanitizer's, or with
 * host_exit_now if there is none. */
_Noreturn void host_exit_through(const char *name, int status);

/* Looks up the `_exit` and `execve` for host_exit_through and host_execve_through, while no other thread changes the
 * loader's list of libraries. */
void host_find_nexts(void);

/* Returns the text that `given` denotes. A call from R may pass an array of texts (`.C`) or an R object (`.Call`); in
 * the latter case, *is_returned is set and the object must be returned to R. */
const char *host_label(const char *given, bool *is_returned);

/* -- the thread ------------------------------------------------------------------------------------ */

enum { THREAD_STOP = 1, THREAD_ASKED = 2 };

struct host_thread {
	uint32_t call;     /* THREAD_STOP: end; THREAD_ASKED: do now what is due later */
	uint32_t answered; /* number of requests that the thread has completed */
	int tid;           /* thread id; 0 if there is no thread */
	void *stack;
	int *leader_tid; /* cleared by the kernel when the main thread ends alone */
	bool outlived;   /* another thread of the host ended after the main thread */
};

enum host_wait { HOST_WAIT_TIME, HOST_WAIT_ASKED, HOST_WAIT_STOP, HOST_WAIT_LEADER };

/* Calls function(argument) on the stack of the future thread, which is larger than host_run's. Returns 0, or -1 if
 * there is no memory. */
int host_call(struct host_thread *thread, void (*function)(void *), void *argument);

/* Starts `entry` in a thread of the host with every signal blocked, without thread-local storage, and with an empty
 * descriptor table of its own. It must make only system calls and end with host_thread_exit. If the main thread has
 * ended before, its status becomes the process's. */
int host_thread_start(struct host_thread *thread, void (*entry)(void *));
_Noreturn void host_thread_exit(int status);

/* Called first in the thread or the keeper: closes the host's descriptors. Returns 0, or -1 on failure. */
int host_thread_part(void);

/* In the thread: waits until `left_ns` have passed, the thread is to stop, or the main thread has ended alone. */
enum host_wait host_thread_wait(struct host_thread *thread, int64_t left_ns);

/* In the thread, after the main thread has ended alone: returns the exit status that the process would have without our
 * thread. */
int host_thread_status(const struct host_thread *thread);

/* Returns the thread's CPU time in ns. */
uint64_t host_thread_used_ns(const struct host_thread *thread);

/* In the host: wakes the thread and waits up to two seconds until it has completed its work. Returns 0, or -1 on
 * timeout. */
int host_thread_ask(struct host_thread *thread);

/* In the thread: reports that the requested work is done. */
void host_thread_answer(struct host_thread *thread);

/* In the host: asks the thread to stop and waits up to two seconds until it has. */
void host_thread_stop(struct host_thread *thread);

/* -- the keeper ------------------------------------------------------------------------------------- */

/* Starts the keeper of the run in `directory` (sampler/keeper.h): executes the library's own file, in a new session and
 * without the host's resources. `settings`: its environment, consecutive NAME=VALUE strings with an empty one at the
 * end. Returns 0, or -1 on failure. */
int host_start_keeper(const char *directory, const char *settings);

/* As host_start_keeper, for a keeper that waits until the host has ended (keeper_wait). Returns its pid, or -1, also if
 * it would disturb: as a child of a host that adopts orphans, or if the system allows few processes. */
int host_start_guard(const char *directory, const char *settings);

/* Starts rtrack-gpu, which is next to the library, under the same conditions. Returns its pid, or -1. `nvml`: value of
 * RTRACK_NVML, or "" for the default. */
int host_start_gpu(const char *directory, const char *settings, const char *nvml);

/* Returns the path of the library's file, or NULL if unknown. Call host_find_library before the host changes its
 * working directory. */
void host_find_library(void);
const char *host_library_path(void);

#endif
