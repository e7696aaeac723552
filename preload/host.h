/* SPDX-License-Identifier: Apache-2.0 */
/* What the library needs of its host besides system calls: arguments, environment, functions of the C library, and a
 * thread. Each platform has one implementation.
 *
 * The host is the program that has loaded the library. A keeper is a separate process that samples a run in place of a
 * thread in the host. */
#ifndef RTRACK_PRELOAD_HOST_H
#define RTRACK_PRELOAD_HOST_H

#include "core/base.h"

/* Puts a variable into a page of .data that the dynamic loader has already written. The first write to any other
 * page costs almost a microsecond, in each process and again in each fork. */
#if defined(__APPLE__)
#define BESIDE_LOADER
#else
#define BESIDE_LOADER __attribute__((section(".data")))
#endif

/* Returns the C library's current environment, or NULL. */
char **host_environment(void);

/* Puts a NAME=VALUE entry into the environment. It replaces an entry with that name, or appends the new one in a new
 * array. `entry` must remain valid and be writable, because bash temporarily writes into the strings of its
 * environment. */
int host_environment_add(char *entry);

/* If the library's file is missing, removes the library from LD_PRELOAD in the host's environment. Otherwise the
 * dynamic loader of each executed program would report the missing file on stderr. Call it before an operation that
 * passes on the environment. If `always`, removes the library even if its file exists. */
void host_forget_library(bool always);

/* Returns whether an environment entry makes the dynamic loader load this library. */
bool host_names_library(const char *entry);

/* Call this when the host enters a sandbox that may deny access to files despite their permissions (landlock(7)). */
void host_is_confined(void);

/* Returns the environment to pass to an exec. This is `environment`, unless the library's file is missing or
 * unreadable, for example below a new mount. In that case it is a copy without the library, valid until this
 * thread's next exec. */
char *const *host_environment_to_hand_on(char *const *environment);

/* Returns the name by which this program was executed. Returns NULL if the name is unknown, or if the dynamic loader
 * was executed as a command. */
const char *host_executable_name(void);

/* Returns whether constructors receive the program's arguments (glibc: yes, musl: no). */
bool host_gives_arguments(void);

/* Registers functions with the C library for fork(): `prepare` runs before the fork, `parent` after it in the parent,
 * and `child` in the child. */
void host_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* Returns whether the host's main function was already running when the host loaded the library with dlopen(). */
bool host_is_running(void);

/* Returns whether the host is Python 3.12 or later, which counts its threads after a fork and warns if there are
 * several. */
bool host_counts_threads(void);

/* Makes Python's main loop call `function` soon. Python makes the call after it has counted its threads at a fork.
 * Returns 0, or -1 if the host cannot make such calls. */
int host_call_later(int (*function)(void *unused));
bool host_can_call_later(void);

/* Returns whether the environment must not be trusted, because the executable has given the process the rights of
 * another user or group, or capabilities. */
bool host_is_privileged(void);

/* Returns the host's user id. Before the host's main function runs, this needs no system call. */
uint32_t host_user(void);

/* Registers a function that exit() calls last, with the exit status. Returns -1 if the C library has no on_exit. */
int host_at_exit(void (*handler)(int status, void *unused));

/* host_block_signals blocks all signals in the calling thread and returns the previous mask. host_restore_signals
 * restores that mask. */
uint64_t host_block_signals(void);
void host_restore_signals(uint64_t before);

/* Calls function(argument) on the library's own stack with all signals blocked. The host's stack may be too small.
 * Any thread and any child process can call host_run. If there is no memory, host_run returns -1 without calling the
 * function. */
int host_run(void (*function)(void *), void *argument);

/* Like host_run, but leaves all signals blocked, because the process is about to end. */
int host_run_last(void (*function)(void *), void *argument);

/* Ends the process without running exit handlers, like the C library's _exit. */
_Noreturn void host_exit_now(int status);

/* Returns the function `name` that the host would call without the library, or NULL. */
void *host_find_next(const char *name);

/* Returns the library's own function `name`, or NULL. */
void *host_find_own(const char *name);

/* Calls the execve of the next loaded library. Returns only on failure. */
int host_execve_through(const char *path, char *const *arguments, char *const *environment);

