/* The processes of a run, one record each, joined from start.csv, exit.csv and member.csv.
 *
 * A process is (pid, start_ticks). Its name is that of its last image, its figures those of its last exit
 * row. For one that left no figures, what member.csv saw of it stands in. */
#ifndef RTRACK_REPORT_PROCESSES_H
#define RTRACK_REPORT_PROCESSES_H

#include "core/number.h"
#include "report/run.h"

struct process {
	uint64_t pid;
	uint64_t start_ticks;
	double ppid;
	double start_time; /* of its first record */
	double end_time;   /* UNKNOWN: it has no exit row */
	struct text exe;
	struct text command;
	double user_seconds;
	double system_seconds;
	double peak_memory_mib;
	double read_bytes;
	double write_bytes;
	double exit_code;
	double exit_signal;
	bool exact; /* its exit row says that its figures are final */
};

struct processes {
	struct process *items; /* in order of their first records */
	size_t count;
	size_t unseen; /* how many have no exact exit row */
	char **texts;  /* owns the texts of all items */
	size_t text_count;
	uint32_t *slots; /* by (pid, start_ticks) */
	size_t slot_count;
};

/* Reads start.csv and exit.csv; whatever cannot be read is spoken of and left out. Returns 0, or -1
 * with errno when there is no memory. */
int processes_load(struct processes *processes, const char *directory);
void processes_free(struct processes *processes);

/* Reads member.csv for the processes without an exit row, or with one that holds no CPU time: their
 * CPU time, storage bytes and peak as far as the sampler saw them. */
int processes_add_members(struct processes *processes, const char *directory);

/* Processes of one program. */
struct program {
	char *name;    /* the executable's name; owned */
	char *command; /* the words that the command lines begin with in common, "…" for what differs; owned */
	size_t processes;
	double cpu_seconds;
	double peak_memory_mib; /* of the largest process */
	double read_bytes;
	double write_bytes;
};

struct programs {
	struct program *items; /* by CPU time, the most first */
	size_t count;
};

/* Returns 0, or -1 with errno when there is no memory. */
int programs_group(struct programs *programs, const struct processes *processes);
void programs_free(struct programs *programs);

#endif
