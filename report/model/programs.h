/* The processes of a run by the program that they ran, such as the thousand compilations of a build.
 *
 * A program is the base name of the executable. Its processes differ in their arguments; the words that their command
 * lines have in common tell a person which processes are meant. */
#ifndef RTRACK_REPORT_MODEL_PROGRAMS_H
#define RTRACK_REPORT_MODEL_PROGRAMS_H

#include "report/spool/processes.h"

struct program {
	char *name;    /* owned */
	char *command; /* the words that all its command lines begin with, the first without its path; owned */
	bool differs;  /* the command lines differ after those words */
	size_t processes;
	double cpu_seconds;
	double peak_memory_mib; /* of the largest process */
	double read_bytes;
	double write_bytes;
	double gpu_seconds;   /* UNKNOWN, as the next, unless member.csv was read and says so */
	double peak_vram_mib; /* of the process that held the most */
	size_t group;         /* position when sorted by name; only for making `of` */
};

struct programs {
	struct program *items; /* by CPU time, the most first */
	size_t count;
	size_t *of; /* the position here of each process, by its position in `processes`; owned */
};

/* Returns 0, or -1 with errno when there is no memory. */
int programs_make(struct programs *programs, const struct processes *processes);
void programs_free(struct programs *programs);

#endif
