/* The rows of start.csv and exit.csv, and those of mark.csv. Members write them about themselves, the sampler and the
 * launcher about others; the sampler reads them back. All of them use these functions. */
#ifndef RTRACK_SAMPLER_RECORD_H
#define RTRACK_SAMPLER_RECORD_H

#include "core/figures.h"
#include "core/spool.h"
#include "os/process.h"
#include "os/self.h"

struct start_record {
	int64_t time_ns;
	struct process_id id;
	int ppid;
	struct text exe;
	struct text command;       /* cut to SPOOL_COMMAND_MAX bytes, at a whole UTF-8 character */
	uint64_t earlier_peak_kib; /* ru_maxrss when the image began; 0: unknown */
};

struct exit_record {
	int64_t time_ns;
	struct process_id id;
	int ppid;
	const uint64_t *counters; /* the process' own; NULL: unknown */
	bool io_known;
	int64_t energy_nj;   /* 0: unknown */
	double peak_rss_kib; /* this and the next three may be UNKNOWN */
	double minor_faults;
	double voluntary_switches;
	double involuntary_switches;
	int exit_code;      /* -1: unknown */
	int exit_signal;    /* 0: none */
	const char *source; /* "self", "sampler", "launcher" */
	bool exact;
	bool exact_peak;
	int children_left;    /* -1: unknown */
	int children_ignored; /* whether it ignored SIGCHLD at some time; -1: unknown */
	/* Counters of RUSAGE_CHILDREN, UINT64_MAX for bytes that are not known; NULL: unknown. */
	const uint64_t *children;
	uint64_t children_minor_faults;      /* 0: none, or unknown */
	uint64_t children_peak_kib;          /* ru_maxrss of RUSAGE_CHILDREN; 0: unknown */
	int64_t missing_ns;                  /* CPU time that may be missing, at most, where not exact; -1: unknown */
	const struct process_limits *limits; /* NULL: not asked */
	const struct process_shared *shared; /* NULL: not asked */
};

/* `text` cut to `length` bytes, but not inside a UTF-8 character. */
struct text record_cut(struct text text, size_t length);

void record_write_start(struct buffer *out, const struct start_record *record);
void record_write_exit(struct buffer *out, const struct exit_record *record);

/* Fills shared_mib, shared_size_mib and shared_object, which stand beside one another. */
void record_fill_shared(struct cell cells[3], const struct process_shared *shared);

/* Whether a process may have ended for want of memory, so that its limits are worth a look. */
static inline bool record_has_failed(const struct exit_record *record)
{
	return record->exit_code > 0 || record->exit_signal > 0;
}

/* Fills an exit record with the calling process' own figures: all but its identity, the time and the exit. */
void record_from_self(struct exit_record *record, const struct process_usage *usage);

/* -- reading back ---------------------------------------------------------------------------------- */

/* Reads a file to which others append, from *offset, where the last reading ended. Calls `row` for each new whole row
 * with its cells by column of `table` (numbers in `cells[i].number`, texts in `cells[i].text`). The header line, rows
 * of another shape and rows longer than `capacity`, which is the size of `scratch`, are passed over. */
void tail_read(int file, uint64_t *offset, const struct table *table, char *scratch, size_t capacity,
	void (*row)(void *context, const struct cell *cells), void *context);

/* A mark, and what its process and the children that this reaped have used so far. */
struct mark_record {
	int pid;
	const char *label;
	uint64_t peak_kib;                 /* of the process alone; 0: unknown */
	uint64_t inclusive[COUNTER_COUNT]; /* user and system time 0: unknown */
	bool io_known;
};

/* Of the calling process. `before_kib`: as process_read_self. */
void record_mark_self(struct mark_record *mark, const char *label, uint64_t before_kib);

/* Appends a row about now to mark.csv at `path`; makes the file with the first. `limit`: a file of that size grows no
 * more. 0, or an error of os/error.h: nothing was marked. A reader leaves out a header
 * that comes again: of processes that set their first marks at once each may write one. */
int record_append_mark(const char *path, const struct mark_record *mark, uint64_t limit);

#endif
