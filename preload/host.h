/* SPDX-License-Identifier: Apache-2.0 */
/* What the library needs of its host besides system calls: arguments, environment, functions of the C library, and a
 * thread. Each platform has one implementation.
 *
 * The host is the program that has loaded the library. A keeper is a separate process that samples a run in place of a
 * thread in the host. */
#ifndef RTRACK_PRELOAD_HOST_H
#define RTRACK_PRELOAD_HOST_H

#include "core/base.h"

/* Puts a variable into .data, in a page that the dynamic loader has already written. The first write to another page
 * costs almost a microsecond, in each process and again in each fork. */
#if defined(__APPLE__)
#define BESIDE_LOADER
#else
#define BESIDE_LOADER __attribute__((section(".data")))
#endif

/* Returns the C library's current environment, or NULL. */
char **host_environment(void);

/* Puts a NAME=VALUE entry into the environment. It replaces an entry with that name, or appends the new one in a new
 * array. `entry` must remain valid and be writable, because bash writes into the strings for a moment. */
int host_environment_add(char *entry);

/* If the library's file is missing, removes the library from LD_PRELOAD in the host's environment. Otherwise the
 * dynamic loader of each executed program would report the missing file on stderr. Call it before an operation that
 * passes on the environment. `always`: removes it even if the file exists. */
void host_forget_library(bool always);

/* Returns whether an environment entry makes the dynamic loader load this library. */
bool host_names_library(const char *entry);

/* Call it when a sandbox may deny access to files in spite of their permissions (landlock(7)). */
void host_is_confined(void);

/* Returns the environment to pass to an exec. If the library's file is missing or unreadable, for example below a new
 * mount, the result is a copy without the library. It is valid until this thread's next exec. Otherwise the result is
 * `environment`. */
char *const *host_environment_to_hand_on(char *const *environment);

/* Returns the name by which this program was executed. NULL if it is unknown, or if the dynamic loader was executed as
 * a command. */
const char *host_executable_name(void);

/* Returns whether constructors receive the program's arguments (glibc: yes, musl: no). */
bool host_gives_arguments(void);

/* Registers functions with the C library for fork(): `prepare` runs before the fork, `parent` after it in the parent,
 * and `child` in the child. */
void host_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* Returns whether the host's main function was already running when the host loaded the library with dlopen(). */
bool host_is_running(void);

/* Returns whether the host is a Python that counts its threads at a fork and warns if there are several (since
 * 3.12). */
bool host_counts_threads(void);

/* Makes the host call `function` soon, from its main loop. Python counts its threads after a fork, and makes the call
 * after that. Returns 0, or -1 if that is not possible. */
int host_call_later(int (*function)(void *unused));
bool host_can_call_later(void);

/* Returns whether the environment must not be trusted, because the executable has given the process additional rights:
 * another user or group, or capabilities. */
bool host_is_privileged(void);

/* Returns the user of the host. Until its main function runs, this needs no system call. */
uint32_t host_user(void);

/* Registers a function that exit() calls last, with the exit status. Returns -1 if the C library has no on_exit. */
int host_at_exit(void (*handler)(int status, void *unused));

/* host_block_signals blocks all signals in the calling thread and returns the previous mask. host_restore_signals
 * restores that mask. */
uint64_t host_block_signals(void);
void host_restore_signals(uint64_t before);

/* Calls function(argument) on the library's own stack, because the host's stack may be too small, with all signals
 * blocked. Any thread can call it, and any child process. If there is no memory, returns -1 without calling the
 * function. */
int host_run(void (*function)(void *), void *argument);

/* As host_run, for the end of a process: all signals stay blocked afterwards. */
int host_run_last(void (*function)(void *), void *argument);

/* Ends the process at once, like the C library's _exit. */
_Noreturn void host_exit_now(int status);

/* Returns the function `name` that the host would call without the library, or NULL. */
void *host_find_next(const char *name);

/* Returns the library's own function `name`, or NULL. */
void *host_find_own(const char *name);

/* Calls the execve of the next loaded library. Returns only on failure. */
int host_execve_through(const char *path, char *const *arguments, char *const *environment);

