/* Start and exit records of the process that loaded the library; see member.h.
 *
 * State in memory can be another process' state: after vfork() it is the parent's very memory, after
 * _Fork() or a raw clone() a copy that no handler has corrected. So every entry compares getpid() with
 * the owner, and what it says is not trusted any further when they differ. */
#include "preload/member.h"

#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"
#include "os/self.h"
#include "preload/host.h"
#include "sampler/record.h"
#include "sampler/run/mask.h"
#include "sampler/run/names.h"

enum { KEEPER_SETTINGS_MAX = 384 };
enum { EXIT_ROW_MAX = 512, FORK_ROW_MAX = 1536, FORK_COMMAND_MAX = 512 };
enum { PATHS_MAX = (SPOOL_PATH_MAX + 16) * (TABLE_COUNT + 1) };

#define OVERDUE_MIN_NS 500000000

/* In one place and in this order, so that what a usual process writes of it lies in two pages: each page that is
 * written to is copied by every fork of the host. */
static struct {
	struct process_id owner; /* whom this state speaks of; pid 0: nobody, start 0: to be asked for */
	int recorded;            /* the exit record is written */
	bool hidden;
	bool silent; /* no system call may be made any more */
	bool owes_start;
	int64_t start_ns;   /* of the start record, or of the fork */
	int64_t forking_ns; /* since boot, just before the last fork */
	uint64_t peak_kib;  /* what earlier images of this process peaked at */
	struct text exe;    /* kept for forked children */
	size_t command_length;
	uint64_t start_limit; /* bytes of start.csv */
	int64_t overdue_ns;   /* age of the last row at which the sampler may be gone */
	int64_t sampled_ns;   /* since boot: until then no row is overdue */
	uint64_t pid_view;
	uint64_t namespace;             /* of a pid that is 1; 0: of another one, or unknown */
	const char *directory;          /* of the run; in `paths`, as the next are */
	const char *table[TABLE_COUNT]; /* NULL: not one of ours to write to or to look at */
	char keeper_settings[KEEPER_SETTINGS_MAX];
	char command[SPOOL_COMMAND_MAX];
	char paths[PATHS_MAX]; /* made once, one behind the other: no entry needs room for one */
	char row[SPOOL_ROW_MAX];
} self __attribute__((aligned(4096)));

static void append(enum table_id table, const struct buffer *row, uint64_t limit)
{
	if (!row->full)
		(void)os_append(OS_HERE, self.table[table], (struct text){row->data, row->length}, limit);
}

static void make_paths(const char *directory)
{
	static const enum table_id needed[] = {TABLE_start, TABLE_exit, TABLE_system, TABLE_mark};
	struct buffer out = BUFFER(self.paths);

	self.directory = self.paths;
	buffer_string(&out, directory);
	buffer_byte(&out, '\0');
	for (size_t i = 0; i < ARRAY_LENGTH(needed); i++) {
		self.table[needed[i]] = self.paths + out.length;
		buffer_string(&out, directory);
		buffer_byte(&out, '/');
		buffer_string(&out, tables[needed[i]].file);
		buffer_byte(&out, '\0');
	}
}

/* A child that was forked into a PID namespace has another pid than the sampler knows. */
static bool is_known_by_pid(void)
{
	uint64_t view = os_pid_view();
	return (view != 0 && view == self.pid_view) || run_is_open(self.directory, view);
}

/* The first child in a new PID namespace has the pid of a parent that is the first of its own. */
bool member_is_current(void)
{
	if (self.owner.pid != os_pid())
		return false;
	uint64_t namespace = self.namespace == 0 ? 0 : os_pid_namespace();
	return namespace == 0 || namespace == self.namespace;
}

static void set_owner(struct process_id id)
{
	self.owner = id;
	self.namespace = id.pid == 1 ? os_pid_namespace() : 0;
}

static void join(struct buffer *out, const struct member_start *start)
{
	struct mask mask = {.patterns = text_of(start->settings->text[SETTING_ID_MASK])};

	for (int i = 0; i < start->count && !out->full; i++) {
		if (i > 0)
			buffer_byte(out, ' ');
		mask_write(&mask, out, text_of(start->arguments[i]));
	}
}

