/* What the job marked with rtrack_mark: mark.csv. */
#ifndef RTRACK_REPORT_SPOOL_MARKS_H
#define RTRACK_REPORT_SPOOL_MARKS_H

#include <stddef.h>

enum { MARKS_MAX = 200 }; /* of more, the first ones are kept: a page shows no more */

struct mark {
	double time; /* seconds since 1970 */
	double pid;
	char *label; /* as it is in the file: a text of the job */
};

struct marks {
	size_t total; /* in the file */
	size_t count; /* kept */
	struct mark *items;
};

/* A file that does not exist, or that cannot be read, which is said, has no marks. Returns 0, or -1 with errno when
 * there is no memory. */
int marks_load(struct marks *marks, const char *directory);
void marks_free(struct marks *marks);

#endif
