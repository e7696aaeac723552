/* rtrack.h: what a program can say to the tracker that may be in it.
 *
 * Include this and call the three functions wherever you like; nothing has to be linked (glibc before 2.34: -ldl). In
 * a process that librtrack.so was loaded into, by LD_PRELOAD, rtrack-run or dlopen, they do what they say; in any other
 * they return -1 at once. A program that is not tracked yet starts to be when it opens the library:
 *
 *     dlopen("librtrack.so", RTLD_NOW | RTLD_GLOBAL);
 *
 * The run then begins at that instant: what the process used before is not in it. From other languages, look the
 * functions up by their names in the opened library; they are plain C. */
#ifndef RTRACK_H
#define RTRACK_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's function of that name as a pointer; NULL: it is not loaded. */
static inline void *rtrack_find(const char *name)
{
	void *program = dlopen(NULL, RTLD_LAZY); /* what is loaded; POSIX, where RTLD_DEFAULT is not */
	void *function = program ? dlsym(program, name) : NULL;
	if (program)
		dlclose(program);
	return function;
}

/* Marks this instant of the run with a label (UTF-8, cut to 512 bytes): one row of mark.csv. Returns 0, or -1 if this
 * process is not tracked or the row could not be written. Thread-safe. */
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

/* Writes a row of every series now, between two ticks, and returns when it is written (within two seconds). Returns 0,
 * or -1 if this process does not host the sampler: under rtrack-run, and in descendants, another one does. Thread-safe.
 */
static inline int rtrack_flush(void)
{
	return rtrack_call("rtrack_flush");
}

/* Ends the tracking of this process: its last record is written, and if it is the root of its run, the run ends, or
 * goes on with the other processes that there are. It cannot be taken up again. Returns 0, or -1 if the process is not
 * tracked. */
static inline int rtrack_stop(void)
{
	return rtrack_call("rtrack_stop");
}

#ifdef __cplusplus
}
#endif

#endif
