/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the start and exit records of the process that has loaded the library.
 *
 * The state in memory may belong to another process. A child of vfork() shares its parent's memory. A child of _Fork()
 * or a raw clone() has a copy, which no fork handler has updated. Every entry point therefore compares getpid() with
 * the owner of the state. */
#include "preload/member.h"

#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"
#include "os/self.h"
#include "preload/start_rows.h"
#include "preload/host.h"
#include "sampler/keeper.h"
#include "sampler/record.h"
#include "sampler/run/mask.h"
#include "sampler/run/names.h"

enum { KEEPER_SETTINGS_MAX = 384 };

enum { CHILD_ROW_MAX = 128 };
enum { EXIT_ROW_MAX = 512, FORK_ROW_MAX = 1536, FORK_COMMAND_MAX = 512 };
enum { EXE_MAX = 1024, PATHS_MAX = (SPOOL_PATH_MAX + 16) * (TABLE_COUNT + 1) };

#define OVERDUE_MIN_NS 500000000

static struct {
	struct process_id owner; /* process that owns this state; pid 0 if there is none, start 0 until it is read */
	int recorded;            /* whether the exit record has been written */
	bool root;               /* this process is the root of the run */
	bool hidden;
	bool silent; /* the library must make no more system calls in this process and writes no records */
	bool start_row_pending;
	bool ignored;             /* SIGCHLD was ignored while this process had children, or when it forked */
	bool shares_owner_memory; /* the process that calls fork is a child that shares the owner's memory */
	bool children_in_time_ns; /* children are created in another time namespace, where clocks differ */
	int64_t start_ns;         /* time of the start record, or of the fork that created the process */
	int64_t forking_ns;       /* time since boot immediately before the latest fork recorded in this state */
	int64_t fork_ns;          /* time of the fork that created `owner`; 0 if unknown or not forked */
	int parent;               /* pid of the process that forked `owner`; 0 if not forked */
	/* ru_maxrss when this program began, which includes earlier programs of the process. */
	uint64_t peak_kib;
	uint64_t told_kib; /* an exec records the peak again only if it exceeds this value */
	struct text exe;   /* forked children write `exe` and `command` into their start records */
	struct text command;
	struct os_table start; /* facts about start.csv when the start record was written; the descriptor is closed */
	uint64_t start_limit;  /* size limit of start.csv */
	int sampler;           /* pid of the sampler when the program began; 0 if unknown */
	int64_t overdue_ns;    /* if the last row is older than this, the sampler may have been killed */
	int64_t sampled_ns;    /* time since boot before which the sampler cannot be overdue */
	/* PID namespace of this process if it has created nested PID namespaces or has pid 1; otherwise 0. */
	uint64_t namespace;
	/* directory of the run; this pointer, `table` and `keeper_settings` point into `texts` */
	const char *directory;
	const char *table[TABLE_COUNT]; /* path of each table that this process writes; NULL for others */
	const char *keeper_settings;
	size_t used; /* used bytes of `texts` */
} self BESIDE_LOADER;

/* The texts to which `self` points, one after the other. The Makefile places `texts` first in the zero-initialized
 * data, because the dynamic loader has already written that page. In most processes, the texts fit into the page. */
static char texts[PATHS_MAX + KEEPER_SETTINGS_MAX + EXE_MAX + SPOOL_COMMAND_MAX + SPOOL_ROW_MAX];

/* Returns a buffer for one more text in `texts`. The caller must pass the finished text to keep(), which reserves
 * its space. */
static struct buffer room(size_t at_most)
{
	size_t left = sizeof texts - self.used;
	return (struct buffer){texts + self.used, 0, at_most < left ? at_most : left, false};
}

static struct text keep(const struct buffer *text)
{
	self.used += text->length;
	return (struct text){text->data, text->length};
}

/* Stops writing records if a write to the spool took too long, so that a slow file system delays this process only
 * once. The mode of start.csv is changed to show that exit records are missing. The root continues to write, because
 * its last row contains the status of the run. Time spent waiting for a CPU is subtracted. `queued_ns`: how long the
 * thread had waited for a CPU before the write. */
