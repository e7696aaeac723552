/* Start and exit records of the process that loaded the library; see member.h.
 *
 * State in memory can be another process' state: after vfork() it is the parent's very memory, after
 * _Fork() or a raw clone() a copy that no handler has corrected. So every entry compares getpid() with
 * the owner, and what it says is not trusted any further when they differ. */
#include "preload/member.h"

#include "sampler/record.h"

enum { EXIT_ROW_MAX = 512, FORK_ROW_MAX = 1536, FORK_COMMAND_MAX = 512 };

#define NS_PER_TICK 10000000 /* USER_HZ is 100 */

static struct {
	int owner;         /* the pid that this state speaks of; 0: of none */
	int recorded;      /* the exit record is written */
	int64_t fork_ns;   /* since boot, just before the last fork */
	size_t exe_length; /* of exe_scratch and text_scratch, which keep what they held for children */
	size_t command_length;
	uint64_t start_limit; /* bytes of start.csv */
	char directory[SPOOL_PATH_MAX];
} self;

/* Written by the constructor alone; the host's stack may be too small for it. */
static char row_scratch[SPOOL_ROW_MAX];
static char text_scratch[SPOOL_COMMAND_MAX];
static char exe_scratch[SPOOL_COMMAND_MAX / 2];

static void append(enum table_id table, const struct buffer *row, uint64_t limit)
{
	char path[SPOOL_PATH_MAX + 16];
	struct buffer out = BUFFER(path);
	buffer_string(&out, self.directory);
	buffer_byte(&out, '/');
	buffer_string(&out, tables[table].file);
	if (!row->full)
		(void)os_append(OS_HERE, buffer_terminate(&out), (struct text){row->data, row->length}, limit);
}

bool member_is_current(void)
{
	return self.owner == os_pid();
}

void member_begin(const char *directory, const struct settings *settings, char *const *arguments, int count)
{
	struct buffer path = BUFFER(self.directory);
	struct buffer command = BUFFER(text_scratch);
	struct buffer row = BUFFER(row_scratch);
	int64_t exe_length = os_read_link(OS_HERE, "/proc/self/exe", exe_scratch, sizeof exe_scratch);
	struct start_record record = {.exe = {exe_scratch, exe_length > 0 ? (size_t)exe_length : 0}};

	buffer_string(&path, directory);
	(void)buffer_terminate(&path);
	self.owner = os_pid();
	self.start_limit = (uint64_t)(settings->number[SETTING_ID_SPOOL_MAX_MIB] * 1048576);
	for (int i = 0; i < count && !command.full; i++) {
		if (i > 0)
			buffer_byte(&command, ' ');
		buffer_string(&command, arguments[i]);
	}
	self.exe_length = record.exe.length;
	self.command_length = command.length;
	record.time_ns = os_now_ns();
	record.pid = self.owner;
	record.command = (struct text){text_scratch, command.length};
	if (process_read_identity(&record.start_ticks, &record.ppid) != 0)
		return;
	record_write_start(&row, &record);
	append(TABLE_start, &row, self.start_limit);
}

void member_forking(void)
{
	self.fork_ns = os_since_boot_ns();
}

/* When this process started, in ticks: it was between the two instants; if a tick lies between them, the
 * kernel is asked. */
static int fork_ticks(uint64_t *start_ticks)
{
	uint64_t before = (uint64_t)self.fork_ns / NS_PER_TICK;
	int ppid;
	*start_ticks = before;
	if (before == (uint64_t)os_since_boot_ns() / NS_PER_TICK)
		return 0;
	return process_read_identity(start_ticks, &ppid);
}

void member_forked(void)
{
	char row_data[FORK_ROW_MAX];
	struct buffer row = BUFFER(row_data);
	struct start_record record = {.exe = {exe_scratch, self.exe_length}};

	if (self.owner == 0)
		return;
	self.owner = os_pid();
	self.recorded = 0;
	record.time_ns = os_now_ns();
	record.pid = self.owner;
	record.ppid = os_parent();
	record.command = (struct text){
		text_scratch, self.command_length < FORK_COMMAND_MAX ? self.command_length : FORK_COMMAND_MAX};
	if (fork_ticks(&record.start_ticks) != 0)
		return;
	record_write_start(&row, &record);
	if (row.full) {
		/* Long names are told by the sampler, if the process lives long enough to be seen. */
		row = BUFFER(row_data);
		record.exe = record.command = TEXT("");
		record_write_start(&row, &record);
	}
	append(TABLE_start, &row, self.start_limit);
}

/* The start record of a child that no handler of ours has seen. */
static void write_owed_start(const struct process_usage *usage, int64_t time_ns)
{
	char exe[SPOOL_COMMAND_MAX / 2];
	char command[SPOOL_COMMAND_MAX];
	char row_data[SPOOL_ROW_MAX];
	struct buffer exe_out = BUFFER(exe);
	struct buffer command_out = BUFFER(command);
	struct buffer row = BUFFER(row_data);

	process_describe(os_pid(), &exe_out, &command_out);
	record_write_start(&row, &(struct start_record){.time_ns = time_ns,
					 .pid = os_pid(),
					 .start_ticks = usage->start_ticks,
					 .ppid = usage->ppid,
					 .exe = {exe, exe_out.length},
					 .command = {command, command_out.length}});
	append(TABLE_start, &row, self.start_limit);
}

void member_end(int exit_code, const uint64_t *tracker)
{
	struct process_usage usage;
	struct exit_record record = {.exit_code = exit_code};
	char row_data[EXIT_ROW_MAX];
	struct buffer row = BUFFER(row_data);
	bool current = member_is_current();

	if (self.owner == 0)
		return;
	if (current && __atomic_exchange_n(&self.recorded, 1, __ATOMIC_ACQ_REL))
		return;
	int64_t now_ns = os_now_ns();
	if (process_read_self(&usage) != 0)
		return;
	if (!current)
		write_owed_start(&usage, now_ns);
	for (int i = 0; tracker && i < COUNTER_COUNT; i++)
		usage.own[i] = usage.own[i] > tracker[i] ? usage.own[i] - tracker[i] : 0;
	record.time_ns = now_ns;
	record_from_self(&record, &usage);
	record_write_exit(&row, &record);
	append(TABLE_exit, &row, 0);
}
