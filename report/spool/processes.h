/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run, one record each, joined from start.csv, exit.csv and member.csv.
 *
 * A process is known by its identity, (pid, start_ticks) in the files. Its name is that of its last image, its figures
 * those of its last exit row. For one that left no figures, what member.csv saw of it stands in. */
#ifndef RTRACK_REPORT_SPOOL_PROCESSES_H
#define RTRACK_REPORT_SPOOL_PROCESSES_H

#include "core/number.h"
#include "os/process.h"
#include "report/spool/run.h"

#include <stddef.h>

struct process_figures {
	double user_seconds;
	double system_seconds;
	double read_bytes;
	double write_bytes;
	double peak_memory_mib;
};

/* The writer of an exit row. */
enum exit_source { SOURCE_NONE, SOURCE_SELF, SOURCE_SAMPLER, SOURCE_LAUNCHER };

struct process {
	struct process_id id;
	double ppid;
	double start_time;  /* of its first record */
	double end_time;    /* UNKNOWN: it has no exit row */
	double seen_time;   /* of its last row in member.csv, once that has been read */
	double let_go_time; /* of the first row there that has less than half of what was the most before; UNKNOWN */
	double gpu_seconds; /* GPUs that it used × time, by the same rows */
	double gpu_usage;   /* of the last of them */
	double peak_vram_mib;
	char *exe;                      /* owned; NULL: unknown */
	char *command;                  /* owned; NULL: unknown */
	struct process_figures last;    /* of its exit row */
	struct process_figures sampled; /* sums of member.csv, once processes_add_members has read it */
	/* In the row with the largest RSS: its memory (PSS), and the file pages in it that the kernel can drop; or
	 * UNKNOWN.
	 */
	double sampled_memory_mib, sampled_file_mib;
	double sampled_hugetlb_mib; /* the most of any row; UNKNOWN */
	/* Of the root: what it had used before it became the job, which is in neither (processes_begin_root), and the
	 * children that it had reaped by then, which its account of children has. */
	double before_user_seconds, before_system_seconds;
	double before_children_user_seconds, before_children_system_seconds;
	bool peak_is_before; /* … and all of its peak is from then: what it had as the job, rows tell alone */
	/* ru_maxrss at the start of the first image that exec made, and the largest that a later image found at its
	 * start, if that is more. fork copies memory from the parent and exec keeps the figure: therefore the first
	 * says nothing of this process as far as its parent had as much (own_bytes_find), and the second is the peak
	 * of an earlier image of it. */
	double inherited_peak_mib;
	double earlier_peak_mib; /* UNKNOWN: not above inherited_peak_mib */
	/* The most that any image found at its start: what was there before the last of them, at `found_time`, had no
	 * more. */
	double found_peak_mib;
	double found_time;
	double image_tracker; /* s of CPU time that the tracker had used when an image last ended, at most; UNKNOWN */
	bool image_ignored;   /* an image of it told that it had ignored SIGCHLD */
	double children_peak_mib; /* of the largest process that it or its children reaped */
	double peak_mib, own_mib; /* of report/model/own_bytes.h, as are the next three; UNKNOWN before that */
	double own_shared_mib;    /* what of own_mib is of its shared object; 0: nothing */
	double unknown_mib;       /* that one of its children without a row can have had; 0: it has none */
	bool forked;              /* it is a fork that did not become another program */
	double missing_seconds;   /* of CPU, at most, where its figures are not final */
	double exit_code;
	double exit_signal;
	enum exit_source source; /* of its last exit row */
	bool exact;              /* its exit row says that its figures are final */
	bool goes_on;            /* its exit row is its own last word, but what ran it (valgrind) went on */
	bool exact_peak;         /* … and that its peak is */
	bool of_old;             /* its exit row is of a version that told less, and is taken at its word */
	int last_ppid;           /* its parent at its end */
	/* From it to its parents at its beginning and at its end, which are items of the same array
	 * (processes_find_parents); 0: none of the run. Every way up along the first ends, whatever the rows say. */
	ptrdiff_t to_first_parent, to_last_parent;
	/* UNKNOWN where its exit row does not tell: CPU time of the children that it reaped and of theirs, how many it
	 * had not reaped, whether (1) it ignored their ends. */
	double children_user_seconds;
	double children_system_seconds;
	double children_left;
	double children_ignored;
	double minor_faults; /* its own, of all of its images, and those of the children that it reaped and of theirs */
	double children_minor_faults;
	double address_space_limit_mib; /* as the next two: UNKNOWN where there was none, or it was not asked */
	double address_space_mib;
	double data_limit_mib;
	double energy_wh; /* UNKNOWN: the system does not tell */
	/* The most that it was seen to have of the largest object that it shared, how large that is, and its name;
	 * UNKNOWN and NULL: none is known. */
	double shared_mib, shared_size_mib;
	char *shared_object; /* owned */
};

