/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run, one record each, merged from start.csv, exit.csv and member.csv.
 *
 * A process is identified by (pid, start_ticks). Its name is that of the last program that it executed, and its figures
 * are those of its last exit row. Figures that it did not record come from the samples in member.csv. */
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

/* Who wrote an exit row. */
enum exit_source { SOURCE_NONE, SOURCE_SELF, SOURCE_SAMPLER, SOURCE_LAUNCHER };

struct process {
	struct process_id id;
	double ppid;
	double start_time;  /* time of the first record of the process */
	double end_time;    /* time of its exit row, or UNKNOWN */
	double seen_time;   /* time of its last row in member.csv, if that has been read */
	double let_go_time; /* time of the first row of member.csv with less than half of the earlier peak, or UNKNOWN
			     */
	double gpu_seconds; /* GPUs in use × time, from member.csv */
	double gpu_usage;   /* GPU usage in the last row of member.csv */
	double peak_vram_mib;
	char *exe;                      /* path of the executable, owned, or NULL */
	char *command;                  /* command line, owned, or NULL */
	struct process_figures last;    /* figures of its exit row */
	struct process_figures sampled; /* sums over member.csv, set by processes_add_members */
	/* PSS of the process, and its file pages that the kernel can drop, both from the row with the largest RSS; or
	 * UNKNOWN. */
	double sampled_memory_mib, sampled_file_mib;
	double sampled_hugetlb_mib; /* maximum of all rows, or UNKNOWN */
	/* CPU time before the root became the job (processes_begin_root). The first two fields are the root's own CPU
	 * time, which `last` and `sampled` exclude. The other two are the CPU time of children that the root had reaped
	 * by then. children_user_seconds and children_system_seconds include it. */
	double before_user_seconds, before_system_seconds;
	double before_children_user_seconds, before_children_system_seconds;
	/* the root's peak dates from before the job, so only samples show its memory during the job */
	bool peak_is_before;
	/* inherited_peak_mib is ru_maxrss at the start of the first program after an exec. fork copies the parent's
	 * memory, and exec keeps the figure, so it may be the parent's peak (own_bytes_find). earlier_peak_mib is the
	 * largest ru_maxrss at the start of a later program. It is the peak of an earlier program of this process. */
	double inherited_peak_mib;
	double earlier_peak_mib; /* UNKNOWN if it is not above inherited_peak_mib */
	/* the largest ru_maxrss at the start of a program in this process, an upper bound of its memory until the last
	 * exec */
	double found_peak_mib;
	double image_tracker;     /* CPU seconds of the tracker in programs that an exec replaced: an upper bound, or
				     UNKNOWN */
	bool image_ignored;       /* one of the programs that it executed ignored SIGCHLD */
	double children_peak_mib; /* peak memory of the largest process that it or its children reaped */
	double peak_mib, own_mib; /* own_bytes_find sets these and the next three fields; UNKNOWN before */
	double own_shared_mib;    /* part of own_mib in the process's shared object, or 0 */
	double unknown_mib;       /* largest memory that one of its children without a row may have had, or 0 */
	bool forked;              /* the process is a fork without an exec */
	double missing_seconds;   /* upper bound of missing CPU time if its figures are not final */
	double exit_code;
	double exit_signal;
	enum exit_source source; /* writer of its last exit row */
	bool exact;              /* its exit row marks its figures as final */
	bool goes_on;            /* the process wrote its exit row itself, but its host program (valgrind) continued */
	bool exact_peak;         /* its exit row marks its peak as final */
	bool of_old;             /* an old version with fewer columns wrote its exit row, which is trusted */
	int last_ppid;           /* pid of its parent at its end */
	/* Offsets within the array to the parent at the start and to the parent at the end of the process
	 * (processes_find_parents); 0 if the parent is not in the run. A walk along to_first_parent always ends, even
	 * with damaged rows. */
	ptrdiff_t to_first_parent, to_last_parent;
	/* From its exit row, or UNKNOWN: CPU time of its reaped children and their descendants, number of unreaped
	 * children, and 1 if it ignored SIGCHLD. */
	double children_user_seconds;
	double children_system_seconds;
	double children_left;
	double children_ignored;
	/* page faults of the process in all its programs, and page faults of its reaped children and their descendants
	 */
	double minor_faults;
	double children_minor_faults;
	double private_mib;             /* private memory of a fork at its end; UNKNOWN if not read */
	double address_space_limit_mib; /* the limit fields are UNKNOWN if there was no limit or it was not read */
	double address_space_mib;
	double data_limit_mib;
	double energy_wh; /* UNKNOWN if the system does not count it */
	/* The largest shared object of the process: the largest part of it that the process held, its size, and its
	 * name. UNKNOWN and NULL if there is none. */
	double shared_mib, shared_size_mib;
	char *shared_object; /* name of the object; owned */
};