static void judge_spool(int64_t before_ns, int64_t queued_ns, const struct os_table *start)
{
	int64_t took_ns = os_since_boot_ns() - before_ns;

	if (took_ns <= SPOOL_SLOW_NS || self.root || self.silent)
		return;
	int64_t now_ns = thread_queued_ns();
	if (now_ns < 0 || queued_ns < 0 || took_ns - (now_ns - queued_ns) <= SPOOL_SLOW_NS)
		return;
	self.silent = true;
	os_mark_slow(start->file, start->mode);
}

/* Appends the start row. The caller has blocked all signals with host_run, as os/file.h requires. */
static void append_start(struct start_rows *start_rows, const struct buffer *row, int64_t before_ns)
{
	if (start_rows->table.file >= 0 && !row->full && start_rows->table.size < self.start_limit)
		(void)os_write(start_rows->table.file, (struct text){row->data, row->length});
	/* Passes 0 because a new thread has hardly waited for a CPU. Reading the actual waiting time would slow
	 * every start. */
	judge_spool(before_ns, 0, &start_rows->table);
	os_close(start_rows->table.file);
}

/* Appends the exit row. If start.csv (`start`) passed the check of its owner, the check is not repeated for
 * exit.csv. */
static void append_exit(const struct buffer *row, const struct os_table *start)
{
	struct text text = {row->data, row->length};

	if (row->full)
		return;
	if (start->file >= 0)
		(void)os_append_owned(OS_HERE, self.table[TABLE_exit], text, start->owner);
	else
		(void)os_append(OS_HERE, self.table[TABLE_exit], text, 0);
}

static void make_paths(const char *directory)
{
	static const enum table_id needed[] = {TABLE_start, TABLE_exit, TABLE_system, TABLE_mark};
	struct buffer out = room(PATHS_MAX);

	self.directory = out.data;
	buffer_string(&out, directory);
	buffer_byte(&out, '\0');
	for (size_t i = 0; i < ARRAY_LENGTH(needed); i++) {
		self.table[needed[i]] = out.data + out.length;
		buffer_string(&out, directory);
		buffer_byte(&out, '/');
		buffer_string(&out, tables[needed[i]].file);
		buffer_byte(&out, '\0');
	}
	(void)keep(&out);
}

/* Returns whether the calling process owns the state. A fork in a nested PID namespace may have the same pid as the
 * owner, such as 1. The namespaces are therefore compared too. */
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

/* Copies the settings, because the host may change its environment. */
void member_keep_settings(const struct settings *settings)
{
	struct buffer out = room(KEEPER_SETTINGS_MAX);

	keeper_write_settings(&out, settings);
	self.keeper_settings = keep(&out).data;
}

const char *member_keeper_settings(void)
{
	return self.keeper_settings;
}

/* Determines the start time of a process if it is unknown. Sets *told if the rows of start.csv sufficed, so that
 * /proc was not read. */
static int find_start(struct process_id *id, int ppid, const struct start_rows *start_rows, int64_t boot_ns, bool *told)
{
	if (id->start == 0)
		id->start = start_rows_find_start(start_rows, id->pid, ppid, boot_ns);
	*told = id->start != 0;
	return *told ? 0 : process_read_identity(id);
}

