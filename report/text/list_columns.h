/* `list --columns`: a table of the columns that were asked for. */
#ifndef RTRACK_REPORT_TEXT_LIST_COLUMNS_H
#define RTRACK_REPORT_TEXT_LIST_COLUMNS_H

#include "report/say/terminal.h"
#include "report/text/list_fold.h"

enum { LIST_COLUMNS_MAX = 32 };

struct list_columns {
	size_t count;
	int items[LIST_COLUMNS_MAX];
};

/* Reads "job,status,processes": run, job, start, duration, status, cpu, memory, and each total by its name in JSON.
 * Returns 0, or -1 after a message. */
int list_columns_read(struct list_columns *columns, const char *names);

/* Writes a heading and a line for each row. The job is cut to what the terminal has room for. */
void list_columns_write(
	const struct terminal *terminal, const struct list_columns *columns, const struct list_row *rows, size_t count);

#endif
