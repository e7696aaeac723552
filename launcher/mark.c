/* SPDX-License-Identifier: Apache-2.0 */
/* Implements rtrack-run --mark. */
#include "launcher/mark.h"

#include "core/columns.h"
#include "core/spool.h"
#include "launcher/message.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/last_word.h"
#include "os/self.h"
#include "sampler/record.h"
#include "sampler/run/names.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void append(int at, enum table_id table, const struct buffer *row)
{
	if (!row->full)
		(void)os_append(at, tables[table].file, (struct text){row->data, row->length}, 0);
}

/* Writes start and exit records of this process, which belongs to the run. rtrack-run is a static program, so the
 * library cannot write them. Without the records, readers could not know that this process has left no children. */
static void tell_of_itself(const char *run)
{
	char row_text[SPOOL_ROW_MAX];
	struct buffer row = BUFFER(row_text);
	struct process_reading self;
	struct process_usage usage;
	int at = os_open_directory(OS_HERE, run);

	(void)os_learn_time();
	if (process_read(os_pid(), false, &self) != 0 || last_find_place(at, self.id) != LAST_HERE) {
		os_close(at);
		return;
	}
	record_write_start(&row,
		&(struct start_record){.time_ns = os_now_ns() - os_since_boot_ns() + process_started_ns(self.id.start),
			.id = self.id,
			.ppid = os_parent(),
			.exe = TEXT("rtrack-run"),
			.command = TEXT("rtrack-run --mark"),
			.earlier_peak_kib = process_peak_rss_kib()});
	append(at, TABLE_start, &row);
	struct exit_record end = {
		.time_ns = os_now_ns(), .id = self.id, .ppid = os_parent(), .source = "self", .exact = true};
	/* The inherited peak may be the peak of the shell, because a child of vfork uses its parent's memory until
	 * exec. process_read_self therefore compares the peak with it. */
	process_read_self(&usage, process_peak_rss_kib(), SPOOL_SMALL_PEAK_KIB);
	record_from_self(&end, &usage);
	row.length = 0;
	row.full = false;
	record_write_exit(&row, &end);
	append(at, TABLE_exit, &row);
	os_close(at);
}

/* Fills the mark with the usage of the shell that called rtrack-run. */
static void read_caller(struct mark_record *mark, const char *label)
{
	struct process_reading reading;

	*mark = (struct mark_record){.pid = os_parent(), .label = label};
	if (process_read(mark->pid, true, &reading) != 0)
		return;
	mark->peak_kib = process_read_peak_kib(mark->pid);
	mark->io_known = reading.io_known;
	memcpy(mark->inclusive, reading.inclusive, sizeof mark->inclusive);
}

int mark_write(const char *label)
{
	struct mark_record mark;
	const char *run = getenv("RTRACK_RUN");
	char path_text[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(path_text);

	if (!run || run[0] != '/')
		return 0;
	(void)signal(SIGXFSZ, SIG_IGN); /* Functions of os/file.h require SIGXFSZ to be ignored. */
	buffer_string(&path, run);
	buffer_string(&path, "/");
	buffer_string(&path, tables[TABLE_mark].file);
	read_caller(&mark, label);
	if (path.full || !run_is_ours(run) || record_append_mark(buffer_terminate(&path), &mark, UINT64_MAX) != 0) {
		message_print("the mark cannot be written to '%s'", run);
		return -1;
	}
	tell_of_itself(run);
	return 0;
}