/* Ends the process with the function `name` that the host would call without the library, such as a sanitizer's _exit.
 * If there is none, ends it with host_exit_now. */
_Noreturn void host_exit_through(const char *name, int status);

/* Looks up the functions for host_exit_through and host_execve_through. Call it while no other thread changes the
 * dynamic loader's list of libraries. */
void host_find_nexts(void);

/* Returns the text that `given` refers to. R passes an array of texts (`.C`) or an R object (`.Call`). For an object,
 * *is_returned is set, and the caller must return it to R. */
const char *host_label(const char *given, bool *is_returned);

/* -- the thread ------------------------------------------------------------------------------------ */

enum { THREAD_STOP = 1, THREAD_ASKED = 2 };

struct host_thread {
	uint32_t call;     /* THREAD_STOP: end; THREAD_ASKED: do now what is due later */
	uint32_t answered; /* number of requests that the thread has completed */
	int tid;           /* thread id; 0 if there is no thread */
	void *stack;
	int *leader_tid; /* the kernel clears it when the main thread ends before the others */
	bool outlived;   /* another thread of the host ended after the main thread */
};

enum host_wait { HOST_WAIT_TIME, HOST_WAIT_ASKED, HOST_WAIT_STOP, HOST_WAIT_LEADER };

/* Calls function(argument) on the stack for the thread, which is larger than the stack of host_run. Returns 0, or -1 if
 * there is no memory. */
int host_call(struct host_thread *thread, void (*function)(void *), void *argument);

/* Starts a thread in the host that runs `entry`. It has all signals blocked, no thread-local storage, and its own empty
 * descriptor table. `entry` must make only system calls and end with host_thread_exit. If the main thread has already
 * ended, the status of this thread becomes the exit status of the process. */
int host_thread_start(struct host_thread *thread, void (*entry)(void *));
_Noreturn void host_thread_exit(int status);

/* Closes the host's descriptors. The thread, or the keeper, calls it first. Returns 0, or -1 on failure. */
int host_thread_part(void);

/* Called in the thread: waits until `left_ns` have passed, the thread should stop, or the main thread has ended before
 * the others. */
enum host_wait host_thread_wait(struct host_thread *thread, int64_t left_ns);

/* Called in the thread after the main thread has ended: returns the exit status that the process would have without the
 * library. */
int host_thread_status(const struct host_thread *thread);

/* Returns the thread's CPU time in ns. */
uint64_t host_thread_used_ns(const struct host_thread *thread);

/* Called in the host: wakes the thread and waits for up to two seconds until its work is done. Returns 0, or -1 on
 * timeout. */
int host_thread_ask(struct host_thread *thread);

/* Called in the thread: reports that the requested work is done. */
void host_thread_answer(struct host_thread *thread);

/* Called in the host: tells the thread to stop and waits for up to two seconds until it has. */
void host_thread_stop(struct host_thread *thread);

/* -- the keeper ------------------------------------------------------------------------------------- */

/* Starts a keeper for the run in `directory`. It executes the library's own file in a new session, without the host's
 * resources. `settings` is its environment: consecutive NAME=VALUE strings, and an empty string at the end. Returns 0,
 * or -1 on failure. */
int host_start_keeper(const char *directory, const char *settings);

/* Starts a guard, a keeper that waits until the host has ended (keeper_wait). Returns its pid or -1. No guard is
 * started if it could disturb: a host that adopts orphans would adopt the guard, and the user's limit on processes may
 * be low. */
int host_start_guard(const char *directory, const char *settings);

/* Starts rtrack-gpu, which is in the directory of the library. Fails under the conditions of host_start_guard. Returns
 * its pid, or -1. `nvml`: value of RTRACK_NVML, or "" for the default. */
int host_start_gpu(const char *directory, const char *settings, const char *nvml);

/* host_find_library finds the path of the library's file; call it before the host changes its working directory. The
 * other function returns the path, or NULL if unknown. */
void host_find_library(void);
const char *host_library_path(void);

#endif
