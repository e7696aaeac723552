/* What the answers of calls.h say, in our figures. Arithmetic and reading of bytes alone. */
#ifndef RTRACK_OS_DARWIN_PARSE_H
#define RTRACK_OS_DARWIN_PARSE_H

#include "core/base.h"
#include "os/darwin/calls.h"
#include "os/process.h"

/* Units of the timebase as nanoseconds: 125/3 of each on Apple's processors, 1 on Intel's. */
uint64_t parse_units_ns(struct darwin_timebase base, uint64_t units);

/* The start of a process' identity: microseconds since the epoch. */
uint64_t parse_start(const struct darwin_process *process);

/* Its identity and its state. */
void parse_process(const struct darwin_process *process, struct process_reading *reading);

/* What it used; the own figures and the inclusive ones. */
void parse_rusage(const struct darwin_rusage *rusage, struct darwin_timebase base, struct process_reading *reading);

/* The parts of what KERN_PROCARGS2 gives: the number of arguments, the executable's path, zeros, the arguments, the
 * environment, each string with its NUL, and what the kernel tells the loader. Cut where the data are. */
struct parse_arguments {
	struct text path;
	struct text arguments;   /* each with its NUL */
	struct text environment; /* the same */
};
int parse_arguments(struct text data, struct parse_arguments *parts);

/* Bytes that all interfaces but loopback received and sent, from what NET_RT_IFLIST2 gives. */
void parse_interfaces(struct text data, uint64_t bytes[2]);

/* The figures of memory in MiB; what is not known of a page's size is UNKNOWN. */
struct parse_memory {
	double free;
	double used; /* anonymous, wired and compressed: what cannot be given up */
	double available;
	double cached;
	double active;
	double inactive;
};
void parse_memory(
	const struct darwin_memory *memory, uint64_t page_bytes, uint64_t total_bytes, struct parse_memory *figures);

/* The number of the disk that a volume is on: 3 of "/dev/disk3s1s1", as volumes of one APFS container share its space;
 * -1: it is not on one. */
int parse_disk(const char *device);

#endif