/* Whether a process of a run that goes on after its root lives. */
static inline bool process_lives_on(const struct process *process)
{
	return !process->exact && !number_known(process->end_time);
}

struct processes {
	struct process *items; /* in order of their first records */
	size_t count;
	size_t unseen;   /* how many have no exact exit row */
	bool lacks_some; /* some process reaped others that have no row (report/model/own_bytes.h) */
	size_t capacity;
	uint32_t *slots; /* positions + 1 in items, by identity */
	size_t slot_count;
	bool members_read; /* so that problems of member.csv are reported once */
	bool samples_added;
};

/* Reads start.csv and exit.csv; what cannot be read is reported and left out. */
void processes_load(struct processes *processes, const char *directory);

/* Takes out of the figures of the root, the first with that pid, what it had used before it became the job: a shell
 * before its exec, or a program that loaded the library late. The seconds of CPU time are its own and those of the
 * children that it had reaped, in one sum; the account of its children keeps theirs. Such a program's peak may be from
 * before, too: then this is true, and processes_add_members tells the rest. To be called once, before that. */
bool processes_begin_root(struct processes *processes, double pid, double user_seconds, double system_seconds);

/* Takes the same out of the CPU time of the first row of member.csv of a process. */
void process_leave_before(const struct process *process, double *user_seconds, double *system_seconds);
void processes_free(struct processes *processes);

/* Finds the parent of each, which processes_load does. */
void processes_find_parents(struct processes *processes);

/* Reads member.csv, once. */
void processes_add_members(struct processes *processes, const char *directory);

/* Calls take(context, process, reader) for each row of member.csv that is about a process known here, in the order of
 * the file. */
struct reader;
typedef void take_member_row(void *context, const struct process *process, struct reader *reader);
void processes_each_member(
	const struct processes *processes, const char *directory, take_member_row *take, void *context);

/* Whether some process left no CPU time or no peak of its own, so that member.csv is worth reading. */
bool processes_lack_figures(const struct processes *processes);

/* Whether some process failed under a limit of its memory (ulimit), so that member.csv tells whether it let go of it.
 */
bool processes_any_limited(const struct processes *processes);

/* Its final figures; where it left none, those of member.csv. */
struct process_figures process_best_usage(const struct process *process);

/* CPU time (s) by its last record, of itself and of the children that it reaped; what is unknown counts as 0. */
double process_cpu_seconds(const struct process *process);

/* The parent of a process at its start and at its end; NULL: none of the run. */
const struct process *process_first_parent(const struct process *process);
const struct process *process_last_parent(const struct process *process);

/* The order in which items of one array are shown, as strcmp has it: by their first records, then by pid. No two are
 * equal. */
int process_order(const struct process *a, const struct process *b);

/* A status as shells pass it on: 128 and the signal for one that died of a signal. */
double process_status(const struct process *process);

/* Whether a process is the root of its run. */
bool processes_is_root(const struct process *process, const struct run *run);

#endif
