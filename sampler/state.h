/* The sampler's state, and the steps of a tick, by the file that does each. Private to the files of the sampler. */
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
	ROOT_ANCESTORS_MAX = 32,
	GROUP_ANCESTORS_MAX = 8
};

#define NS_PER_SECOND 1000000000
#define EXACT (-1) /* in place of the CPU time that may be missing: none is */
#define BYTES_PER_MIB 1048576
#define KIB_PER_MIB 1024.0

/* -- what a sampler leaves to the next one: resume.c writes and reads it whole ---------------------- */

/* The settings that a tick goes by, since a keeper has no environment; sampler.c. */
struct given {
	int64_t min_ns;
	uint64_t limit_bytes;
	char mask[MASK_MAX];
};

/* The root and its end; ends.c, and search.c when it is read. */
struct root {
	struct process_id id; /* start 0: it was not seen yet */
	uint64_t image;       /* of its last reading; 0: unknown */
	bool ended;
	bool lost; /* … and it is unknown how: it was killed */
	bool told; /* run.json says so */
	enum killer killer;
	int exit_code; /* -1: unknown */
	int exit_signal;
	uint64_t tracker[COUNTER_COUNT]; /* what our thread used in it before it left */
};

/* How far start.csv and exit.csv are read; hear.c. */
struct heard {
	uint64_t start_offset;
	uint64_t exit_offset;
};

/* What of the ledger is in rows; accounts.c. */
struct accounts {
	uint64_t owed[COUNTER_COUNT]; /* accounted, but not to be written: in rows before this sampler began, or not the
					 job's */
	uint64_t total[COUNTER_COUNT]; /* accounted in all: what all rows hold, and what is owed */
};

/* What the last rows of the three series said; rows.c, and gpus.c for the energy. */
struct series {
	uint64_t gauges[GAUGE_COUNT]; /* of the last row in which a member was alive; GAUGE_UNKNOWN: there was none */
	uint64_t ended_peak_kib;      /* the largest peak among those that ended since the last row */
	uint64_t oom_kills[3];        /* for lack of memory, in our control group, by each of the last rows */
	uint64_t helper_ns[SAMPLER_HELPERS]; /* CPU time of each that is in rows */
	uint64_t package_uj;                 /* energy of the processor packages, as rtrack-gpu had counted it */
	uint64_t member_bytes;               /* of member.csv */
	enum truncation truncated;
};

/* The group of processes (a control group) in which the run is; group.c. */
struct group {
	bool known;
	bool shared;     /* with processes that are not of the run, or it may be */
	bool joined;     /* at the end an unknown process is in it that was not at the start */
	uint64_t cpu_ns; /* that it had used when the run began */
	int ancestors;   /* of the root, that were in it then, */
	struct process_id ancestor[GROUP_ANCESTORS_MAX];
	uint64_t ancestors_ns; /* and what they had used themselves */
};

/* All of them. */
struct passed_on {
	struct given given;
	struct root root;
	struct heard heard;
	struct accounts accounts;
	struct series series;
	struct group group;
	struct run_clock clock;
	struct memory memory;
};

/* -- what ends with a sampler ----------------------------------------------------------------------- */

/* Descriptors of the run's directory, its lock and its tables; sampler.c. */
struct files {
	int at;
	int lock;
	int system;
	int process;
	int member;
	int start;
	int exit;
};

/* What rtrack itself is in this run, and used; members.c, and rows.c for what is in rows. */
struct tracker {
	int pid;                         /* the launcher or the keeper, which is no member; 0 in the root */
	int helper_pid[SAMPLER_HELPERS]; /* 0: none */
	uint64_t used[COUNTER_COUNT];    /* in the root the root's figures include it */
	uint64_t hosted[COUNTER_COUNT];  /* the part of it before the thread began */
	uint64_t row_ns;                 /* CPU time in rows */
};

/* The search for members in the list of all processes; search.c. */
struct search {
	struct process_list list;
	struct process_list spare;         /* the previous list: its memory is used again */
	int tally_file;                    /* of process_tally_read; negative: the list is read at every tick */
	struct process_tally tally;        /* before the list was read */
	int ancestors[ROOT_ANCESTORS_MAX]; /* of the root: an orphan of the run may become a child of one */
	int ancestor_count;                /* 0: not asked yet; negative: unknown */
	uint32_t ticks;
	int followed_below;     /* no descriptor of process_follow is kept from this number on */
	bool blind;             /* the list could not be read in this tick: `list` is the previous one */
	bool thorough;          /* every member is read in this tick */
	bool environment_empty; /* of the process that was looked at last */
};

/* What wait4 told rtrack-run of its children, with those that they had reaped; reaped.c. */
struct reaped {
	uint64_t cpu_ns[2]; /* user and system time */
	uint64_t peak_kib;  /* of the largest process among them */
	uint64_t lent_kib;  /* rtrack-run's peak when it had forked the command, which began with that */
};

