/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run, merged from start.csv, exit.csv and member.csv. There is one record per process.
 *
 * A process is identified by (pid, start_ticks). Its name is the name of the last program that it executed. Its figures
 * come from its last exit row. Figures that are missing there come from the samples in member.csv. */
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
	double start_time; /* time of the first record of the process */
	double end_time;   /* time of the exit row, or UNKNOWN */
	double seen_time;  /* time of the last row in member.csv, or UNKNOWN if the file has not been read */
	/* time at which the process freed more than half of its peak memory without allocating it again; or UNKNOWN */
	double let_go_time;
	double gpu_seconds; /* GPU usage multiplied by time, from member.csv */
	double gpu_usage;   /* GPU usage in the last row of member.csv */
	double peak_vram_mib;
	char *exe;                      /* path of the executable, owned, or NULL */
	char *command;                  /* command line, owned, or NULL */
	struct process_figures last;    /* figures of its exit row */
	struct process_figures sampled; /* sums of the samples in member.csv; set by processes_add_members */
	/* PSS of the process, and its file pages that the kernel can drop. Both are from the row of member.csv with the
	 * largest RSS, or UNKNOWN. */
	double sampled_memory_mib, sampled_file_mib;
	double sampled_hugetlb_mib; /* largest value in member.csv, or UNKNOWN */
	/* CPU time that the root used before it became the job (processes_begin_root). `last` and `sampled` exclude
	 * this time. */
	double before_user_seconds, before_system_seconds;
	/* CPU time of children that the root reaped before it became the job. children_user_seconds and
	 * children_system_seconds include this time. */
	double before_children_user_seconds, before_children_system_seconds;
	/* the root reached its peak memory before it became the job, so only samples show its memory during the job */
	bool peak_is_before;
	/* ru_maxrss at the start of the first program that the process executed. It may be the parent's peak
	 * (own_bytes_find), because fork copies the parent's memory and exec does not reset ru_maxrss. */
	double inherited_peak_mib;
	/* largest ru_maxrss at the start of a later program, which is the peak of an earlier program of this process;
	 * UNKNOWN if it is not above inherited_peak_mib */
	double earlier_peak_mib;
	/* largest ru_maxrss at the start of any program of this process. It is an upper bound of the memory that the
	 * process used before its last exec. */
	double found_peak_mib;
	/* ru_maxrss at the last recorded exec after the first, and the time of this exec; or UNKNOWN. Until then, the
	 * process used at most that much memory. */
	double exec_peak_mib, exec_time;
	/* upper bound of the CPU seconds that rtrack used in programs of this process before the last exec, or
	 * UNKNOWN */
	double image_tracker;
	bool image_ignored;       /* an earlier program of this process ignored SIGCHLD */
	double children_peak_mib; /* largest peak memory of any process that this process or its children reaped */
	double peak_mib, own_mib; /* set by own_bytes_find, UNKNOWN before */
	double own_shared_mib;    /* part of own_mib that belongs to shared_object, or 0; set by own_bytes_find */
	double unknown_mib; /* upper bound of the memory of a child that has no row, or 0; set by own_bytes_find */
	bool forked;        /* the process was forked and has executed no program */
	/* if the figures are not final, upper bound of the CPU seconds that are missing from them */
	double missing_seconds;
	double exit_code;
	double exit_signal;
	enum exit_source source; /* who wrote the last exit row */
	bool exact;              /* the exit row marks the figures as final */
	bool goes_on;            /* the process wrote its exit row itself, but its host program (valgrind) continued */
	bool exact_peak;         /* the exit row marks the peak as final */
	bool launches;           /* the process is an rtrack-run that started an inner run; set by inner_add */
	/* the exit row was written by an old version of rtrack, which did not record whether the peak is final */
	bool of_old;
	int last_ppid; /* pid of the parent when the process ended */
	/* Offsets within the array from a process to its parent: at its start, and at its end (processes_find_parents).
	 * 0 if the parent is not in the run. to_first_parent never forms a circle, even if rows are damaged. */
	ptrdiff_t to_first_parent, to_last_parent;
	/* The next four fields come from the exit row, or are UNKNOWN: CPU time of its reaped children and their
	 * descendants, number of children that it did not reap, and 1 if it ignored SIGCHLD. */
	double children_user_seconds;
	double children_system_seconds;
	double children_left;
	double children_ignored;
	/* page faults of the process in all programs that it executed, and page faults of its reaped children and their
	 * descendants */
	double minor_faults;
	double children_minor_faults;
	double private_mib; /* private memory of a forked process at its end, or UNKNOWN if not read */
	/* the limits are UNKNOWN if the process had none, or if they were not read */
	double address_space_limit_mib;
	double address_space_mib;
	double data_limit_mib;
	double cpu_limit_seconds; /* limit of its CPU time (RLIMIT_CPU), or UNKNOWN if there was none or it was not read
				   */
	double energy_wh;         /* UNKNOWN if the system does not measure energy per process */
	/* memory that the process held of its largest shared memory object, and the size of that object; UNKNOWN if
	 * there is none */
	double shared_mib, shared_size_mib;
	char *shared_object; /* identifier of the shared memory object, or NULL; owned */
};

