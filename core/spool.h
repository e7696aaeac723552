/* Names in a spool: <spool>/<run-id>/<file>, and what a run is called.
 *
 * A run id is 20261121T015600Z-HOST-PID-xxxx: the start in UTC, so that names sort by time, the host,
 * the root process and four random hexadecimal digits. */
#ifndef RTRACK_CORE_SPOOL_H
#define RTRACK_CORE_SPOOL_H

#include "core/base.h"

enum {
	SPOOL_SCHEMA = 1,
	SPOOL_PATH_MAX = 4096,     /* PATH_MAX of the kernel, the NUL included */
	SPOOL_ID_MAX = 128,        /* 16 + 1 + host (64) + 1 + pid (10) + 1 + 4, the NUL included */
	SPOOL_ROW_MAX = 8192,      /* no row of ours is longer: every quote of a command may be doubled */
	SPOOL_COMMAND_MAX = 2048,  /* bytes of a command line that start.csv keeps */
	SPOOL_LOCK_MAX = 128,      /* three numbers and a text, blanks between them */
	SPOOL_CHILDREN_NAMED = 16, /* children left behind that a process names in start.csv as it ends, maximum */
	/* ru_maxrss goes on over an exec: where it has not grown since, an image's own peak is only in
	 * /proc/PID/status, which costs more than the whole record. Therefore up to this much the peak of the images
	 * before is taken for it, and an image that is not the root's tells of no less before it executes another
	 * program. */
	SPOOL_SMALL_PEAK_KIB = 16384
};

/* A writer that waited longer for the spool writes less from then on, or nothing. */
#define SPOOL_SLOW_NS 200000000

#define SPOOL_RUN_FILE "run.json"
#define SPOOL_RUN_FILE_NEW "run.json.new" /* while it is being replaced */
#define SPOOL_SUMMARY_FILE ".summary"     /* what rtrack-report worked out; see report/history/digest.h */
#define SPOOL_SUMMARY_FILE_NEW ".summary.new"
#define SPOOL_LOCK_FILE ".lock"     /* held by the run's sampler with flock(2) */
#define SPOOL_STATE_FILE ".state"   /* for the next sampler */
#define SPOOL_LAST_FILE ".last"     /* a root's last word; see struct spool_last */
#define SPOOL_PARTED_FILE ".parted" /* how the root ends is not seen, or cannot be written down */
#define SPOOL_GPU_FILE ".gpu"       /* what rtrack-gpu tells the sampler; see os/gpu.h */

/* The last of what the command wrote, by rtrack-run --keep-output. The third is of both, where both were one. */
#define SPOOL_STDOUT_FILE "stdout.txt"
#define SPOOL_STDERR_FILE "stderr.txt"
#define SPOOL_OUTPUT_FILE "output.txt"

/* Where the roots of living runs are noted: a directory in os_volatile_directory. Its name ends in the user's number.
 * It has a symbolic link PID for each, which says "<start ticks> <PID namespace>:<the run's directory>". */
#define SPOOL_NOTES "rtrack-"
struct spool_note {
	uint64_t start;
	uint64_t namespace;    /* in which the pid is meant; 0: unknown */
	struct text directory; /* absolute */
};

/* False: the text is no note. */
bool spool_parse_note(struct text text, struct spool_note *note);

/* What SPOOL_LOCK_FILE says: in which PID namespace the run's pids are meant, one word for that and the mount of /proc,
 * the orchestrator's task, and since which start of which machine. 0 and empty: unknown, or none. */
struct spool_lock {
	uint64_t namespace;
	uint64_t view;
	uint64_t task;
	struct text boot;
};
struct spool_lock spool_parse_lock(struct text text);

/* How many processes had been killed for lack of memory, and the file that says how many there are by now; empty: there
 * is none. Behind the first line of the lock of rtrack-run's runs as they begin, and in a root's last word. */
struct spool_kills {
	uint64_t count;
	struct text file;
};
void spool_write_kills(struct buffer *out, const char *file, uint64_t count);
/* False: the line is none. */
bool spool_parse_kills(struct text line, struct spool_kills *kills);

/* What a root that hosts its sampler renews in place, for the process that finds it gone: the rows that it would have
 * written next, each a line, and a line with three words more. The rest of the file are empty lines. */
enum { SPOOL_LAST_SIZE = 2048 };
struct spool_last {
	struct text process_row;  /* of process.csv, without its '\n' */
	struct text exit_row;     /* of exit.csv: the root's */
	struct spool_kills kills; /* that were counted before the last row but one */
	uint64_t tracker_us;      /* CPU time of the tracker in the root, which the exit row leaves out */
};

/* What ended a root that was killed, by the kernel's count of kills for lack of memory in its control group: unknown
 * where the count could not be read; else the kernel did it, or a signal of another process. */
enum killer { KILLER_UNKNOWN, KILLER_OOM, KILLER_SIGNAL };

/* As run.json's killed_by has it; "": unknown. */
const char *spool_killer(enum killer killer);

/* False: the text is torn, or is none. */
bool spool_parse_last(struct text text, struct spool_last *last);

/* The version of these programs, as run.json's tracker.version and --version give it. */
#define RTRACK_VERSION "0.2.0"

/* Appends the spool's directory: `chosen` (RTRACK_SPOOL) unless it is empty, else $XDG_STATE_HOME/rtrack,
 * else $HOME/.local/state/rtrack, else /var/tmp/rtrack-UID. Relative values of the XDG and HOME
 * variables are ignored, as the XDG base directory specification asks. */
void spool_directory(struct buffer *out, const char *chosen, char *const *environment, uint32_t uid);

/* Appends a run id. `seconds` since the epoch; `host` is cut to 64 bytes and any byte of it that is not
 * a letter, a digit, '.', '_' or '-' becomes '_'. */
void spool_write_id(struct buffer *out, int64_t seconds, struct text host, int pid, uint16_t random);

/* The pid in a run id, or -1 when it is none. */
int spool_id_pid(struct text id);

/* Appends "YYYYMMDDTHHMMSSZ" in UTC (proleptic Gregorian calendar; seconds >= 0). */
void spool_write_time(struct buffer *out, int64_t seconds);

#endif