bool member_begin(const struct member_start *start)
{
	struct start_rows *start_rows = start->start_rows;
	struct start_record record = {.ppid = os_parent()};
	struct process_id id = {start->pid, 0};
	int64_t boot_ns = os_since_boot_ns();
	bool told;

	make_paths(start->directory);
	self.start_limit = (uint64_t)(start->settings->number[SETTING_ID_SPOOL_MAX_MIB] * 1048576);
	self.root = spool_id_pid(text_basename(text_of(start->directory))) == start->pid;
	/* The minimum gives a new root time to start its sampler and to write the first row. */
	self.overdue_ns = 2 * start->interval_ns > OVERDUE_MIN_NS ? 2 * start->interval_ns : OVERDUE_MIN_NS;
	self.hidden = start->hidden;
	self.peak_kib = process_begun_rss_kib(&start_rows->waited);
	struct buffer exe = room(EXE_MAX);
	buffer_text(&exe, start->exe);
	self.exe = keep(&exe);
	struct buffer command = room(SPOOL_COMMAND_MAX);
	join(&command, start);
	self.command = keep(&command);
	self.start_ns = os_now_ns();
	if (start_rows->table.file < 0) {
		start_rows_open(start_rows, self.table[TABLE_start], os_user());
		start_rows_read(start_rows);
	}
	self.start = start_rows->table;
	self.sampler = start_rows->holder;
	int result = find_start(&id, record.ppid, start_rows, boot_ns, &told);
	if (result == 0 && !told && start_rows_have_other_boot(start_rows, self.start_ns, boot_ns)) {
		if (!os_learn_time()) {
			os_close(start_rows->table.file);
			self.silent = true;
			return false;
		}
		result = process_read_identity(&id);
		boot_ns = os_since_boot_ns(); /* os_learn_time has switched to the machine's boot clock */
	}
	set_owner(id);
	if (result != 0 || start_rows->table.file == OS_ERROR_NOT_OURS) {
		os_close(start_rows->table.file);
		self.owner.pid = result != 0 ? start->pid : 0;
		/* Reading the start time fails if no descriptor is free, for example. The start row is then written
		 * with the exit record. */
		self.start_row_pending = result != 0;
		return false;
	}
	record.time_ns = self.start_ns;
	record.id = self.owner;
	record.exe = self.exe;
	record.command = self.command;
	record.earlier_peak_kib = self.peak_kib;
	struct buffer row = room(SPOOL_ROW_MAX);
	record_write_start(&row, &record);
	append_start(start_rows, &row, boot_ns);
	/* The first process that starts in a clock tick must check whether the sampler is alive, unless it already
	 * knows. Later processes in that tick derive their start time from its row and need not check. */
	return !told && start_rows->holder == 0 && !self.silent;
}

void member_reset(void)
{
	uint64_t namespace = self.namespace;
	bool ignored = self.ignored;

	__builtin_memset(&self, 0, sizeof self);
	self.namespace = namespace;
	self.ignored = ignored;
}

/* Returns the pid of the run's root. */
static int root_pid(void)
{
	return spool_id_pid(text_basename(text_of(self.directory)));
}

bool member_is_launched(int root, int launcher)
{
	return self.owner.pid != 0 && self.sampler == launcher && root_pid() == root;
}

bool member_would_lead(int group)
{
	return self.sampler == group && root_pid() == os_pid() && group != os_pid();
}

struct marking {
	const char *label;
	int result;
};

