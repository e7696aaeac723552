/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of start.csv, exit.csv and mark.csv. Processes write their own rows, the sampler and rtrack-run write rows for
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
	uint64_t earlier_peak_kib; /* ru_maxrss when the program began; 0 if unknown */
};

struct exit_record {
	int64_t time_ns;
	struct process_id id;
	int ppid;
	const uint64_t *counters; /* counters of the process without its children, or NULL if unknown */
	bool io_known;
	int64_t energy_nj;   /* 0 if unknown */
	double peak_rss_kib; /* UNKNOWN if unknown; the same applies to the next three fields */
	double minor_faults;
	double voluntary_switches;
	double involuntary_switches;
	int exit_code;      /* -1 if unknown */
	int exit_signal;    /* 0 if none */
	const char *source; /* writer of the row: "self", "sampler" or "launcher" (rtrack-run) */
	bool exact;
	bool exact_peak;
	int children_left;    /* -1 if unknown */
	int children_ignored; /* whether the process has ever ignored SIGCHLD; -1 if unknown */
	/* Counters of RUSAGE_CHILDREN, with UINT64_MAX for unknown bytes, or NULL if unknown. */
	const uint64_t *children;
	uint64_t children_minor_faults;      /* 0 if none or unknown */
	uint64_t children_peak_kib;          /* ru_maxrss of RUSAGE_CHILDREN; 0 if unknown */
	int64_t missing_ns;                  /* if not exact, upper bound on missing CPU time; -1 if unknown */
	uint64_t private_kib;                /* private memory of a fork at its end; 0 if unknown */
	const struct process_limits *limits; /* NULL if not read */
	const struct process_shared *shared; /* NULL if not read */
};

/* Returns `text` truncated to at most `length` bytes without splitting a UTF-8 character. */
struct text record_cut(struct text text, size_t length);

void record_write_start(struct buffer *out, const struct start_record *record);
void record_write_exit(struct buffer *out, const struct exit_record *record);

/* Fills the adjacent columns shared_mib, shared_size_mib and shared_object. */
void record_fill_shared(struct cell cells[3], const struct process_shared *shared);

/* Returns whether a process may have ended because of a memory limit, so that its limits should be recorded. */
static inline bool record_has_failed(const struct exit_record *record)
{
	return record->exit_code > 0 || record->exit_signal > 0;
}

/* Fills an exit record with the figures of the calling process, except identity, time and exit status. */
void record_from_self(struct exit_record *record, const struct process_usage *usage);

/* -- reading back ---------------------------------------------------------------------------------- */

/* Reads a file to which others append. It starts at *offset, where the previous call ended. Calls `row` for each
 * complete new row, with its cells in the order of `table`: numbers in `cells[i].number`, texts in `cells[i].text`.
 * Skips the header, invalid rows, and rows longer than `capacity`, the size of `scratch`. */
void tail_read(int file, uint64_t *offset, const struct table *table, char *scratch, size_t capacity,
	void (*row)(void *context, const struct cell *cells), void *context);

/* A mark, and the usage of its process until that time, including reaped children. */
struct mark_record {
	int pid;
	const char *label;
	uint64_t peak_kib; /* peak of the process without children; 0 if unknown */
	/* Usage including reaped children; user and system time are 0 if unknown. */
	uint64_t inclusive[COUNTER_COUNT];
	bool io_known;
};

/* Fills a mark of the calling process. `before_kib` is passed to process_read_self. */
void record_mark_self(struct mark_record *mark, const char *label, uint64_t before_kib);

/* Appends a row with the current time to mark.csv at `path`, and creates the file if necessary. Writes nothing if the
 * file has `limit` bytes or more. Returns 0, or an error of os/error.h if nothing was written. Processes that write
 * their first marks at the same time may each write a header. Readers skip all headers but the first. */
int record_append_mark(const char *path, const struct mark_record *mark, uint64_t limit);

#endif
