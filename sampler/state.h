/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler's state, and the steps of a tick, grouped by source file. Only files in sampler/ include this header. */
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
#include "sampler/run/end.h"
#include "sampler/place.h"

enum {
	SAMPLER_SCRATCH_MAX = 65536,
	ENDED_KEPT_TICKS = 2,
	UNRECORDED_START_TICKS = 2,
	MASK_MAX = 1024,
	OWN_MAX = 256,
	ROOT_ANCESTORS_MAX = 32,
	GROUP_ANCESTORS_MAX = 8
};

#define NS_PER_SECOND 1000000000
#define EXACT (-1) /* value for an upper bound on missing CPU time if the figures are final */
#define BYTES_PER_MIB 1048576
#define KIB_PER_MIB 1024.0

/* -- state passed to the next sampler, read and written as a whole by resume.c ----------------------- */

/* Settings that are saved for a keeper, which does not have the job's environment (sampler.c). */
struct given {
	int64_t min_ns;
	uint64_t limit_bytes;
	char mask[MASK_MAX];
	char own[OWN_MAX];
};

/* The root, and how it ended. search.c finds the root, and ends.c records its end. */
struct root {
	struct process_id id; /* `start` is 0 until the root is first seen */
	uint64_t image;       /* image number (process_reading) at the last reading; 0 if unknown */
	bool ended;
	bool lost;         /* the root was killed, so its status is unknown */
	bool at_cpu_limit; /* the root had used the CPU time that RLIMIT_CPU allows */
	bool end_recorded; /* run.json contains the root's end */
	enum killer killer;
	int exit_code; /* -1 if unknown */
	int exit_signal;
	uint64_t tracker[COUNTER_COUNT]; /* usage of the sampling thread while it was in the root */
};

/* Read positions in start.csv and exit.csv (member_rows.c). */
struct offsets {
	uint64_t start_offset;
	uint64_t exit_offset;
};

/* The usage that rows contain (accounts.c). */
struct accounts {
	/* Usage that must not be written, because it is in rows of an earlier sampler or is not the
	 * job's. */
	uint64_t owed[COUNTER_COUNT];
	/* Usage that the ledger had counted at the last row, including usage that was owed. */
	uint64_t total[COUNTER_COUNT];
};

/* Figures of the last rows of system.csv, process.csv and member.csv (rows.c; gpus.c for the energy). */
struct series {
	/* Gauges of the last row with a living process; GAUGE_UNKNOWN if there was none. */
	uint64_t gauges[GAUGE_COUNT];
	uint64_t ended_peak_kib; /* largest peak of the processes that ended since the last row */
	/* Count of out-of-memory kills in the control group, at each of the last three rows. */
	uint64_t oom_kills[3];
	uint64_t helper_ns[SAMPLER_HELPERS]; /* the part of each helper's CPU time that rows contain */
	uint64_t package_uj;                 /* energy of the processor packages in the last record of rtrack-gpu */
	uint64_t member_bytes;               /* size of member.csv */
	enum truncation truncated;
};

/* The control group that contains the run (group.c). */
struct group {
	bool known;
	bool shared;     /* the group contains, or may contain, foreign processes */
	bool joined;     /* at the end, the group contains an unknown process that was not there at the start */
	uint64_t cpu_ns; /* CPU time of the group at the start of the run */
	int ancestors;   /* number of the root's ancestors in the group at the start */
	struct process_id ancestor[GROUP_ANCESTORS_MAX];
	uint64_t ancestors_ns; /* CPU time of these ancestors at the start */
};

/* Files that the run wrote to tmpfs (rows.c). */
struct tmpfs {
	double used_mib;    /* tmpfs_used_mib of the last row, or at the start of the run; UNKNOWN if unknown */
	double pending_mib; /* growth in the last row that the run's writes do not explain yet */
	double files_mib;   /* estimated size of the run's files */
	/* The part of the processes' memory that is shared memory, at the last row with a living process. */
	double mapped_mib;
};

/* Everything that is passed on to the next sampler. */
struct passed_on {
	struct given given;
	struct root root;
	struct offsets offsets;
	struct accounts accounts;
	struct series series;
	struct group group;
	struct tmpfs tmpfs;
	struct run_clock clock;
	struct memory memory;
};

/* -- state that ends with a sampler ------------------------------------------------------------------ */

/* Descriptors of the run's directory, its lock file and its tables (sampler.c). */
struct files {
	int at;
	int lock;
	int system;
	int process;
	int member;
	int start;
	int exit;
};