/* Those that the sampler goes by and that are not what they are by themselves; a copy, since the environment is the
 * host's. */
static void keep_settings(const struct settings *settings)
{
	static const enum setting_id needed[] = {
		SETTING_ID_MEMORY, SETTING_ID_SPOOL_MAX_MIB, SETTING_ID_MIN_SECONDS, SETTING_ID_MASK};
	struct buffer out = {self.keeper_settings, 0, sizeof self.keeper_settings - 1, false};

	for (size_t i = 0; i < ARRAY_LENGTH(needed); i++) {
		const struct setting *setting = &settings_table[needed[i]];
		size_t before = out.length;
		if (text_is(text_of(settings->text[needed[i]]), setting->fallback))
			continue;
		buffer_string(&out, setting->variable);
		buffer_byte(&out, '=');
		buffer_string(&out, settings->text[needed[i]]);
		buffer_byte(&out, '\0');
		if (out.full)
			out.length = before;
	}
	for (size_t i = out.length; out.full && i < sizeof self.keeper_settings; i++)
		self.keeper_settings[i] = '\0';
}

const char *member_keeper_settings(void)
{
	return self.keeper_settings;
}

void member_begin(const struct member_start *start)
{
	struct buffer command = BUFFER(self.command);
	struct buffer row = BUFFER(self.row);
	struct start_record record = {0};

	make_paths(start->directory);
	self.start_limit = (uint64_t)(start->settings->number[SETTING_ID_SPOOL_MAX_MIB] * 1048576);
	self.pid_view = start->pid_view;
	keep_settings(start->settings);
	/* A root that has just begun has no row yet, and perhaps no thread that holds the lock. */
	self.overdue_ns = 2 * start->interval_ns > OVERDUE_MIN_NS ? 2 * start->interval_ns : OVERDUE_MIN_NS;
	self.hidden = start->hidden;
	self.peak_kib = process_peak_rss_kib();
	join(&command, start);
	self.exe = start->exe;
	self.command_length = command.length;
	set_owner((struct process_id){os_pid(), 0});
	self.start_ns = os_now_ns();
	if (process_read_identity(&self.owner, &record.ppid) != 0)
		return;
	record.time_ns = self.start_ns;
	record.id = self.owner;
	record.exe = self.exe;
	record.command = (struct text){self.command, command.length};
	record.earlier_peak_kib = self.peak_kib;
	record_write_start(&row, &record);
	append(TABLE_start, &row, self.start_limit);
}

struct marking {
	const char *label;
	int result;
};

static void write_mark(void *argument)
{
	enum { LABEL_MAX = 512, MARK_ROW_MAX = 2 * LABEL_MAX + 64 };
	struct marking *marking = argument;
	struct cell cells[MARK_COLUMNS] = {
		[MARK_timestamp] = CELL_NUMBER((double)os_now_ns() / 1e9),
		[MARK_pid] = CELL_NUMBER(os_pid()),
		[MARK_label] = CELL_TEXT(record_cut(text_of(marking->label), LABEL_MAX)),
	};
	char row_data[MARK_ROW_MAX];
	struct buffer row = BUFFER(row_data);

	row_write_header(&row, &tables[TABLE_mark]);
	(void)os_create(OS_HERE, self.table[TABLE_mark], (struct text){row_data, row.length});
	row.length = 0;
	row_write(&row, &tables[TABLE_mark], cells);
	marking->result =
		os_append(OS_HERE, self.table[TABLE_mark], (struct text){row_data, row.length}, self.start_limit);
}

int member_mark(const char *label)
{
	struct marking marking = {label, -1};

	if (self.owner.pid == 0 || self.silent || host_run(write_mark, &marking) != 0)
		return -1;
	return marking.result == 0 ? 0 : -1;
}

void member_silence(void)
{
	self.silent = true;
}

bool member_is_silent(void)
{
	return self.silent;
}

void member_forking(void)
{
	if (self.silent || self.owner.pid == 0)
		return;
	self.forking_ns = os_since_boot_ns();
}

