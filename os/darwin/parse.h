/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the results of calls.h, without I/O. */
#ifndef RTRACK_OS_DARWIN_PARSE_H
#define RTRACK_OS_DARWIN_PARSE_H

#include "core/base.h"
#include "os/darwin/calls.h"
#include "os/process.h"

/* Converts units of the timebase to nanoseconds. A unit is 125/3 ns on Apple's processors and 1 ns on Intel's. */
uint64_t parse_units_ns(struct darwin_timebase base, uint64_t units);

/* Returns the start time of a process in microseconds since the epoch. It is part of the process's identity. */
uint64_t parse_start(const struct darwin_process *process);

/* Fills the identity and the state of a reading. */
void parse_process(const struct darwin_process *process, struct process_reading *reading);

/* Fills the usage in a reading: that of the process alone, and that of the process with its reaped children. */
void parse_rusage(const struct darwin_rusage *rusage, struct darwin_timebase base, struct process_reading *reading);

/* The parts of the result of KERN_PROCARGS2. */
struct parse_arguments {
	struct text path;
	struct text arguments;   /* strings, each with its NUL */
	struct text environment; /* strings, each with its NUL */
};
/* Splits the result of KERN_PROCARGS2. The result consists of the number of arguments, the executable's path, zeros,
 * the arguments and the environment (each string with its NUL), and data for the loader. The result may be
 * truncated. */
int parse_arguments(struct text data, struct parse_arguments *parts);

/* Sums the received and sent bytes of all interfaces except loopback, from the result of NET_RT_IFLIST2. */
void parse_interfaces(struct text data, uint64_t bytes[2]);

/* Memory figures in MiB. They are UNKNOWN if the page size is unknown. */
struct parse_memory {
	double free;
	double used; /* memory that cannot be reclaimed: anonymous, wired and compressed */
	double available;
	double cached;
	double active;
	double inactive;
};
void parse_memory(
	const struct darwin_memory *memory, uint64_t page_bytes, uint64_t total_bytes, struct parse_memory *figures);

/* Returns the number of the disk that contains a volume: 3 for "/dev/disk3s1s1". Returns -1 if `device` has no such
 * number. All volumes of an APFS container share the space of its disk. */
int parse_disk(const char *device);

#endif