/* The tracker's own processes and their usage (members.c; rows.c for the usage in rows). */
struct tracker {
	/* Pid of rtrack-run or of the keeper; 0 in the root, which belongs to the run. */
	int pid;
	int helper_pid[SAMPLER_HELPERS]; /* pids of helpers; 0 if none */
	uint64_t used[COUNTER_COUNT];    /* usage of the tracker; in the root, it is part of the root's figures */
	uint64_t hosted[COUNTER_COUNT];  /* the part of `used` from before this thread started */
	uint64_t row_ns;                 /* the tracker's CPU time that rows contain */
};

/* State of the search for the run's processes (search.c). */
struct search {
	struct process_list list;
	struct process_list spare; /* the previous list, whose memory is reused */
	/* Descriptor of process_tally_open; if negative, the list is read at every tick. */
	int tally_file;
	struct process_tally tally; /* last pid and number of threads of the machine, just before the list was read */
	int ancestors[ROOT_ANCESTORS_MAX]; /* ancestors of the root, which may adopt orphans of the run */
	int ancestor_count;                /* 0 if the ancestors have not been read */
	uint32_t ticks;
	int followed_below;     /* descriptors of process_follow are kept only below this number */
	bool blind;             /* the list could not be read in this tick, so `list` is the previous one */
	bool thorough;          /* every process is read in this tick */
	bool environment_empty; /* the process examined last has an empty environment */
};

/* Sum of the figures from wait4 for children of rtrack-run (reaped.c). */
struct reaped {
	uint64_t cpu_ns[2]; /* user and system time */
	uint64_t peak_kib;  /* largest peak of a process in this sum */
	/* rtrack-run's peak when it forked the command; the command's peak starts with this value. */
	uint64_t lent_kib;
};

/* Figures from rtrack-gpu (gpus.c). */
struct gpus {
	int file;       /* negative if not open */
	bool wanted;    /* there is a GPU or an energy counter */
	bool is_read;   /* `scratch` contains a valid record, until it is reused */
	uint8_t starts; /* how often rtrack-gpu may still be started */
};

/* What cpu_wait.c has read: how long processes wait for a CPU. Times are since boot. */
struct cpu_wait {
	int64_t opened_ns; /* time of the first readings */
	int64_t boot_ns;   /* time of the last readings */
	int64_t left_ns;   /* remaining CPU time budget; negative if overdrawn */
	int first_pid;     /* processes with smaller pids are not read in this tick */
	int next_pid;      /* first_pid of the next tick; 0 if the budget has sufficed for all processes so far */
};

/* The last checkpoint that was written (resume.c). */
struct checkpoint {
	int64_t boot_ns;
	uint64_t news;
};

/* State of the rewrites of the final record (last_row.c). Times are since boot. */
struct last_row {
	int file;
	int64_t boot_ns;              /* time of the last rewrite, or of the last check that found nothing to change */
	int64_t late_ns;              /* longest recent delay of a rewrite */
	uint64_t before_kib;          /* process_peak_rss_kib at the start of sampling */
	uint64_t peak_kib;            /* process_peak_rss_kib at the last row */
	uint64_t clocks_ns;           /* CPU time of the root and its reaped children at the last rewrite */
	struct process_limits limits; /* limits of CPU time when sampling began; the other limits are not set */
};

/* Duration of writes to the spool (backoff.c). Times are since boot. */
struct backoff {
	int64_t until_ns;  /* end of the pause; no tick is due earlier */
	int64_t queued_ns; /* thread_queued_ns at its last reading: how long the thread had waited for a CPU */
	bool pause_marked; /* the file mode of system.csv already shows that the sampler has paused */
	bool loss_marked;  /* the file mode of start.csv already shows that rows of processes are missing */
};

/* State of the sampling of code lines (lines.c). */
struct lines_state {
	struct lines *state; /* NULL until the first interpreter is found */
	int64_t period_ns;   /* 0 if lines are not sampled */
	int64_t next_ns;     /* time of the next call of sampler_lines, since boot; INT64_MAX if none is due */
	int64_t left_ns;     /* remaining CPU time budget; negative if overdrawn */
	int64_t granted_ns;  /* time since boot when the budget was last increased */
	int64_t opened_ns;   /* time since boot when this sampler started */
	int64_t searched_ns; /* time since boot of the last search for new interpreters */
	bool starved;        /* the last call of sampler_lines had no budget for a sample */
	/* Rows of start.csv before this offset, and pids up to this one, were searched for interpreters. */
	uint64_t start_offset;
	uint64_t last_pid;
};

