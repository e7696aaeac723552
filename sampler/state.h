/* The sampler's state, and the steps of a tick in the order in which sampler.c takes them. Private to the
 * files of the sampler. */
#ifndef RTRACK_SAMPLER_STATE_H
#define RTRACK_SAMPLER_STATE_H

#include "core/settings.h"
#include "core/spool.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/memory.h"
#include "os/process.h"
#include "os/self.h"
#include "os/system.h"
#include "sampler/clock.h"
#include "sampler/ledger.h"
#include "sampler/memory.h"
#include "sampler/record.h"
#include "sampler/place.h"

enum { SAMPLER_SCRATCH_MAX = 65536, ENDED_KEPT_TICKS = 2, UNRECORDED_START_TICKS = 2 };

#define NS_PER_SECOND 1000000000
#define EXACT (-1) /* in place of the CPU time that may be missing: none can be */
#define BYTES_PER_MIB 1048576
#define KIB_PER_MIB 1024.0

/* What a sampler leaves to the one that goes on after it: copied whole (resume.c). */
struct passed_on {
	struct process_id root; /* its start is 0 where it was not seen yet */
	uint64_t root_image;    /* of the root's last reading; 0: unknown */
	bool root_ended;
	int exit_code; /* of the root, once it has ended; -1: unknown */
	int exit_signal;
	int64_t min_ns;
	uint64_t limit_bytes;
	uint64_t member_bytes;
	bool truncated;
	uint64_t start_offset; /* start.csv and exit.csv are read up to here */
	uint64_t exit_offset;
	struct run_clock clock;
	struct memory_budget memory;
	uint64_t owed[COUNTER_COUNT];  /* accounted in rows before this sampler began, or not the job's */
	uint64_t total[COUNTER_COUNT]; /* in all rows, and `owed` */
	uint64_t gauges[GAUGE_COUNT];  /* of the last row in which somebody was alive; GAUGE_UNKNOWN: there was none */
	uint64_t ended_peak_kib;       /* the largest peak among those that ended since the last row */
	uint64_t root_extra[COUNTER_COUNT]; /* what a thread of ours once used in the root */
};

struct sampler {
	char directory[SPOOL_PATH_MAX];
	enum sampler_place place;
	int tracker_pid;                 /* the launcher or the keeper, no member of the run; 0 in the root */
	int helper_pid[SAMPLER_HELPERS]; /* 0: none */
	int lock;
	int at; /* the run's directory */
	int system_file;
	int process_file;
	int member_file;
	int start_file;
	int exit_file;
	int64_t start_ns; /* since the epoch */
	struct passed_on passed;
	struct ledger ledger;
	struct process_list list;
	struct process_list spare;       /* the memory of the list before */
	uint64_t kernel_ns[2];           /* what wait4 said */
	uint64_t reaped_peak_kib;        /* … of the largest process */
	uint64_t tracker[COUNTER_COUNT]; /* what we used ourselves; in the root this is in its figures too */
	uint64_t hosted[COUNTER_COUNT];  /* … before the thread began */
	uint64_t tracker_row_ns;
	struct system_state *system;
	char scratch[SAMPLER_SCRATCH_MAX];
	char rows[SAMPLER_SCRATCH_MAX];
};

/* Whether a process is the run's root. */
static inline bool sampler_is_root(const struct sampler *sampler, struct process_id id)
{
	return id.pid == sampler->passed.root.pid &&
	       (sampler->passed.root.start == 0 || id.start == sampler->passed.root.start);
}

/* -- hear.c: what members say of themselves -- */

/* Reads what is new in start.csv or exit.csv. */
void hear_read(struct sampler *sampler, enum table_id table);

/* -- announce.c: what is said of members that say nothing -- */

void announce_start(struct sampler *sampler, struct member *member);
/* `missing_ns`: CPU time that the member may have used beyond what is known, at most; EXACT: its figures are final.
 * Writes the start first, if nobody has; a process that is gone has no name then. */
void announce_exit(struct sampler *sampler, struct member *member, int exit_code, int exit_signal, const char *source,
	int64_t missing_ns);

/* -- members.c: who belongs to the run, and a reading of each -- */

void members_measure_tracker(struct sampler *sampler);
void members_find(struct sampler *sampler);
void members_read(struct sampler *sampler);
/* A zombie says its final figures until it is reaped. It counts as one thread, and with others lives on. */
bool members_is_dead(const struct process_reading *reading);
/* Takes a reading as the last word on a member's own use. */
void members_keep(struct member *member, const struct process_reading *reading);

/* -- ends.c: members that ended without a word -- */

/* Ends those that are gone, and those that are zombies. */
void ends_find(struct sampler *sampler);
/* Before the end of `pid` is accounted by its inclusive figure: ends those of its descendants that are gone, so that
 * what is known of them is not counted again with it. */
void ends_of_descendants(struct sampler *sampler, int pid);

/* -- accounts.c: what the run used since the last row -- */

void accounts_update(struct sampler *sampler);
/* Adds what the kernel says of the whole tree and no row has. */
void accounts_close(struct sampler *sampler);
/* Moves what was accounted since the last row into `amounts`, less what earlier rows have already. */
void accounts_settle(struct sampler *sampler, uint64_t amounts[COUNTER_COUNT]);
/* Forgets what ended and is gone. */
void accounts_forget(struct sampler *sampler);

/* -- resume.c: a run that another sampler began -- */

/* Saves what a keeper needs to go on exactly; -1 when it cannot be written. */
int resume_save(const struct sampler *sampler);
/* Takes up a saved state: 0; or, without one, what the rows of process.csv sum to: -1. */
int resume_load(struct sampler *sampler);

/* -- rows.c: the three series -- */

void rows_write(struct sampler *sampler, int64_t now_ns, int64_t elapsed_ns, bool last);

#endif
