/* What of a run was sent to a target: a file SPOOL/.shipped/TARGET/RUN.
 *
 * A spool is the queue of everything that is sent, so that this is all that has to be kept: how far each table is. Rows
 * go in batches, and a batch is named by where in its file it begins. Where it ends is written down, and on disk,
 * before it is sent for the first time. The next sender, after whatever end of the one before, sends the same bytes
 * under the same name. So no row is sent twice, and none is left out.
 *
 * Lines are appended, each by one write; what a torn last line said has not happened. One sender at a time has a file.
 * A note is a word with a value, of which the last counts. */
#ifndef RTRACK_REPORT_FLEET_LEDGER_H
#define RTRACK_REPORT_FLEET_LEDGER_H

#include "core/columns.h"

enum { LEDGER_NOTES_MAX = 8, LEDGER_WORD_SIZE = 32, LEDGER_VALUE_SIZE = 512 };

struct ledger {
	int file;
	char *path;                   /* owned */
	uint64_t meant[TABLE_COUNT];  /* where the batch ends that was begun; no more than `sent`: none is */
	uint64_t sent[TABLE_COUNT];   /* bytes of the table's file */
	uint64_t number[TABLE_COUNT]; /* batches that were sent */
	struct ledger_note {
		char word[LEDGER_WORD_SIZE];
		char value[LEDGER_VALUE_SIZE];
	} notes[LEDGER_NOTES_MAX];
	size_t note_count;
};

/* Opens the ledger of `run`, a directory of a spool, for the target that is called `target`. Returns 0, or -1 with
 * errno: EWOULDBLOCK when another process sends this run there now. */
int ledger_open(struct ledger *ledger, const char *run, const char *target);
void ledger_close(struct ledger *ledger);

/* An empty file without a name on the disk of the ledger, for the caller to close; -1 with errno. */
int ledger_scratch(const struct ledger *ledger);

/* Writes down where the next batch of a table ends, and returns when that is on disk. 0, or -1 with errno. */
int ledger_mean(struct ledger *ledger, enum table_id table, uint64_t end);

/* The batch that was meant has arrived. 0, or -1 with errno. */
int ledger_arrived(struct ledger *ledger, enum table_id table);

/* The note of a target to which a run's totals go once. */
#define LEDGER_TOTALS "totals"

/* The value of a note, or "". */
const char *ledger_noted(const struct ledger *ledger, const char *word);
/* Neither holds a blank or the end of a line. 0, or -1 with errno. */
int ledger_note(struct ledger *ledger, const char *word, const char *value);

/* Removes the ledgers in a spool of runs that are not there any more. */
void ledger_sweep(const char *spool, const char *target);

#endif