struct sampler {
	char directory[SPOOL_PATH_MAX];
	enum sampler_place place;
	int64_t start_ns;     /* start of the run, since the epoch */
	uint64_t baseline_ns; /* CPU time of the root before the run */
	/* The control group at the start of the run. It is known only if the process that created the run recorded it
	 * and no state was saved yet. */
	struct system_group group_begun;
	const char *limit; /* the limit of rtrack-run that ended the run, or NULL */
	int root_io;       /* in rtrack-run, descriptor of process_open_io for the root; otherwise negative */
	/* In a keeper that has waited for the root's end, descriptor of the root; otherwise negative. */
	int root_followed;
	int64_t read_ns;    /* time since boot when the last tick finished reading figures; 0 before the first */
	bool attached;      /* the root existed before the run; its earlier usage is excluded */
	bool looked_around; /* leftover runs were completed */
	bool lacks_ray_job; /* run.json lacks the job of a Ray worker */
	/* The ledger is new and may lack usage that rows contain, because no other record contains it. */
	bool rows_unfounded;
	bool exit_rows_pending; /* a process has ended, and its exit row is not written yet */
	struct passed_on passed;
	struct ledger ledger;
	struct files files;
	struct tracker tracker;
	struct search search;
	struct reaped reaped;
	struct last_row last_row;
	struct gpus gpus;
	struct cpu_wait cpu_wait;
	struct checkpoint checkpoint;
	struct backoff backoff;
	struct lines_state lines;
	struct system_state *system;
	_Alignas(8) char scratch[SAMPLER_SCRATCH_MAX];
	char rows[SAMPLER_SCRATCH_MAX];
};

/* Returns whether a process is the run's root. */
static inline bool sampler_is_root(const struct sampler *sampler, struct process_id id)
{
	return id.pid == sampler->passed.root.id.pid &&
	       (sampler->passed.root.id.start == 0 || id.start == sampler->passed.root.id.start);
}

/* Returns whether `ppid` is the rtrack-run that samples. If so, rtrack-run outlives the child and reaps it. */
static inline bool sampler_reaps(const struct sampler *sampler, int ppid)
{
	return sampler->place == SAMPLER_IN_LAUNCHER && ppid == sampler->tracker.pid;
}

/* -- member_rows.c: rows that processes have written about themselves -- */

/* Reads new rows of start.csv or exit.csv. */
void member_rows_read(struct sampler *sampler, enum table_id table);

/* -- announce.c: rows for processes that cannot write their own -- */

void announce_start(struct sampler *sampler, struct member *member);
/* Writes a process's exit row, preceded by a start row if there is none. For a process that is gone, the start row has
 * no name. `missing_ns`: upper bound on CPU time beyond the known figures, or EXACT if they are final. */
void announce_exit(struct sampler *sampler, struct member *member, int exit_code, int exit_signal, const char *source,
	int64_t missing_ns);

/* -- backoff.c: fewer rows for a slow spool -- */

/* Reads how long the thread has waited for a CPU. Call it in each tick, because backoff_judge subtracts the waiting
 * time since this call. */
void backoff_begin(struct sampler *sampler);
/* Writes rows to a file like os_write, and then calls backoff_judge. */
int64_t backoff_write(struct sampler *sampler, int file, struct text rows);
/* Starts a pause if the writes since `before_ns` (time since boot) took too long. */
void backoff_judge(struct sampler *sampler, int64_t before_ns);
/* Returns whether the sampler is pausing after a slow write. Optional work is then left out. */
bool backoff_is_on(const struct sampler *sampler);
/* Records in the file mode of start.csv that a row of a process was left out during a pause. */
void backoff_leave_out(struct sampler *sampler);

/* -- search.c: finds the processes of the run -- */

void search_members(struct sampler *sampler);
/* Returns the index of the process that has this pid, or MEMBER_NONE. A process that descends from a process of the run
 * is added if necessary, with its ancestors. */
int search_known(struct sampler *sampler, int pid);
/* Returns whether a process belongs to the tracker. */
bool search_is_tracker(const struct sampler *sampler, int pid);
/* Returns whether a process was started with RTRACK=off. */
bool search_is_off(struct sampler *sampler, int pid);
/* Stores the root's start time and image number from a reading. */
void search_note_root(struct sampler *sampler, const struct process_reading *reading);

/* -- members.c: reads each process -- */

void members_measure_tracker(struct sampler *sampler);
void members_read(struct sampler *sampler);
/* Reads a process; sets `reading` only for SIGHT_SEEN. A reading fails (SIGHT_UNKNOWN) for lack of descriptors or
 * memory, or if /proc is inaccessible. The process may still be alive then, so it stays in the ledger. */
enum sight { SIGHT_SEEN, SIGHT_GONE, SIGHT_UNKNOWN };
enum sight members_look(const struct member *member, bool with_io, struct process_reading *reading);

/* Returns whether a process has ended, so that its figures are final. A zombie with several threads is alive: only its
 * main thread has ended. */
bool members_is_dead(const struct process_reading *reading);
/* Stores a reading as the final figures of a process without its children. */
void members_keep(struct member *member, const struct process_reading *reading);

