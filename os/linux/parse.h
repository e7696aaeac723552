/* Parsers of the texts of /proc and /sys: text in, numbers out, no input or output. They never read
 * past the text and never trust its shape; what is missing stays as it was.
 *
 * Formats: proc(5), Documentation/filesystems/proc.rst, Documentation/admin-guide/iostats.rst,
 * Documentation/accounting/psi.rst, Documentation/admin-guide/cgroup-v2.rst of the kernel. */
#ifndef RTRACK_OS_LINUX_PARSE_H
#define RTRACK_OS_LINUX_PARSE_H

#include "core/base.h"

/* The fields of /proc/PID/stat that we use, in the file's units (ticks, pages). */
struct stat_fields {
	char state;
	bool is_tracker; /* by its name: rtrack-gpu, or a keeper: its file, until it calls itself rtrack-sampler */
	char name[16];   /* the command's, which may be cut there */
	int ppid;
	int group; /* of processes: the pid of its leader */
	uint64_t minor_faults;
	uint64_t children_minor_faults;
	uint64_t major_faults;
	uint64_t children_major_faults;
	uint64_t utime;
	uint64_t stime;
	uint64_t children_utime;
	uint64_t children_stime;
	uint32_t threads;
	uint64_t start_ticks;
	uint64_t rss_pages;
	uint64_t start_code; /* addresses: 0 if we may not know them */
	uint64_t start_stack;
	uint64_t ignored;     /* signals, SIGHUP is bit 0 */
	uint32_t wait_status; /* as wait(2) gives it, once the process is a zombie; 0 before, or if we may not know */
};

/* -1 when the text is no stat line, or the line of a process that its parent is reaping at this instant: for that one
 * the kernel leaves parent, threads and times at 0 (do_task_stat without lock_task_sighand in fs/proc/array.c). The
 * command's name may hold any byte, so it ends at the last ')'. */
int parse_stat(struct text text, struct stat_fields *fields);

/* The unsigned number behind `key` where `key` begins a line ("VmHWM:", "rchar:", "some "…);
 * -1 with *value untouched when there is none. */
int parse_value(struct text text, const char *key, uint64_t *value);

/* The same for many keys in one pass, which ends when all have been found; "" is none. values[i] of keys not found stay
 * as they were. Keys stand in their table themselves: a pointer to each would be a relocation in every process. */
enum { PARSE_KEY_MAX = 20 };
typedef const char parse_key[PARSE_KEY_MAX];
void parse_values(struct text text, parse_key *keys, size_t count, uint64_t *values);

/* What follows `separator` on the first line that begins with `key` and has something there, without blanks and quotes
 * around it; empty where there is no such line. */
struct text parse_field(struct text text, const char *key, char separator);

/* The next word of `text` at *at (separated by blanks), *at moved behind it; empty at the end of the line. */
struct text parse_word(struct text text, size_t *at);

/* The next line at *at without its '\n', *at moved behind it; false at the end of the text. */
bool parse_line(struct text text, size_t *at, struct text *line);

/* /proc/PID/timens_offsets (time_namespaces(7)): by how many nanoseconds the clock since boot is ahead of the machine's
 * in that namespace, less than 0 if it is behind; 0 where the text does not say so. */
int64_t parse_ahead(struct text text);

/* The first line of /proc/stat: how all processors spent their time, in ticks, in the order of proc_stat(5). Guest time
 * is part of user time already. Returns how many fields the line has, fewer on older kernels; fields that it lacks stay
 * as they were. -1: it is another line. */
enum { CPU_FIELDS = 8 };
enum {
	CPU_USER = 1 << 0,
	CPU_NICE = 1 << 1,
	CPU_SYSTEM = 1 << 2,
	CPU_IDLE = 1 << 3,
	CPU_IOWAIT = 1 << 4,
	CPU_IRQ = 1 << 5,
	CPU_SOFTIRQ = 1 << 6,
	CPU_STEAL = 1 << 7
};
int parse_cpu_line(struct text text, uint64_t ticks[CPU_FIELDS]);

/* Received and sent bytes of all interfaces but lo, from /proc/net/dev. */
void parse_net_dev(struct text text, uint64_t bytes[2]);

/* "total=" microseconds of the "some" line of /proc/pressure/X. */
int parse_pressure(struct text text, uint64_t *total_us);

/* How many processors a list such as "0-3,8,10-11" names. */
unsigned parse_cpu_list(struct text text);

/* One line of /proc/self/mountinfo. Texts point into the line, with \040 and the like left as they are. */
struct mount {
	struct text device; /* "major:minor" */
	struct text point;
	struct text type;
	struct text source;
	struct text root;
	struct text options; /* of the superblock */
};
int parse_mount(struct text line, struct mount *mount);

/* Whether a type of file systems is a network's, or FUSE's of any kind. */
bool parse_is_network(struct text type);

/* Undoes \ooo of mountinfo into `out`. */
void parse_unescape(struct text text, struct buffer *out);

#endif