/* Whether a process is still alive, in a run that continues after its root's end. */
static inline bool process_lives_on(const struct process *process)
{
	return !process->exact && !number_known(process->end_time);
}

struct processes {
	struct process *items; /* in order of their first records */
	size_t count;
	size_t unseen;   /* number without an exact exit row */
	bool lacks_some; /* some process may have had children that have no row (report/model/own_bytes.h) */
	size_t capacity;
	uint32_t *slots; /* hash table by identity: index + 1 in items */
	size_t slot_count;
	bool members_read; /* ensures that problems of member.csv are reported once */
	bool samples_added;
};

/* Reads start.csv and exit.csv. Unreadable parts are reported and skipped. */
void processes_load(struct processes *processes, const struct files *files);

/* Subtracts from the root's figures what it used before it became the job, for example as a shell before exec, or
 * before it loaded the library. The root is the first process with `pid`. The given CPU seconds include the children
 * that it had reaped until then. Returns true if the root's peak also dates from before. processes_add_members then
 * supplies a peak from samples. Call this once, before processes_add_members. */
bool processes_begin_root(struct processes *processes, double pid, double user_seconds, double system_seconds);

/* Subtracts the process's CPU time before the job from the CPU time in its first row of member.csv. */
void process_leave_before(const struct process *process, double *user_seconds, double *system_seconds);
void processes_free(struct processes *processes);

/* Finds the parent of each process; called by processes_load. */
void processes_find_parents(struct processes *processes);

/* Adds the samples of member.csv to the processes. Further calls do nothing. */
void processes_add_members(struct processes *processes, const struct files *files);

struct reader;

/* Calls take(context, process, reader) for each row of member.csv that belongs to a known process, in file order. */
typedef void take_member_row(void *context, const struct process *process, struct reader *reader);
void processes_each_member(
	const struct processes *processes, const struct files *files, take_member_row *take, void *context);

/* Whether member.csv is needed, because a process lacks its own CPU time or peak. */
bool processes_lack_figures(const struct processes *processes);

/* Whether member.csv is needed, because a process failed under a memory limit (ulimit). The samples show whether the
 * process freed its memory. */
bool processes_any_limited(const struct processes *processes);

/* The final figures of a process, or its sampled figures from member.csv if it left none. */
struct process_figures process_best_usage(const struct process *process);

/* CPU seconds of a process and its reaped children, by its last record; unknown values count as 0. */
double process_cpu_seconds(const struct process *process);

/* Parent of a process at its start and at its end, or NULL if it is not in the run. */
const struct process *process_first_parent(const struct process *process);
const struct process *process_last_parent(const struct process *process);

/* Compares two processes of one array, as strcmp does, in the order in which they are shown: by first record, then by
 * pid. No two processes are equal. */
int process_order(const struct process *a, const struct process *b);

/* Exit status as shells report it: 128 plus the signal for a process that died of a signal. */
double process_status(const struct process *process);

/* Whether a process is the root of its run. */
bool processes_is_root(const struct process *process, const struct run *run);

/* The root of the run, or NULL if it has no record. */
struct process *processes_root(const struct processes *processes, const struct run *run);

#endif