/* Returns whether a process is still alive. Only valid for a run that continues after its root's end. */
static inline bool process_lives_on(const struct process *process)
{
	return !process->exact && !number_known(process->end_time);
}

struct processes {
	struct process *items; /* in order of the first record of each process */
	size_t count;
	size_t record_bytes; /* size of the tables whose rows are records of processes */
	size_t unseen;       /* number of processes without a final exit row */
	bool is_adding;      /* processes_add is reading the records of an inner run */
	bool lacks_some;     /* some process may have had children that have no row (report/model/own_bytes.h) */
	size_t capacity;
	uint32_t *slots; /* hash table by identity; a slot is the index in `items` plus 1, or 0 if free */
	size_t slot_count;
	bool members_read; /* member.csv was read before, so its problems are not reported again */
	bool samples_added;
};

/* Reads start.csv and exit.csv. Rows that cannot be read are skipped and reported. */
void processes_load(struct processes *processes, const struct files *files);

/* Adds the records of a run inside this run. Call processes_find_parents and processes_count_unseen afterwards. */
void processes_add(struct processes *processes, const struct files *files);
void processes_count_unseen(struct processes *processes);

/* Returns the process with this identity, or NULL. */
struct process *processes_get(const struct processes *processes, struct process_id id);

/* Returns the process with this identity. If it is new, adds it with the pid of its parent, the time of its first
 * record, and otherwise unknown figures. The pointer is valid until another process is added. */
struct process *processes_make(struct processes *processes, struct process_id id, double ppid, double time);

/* Subtracts the CPU time that the root used before it became the job, for example as a shell before exec, or before it
 * loaded the library. The root is the first process with `pid`. The given CPU seconds include those of the children
 * that the root had reaped by then. Returns true if the root also reached its peak memory before it became the job. In
 * this case, processes_add_members takes the peak from samples. Call this function once, before
 * processes_add_members. */
bool processes_begin_root(struct processes *processes, double pid, double user_seconds, double system_seconds);

/* Subtracts the CPU time that the process used before it became the job. The arguments are its CPU time in its first
 * row of member.csv. If one of them is UNKNOWN, both become UNKNOWN. */
void process_leave_before(const struct process *process, double *user_seconds, double *system_seconds);
void processes_free(struct processes *processes);

/* Finds the parent of each process. Called by processes_load. */
void processes_find_parents(struct processes *processes);

/* Adds the samples in member.csv to the processes. Does nothing if called again. */
void processes_add_members(struct processes *processes, const struct files *files);

struct reader;

/* Called with a process and its current row of member.csv. */
typedef void take_member_row(void *context, const struct process *process, struct reader *reader);
/* Calls take(context, process, reader) for each row of member.csv that belongs to a known process, in file order. */
void processes_each_member(
	const struct processes *processes, const struct files *files, take_member_row *take, void *context);

/* Returns whether member.csv must be read because the records of a process lack its CPU time or peak. */
bool processes_lack_figures(const struct processes *processes);

/* Returns whether member.csv must be read because a process failed under a memory limit (ulimit). The samples show
 * whether the process had freed its memory before it failed. */
bool processes_any_limited(const struct processes *processes);

/* Returns the figures that a process recorded. Missing figures are taken from its samples in member.csv. */
struct process_figures process_best_usage(const struct process *process);

/* Returns the CPU seconds of a process, without its children, from its last record. Unknown values are treated as 0. */
double process_cpu_seconds(const struct process *process);

/* Return the parent that a process had at its start, and the parent that it had at its end, or NULL if the parent is
 * not in the run. */
const struct process *process_first_parent(const struct process *process);
const struct process *process_last_parent(const struct process *process);

/* Compares two processes of one array, like strcmp. Processes are shown in this order: by first record, then by pid. No
 * two processes are equal. */
int process_order(const struct process *a, const struct process *b);

/* Returns the exit status as shells report it: 128 plus the signal for a process that died of a signal. */
double process_status(const struct process *process);

/* Returns whether a process is the root of its run. */
bool processes_is_root(const struct process *process, const struct run *run);

/* Returns the root of the run, or NULL if the root has no record. */
struct process *processes_root(const struct processes *processes, const struct run *run);

#endif