static void write_mark(void *argument)
{
	struct marking *marking = argument;
	struct mark_record mark;
	int64_t queued_ns = thread_queued_ns(), before_ns = os_since_boot_ns();

	record_mark_self(&mark, marking->label, self.peak_kib);
	marking->result = record_append_mark(self.table[TABLE_mark], &mark, self.start_limit);
	struct os_table start = {.file = OS_ERROR_BAD_DESCRIPTOR};
	judge_spool(before_ns, queued_ns, &start);
	if (self.silent && os_open_table(OS_HERE, self.table[TABLE_start], self.start.owner, &start) == 0) {
		os_mark_slow(start.file, start.mode);
		os_close(start.file);
	}
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

/* Writes the start record of a forked child, which runs its parent's program. Determines id->start if it is unknown.
 * Returns false if that fails, or if the sampler sees this process under another pid because of a PID namespace.
 * `time_ns`: time of the fork, or 0 to use the process's start time. */
static bool write_forked_start(struct start_rows *start_rows, struct process_id *id, int ppid, int64_t time_ns)
{
	char row_data[FORK_ROW_MAX];
	struct buffer row = BUFFER(row_data);
	struct start_record record = {.time_ns = time_ns, .ppid = ppid};
	int64_t boot_ns = os_since_boot_ns();
	bool told;

	/* The process that created this state has checked the owner of start.csv. If the file still has that owner,
	 * it is safe to write. */
	start_rows_open(start_rows, self.table[TABLE_start], self.start.file >= 0 ? self.start.owner : os_user());
	/* A process that does not own the state was created after `forking_ns`. The owner was created after
	 * `fork_ns`, because it may have changed `forking_ns` by its own forks. */
	if (id->start == 0)
		id->start = process_start_between(time_ns == 0 ? self.forking_ns : self.fork_ns, boot_ns);
	if (id->start == 0) {
		(void)process_begun_rss_kib(&start_rows->waited);
		start_rows_read(start_rows);
	}
	bool known = start_rows->holder != 0 || run_is_open(self.directory);
	if (!known || find_start(id, ppid, start_rows, boot_ns, &told) != 0) {
		os_close(start_rows->table.file);
		return false;
	}
	if (time_ns == 0)
		record.time_ns = os_now_ns() - boot_ns + process_started_ns(id->start);
	record.id = *id;
	record.exe = self.exe;
	record.command = record_cut(self.command, FORK_COMMAND_MAX);
	record_write_start(&row, &record);
	if (row.full) {
		row = BUFFER(row_data);
		record.command = TEXT("");
		record_write_start(&row, &record);
	}
	append_start(start_rows, &row, boot_ns);
	return true;
}

/* Makes this process, a forked child that has written no record yet, the owner of the state. */
static void become_child(void)
{
	if (self.children_in_time_ns)
		self.silent = !os_learn_time();
	self.children_in_time_ns = false;
	self.root = false;
	self.recorded = 0;
	self.start_row_pending = true;
	self.ignored = false;
	self.start_ns = os_now_ns();
	self.peak_kib = 0; /* ru_maxrss of a forked child does not include the parent's peak */
	self.fork_ns = self.forking_ns;
	self.parent = self.owner.pid;
	set_owner((struct process_id){os_pid(), process_start_between(self.fork_ns, os_since_boot_ns())});
}

bool member_is_shared(void)
{
	return process_shares_memory(os_pid(), self.owner.pid);
}

/* A child that does not own the state becomes its owner before it forks, because the fork overwrites `forking_ns`,
 * from which the child's start time is derived. */
bool member_forking(bool lodger)
{
	if (lodger || self.shares_owner_memory)
		self.shares_owner_memory = lodger;
	if (self.silent || self.owner.pid == 0 || lodger)
		return false;
	bool anew = !member_is_current();
	if (anew)
		become_child();
	self.forking_ns = os_since_boot_ns();
	self.ignored |= process_ignores_children();
	return anew;
}

void member_notes_namespace(bool begun)
{
	if (self.owner.pid == 0 || self.silent)
		return;
	/* member_is_current below compares namespaces, because a caller in a nested namespace may have the owner's
	 * pid. */
	if (self.namespace == 0)
		self.namespace = os_pid_namespace();
	self.ignored |= begun && member_is_current();
}

/* Sets self.ignored if SIGCHLD was ignored while this process had children. */
void member_lets_children_go(bool go)
{
	enum { INSTANT_NS = 100000 }; /* lower bound of the lifetime of a child */
	static int64_t go_ns;         /* time of the last call with `go` true, or 0 */

	if (self.silent || !member_is_current())
		return;
	int64_t now_ns = os_since_boot_ns();
	self.ignored |= (now_ns - go_ns > INSTANT_NS && process_ignores_children()) || (go && process_has_children());
	go_ns = go ? now_ns : 0;
}

void member_parts_in_time(bool itself)
{
	if (self.owner.pid == 0 || self.silent)
		return;
	if (itself)
		self.silent = !os_learn_time();
	else
		self.children_in_time_ns = true;
}

void member_forked(void)
{
	struct start_rows start_rows;
	int parent = self.owner.pid; /* member_forking has made the parent the owner of the state */

	if (parent == 0 || self.silent)
		return;
	if (self.shares_owner_memory)
		parent = os_parent();
	self.shares_owner_memory = false;
	become_child();
	if (self.hidden && !self.silent)
		self.start_row_pending = !write_forked_start(&start_rows, &self.owner, parent, self.start_ns);
}

/* Writes a start row for a child that is still running when this process ends, because nothing else shows that the
 * child belongs to the run. The sampler later adds the program's name. Returns false if the child is a keeper. A
 * host that adopts orphans may have a keeper as a child. */
static bool name_child(int pid, int parent, int64_t time_ns)
{
	struct process_reading reading;
	char row_data[CHILD_ROW_MAX];
	struct buffer row = BUFFER(row_data);

	if (process_read(pid, false, &reading) != 0)
		return true;
	if (reading.is_tracker)
		return false;
	record_write_start(&row, &(struct start_record){.time_ns = time_ns, .id = reading.id, .ppid = parent});
	if (!row.full)
		(void)os_append(
			OS_HERE, self.table[TABLE_start], (struct text){row.data, row.length}, self.start_limit);
	return true;
}

/* Returns the size up to which an inherited peak is reported as this program's own. In the root it is 0, because the
 * root may inherit its peak from a program that is not part of the run. */
static uint64_t small_peak_kib(void)
{
	return self.root ? 0 : SPOOL_SMALL_PEAK_KIB;
}

/* Records the number of unreaped children and whether SIGCHLD was ignored, because the usage of these children is
 * missing from this process's figures. The first SPOOL_CHILDREN_NAMED unreaped children get start rows. Keepers are
 * not counted. */
static void tell_of_children(struct exit_record *record, bool current)
{
	int pids[SPOOL_CHILDREN_NAMED];

	/* A program that was executed after unshare does not know whether its children are in another namespace, so
	 * process_children_are_apart determines it. */
	record->children_ignored = (current && self.ignored) || process_ignores_children() ||
				   (record->children_peak_kib > 0 && process_children_are_apart());
	record->children_left = process_children(pids, SPOOL_CHILDREN_NAMED);
	for (int i = 0, count = record->children_left; i < count && i < SPOOL_CHILDREN_NAMED; i++)
		record->children_left -= !name_child(pids[i], record->id.pid, record->time_ns);
}

/* Returns the private memory of a fork, or 0 if unknown. If the parent writes to a shared page, the old page becomes
 * private to the fork without a page fault in the fork. A parent has written to such pages only if it has had more
 * page faults than its RSS explains, so otherwise 0 is returned without counting. Counting takes up to a
 * millisecond. */
static uint64_t private_kib(int parent, uint64_t peak_kib)
{
	enum { PAGE_KIB = 4 };
	struct process_reading reading;

	if (parent == 0 || parent != os_parent() || process_read(parent, false, &reading) != 0 ||
		figures_above(reading.minor_faults * PAGE_KIB, reading.gauge[GAUGE_RSS_KIB]) <= SPOOL_SMALL_PEAK_KIB)
		return 0;
	uint64_t own_kib = process_count_own_kib(os_pid(), peak_kib);
	return own_kib == UINT64_MAX ? 0 : own_kib;
}

static void write_exit(int exit_code, const uint64_t *tracker, bool current, bool exact, int64_t *lived_ns)
{
	struct process_usage usage;
	struct process_limits limits;
	struct process_shared shared;
	enum { WAIT_WORTH_NS = 20000000 };
	struct exit_record record = {.exit_code = exit_code, .source = "self", .exact = exact};
	char row_data[EXIT_ROW_MAX];
	struct buffer row = BUFFER(row_data);
	struct os_table start = self.start;

	if (current && __atomic_exchange_n(&self.recorded, 1, __ATOMIC_ACQ_REL))
		return;
	/* The process continues after this record, because other threads are running or because valgrind, for
	 * example, still searches for leaks. The record is therefore not exact. */
	if (exact && os_goes_on(tracker != NULL)) {
		record.exact = false;
		record.missing_ns = -1;
	}
	record.time_ns = os_now_ns();
	record.id = current ? self.owner : (struct process_id){os_pid(), 0};
	record.ppid = os_parent();
	if (!current || self.start_row_pending) {
		struct start_rows start_rows;
		if (!write_forked_start(&start_rows, &record.id, record.ppid, current ? self.start_ns : 0) ||
			self.silent)
			return;
		start = start_rows.table;
	}
	process_read_self(&usage, current ? self.peak_kib : 0, current ? small_peak_kib() : SPOOL_SMALL_PEAK_KIB);
	if (tracker)
		figures_take_out(usage.own, tracker);
	/* For a short process, reading the threads would cost too much compared with the process's own CPU time. */
	if (figures_cpu_ns(usage.own) >= WAIT_WORTH_NS)
		usage.own[COUNTER_CPU_WAIT] = process_queued_ns(0, 2);
	record_from_self(&record, &usage);
	if (record_has_failed(&record)) {
		process_read_limits(0, &limits);
		record.limits = &limits;
	}
	if (usage.peak_rss_kib > SPOOL_SMALL_PEAK_KIB) {
		process_read_shared(0, &shared);
		record.shared = &shared;
		record.private_kib = private_kib(current ? self.parent : self.owner.pid, usage.peak_rss_kib);
	}
	tell_of_children(&record, current);
	record_write_exit(&row, &record);
	append_exit(&row, &start);
	*lived_ns = record.time_ns - self.start_ns;
}

struct image {
	bool tells;       /* record the peak even if it is small */
	const char *next; /* path of the next program if it will not write its own start row; otherwise NULL */
	int64_t tracker_ns;
};

static void name_next(const struct image *image)
{
	char row_data[SPOOL_ROW_MAX];
	struct buffer row = BUFFER(row_data);
	struct text path = text_of(image->next);

	record_write_start(&row,
		&(struct start_record){
			.time_ns = os_now_ns(), .id = self.owner, .ppid = os_parent(), .exe = path, .command = path});
	if (!row.full)
		(void)os_append(
			OS_HERE, self.table[TABLE_start], (struct text){row.data, row.length}, self.start_limit);
}

static void write_image(void *argument)
{
	const struct image *image = argument;
	enum { TOLD_AGAIN_KIB = 128 };
	struct process_usage usage;
	struct exit_record record = {.time_ns = os_now_ns(),
		.id = self.owner,
		.ppid = os_parent(),
		.exit_code = -1,
		.children_left = -1,
		.children_ignored = self.ignored ? 1 : -1,
		.missing_ns = image->tracker_ns,
		.source = "self"};
	char row_data[EXIT_ROW_MAX];
	struct buffer row = BUFFER(row_data);

	process_read_self(&usage, self.peak_kib, small_peak_kib());
	/* The peak is recorded again only if it has grown considerably. A shell calls execve for one directory of
	 * PATH after the other, and the kernel's value varies slightly between these calls. */
	if (usage.peak_rss_kib <= self.told_kib ||
		(!image->tells && (usage.peak_rss_kib <= SPOOL_SMALL_PEAK_KIB || usage.peak_rss_kib > self.peak_kib)))
		return;
	self.told_kib = usage.peak_rss_kib + TOLD_AGAIN_KIB;
	record_from_self(&record, &usage);
	record_write_exit(&row, &record);
	append_exit(&row, &self.start);
	if (image->next)
		name_next(image);
}

bool member_has_begun(void)
{
	return self.owner.pid != 0 && !self.silent && !self.start_row_pending && member_is_current();
}

void member_executes(const char *path, bool parts, uint64_t tracker_ns)
{
	struct image image = {parts || self.root || self.ignored, parts ? path : NULL, (int64_t)tracker_ns};

	if (image.tells || self.peak_kib > SPOOL_SMALL_PEAK_KIB)
		(void)host_run(write_image, &image);
}

void member_watch(void)
{
	if (self.owner.pid == 0 || self.silent)
		return;
	int64_t boot_ns = os_since_boot_ns();
	if (boot_ns < self.sampled_ns)
		return;
	/* If the row's time is in the future, the clock has been set back since, so the row's age is unknown. */
	int64_t age_ns = os_age_ns(OS_HERE, self.table[TABLE_system]);
	if (age_ns >= -self.overdue_ns && age_ns < self.overdue_ns) {
		self.sampled_ns = boot_ns - age_ns + self.overdue_ns;
		return;
	}
	if (run_goes_on(self.directory) && !run_is_sampled(self.directory))
		(void)host_start_keeper(self.directory, self.keeper_settings);
}

bool member_end(int exit_code, const uint64_t *tracker, bool current)
{
	int64_t lived_ns = 0;

	if (self.owner.pid != 0 && !self.silent && (current || !self.children_in_time_ns))
		write_exit(exit_code, tracker, current, true, &lived_ns);
	return current && !tracker && (lived_ns < 0 || lived_ns >= OVERDUE_MIN_NS);
}

static void write_early(void *unused)
{
	(void)unused;
	int64_t lived_ns;
	write_exit(-1, NULL, member_is_current(), false, &lived_ns);
}

void member_fall_silent(void)
{
	if (self.owner.pid == 0 || self.silent)
		return;
	/* In a child of vfork, which shares its parent's memory, this also stops the records of the parent. Lost
	 * records are better than a host that the filter kills because of a record. */
	(void)host_run(write_early, NULL);
	self.silent = true;
}