/* Writes the start record of a forked child, which runs what its parent ran. */
static void write_forked_start(struct process_id id, int ppid, int64_t time_ns)
{
	char row_data[FORK_ROW_MAX];
	struct buffer row = BUFFER(row_data);
	struct start_record record = {.time_ns = time_ns, .id = id, .ppid = ppid};

	record.exe = self.exe;
	record.command = (struct text){
		self.command, self.command_length < FORK_COMMAND_MAX ? self.command_length : FORK_COMMAND_MAX};
	record_write_start(&row, &record);
	if (row.full) {
		row = BUFFER(row_data);
		record.command = TEXT("");
		record_write_start(&row, &record);
	}
	append(TABLE_start, &row, self.start_limit);
}

void member_forked(void)
{
	if (self.owner.pid == 0 || self.silent)
		return;
	set_owner((struct process_id){os_pid(), process_start_between(self.forking_ns, os_since_boot_ns())});
	self.recorded = 0;
	self.owes_start = true;
	self.start_ns = os_now_ns();
	self.peak_kib = 0; /* a new process: ru_maxrss is of this memory alone */
	if (!self.hidden || !is_known_by_pid())
		return;
	int ppid = os_parent();
	if (self.owner.start == 0 && process_read_identity(&self.owner, &ppid) != 0)
		return;
	self.owes_start = false;
	write_forked_start(self.owner, ppid, self.start_ns);
}

/* When a process began, since the epoch. */
static int64_t started_ns(const struct exit_record *record)
{
	return record->time_ns - os_since_boot_ns() + process_started_ns(record->id.start);
}

static void write_exit(int exit_code, const uint64_t *tracker, bool exact)
{
	struct process_usage usage;
	struct exit_record record = {.exit_code = exit_code, .source = "self", .exact = exact};
	char row_data[EXIT_ROW_MAX];
	struct buffer row = BUFFER(row_data);
	bool current = member_is_current();

	if (current && __atomic_exchange_n(&self.recorded, 1, __ATOMIC_ACQ_REL))
		return;
	if ((!current || self.owes_start) && !is_known_by_pid())
		return;
	record.time_ns = os_now_ns();
	record.id = (struct process_id){os_pid(), current ? self.owner.start : 0};
	record.ppid = os_parent();
	if (record.id.start == 0 && process_read_identity(&record.id, &record.ppid) != 0)
		return;
	if (!current || self.owes_start)
		write_forked_start(record.id, record.ppid, current ? self.start_ns : started_ns(&record));
	process_read_self(&usage, current ? self.peak_kib : 0);
	for (int i = 0; tracker && i < COUNTER_COUNT; i++)
		usage.own[i] = usage.own[i] > tracker[i] ? usage.own[i] - tracker[i] : 0;
	record_from_self(&record, &usage);
	record_write_exit(&row, &record);
	append(TABLE_exit, &row, 0);
}

void member_watch(void)
{
	int64_t boot_ns = os_since_boot_ns();

	if (self.owner.pid == 0 || self.silent || !member_is_current() || boot_ns < self.sampled_ns)
		return;
	/* A file of the future is older than the last time that the clock was set: it may be of any age. */
	int64_t age_ns = os_age_ns(OS_HERE, self.table[TABLE_system]);
	if (age_ns >= -self.overdue_ns && age_ns < self.overdue_ns) {
		self.sampled_ns = boot_ns - age_ns + self.overdue_ns;
		return;
	}
	if (run_goes_on(self.directory) && !run_is_sampled(self.directory))
		(void)host_start_keeper(self.directory, self.keeper_settings);
}

void member_end(int exit_code, const uint64_t *tracker)
{
	if (self.owner.pid != 0 && !self.silent)
		write_exit(exit_code, tracker, true);
}

static void write_early(void *unused)
{
	(void)unused;
	write_exit(-1, NULL, false);
}

void member_fall_silent(void)
{
	if (self.owner.pid == 0 || self.silent)
		return;
	/* Also in a fork that never heard of itself. In a child of vfork the parent falls silent with it: better that
	 * than a host killed for a record. */
	(void)host_run(write_early, NULL);
	self.silent = true;
}
