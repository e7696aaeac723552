/* SPDX-License-Identifier: Apache-2.0 */
/* Parsers of texts in /proc and /sys, without I/O. They never read beyond the text, and accept any content. If a field
 * is missing, the output for it stays unchanged.
 *
 * The formats are described in proc(5), and in the kernel's documents filesystems/proc.rst, admin-guide/iostats.rst,
 * accounting/psi.rst and admin-guide/cgroup-v2.rst. */
#ifndef RTRACK_OS_LINUX_PARSE_H
#define RTRACK_OS_LINUX_PARSE_H

#include "core/base.h"

/* The fields of /proc/PID/stat that rtrack uses, in the file's units (ticks, pages). */
struct stat_fields {
	char state;
	/* The name belongs to a tracker process: rtrack-gpu, rtrack-sampler, or librtrack.so. A keeper has the last
	 * name until it renames itself. */
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
	uint64_t start_code; /* addresses; 0 if the caller has no permission to see them */
	uint64_t start_stack;
	uint64_t ignored;     /* mask of ignored signals; bit 0 is SIGHUP */
	uint32_t wait_status; /* exit status of a zombie as from wait(2); 0 for other processes or without permission */
};

/* Parses a line of /proc/PID/stat. Returns 0, or -1 if the line is invalid. The line is also invalid while the process
 * is being reaped, because ppid, threads and times are then 0 (do_task_stat without lock_task_sighand in
 * fs/proc/array.c). The command name may contain any byte, so the last ')' is taken as its end. */
int parse_stat(struct text text, struct stat_fields *fields);

/* Reads the unsigned number after `key` ("VmHWM:", "rchar:", "some "…), which must be at the beginning of a line.
 * Returns 0, or -1 with *value unchanged if there is no such number. */
int parse_value(struct text text, const char *key, uint64_t *value);

/* Keys are arrays instead of pointers, because every process that loads the library would have to relocate the
 * pointers. */
enum { PARSE_KEY_MAX = 20 };
typedef const char parse_key[PARSE_KEY_MAX];
/* Reads the values of many keys in one pass, which ends when all are found. An empty key is skipped. If a key is
 * missing, values[i] stays unchanged. */
void parse_values(struct text text, parse_key *keys, size_t count, uint64_t *values);

/* Returns the text after `separator` on the first line that begins with `key`, without surrounding blanks and quotes.
 * Skips lines on which that text is empty. Returns an empty text if there is no such line. */
struct text parse_field(struct text text, const char *key, char separator);

/* Returns the next word at *at, and sets *at to the position after the word. Words are separated by blanks. Returns an
 * empty text at the end of the line. */
struct text parse_word(struct text text, size_t *at);

/* Reads the next line at *at without its '\n', and sets *at to the beginning of the line after it. Returns false at the
 * end of the text. */
bool parse_line(struct text text, size_t *at, struct text *line);

/* Parses /proc/PID/timens_offsets (time_namespaces(7)). Returns how far the boot clock of the namespace is ahead of the
 * machine's, in ns. Returns 0 if the text does not contain the offset. */
int64_t parse_ahead(struct text text);

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
/* Parses the first line of /proc/stat: the CPU time of all processors in ticks, in the order of proc_stat(5). User time
 * includes guest time. Returns the number of fields, or -1 if the line is another one. Older kernels have fewer fields;
 * the missing fields stay unchanged. */
int parse_cpu_line(struct text text, uint64_t ticks[CPU_FIELDS]);

/* Sums the received and sent bytes of all interfaces in /proc/net/dev, except lo. */
void parse_net_dev(struct text text, uint64_t bytes[2]);

/* Reads the "total=" field of the "some" line of /proc/pressure/X, in microseconds. */
int parse_pressure(struct text text, uint64_t *total_us);

/* Returns the number of processors in a list such as "0-3,8,10-11". */
unsigned parse_cpu_list(struct text text);

/* One line of /proc/self/mountinfo. Texts point into the line, and their escapes, such as \040, are not decoded. */
struct mount {
	struct text device; /* "major:minor" */
	struct text point;
	struct text type;
	struct text source;
	struct text root;
	struct text options; /* mount options of the superblock */
};
int parse_mount(struct text line, struct mount *mount);

/* Returns whether files of this file system type may be on a network. This includes every kind of FUSE. */
bool parse_is_network(struct text type);

/* Decodes the \ooo escapes of mountinfo into `out`. */
void parse_unescape(struct text text, struct buffer *out);

#endif