/* -- cpu_wait.c: time that the threads of a process wait for a CPU -- */

/* Grants the CPU time budget since the last tick. Call it once per tick, before the processes are read. */
void cpu_wait_begin(struct sampler *sampler);
/* Fills COUNTER_CPU_WAIT of a new reading. cpu_wait_read reads a living process within the budget. cpu_wait_end always
 * reads a zombie, because there is no later reading. */
void cpu_wait_read(struct sampler *sampler, struct member *member, struct process_reading *reading);
void cpu_wait_end(struct sampler *sampler, struct member *member, struct process_reading *reading);

/* -- ends.c: ends processes without an exit row of their own -- */

/* Records how the root ended. `exit_code` is -1, and `exit_signal` 0, if unknown. If both are unknown and `lost` is
 * set, the root was killed. */
void ends_note_root(struct sampler *sampler, int exit_code, int exit_signal, bool lost);
/* Called in a keeper before exit.csv is read. If the root that hosted the sampler is gone, appends the exit row from
 * its final record. */
void ends_take_last_word(struct sampler *sampler);
/* Records the ends of processes that are gone or zombies. */
void ends_find(struct sampler *sampler);

/* Records the ends of descendants of `pid` that are gone. Call it before the end of `pid` is counted with its inclusive
 * figure. Otherwise the known usage of the descendants would be counted twice. If the descendants wrote no exit rows of
 * their own, ends_say_gone writes them later. */
void ends_of_descendants(struct sampler *sampler, int pid);
void ends_say_gone(struct sampler *sampler);

/* -- accounts.c: the run's usage since the last row -- */

void accounts_update(struct sampler *sampler);
/* At the end of the run, adds the usage that wait4 has reported and no row contains. */
void accounts_close(struct sampler *sampler);
/* Moves the usage since the last row into `amounts`, and subtracts usage that is owed because earlier rows contain
 * it. */
void accounts_settle(struct sampler *sampler, uint64_t amounts[COUNTER_COUNT]);
/* Removes processes that ended some ticks ago and are gone. */
void accounts_forget(struct sampler *sampler);

/* -- group.c: the control group in which the run executes -- */

/* Starts the measurement of the group. `begun`: state of the group at the start of the run; NULL if the run starts
 * now. */
void group_open(struct sampler *sampler, const struct system_group *begun);
/* Ends the measurement: fills the group's figures in `end`. */
void group_close(struct sampler *sampler, struct run_end *end);

/* -- resume.c: continues a run of another sampler -- */

/* Saves the state for the next sampler, as a hand-over or a checkpoint. Returns 0, or -1 if it cannot be written. */
int resume_save(struct sampler *sampler, bool handed_over);
/* Marks the sampling thread's usage in the root as counted, because the figures of the root include it if another
 * process reads them. */
void leave_to_root(struct sampler *sampler, const uint64_t tracker[COUNTER_COUNT]);
/* Writes a checkpoint if processes other than the root are alive and something has changed, no more than once per
 * second. */
void resume_checkpoint(struct sampler *sampler);
void resume_forget(const struct sampler *sampler);
/* Loads a saved state and returns 0, or a checkpoint and returns 1. Without either, adds up the rows of process.csv and
 * returns -1. */
int resume_load(struct sampler *sampler);

/* -- last_row.c: the final record of a root that may be killed -- */

void last_row_open(struct sampler *sampler);
/* Rewrites the final record. Call it after each tick. */
void last_row_tick(struct sampler *sampler);
/* Removes the final record. Call it when another sampler continues, or the run has ended. */
void last_row_remove(const struct sampler *sampler);

/* -- gpus.c: GPUs and energy, from rtrack-gpu -- */

/* Determines whether there is a GPU or an energy counter, and opens the record of a running rtrack-gpu. */
void gpus_open(struct sampler *sampler, const struct settings *settings);
/* Reads the current record of rtrack-gpu into `scratch`. The functions below use it until `scratch` is reused. */
bool gpus_read(struct sampler *sampler);
void gpus_write_member(const struct sampler *sampler, struct member *member);
void gpus_write_process(const struct sampler *sampler, struct cell *cells);
void gpus_write_system(struct sampler *sampler, struct cell *cells);

/* -- lines.c: code lines of interpreters -- */

void lines_open(struct sampler *sampler, const struct settings *settings);
/* Writes rows of line.csv with the time `now_ns`, and finds new interpreters. Call it at each tick. */
void lines_tick(struct sampler *sampler, int64_t now_ns, bool last);
void lines_release(struct sampler *sampler);

/* -- rows.c: rows of the three tables -- */

void rows_write(struct sampler *sampler, int64_t now_ns, int64_t elapsed_ns, bool last);

#endif
