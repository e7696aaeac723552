/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of start.csv, exit.csv and mark.csv. Members write their own rows, the sampler and the launcher write rows for
 * others, and the sampler reads them back. */
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
	struct text command;       /* truncated to SPOOL_COMMAND_MAX bytes, at the boundary of a UTF-8 character */
	uint64_t earlier_peak_kib; /* ru_maxrss at the start of the image; 0 if unknown */
};

struct exit_record {
	int64_t time_ns;
	struct process_id id;
	int ppid;
	const uint64_t *counters; /* own counters of the process, or NULL if unknown */
	bool io_known;
	int64_t energy_nj;   /* 0 if unknown */
	double peak_rss_kib; /* UNKNOWN if unknown, as are the next three */
	double minor_faults;
	double voluntary_switches;
	double involuntary_switches;
	int exit_code;      /* -1 if unknown */
	int exit_signal;    /* 0 if none */
	const char *source; /* "self", "sampler", "launcher" */
	bool exact;
	bool exact_peak;
	int children_left;    /* -1 if unknown */
	int children_ignored; /* whether it has ignored SIGCHLD at any time; -1 if unknown */
	/* Counters of RUSAGE_CHILDREN, with UINT64_MAX for unknown bytes; NULL if unknown. */
	const uint64_t *children;
	uint64_t children_minor_faults;      /* 0 if none or unknown */
	uint64_t children_peak_kib;          /* ru_maxrss of RUSAGE_CHILDREN; 0 if unknown */
	int64_t missing_ns;                  /* bound on missing CPU time, if not exact; -1 if unknown */
	const struct process_limits *limits; /* NULL if not read */
	const struct process_shared *shared; /* NULL if not read */
};

/* Returns `text` truncated to at most `length` bytes without splitting a UTF-8 character. */
struct text record_cut(struct text text, size_t length);

void record_write_start(struct buffer *out, const struct start_record *record);
void record_write_exit(struct buffer *out, const struct exit_record *record);

/* Fills shared_mib, shared_size_mib and shared_object, which are adjacent columns. */
void record_fill_shared(struct cell cells[3], const struct process_shared *shared);

/* Returns whether a process may have ended for lack of memory, so that its limits are worth reading. */
static inline bool record_has_failed(const struct exit_record *record)
{
	return record->exit_code > 0 || record->exit_signal > 0;
}

/* Fills an exit record with the calling process's own figures, except identity, time and exit status. */
void record_from_self(struct exit_record *record, const struct process_usage *usage);

/* -- reading back ---------------------------------------------------------------------------------- */

/* Reads a file to which others append, starting at *offset, where the last reading ended. Calls `row` for each complete
 * new row, with its cells in the order of `table` (numbers in `cells[i].number`, texts in `cells[i].text`). Skips the
 * header, rows of another shape, and rows longer than `capacity`, the size of `scratch`. */
void tail_read(int file, uint64_t *offset, const struct table *table, char *scratch, size_t capacity,
	void (*row)(void *context, const struct cell *cells), void *context);

/* A mark, and the usage so far of its process and the children that it has reaped. */
struct mark_record {
	int pid;
	const char *label;
	uint64_t peak_kib;                 /* peak of the process alone; 0 if unknown */
	uint64_t inclusive[COUNTER_COUNT]; /* user and system time are 0 if unknown */
	bool io_known;
};

/* Fills a mark of the calling process. `before_kib`: as for process_read_self. */
void record_mark_self(struct mark_record *mark, const char *label, uint64_t before_kib);

/* Appends a row with the current time to mark.csv at `path`; creates the file if necessary. `limit`: if the file has
 * this size or more, nothing is written. Returns 0, or an error of os/error.h, and then nothing was written. If several
 * processes write their first marks at once, each may write a header; readers skip repeated headers. */
int record_append_mark(const char *path, const struct mark_record *mark, uint64_t limit);

#endif