/* Ends the process by calling the function `name` that the host would call without the library, such as a
 * sanitizer's _exit. If there is no such function, calls host_exit_now. */
_Noreturn void host_exit_through(const char *name, int status);

/* Looks up the functions for host_exit_through and host_execve_through. Call it while no other thread changes the
 * dynamic loader's list of libraries. */
void host_find_nexts(void);

/* Returns the text of a label. R passes either an array of texts (`.C`) or an R object (`.Call`) as `given`. For an
 * R object, host_label sets *is_returned, and the caller must return the object to R. */
const char *host_label(const char *given, bool *is_returned);

/* -- the thread ------------------------------------------------------------------------------------ */

enum { THREAD_STOP = 1, THREAD_ASKED = 2 };

struct host_thread {
	uint32_t call;     /* request of the host: THREAD_STOP to end, THREAD_ASKED to write a row now */
	uint32_t answered; /* number of requests that the thread has completed */
	int tid;           /* thread id; 0 if there is no thread */
	void *stack;
	int *leader_tid; /* tid word of the main thread; the kernel clears it when the main thread ends */
	bool outlived;   /* whether another thread of the host ended after the main thread */
};

enum host_wait { HOST_WAIT_TIME, HOST_WAIT_ASKED, HOST_WAIT_STOP, HOST_WAIT_LEADER };

/* Calls function(argument) on the thread's stack, because that stack is larger than the stack of host_run. Returns
 * 0, or -1 if there is no memory. */
int host_call(struct host_thread *thread, void (*function)(void *), void *argument);

/* Starts a thread in the host that runs `entry`. The thread has all signals blocked, no thread-local storage, and
 * its own empty descriptor table. `entry` must make only system calls and end with host_thread_exit. If the main
 * thread has already ended, the status of this thread becomes the exit status of the process. */
int host_thread_start(struct host_thread *thread, void (*entry)(void *));
_Noreturn void host_thread_exit(int status);

/* Closes the descriptors inherited from the host. The thread or the keeper calls this first. Returns 0, or -1 on
 * failure. */
int host_thread_part(void);

/* Called in the thread. Waits until `left_ns` have passed, the host makes a request, or the main thread has ended
 * before the host's other threads. Returns which of these has happened. */
enum host_wait host_thread_wait(struct host_thread *thread, int64_t left_ns);

/* Called in the thread after the main thread has ended. Returns the exit status that the process would have without
 * the library. */
int host_thread_status(const struct host_thread *thread);

/* Returns the thread's CPU time in ns. */
uint64_t host_thread_used_ns(const struct host_thread *thread);

/* Called in the host. Requests a row from the thread and waits up to two seconds until the row is written. Returns
 * 0, or -1 on timeout. */
int host_thread_ask(struct host_thread *thread);

/* Called in the thread. Reports that the requested row is written. */
void host_thread_answer(struct host_thread *thread);

/* Called in the host. Requests that the thread ends, and waits up to two seconds for its end. */
void host_thread_stop(struct host_thread *thread);

/* -- the keeper ------------------------------------------------------------------------------------- */

/* Starts a keeper for the run in `directory`. The keeper executes the library's own file in a new session, without
 * the host's resources. `settings` is the keeper's environment: consecutive NAME=VALUE strings, and an empty string
 * at the end. Returns 0, or -1 on failure. */
int host_start_keeper(const char *directory, const char *settings);

/* Starts a guard, which is a keeper that waits until the host has ended (keeper_wait). Returns the guard's pid, or
 * -1. No guard is started if the host adopts orphans, because the host would adopt the guard. No guard is started if
 * the user's limit on processes is nearly reached. */
int host_start_guard(const char *directory, const char *settings);

/* Starts rtrack-gpu from the directory of the library. Returns its pid, or -1. rtrack-gpu is not started in the
 * cases in which host_start_guard starts no guard. `nvml`: value of RTRACK_NVML, or "" for the default. */
int host_start_gpu(const char *directory, const char *settings, const char *nvml);

/* host_find_library determines the path of the library's file. Call it before the host changes its working
 * directory. host_library_path returns the path, or NULL if the path is unknown. */
void host_find_library(void);
const char *host_library_path(void);

#endif
