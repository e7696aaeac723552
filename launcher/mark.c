/* An instant of the run around; see mark.h. */
#include "launcher/mark.h"

#include "core/columns.h"
#include "core/spool.h"
#include "launcher/message.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/self.h"
#include "sampler/record.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

int mark_write(const char *label)
{
	enum { LABEL_MAX = 512, MARK_ROW_MAX = 2 * LABEL_MAX + 64 };
	const char *run = getenv("RTRACK_RUN");
	char path_text[SPOOL_PATH_MAX], row_data[MARK_ROW_MAX];
	struct buffer path = BUFFER(path_text), row = BUFFER(row_data);
	struct cell cells[MARK_COLUMNS] = {
		[MARK_timestamp] = CELL_NUMBER((double)os_now_ns() / 1e9),
		[MARK_pid] = CELL_NUMBER(os_parent()),
		[MARK_label] = CELL_TEXT(record_cut(text_of(label), LABEL_MAX)),
	};

	if (!run || run[0] != '/')
		return 0;
	(void)signal(SIGXFSZ, SIG_IGN); /* as os/file.h wants it */
	buffer_string(&path, run);
	buffer_string(&path, "/");
	buffer_string(&path, tables[TABLE_mark].file);
	if (path.full)
		return 0;
	row_write_header(&row, &tables[TABLE_mark]);
	(void)os_create(OS_HERE, buffer_terminate(&path), (struct text){row_data, row.length});
	row.length = 0;
	row_write(&row, &tables[TABLE_mark], cells);
	int result = os_append(OS_HERE, buffer_terminate(&path), (struct text){row_data, row.length}, UINT64_MAX);
	if (result == 0)
		return 0;
	message_print("cannot mark the run in '%s'", run);
	return -1;
}
