/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files and runs in a spool: <spool>/<run-id>/<file>.
 *
 * A run id is 20261121T015600Z-HOST-PID-xxxx: the start time in UTC (so that names sort by time), the host, the pid of
 * the root process, and four random hexadecimal digits. */
#ifndef RTRACK_CORE_SPOOL_H
#define RTRACK_CORE_SPOOL_H

#include "core/base.h"

enum {
	SPOOL_SCHEMA = 1,
	SPOOL_PATH_MAX = 4096, /* the kernel's PATH_MAX, including the NUL */
	SPOOL_ID_MAX = 128,    /* 16 (time) + 1 + 64 (host) + 1 + 10 (pid) + 1 + 4 (random), and a NUL */
	/* maximum length of a row, in which each quote of a command line may be doubled */
	SPOOL_ROW_MAX = 8192,
	SPOOL_COMMAND_MAX = 2048, /* maximum length of a command line in start.csv */
	SPOOL_LOCK_MAX = 128,     /* maximum length of a lock file's first line */
	/* maximum number of unreaped children that a process lists in its exit record */
	SPOOL_CHILDREN_NAMED = 16,
	/* After an exec, ru_maxrss still includes the peak of the earlier program, and only /proc/PID/status has the
	 * peak of the new one. Reading that file costs more than writing the whole record. A peak up to this size is
	 * therefore used without reading the file. A program records its own peak before an exec only if the peak is
	 * larger, except that the root always records it. */
	SPOOL_SMALL_PEAK_KIB = 16384
};

/* If a write to the spool has taken this long, its file system is slow. The process then writes less, or nothing
 * more. */
#define SPOOL_SLOW_NS 200000000

#define SPOOL_RUN_FILE "run.json"
#define SPOOL_RUN_FILE_NEW "run.json.new" /* new version of run.json, which is then renamed to run.json */
#define SPOOL_SUMMARY_FILE ".summary"     /* file with cached results of rtrack-report */
#define SPOOL_SUMMARY_FILE_NEW ".summary.new"
#define SPOOL_LOCK_FILE ".lock"     /* file that the run's sampler locks with flock(2) */
#define SPOOL_STATE_FILE ".state"   /* state of the sampler, for another sampler that continues its work */
#define SPOOL_LAST_FILE ".last"     /* final record of the root process (struct spool_last) */
#define SPOOL_PARTED_FILE ".parted" /* exists if the root may end without a record */
#define SPOOL_GPU_FILE ".gpu"       /* latest figures of rtrack-gpu, for the sampler */

/* The last part of the command's output, written by rtrack-run --keep-output. If stdout and stderr are the same file,
 * only output.txt is used. */
#define SPOOL_STDOUT_FILE "stdout.txt"
#define SPOOL_STDERR_FILE "stderr.txt"
#define SPOOL_OUTPUT_FILE "output.txt"

/* Prefix of the directory that registers the root processes of all running runs of a user. The directory is in
 * os_volatile_directory; the user id follows the prefix. It contains a symbolic link for each root, named after the
 * root's pid. The link's target is "<start ticks> <PID namespace>:<the run's directory>". An empty file, named after
 * the run and with the suffix SPOOL_PARTED_FILE, shows that the end of the run could not be written to the spool. */
#define SPOOL_NOTES "rtrack-"
struct spool_note {
	uint64_t start;
	uint64_t namespace;    /* PID namespace to which the root's pid belongs; 0 if unknown */
	struct text directory; /* absolute path */
};

/* Parses the target of a symbolic link. Returns false if it is malformed. */
bool spool_parse_note(struct text text, struct spool_note *note);

/* Content of SPOOL_LOCK_FILE. `namespace` identifies the PID namespace of the run's processes, and `view` identifies
 * that namespace and its /proc. `task` identifies the orchestrator's task, and `boot` this boot of the machine. An
 * unknown number is 0, and an unknown text is empty. */
struct spool_lock {
	uint64_t namespace;
	uint64_t view;
	uint64_t task;
	struct text boot;
};
struct spool_lock spool_parse_lock(struct text text);

/* The kernel's number of out-of-memory kills at one time, and the file that contains the current number. `file` is
 * empty if it is unknown. rtrack-run writes the number at the start of the run to the second line of the lock file. A
 * root also writes it to SPOOL_LAST_FILE. */
struct spool_kills {
	uint64_t count;
	struct text file;
};
void spool_write_kills(struct buffer *out, const char *file, uint64_t count);
/* Parses a line with a number of OOM kills and the file that counts them. Returns false if the line is malformed. */
bool spool_parse_kills(struct text line, struct spool_kills *kills);

/* The final record of a root process that hosts its sampler. The root overwrites the record at each tick. If the root
 * is killed, the process that notices this reads the record.
 *
 * The record holds the rows that the root would have written next, one per line, and a line with three more values. The
 * rest of the file is empty lines. */
enum { SPOOL_LAST_SIZE = 2048 };
struct spool_last {
	struct text process_row;  /* row of process.csv, without its '\n' */
	struct text exit_row;     /* row of exit.csv for the root */
	struct spool_kills kills; /* number of out-of-memory kills when the second-to-last row was written */
	uint64_t tracker_us;      /* CPU time of the tracker in the root. The exit row does not include this time */
};

/* Who killed a root. KILLER_OOM: the kernel, because memory ran out, as its count of out-of-memory kills in the root's
 * control group shows. KILLER_CPU_LIMIT: the kernel, because the root had used its CPU time (RLIMIT_CPU).
 * KILLER_SIGNAL: another process. KILLER_UNKNOWN: the count of out-of-memory kills could not be read. */
enum killer { KILLER_UNKNOWN, KILLER_OOM, KILLER_SIGNAL, KILLER_CPU_LIMIT };

/* Returns the value of `killed_by` in run.json, or "" if it is unknown. */
const char *spool_killer(enum killer killer);

/* Parses SPOOL_LAST_FILE. Returns false if the file is torn or malformed. */
bool spool_parse_last(struct text text, struct spool_last *last);

/* Version of rtrack, as in --version and in tracker.version of run.json. */
#define RTRACK_VERSION "0.2.0"

/* Appends the path of the spool. The path is `chosen` (RTRACK_SPOOL) if it is not empty, else $XDG_STATE_HOME/rtrack,
 * else $HOME/.local/state/rtrack, else /var/tmp/rtrack-UID. XDG_STATE_HOME and HOME are ignored if they are relative,
 * as the XDG base directory specification requires. */
void spool_directory(struct buffer *out, const char *chosen, char *const *environment, uint32_t uid);

/* Appends a run id. `seconds` is the start time since the epoch. `host` is truncated to 64 bytes. Each byte of it that
 * is not a letter, a digit, '.', '_' or '-' is replaced by '_'. */
void spool_write_id(struct buffer *out, int64_t seconds, struct text host, int pid, uint16_t random);

/* Returns the pid in a run id, or -1 if the id is malformed. */
int spool_id_pid(struct text id);

/* Appends the UTC time as "YYYYMMDDTHHMMSSZ" (proleptic Gregorian calendar; `seconds` must not be negative). */
void spool_write_time(struct buffer *out, int64_t seconds);

#endif
