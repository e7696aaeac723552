/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the lines of code, or the functions, of two runs. */
#ifndef RTRACK_REPORT_COMPARE_CODE_CHANGES_H
#define RTRACK_REPORT_COMPARE_CODE_CHANGES_H

#include "report/model/code.h"

struct code_change {
	/* name from code_name, without the folder, because two runs seldom have their scripts in the same folder */
	char *name;
	bool there[2];
	struct code_line of[2]; /* figures of A and B; strings are unset */
};

struct code_changes {
	struct code_change *items; /* sorted by change of CPU time, descending */
	size_t count;
};

void code_changes_make(struct code_changes *changes, const struct code_list *a, const struct code_list *b);
void code_changes_free(struct code_changes *changes);

/* CPU time and memory growth of one side; UNKNOWN if that side lacks the line. */
double code_changes_cpu(const struct code_change *change, int side);
double code_changes_growth(const struct code_change *change, int side);

/* Whether both sides have enough samples for a ratio. */
bool code_changes_have_share(const struct code_change *change);

#endif
