/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack.h: functions that a tracked program can call.
 *
 * Include this header and call the three functions anywhere; nothing needs to be linked (glibc before 2.34: -ldl). They
 * have an effect in a process that has loaded librtrack.so, by LD_PRELOAD, rtrack-run or dlopen. In any other process
 * they return -1 at once. A program can start being tracked by opening the library:
 *
 *     dlopen("librtrack.so", RTLD_NOW | RTLD_GLOBAL);
 *
 * The run begins at that moment, and excludes what the process used before. Other languages can look up the functions
 * by name in the opened library; they are plain C functions. */
#ifndef RTRACK_H
#define RTRACK_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the library's function of that name, or NULL if the library is not loaded. */
static inline void *rtrack_find(const char *name)
{
	void *program = dlopen(NULL, RTLD_LAZY); /* loaded objects; POSIX, unlike RTLD_DEFAULT */
	void *function = program ? dlsym(program, name) : NULL;
	if (program)
		dlclose(program);
	return function;
}

/* Marks the current time in the run with a label (UTF-8, truncated to 512 bytes): one row of mark.csv. Returns 0, or -1
 * if this process is not tracked or the row could not be written. Thread-safe. */
static inline int rtrack_mark(const char *label)
{
	union {
		void *address;
		int (*call)(const char *);
	} function = {rtrack_find("rtrack_mark")};
	return function.address ? function.call(label) : -1;
}

static inline int rtrack_call(const char *name)
{
	union {
		void *address;
		int (*call)(void);
	} function = {rtrack_find(name)};
	return function.address ? function.call() : -1;
}

/* Writes a row of every table now, between two ticks, and returns when it is written (within two seconds). Returns 0,
 * or -1 if this process does not host the sampler: under rtrack-run and in descendants, another process does.
 * Thread-safe. */
static inline int rtrack_flush(void)
{
	return rtrack_call("rtrack_flush");
}

/* Ends the tracking of this process: its last record is written. If it is the root of its run, the run ends, or
 * continues with the remaining processes. Tracking cannot be resumed. Returns 0, or -1 if the process is not
 * tracked. */
static inline int rtrack_stop(void)
{
	return rtrack_call("rtrack_stop");
}

#ifdef __cplusplus
}
#endif

#endif
