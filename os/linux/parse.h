/* SPDX-License-Identifier: Apache-2.0 */
/* Parsers of texts in /proc and /sys, without I/O. They never read beyond the text and do not trust its format. Outputs
 * for missing fields are unchanged.
 *
 * Formats: proc(5), and in the kernel's documentation filesystems/proc.rst, admin-guide/iostats.rst, accounting/psi.rst
 * and admin-guide/cgroup-v2.rst. */
#ifndef RTRACK_OS_LINUX_PARSE_H
#define RTRACK_OS_LINUX_PARSE_H

#include "core/base.h"

/* The fields of /proc/PID/stat that rtrack uses, in the file's units (ticks, pages). */
struct stat_fields {
	char state;
	/* The name is rtrack-gpu, rtrack-sampler, or librtrack.so, which a keeper has until it renames itself. */
	bool is_tracker;
	char name[16]; /* command name, possibly truncated */
	int ppid;
	int group; /* process group */
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
	uint64_t start_code; /* addresses, or 0 without permission to see them */
	uint64_t start_stack;
	uint64_t ignored;     /* signal mask; bit 0 is SIGHUP */
	uint32_t wait_status; /* exit status of a zombie, as from wait(2); otherwise, or without permission, 0 */
};

/* Parses a line of /proc/PID/stat. Returns 0, or -1 if the line is invalid. It is also invalid while a process is being
 * reaped: the kernel then leaves ppid, threads and times at 0 (do_task_stat without lock_task_sighand in
 * fs/proc/array.c). The command name may contain any byte, so it ends at the last ')'. */
int parse_stat(struct text text, struct stat_fields *fields);

/* Reads the unsigned number after `key` at the beginning of a line ("VmHWM:", "rchar:", "some "…). Returns 0, or -1
 * with *value unchanged if there is none. */
int parse_value(struct text text, const char *key, uint64_t *value);

/* Reads the values of many keys in one pass, which ends when all are found. A key "" is skipped. For a missing key,
 * values[i] is unchanged. The keys are arrays, because pointers would need relocations in every process. */
enum { PARSE_KEY_MAX = 20 };
typedef const char parse_key[PARSE_KEY_MAX];
void parse_values(struct text text, parse_key *keys, size_t count, uint64_t *values);

/* Returns the text after `separator` on the first line that begins with `key`, without surrounding blanks and quotes.
 * Lines without such a text are skipped. Returns an empty text if there is none. */
struct text parse_field(struct text text, const char *key, char separator);

/* Returns the next blank-separated word at *at, and moves *at behind it. Returns an empty text at the end of the
 * line. */
struct text parse_word(struct text text, size_t *at);

/* Returns the next line at *at without its '\n' and moves *at behind it. Returns false at the end of the text. */
bool parse_line(struct text text, size_t *at, struct text *line);

/* Parses /proc/PID/timens_offsets (time_namespaces(7)). Returns how far the namespace's boot clock is ahead of the
 * machine's, in ns, or 0 if the text does not contain it. */
int64_t parse_ahead(struct text text);

/* Parses the first line of /proc/stat: CPU time of all processors in ticks, in the order of proc_stat(5). User time
 * includes guest time. Returns the number of fields, or -1 for another line. Older kernels have fewer fields; the
 * missing ones are unchanged. */
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

/* Sums the received and sent bytes of all interfaces in /proc/net/dev, except lo. */
void parse_net_dev(struct text text, uint64_t bytes[2]);

/* Reads "total=" in microseconds from the "some" line of /proc/pressure/X. */
int parse_pressure(struct text text, uint64_t *total_us);

/* Returns the number of processors in a list such as "0-3,8,10-11". */
unsigned parse_cpu_list(struct text text);

/* One line of /proc/self/mountinfo. Texts point into the line; escapes such as \040 are not decoded. */
struct mount {
	struct text device; /* "major:minor" */
	struct text point;
	struct text type;
	struct text source;
	struct text root;
	struct text options; /* mount options of the superblock */
};
int parse_mount(struct text line, struct mount *mount);

/* Returns whether a file system type is a network file system or any kind of FUSE. */
bool parse_is_network(struct text type);

/* Decodes the \ooo escapes of mountinfo into `out`. */
void parse_unescape(struct text text, struct buffer *out);

#endif