/* What rtrack-gpu tells; gpus.c. */
struct gpus {
	int file;       /* negative: it is not open */
	bool wanted;    /* there is something for it to tell */
	bool told;      /* its record, which holds now, is in `scratch`: until something else is read into that */
	uint8_t starts; /* how often it may still be started */
};

/* The last checkpoint that was left; resume.c. */
struct checkpoint {
	int64_t boot_ns;
	uint64_t news;
};

/* What the root's last word is renewed from; pulse.c. Times are since boot. */
struct pulse {
	int file;
	int64_t boot_ns;     /* when it was renewed, or found as it was */
	int64_t late_ns;     /* the longest delay of a renewal, lately */
	uint64_t before_kib; /* process_peak_rss_kib when sampling began */
	uint64_t peak_kib;   /* the same by the last row */
	uint64_t clocks_ns;  /* of the root and of the children that it had reaped, when it was written */
};

/* How the spool answered; slow.c. Times are since boot. */
struct slow {
	int64_t until_ns;  /* no tick is due before */
	int64_t queued_ns; /* what the thread had waited for a processor when that was read last */
	bool told;         /* system.csv says that the sampler rested */
	bool left_out;     /* start.csv says that rows of processes are missing */
};

/* The looks at interpreters; lines.c. */
struct lines_state {
	struct lines *state; /* NULL: there has been none */
	int64_t period_ns;   /* 0: there are no looks */
	int64_t next_ns;     /* since boot */
	int64_t left_ns;     /* CPU time that they may use; negative: spent in advance */
	int64_t opened_ns;   /* since boot, when this sampler began */
};

struct sampler {
	char directory[SPOOL_PATH_MAX];
	enum sampler_place place;
	int64_t start_ns;                /* since the epoch */
	uint64_t baseline_ns;            /* CPU time of the root before the run */
	struct system_group group_begun; /* as the run began; known: by its maker, and there is no state yet */
	const char *limit;               /* of rtrack-run that ended the run; NULL: none */
	int root_followed;               /* in a keeper that waited for the root's end; negative: none */
	int64_t read_ns;                 /* since boot, when the last tick had read all figures; 0 before */
	bool attached;                   /* members that lived before the run have used what is not the run's */
	bool looked_around;              /* for runs that were left behind */
	bool rows_unfounded;             /* the ledger is a new one: rows may hold what is in no figure any more */
	bool exit_rows_pending;          /* a member has ended, and its exit row is not written */
	struct passed_on passed;
	struct ledger ledger;
	struct files files;
	struct tracker tracker;
	struct search search;
	struct reaped reaped;
	struct pulse pulse;
	struct gpus gpus;
	struct checkpoint checkpoint;
	struct slow slow;
	struct lines_state lines;
	struct system_state *system;
	_Alignas(8) char scratch[SAMPLER_SCRATCH_MAX];
	char rows[SAMPLER_SCRATCH_MAX];
};

/* Whether a process is the run's root. */
static inline bool sampler_is_root(const struct sampler *sampler, struct process_id id)
{
	return id.pid == sampler->passed.root.id.pid &&
	       (sampler->passed.root.id.start == 0 || id.start == sampler->passed.root.id.start);
}

/* Whether a process is a child of the launcher that samples, which lives as long as the sampler does and reaps it. */
static inline bool sampler_reaps(const struct sampler *sampler, int ppid)
{
	return sampler->place == SAMPLER_IN_LAUNCHER && ppid == sampler->tracker.pid;
}

/* -- hear.c: what members say of themselves -- */

/* Reads what is new in start.csv or exit.csv. */
void hear_read(struct sampler *sampler, enum table_id table);

/* -- announce.c: rows for members that cannot write their own -- */

void announce_start(struct sampler *sampler, struct member *member);
/* `missing_ns`: CPU time that the member may have used beyond what is known, at most; EXACT: its figures are final.
 * Writes the start row first if there is none; of a process that is gone, that has no name. */
void announce_exit(struct sampler *sampler, struct member *member, int exit_code, int exit_signal, const char *source,
	int64_t missing_ns);

/* -- slow.c: a spool that answers slowly -- */

/* To be called in each tick: from then on the thread's wait for a processor is taken out of what a write took. */
void slow_begin(struct sampler *sampler);
/* os_write, and what it took is judged. */
int64_t slow_write(struct sampler *sampler, int file, struct text rows);
/* Judges what was done on the spool since `before_ns` (since boot). */
void slow_judge(struct sampler *sampler, int64_t before_ns);
/* Whether the sampler rests after a slow answer: what can be left out is left out. */
bool slow_rests(const struct sampler *sampler);
/* Tells in the mode of start.csv that a row of a process was left out for that. */
void slow_leave_out(struct sampler *sampler);

/* -- search.c: what belongs to the run -- */

void search_members(struct sampler *sampler);
/* The member that has a pid now. One that is unknown yet is made a member, with its ancestors, if by their parents it
 * descends from one; else MEMBER_NONE. */
