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
	SPOOL_PATH_MAX = 4096,    /* the kernel's PATH_MAX, including the NUL */
	SPOOL_ID_MAX = 128,       /* 16 + 1 + host (64) + 1 + pid (10) + 1 + 4, including the NUL */
	SPOOL_ROW_MAX = 8192,     /* longest possible row: every quote of a command line may be doubled */
	SPOOL_COMMAND_MAX = 2048, /* maximum length of a command line in start.csv */
	SPOOL_LOCK_MAX = 128,     /* the fields of struct spool_lock, separated by blanks */
	/* maximum number of unreaped children that a process lists in its exit record */
	SPOOL_CHILDREN_NAMED = 16,
	/* ru_maxrss continues over an exec. If it has not grown since, the new program's own peak is only in
	 * /proc/PID/status. Reading that file costs more than writing the whole record, so an inherited peak up to this
	 * size counts as the new program's own. A process records its peak before an exec only if the peak is larger;
	 * the root always does. */
	SPOOL_SMALL_PEAK_KIB = 16384
};

/* Writers that have waited this long for the spool's file system write less from then on, or nothing. */
#define SPOOL_SLOW_NS 200000000

#define SPOOL_RUN_FILE "run.json"
#define SPOOL_RUN_FILE_NEW "run.json.new" /* new version of run.json before it is renamed */
#define SPOOL_SUMMARY_FILE ".summary"     /* cached results of rtrack-report */
#define SPOOL_SUMMARY_FILE_NEW ".summary.new"
#define SPOOL_LOCK_FILE ".lock"     /* locked by the run's sampler with flock(2) */
#define SPOOL_STATE_FILE ".state"   /* state for a sampler that takes over */
#define SPOOL_LAST_FILE ".last"     /* final record of a root, a struct spool_last */
#define SPOOL_PARTED_FILE ".parted" /* exists if nobody can observe or record the root's end */
#define SPOOL_GPU_FILE ".gpu"       /* data from rtrack-gpu for the sampler */

/* The end of the command's output, written by rtrack-run --keep-output. The third file is used if stdout and stderr are
 * one file. */
#define SPOOL_STDOUT_FILE "stdout.txt"
#define SPOOL_STDERR_FILE "stderr.txt"
#define SPOOL_OUTPUT_FILE "output.txt"

/* Prefix of the directory that registers the roots of running runs, in os_volatile_directory. The user id follows. The
 * directory contains a symbolic link PID for each root. Its target is "<start ticks> <PID namespace>:<the run's
 * directory>". */
#define SPOOL_NOTES "rtrack-"
struct spool_note {
	uint64_t start;
	uint64_t namespace;    /* PID namespace to which the root's pid belongs; 0 if unknown */
	struct text directory; /* absolute path */
};

/* Parses the target of a symbolic link. Returns false if it is malformed. */
bool spool_parse_note(struct text text, struct spool_note *note);

/* Content of SPOOL_LOCK_FILE. `namespace` identifies the PID namespace of the run's processes, `view` that namespace
 * and its /proc, `task` the orchestrator's task, and `boot` this boot of the machine. Numbers are 0, and texts empty,
 * if unknown. */
struct spool_lock {
	uint64_t namespace;
	uint64_t view;
	uint64_t task;
	struct text boot;
};
struct spool_lock spool_parse_lock(struct text text);

/* The kernel's count of out-of-memory kills, and the file that contains the current count, or an empty text. rtrack-run
 * writes the count at the start to the second line of the lock file. A root also writes it to SPOOL_LAST_FILE. */
struct spool_kills {
	uint64_t count;
	struct text file;
};
void spool_write_kills(struct buffer *out, const char *file, uint64_t count);
/* Parses a line with the count and the file. Returns false if it is malformed. */
bool spool_parse_kills(struct text line, struct spool_kills *kills);

/* The final record of a root that hosts its sampler, for the process that finds the root dead. The root overwrites it
 * at each tick. It holds the rows that the root would have written next, one per line, and a line with three more
 * values. The rest of the file is empty lines. */
enum { SPOOL_LAST_SIZE = 2048 };
struct spool_last {
	struct text process_row;  /* row of process.csv, without its '\n' */
	struct text exit_row;     /* the root's row of exit.csv */
	struct spool_kills kills; /* number of out-of-memory kills when the second-to-last row was written */
	uint64_t tracker_us;      /* CPU time of the tracker in the root, which the exit row excludes */
};

/* Who killed a root. If the kernel's count of out-of-memory kills increased in the root's control group, the kernel
 * did; otherwise another process. KILLER_UNKNOWN if the count could not be read. */
enum killer { KILLER_UNKNOWN, KILLER_OOM, KILLER_SIGNAL };

/* Returns the value of killed_by in run.json, or "" if unknown. */
const char *spool_killer(enum killer killer);

/* Parses SPOOL_LAST_FILE. Returns false if it is torn or malformed. */
bool spool_parse_last(struct text text, struct spool_last *last);

/* Version of these programs, for --version and tracker.version in run.json. */
#define RTRACK_VERSION "0.2.0"

/* Appends the spool's directory: `chosen` (RTRACK_SPOOL) if not empty, else $XDG_STATE_HOME/rtrack, else
 * $HOME/.local/state/rtrack, else /var/tmp/rtrack-UID. Relative values of XDG_STATE_HOME and HOME are ignored, as the
 * XDG base directory specification requires. */
void spool_directory(struct buffer *out, const char *chosen, char *const *environment, uint32_t uid);

/* Appends a run id. `seconds`: start time since the epoch. `host`: truncated to 64 bytes, with '_' for each byte that
 * is not a letter, a digit, '.', '_' or '-'. */
void spool_write_id(struct buffer *out, int64_t seconds, struct text host, int pid, uint16_t random);

/* Returns the pid in a run id, or -1 if it is malformed. */
int spool_id_pid(struct text id);

/* Appends "YYYYMMDDTHHMMSSZ" in UTC (proleptic Gregorian calendar; seconds >= 0). */
void spool_write_time(struct buffer *out, int64_t seconds);

#endif
