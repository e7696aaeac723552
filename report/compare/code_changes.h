/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of code, or functions, that either of two runs had, beside each other. */
#ifndef RTRACK_REPORT_COMPARE_CODE_CHANGES_H
#define RTRACK_REPORT_COMPARE_CODE_CHANGES_H

#include "report/model/code.h"

struct code_change {
	char *name; /* as code_name has it: two runs seldom have their scripts in one folder */
	bool there[2];
	struct code_line of[2]; /* of A and B; without texts */
};

struct code_changes {
	struct code_change *items; /* the largest change of CPU time first */
	size_t count;
};

void code_changes_make(struct code_changes *changes, const struct code_list *a, const struct code_list *b);
void code_changes_free(struct code_changes *changes);

/* CPU time and growth of memory of a side; UNKNOWN where it was not there. */
double code_changes_cpu(const struct code_change *change, int side);
double code_changes_growth(const struct code_change *change, int side);

/* Whether both sides have looks enough for a part of one in the other. */
bool code_changes_have_share(const struct code_change *change);

#endif