int search_known(struct sampler *sampler, int pid);
/* Whether a process is the tracker's own. */
bool search_is_tracker(const struct sampler *sampler, int pid);
/* Whether a process was started with RTRACK=off. */
bool search_is_off(struct sampler *sampler, int pid);
/* Keeps what a reading of the root says of it. */
void search_note_root(struct sampler *sampler, const struct process_reading *reading);

/* -- members.c: a reading of each member -- */

void members_measure_tracker(struct sampler *sampler);
void members_read(struct sampler *sampler);
/* Looks at a member's process; `reading` is set only where it is seen. A failed look (no descriptor or memory is free,
 * /proc is not mounted or refuses) does not say whether the process lives, so the member is kept. */
enum sight { SIGHT_SEEN, SIGHT_GONE, SIGHT_UNKNOWN };
enum sight members_look(const struct member *member, bool with_io, struct process_reading *reading);

/* Whether a process has ended: the figures of a zombie are final until it is reaped. A zombie of several threads lives
 * on: only its main thread has ended. */
bool members_is_dead(const struct process_reading *reading);
/* Keeps a reading as the final figures of a member's own use. */
void members_keep(struct member *member, const struct process_reading *reading);

/* -- ends.c: members that ended without an exit row of their own -- */

/* Notes how the root ended: `exit_code` -1, `exit_signal` 0: unknown; both, and `lost`: it was killed. */
void ends_note_root(struct sampler *sampler, int exit_code, int exit_signal, bool lost);
/* In a keeper: where the root is gone that hosted the sampler, appends the exit row that it left behind. To be called
 * before exit.csv is read. */
void ends_take_last_word(struct sampler *sampler);
/* Ends the members that are gone, and those that are zombies. */
void ends_find(struct sampler *sampler);

/* Ends those descendants of `pid` that are gone. To be called before the end of `pid` is accounted by its inclusive
 * figure, so that what is known of them is not counted again with it. Their own rows may be the next ones that are
 * read; for those that have none by then, ends_say_gone writes one. */
void ends_of_descendants(struct sampler *sampler, int pid);
void ends_say_gone(struct sampler *sampler);

/* -- accounts.c: what the run used since the last row -- */

void accounts_update(struct sampler *sampler);
/* Accounts what wait4 told of the whole tree beyond all rows. */
void accounts_close(struct sampler *sampler);
/* Moves what was accounted since the last row into `amounts`, less what is owed. */
void accounts_settle(struct sampler *sampler, uint64_t amounts[COUNTER_COUNT]);
/* Removes members that ended some ticks ago and are gone. */
void accounts_forget(struct sampler *sampler);

/* -- group.c: what the system accounted to the group of processes in which the run is -- */

/* When the run begins: `begun` is how the group was then; NULL: now is then. */
void group_open(struct sampler *sampler, const struct system_group *begun);
/* When the run is over: fills what `end` says of the group. */
void group_close(struct sampler *sampler, struct run_end *end);

/* -- resume.c: a run that another sampler began -- */

/* Saves what the next sampler needs to go on exactly, `handed_over` or as a checkpoint; -1 when it cannot be written.
 */
int resume_save(struct sampler *sampler, bool handed_over);
/* Marks what our thread used in the root as accounted: a sampler outside of the root reads figures of it that
 * include that. */
void leave_to_root(struct sampler *sampler, const uint64_t tracker[COUNTER_COUNT]);
/* Leaves a checkpoint where other members than the root live, at most every second, and where there is something new.
 */
void resume_checkpoint(struct sampler *sampler);
void resume_forget(const struct sampler *sampler);
/* Takes up a saved state and returns 0, or a checkpoint and returns 1. Without one, takes up what the rows of
 * process.csv sum to and returns -1. */
int resume_load(struct sampler *sampler);

/* -- pulse.c: what is left behind if the root is killed -- */

void pulse_open(struct sampler *sampler);
/* After each tick. */
void pulse_tick(struct sampler *sampler);
/* When another sampler goes on, or the run is over. */
void pulse_remove(const struct sampler *sampler);

/* -- gpus.c: GPUs and energy, which rtrack-gpu asks for -- */

/* Whether there is anything to be told; looks for what an earlier sampler's told already. */
void gpus_open(struct sampler *sampler, const struct settings *settings);
/* At each tick: reads what is told now. The functions below go by that, until `scratch` is used again. */
bool gpus_read(struct sampler *sampler);
void gpus_write_member(const struct sampler *sampler, struct member *member);
void gpus_write_process(const struct sampler *sampler, struct cell *cells);
void gpus_write_system(struct sampler *sampler, struct cell *cells);

/* -- lines.c: the lines of interpreters -- */

void lines_open(struct sampler *sampler, const struct settings *settings);
/* At each tick, with the time of its row: writes rows, and finds interpreters. */
void lines_tick(struct sampler *sampler, int64_t now_ns, int64_t elapsed_ns, bool last);
void lines_release(struct sampler *sampler);

/* -- rows.c: the three series -- */

void rows_write(struct sampler *sampler, int64_t now_ns, int64_t elapsed_ns, bool last);

#endif
