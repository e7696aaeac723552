/* An instant of the run around; see mark.h. */
#include "launcher/mark.h"

#include "core/columns.h"
#include "core/spool.h"
#include "launcher/message.h"
#include "os/self.h"
#include "sampler/record.h"

#include <signal.h>
#include <stdlib.h>

int mark_write(const char *label)
{
	const char *run = getenv("RTRACK_RUN");
	char path_text[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(path_text);

	if (!run || run[0] != '/')
		return 0;
	(void)signal(SIGXFSZ, SIG_IGN); /* as os/file.h wants it */
	buffer_string(&path, run);
	buffer_string(&path, "/");
	buffer_string(&path, tables[TABLE_mark].file);
	if (path.full || record_append_mark(buffer_terminate(&path), os_parent(), label, UINT64_MAX) == 0)
		return 0;
	message_print("cannot mark the run in '%s'", run);
	return -1;
}
