/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/spool/processes.h: the parent of each process is found, whatever the rows contain. */
#include "report/spool/processes.h"

#include "tests/unit/lib/run_files.h"
#include "tests/unit/lib/tap.h"

#define START_HEADER "\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\"\n"
#define EXIT_HEADER "\"timestamp\",\"pid\",\"start_ticks\",\"ppid\"\n"

/* `first` and `last` list the parents: the pid and start of each process's parent at its start and at its end, or "-",
 * in the order of the rows. */
static const struct parents_case {
	const char *what, *start, *exit, *first, *last;
} cases[] = {
	{"a child is below its parent", "100,10,50,1,,\n101,11,150,10,,\n", "", "- 10@50", "- 10@50"},
	{"a child whose row has an earlier time is below its parent", "100.008,10,50,1,,\n100,11,50,10,,\n", "",
		"- 10@50", "- 10@50"},
	{"a child whose row comes first in the file is below its parent", "100,11,50,10,,\n100.008,10,50,1,,\n", "",
		"10@50 -", "10@50 -"},
	{"the root has no parent in the run", "100,10,50,7,,\n", "", "-", "-"},
	{"a reused pid names the process that had it at that time",
		"100,10,50,1,,\n101,20,150,10,,\n102,21,160,20,,\n103,20,170,10,,\n104,22,180,20,,\n", "",
		"- 10@50 20@150 10@50 20@170", "- 10@50 20@150 10@50 20@170"},
	{"a process is not the parent of a process that started earlier",
		"100,10,50,1,,\n101,11,60,12,,\n102,12,70,10,,\n", "", "- - 10@50", "- - 10@50"},
	{"a process may have another parent at its end", "100,10,50,1,,\n101,11,150,10,,\n102,12,160,11,,\n",
		"103,12,160,10\n104,11,150,1\n", "- 10@50 11@150", "- - 10@50"},
	{"no process is its own parent", "100,10,50,10,,\n", "", "-", "-"},
	{"if two processes are each other's parent, one of the links is dropped", "100,10,50,11,,\n101,11,50,10,,\n",
		"", "- 10@50", "11@50 10@50"},
	{"if three processes form a circle of parents, one of the links is dropped",
		"100,13,50,10,,\n100,10,50,11,,\n101,11,50,12,,\n102,12,50,10,,\n", "", "10@50 - 12@50 10@50",
		"10@50 11@50 12@50 10@50"},
	{"an invalid parent pid means no parent", "100,10,50,,,\n101,11,60,-1,,\n102,12,70,1e300,,\n103,13,80,10.5,,\n",
		"", "- - - -", NULL},
};

/* Writes the parent of each process to `text`. */
static void describe(char *text, size_t size, const struct processes *processes,
	const struct process *(*parent_of)(const struct process *process))
{
	size_t used = 0;

	for (size_t i = 0; i < processes->count && used < size; i++) {
		const struct process *parent = parent_of(&processes->items[i]);
		int length = parent ? snprintf(text + used, size - used, "%s%d@%d", i > 0 ? " " : "", parent->id.pid,
					      (int)parent->id.start)
				    : snprintf(text + used, size - used, "%s-", i > 0 ? " " : "");
		used += length > 0 ? (size_t)length : 0;
	}
}

int main(void)
{
	scratch_collect_messages();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct processes processes;
		char text[200], rows[400];

		(void)snprintf(rows, sizeof rows, START_HEADER "%s", cases[i].start);
		scratch_write("start.csv", rows);
		(void)snprintf(rows, sizeof rows, EXIT_HEADER "%s", cases[i].exit);
		scratch_write("exit.csv", rows);
		processes_load(&processes, files_of(scratch_directory()));
		describe(text, sizeof text, &processes, process_first_parent);
		is_text(text, cases[i].first, "  at its beginning");
		describe(text, sizeof text, &processes, process_last_parent);
		if (cases[i].last)
			is_text(text, cases[i].last, "  at its end");
		processes_free(&processes);
	}
	return done();
}
