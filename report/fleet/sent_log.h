/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a run's shipping to a target: the file SPOOL/.shipped/TARGET/RUN.
 *
 * The spool itself is the queue, so the log only records how far each table was sent. The name of a batch is the offset
 * of its first byte in the table's file. The end of a batch is on disk before the batch is sent for the first time. If
 * a sender is killed, the next one therefore sends the same bytes under the same name: no row is lost, and none arrives
 * twice.
 *
 * Each line is appended by one write, and an incomplete last line is ignored. Only one sender at a time has the file
 * open. A later note replaces an earlier one with the same word. */
#ifndef RTRACK_REPORT_FLEET_SENT_LOG_H
#define RTRACK_REPORT_FLEET_SENT_LOG_H

#include "core/columns.h"

enum { SENT_LOG_NOTES_MAX = 8, SENT_LOG_WORD_SIZE = 32, SENT_LOG_VALUE_SIZE = 512 };

struct sent_log {
	int file;
	char *path; /* owned */
	/* end of the batch that is being sent; if there is none, not larger than `sent` */
	uint64_t begun[TABLE_COUNT];
	uint64_t sent[TABLE_COUNT];   /* number of bytes of the table's file that have arrived */
	uint64_t number[TABLE_COUNT]; /* number of batches that have arrived */
	struct sent_log_note {
		char word[SENT_LOG_WORD_SIZE];
		char value[SENT_LOG_VALUE_SIZE];
	} notes[SENT_LOG_NOTES_MAX];
	size_t note_count;
};

/* Opens the log of the run directory `run` for a target. Returns 0, or -1 with errno. EWOULDBLOCK means that another
 * process is sending this run to the target. */
int sent_log_open(struct sent_log *log, const char *run, const char *target);
void sent_log_close(struct sent_log *log);

/* Opens an unnamed temporary file on the same disk as the log. Returns -1 with errno if that fails. */
int sent_log_scratch(const struct sent_log *log);

/* Records the end of the next batch of a table, and waits until the record is on disk. Returns 0, or -1 with errno. */
int sent_log_begin(struct sent_log *log, enum table_id table, uint64_t end);

/* Records that the batch of a table has arrived. Returns 0, or -1 with errno. */
int sent_log_arrived(struct sent_log *log, enum table_id table);

/* word of the note that records that the totals of a run were sent */
#define NOTE_TOTALS "totals"

/* Returns the value of a note, or "" if the log does not have the note. */
const char *sent_log_noted(const struct sent_log *log, const char *word);
/* Records a note. `word` and `value` must not contain blanks or newlines. Returns 0, or -1 with errno. */
int sent_log_note(struct sent_log *log, const char *word, const char *value);

/* Removes the logs of runs that are no longer in the spool. */
void sent_log_sweep(const char *spool, const char *target);

#endif
