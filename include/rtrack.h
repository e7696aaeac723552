/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack.h: functions that a tracked program can call.
 *
 * Include this header and call the functions anywhere; nothing needs to be linked (glibc before 2.34: -ldl). They
 * have an effect if the process has loaded librtrack.so, by LD_PRELOAD, rtrack-run or dlopen. Otherwise they return -1
 * at once. A program can start its own tracking by opening the library:
 *
 *     dlopen("librtrack.so", RTLD_NOW | RTLD_GLOBAL);
 *
 * The run begins at that moment, and excludes what the process used before. The library exports the functions as plain
 * C functions, which other languages can look up by name. */
#ifndef RTRACK_H
#define RTRACK_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the address of the library's function `name`, or NULL if the library is not loaded. */
static inline void *rtrack_find(const char *name)
{
	/* The handle of dlopen(NULL) searches all loaded objects, as RTLD_DEFAULT does. RTLD_DEFAULT is not in
	 * POSIX. */
	void *program = dlopen(NULL, RTLD_LAZY);
	void *function = program ? dlsym(program, name) : NULL;
	if (program)
		dlclose(program);
	return function;
}

/* Records the current time under a label as one row of mark.csv. The label is UTF-8, and is truncated to 512 bytes.
 * Returns 0, or -1 if this process is not tracked or the row could not be written. Thread-safe. */
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

/* Takes a sample now instead of at the next tick, and writes a row of every table. Returns after the rows have been
 * written, or after two seconds. Returns 0, or -1 if the sampler is in another process, as it is under rtrack-run and
 * in descendants of the tracked program. Thread-safe. */
static inline int rtrack_flush(void)
{
	return rtrack_call("rtrack_flush");
}

/* Writes the last record of this process and ends its tracking. If this process is the root of its run, the run
 * continues with the remaining processes, or ends if there are none. Returns 0, or -1 if the process is not tracked. */
static inline int rtrack_stop(void)
{
	return rtrack_call("rtrack_stop");
}

/* Begins another run after rtrack_stop, with this process as its root and the RTRACK_ variables of the environment. The
 * run excludes what the process used before. Returns 0, or -1 if rtrack_stop has not been called, or the environment
 * names the earlier run, as it does under rtrack-run and LD_PRELOAD. */
static inline int rtrack_start(void)
{
	return rtrack_call("rtrack_start");
}

#ifdef __cplusplus
}
#endif

#endif
