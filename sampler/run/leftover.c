/* SPDX-License-Identifier: Apache-2.0 */
/* Completes runs whose processes were all killed.
 *
 * Only runs of this user are completed, because root would otherwise take the files of other users. They are found
 * through their links in os_volatile_directory, and in the spool. A spool may hold thousands of runs, so only a part of
 * it is searched. rtrack-report completes other cases: runs with many records, with a root that has recorded its end,
 * or with a root that may have ended without a record.
 *
 * The number of links stays small even if nobody uses rtrack-report. If there are more than 64, each new run removes
 * more links of ended roots than it adds, whatever their spool. Linux usually lists the newest links in /dev/shm first.
 * A dead run whose link was removed may stay incomplete until rtrack-report reads it. Nothing in another spool is
 * accessed, because its server may not respond. */
#include "sampler/run/leftover.h"

#include "core/columns.h"
#include "core/number.h"
#include "core/row.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/last_word.h"
#include "os/memory.h"
#include "os/self.h"
#include "sampler/run/end.h"
#include "sampler/run/file.h"
#include "sampler/run/names.h"

enum { NOTES_MAX = 512, NOTES_LEFT = 64, LOOKS_MAX = 16, NAMES_MAX = 256, RUNS_MAX = 4, RECORDS_MAX = 65536 };

struct search {
	struct text spool;  /* path with a trailing '/' */
	int at;             /* descriptor of the directory of links */
	uint64_t namespace; /* PID namespace of this process; only processes in it can be checked */
	unsigned notes;
	unsigned looks;
	unsigned names;
	unsigned runs;
	struct process_id roots[RUNS_MAX];   /* roots that are gone, one for each run */
	char (*directories)[SPOOL_PATH_MAX]; /* directory of each run */
};

/* Returns whether a process has ended and its status cannot be read any more. */
static bool is_gone(struct process_id id)
{
	int status;
	return last_has_ended(id, &status) && status < 0;
}

/* Returns the process of a row of start.csv or exit.csv, from the second and third cells. */
static struct process_id id_of(struct text row)
{
	double cells[2] = {0, 0};
	size_t at = text_find(row, ',', 0);

	for (int i = 0; i < 2; i++) {
		size_t start = at + 1 < row.length ? at + 1 : row.length;
		at = text_find(row, ',', start);
		if (number_read((struct text){row.data + start, at - start}, &cells[i]) != 0)
			return (struct process_id){0, 0};
	}
	return process_id_of(cells[0], cells[1]);
}

/* Returns whether `is` is true for all rows of a table. If the table is large, the result is false. */
static bool each_row_is(int at, enum table_id table, char *text, struct process_id root,
	bool (*is)(struct process_id id, struct process_id root, char *row, size_t length))
{
	int64_t length = os_read(at, tables[table].file, text, RECORDS_MAX);
	struct text rows = {text, length > 0 ? (size_t)length : 0};
	size_t start = text_find(rows, '\n', 0) + 1;

	if (length < 0 || length == RECORDS_MAX)
		return false;
	for (size_t end; start < rows.length; start = end + 1) {
		end = text_find(rows, '\n', start);
		struct process_id id = id_of((struct text){text + start, end - start});
		if (id.pid > 0 && !is(id, root, text + start, end - start))
			return false;
	}
	return true;
}

static bool has_ended(struct process_id id, struct process_id root, char *row, size_t length)
{
	(void)root, (void)row, (void)length;
	return is_gone(id);
}

/* Returns whether a row of the root has no exit status. `source`: required value of column source, or NULL. */
static bool leaves_open(char *row, size_t length, const char *source)
{
	struct text cells[COLUMNS_MAX];

	return row_split(row, length, cells, COLUMNS_MAX) == EXIT_COLUMNS && text_is(cells[EXIT_exact], "0") &&
	       cells[EXIT_exit_code].length + cells[EXIT_exit_signal].length == 0 &&
	       (!source || text_is(cells[EXIT_source], source));
}

/* Returns whether a row does not record the end of the root. Either another process has the row, or the root wrote it
 * before an exec, without an exit status. */
static bool is_of_image(struct process_id id, struct process_id root, char *row, size_t length)
{
	return !process_is(id, root) || leaves_open(row, length, "self");
}

/* Returns whether a row does not contain the exit status of the root. rtrack-report may have appended a row without a
 * status from the root's final record, but not completed the run. */
static bool lacks_root_status(struct process_id id, struct process_id root, char *row, size_t length)
{
	return !process_is(id, root) || leaves_open(row, length, NULL);
}

/* Returns the time of the last row, or the time at which the files were created if there is no row. Returns start_time
 * if it is later, because timestamps of files are coarse. */
static double last_sign(int at, const struct run_facts *facts)
{
	return known_larger(last_row_time(at), facts->start_time);
}

static void complete(const char *directory, int at, struct process_id root, char *text)
{
	struct run_facts facts;
	struct last last;
	double now = (double)os_now_ns() / 1e9;

	if (os_exists(at, SPOOL_PARTED_FILE) || run_is_unrecorded(directory) || run_facts(directory, &facts) != 0 ||
		!(now - last_sign(at, &facts) > 2 * facts.interval) ||
		!each_row_is(at, TABLE_start, text, root, has_ended) ||
		!each_row_is(at, TABLE_exit, text, root, lacks_root_status))
		return;
	bool left = last_read(&last, at, root);
	if (left && each_row_is(at, TABLE_exit, text, root, is_of_image))
		last_append_exit(&last, at, -1, 0, UNKNOWN);
	if (left)
		last_append_process(&last, at);
	double stop = last_sign(at, &facts);
	(void)os_remove(at, SPOOL_STATE_FILE);
	(void)os_remove(at, SPOOL_LAST_FILE);
	(void)run_finish(directory,
		&(struct run_end){.time_ns = (int64_t)(stop * 1e9),
			.exit_code = -1,
			.lost = true,
			.killer = left ? last_killer_or_limit(&last, last_killer(&last.said.kills)) : KILLER_UNKNOWN});
}

static void look_at(const char *directory, struct process_id root)
{
	int at = os_open_directory(OS_HERE, directory);
	int lock = at >= 0 && last_find_place(at, root) == LAST_HERE ? os_open_append(at, SPOOL_LOCK_FILE)
								     : OS_ERROR_MISSING;
	char *text = lock >= 0 && os_lock(lock, false) == 0 ? os_map(RECORDS_MAX) : NULL;

	if (text) {
		complete(directory, at, root, text);
		os_unmap(text, RECORDS_MAX);
	}
	os_close(lock);
	os_close(at);
}

/* Stores a run whose root is gone, so that it is examined later. */
static void keep(struct search *search, struct text directory, struct process_id root)
{
	struct buffer out = {search->directories[search->runs], 0, SPOOL_PATH_MAX, false};

	for (unsigned i = 0; i < search->runs; i++)
		if (text_is(directory, search->directories[i]))
			return;
	buffer_text(&out, directory);
	(void)buffer_terminate(&out);
	if (out.full || !run_is_ours(search->directories[search->runs]) || !is_gone(root))
		return;
	search->roots[search->runs++] = root;
}

static void take_note(void *context, const char *name)
{
	char target[SPOOL_PATH_MAX];
	struct search *search = context;
	struct spool_note note;
	uint64_t pid;

	if (number_read_unsigned(text_of(name), &pid) != 0 || pid > INT32_MAX || search->notes++ >= NOTES_MAX ||
		run_read_note(search->at, name, target, &note) != 0)
		return;
	struct process_id root = {(int)pid, note.start};
	size_t above = note.directory.length - text_basename(note.directory).length;
	bool here = text_equal((struct text){note.directory.data, above}, search->spool);
	if (here && search->runs < RUNS_MAX)
		keep(search, note.directory, root);
	/* Without /proc, all processes seem to be gone, so no link may be removed. The namespace number is then 0. */
	if (search->notes > NOTES_LEFT && note.namespace != 0 && note.namespace == search->namespace &&
		search->looks++ < LOOKS_MAX && is_gone(root))
		(void)os_remove(search->at, name);
}

static void take_name(void *context, const char *name)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	struct search *search = context;
	struct run_facts facts;
	struct process_id root = {spool_id_pid(text_of(name)), 0};

	if (root.pid <= 0 || search->names++ >= NAMES_MAX || search->runs == RUNS_MAX)
		return;
	buffer_text(&out, search->spool);
	buffer_string(&out, name);
	if (!run_goes_on(buffer_terminate(&out)) || !run_is_ours(path) || run_facts(path, &facts) != 0)
		return;
	root.start = facts.root_start;
	if (!out.full)
		keep(search, (struct text){path, out.length}, root);
}

void run_complete_leftovers(const char *directory)
{
	char path[SPOOL_PATH_MAX];
	struct text whole = text_of(directory);
	struct search search = {.spool = {directory, whole.length - text_basename(whole).length},
		.namespace = os_pid_namespace(),
		.directories = os_map(RUNS_MAX * SPOOL_PATH_MAX)};
	struct buffer out = BUFFER(path);

	if (!search.directories)
		return;
	if (run_notes(path) == 0) {
		search.at = os_open_directory(OS_HERE, path);
		(void)os_list(path, take_note, &search);
		os_close(search.at);
	}
	buffer_text(&out, (struct text){directory, search.spool.length - 1});
	(void)os_list(buffer_terminate(&out), take_name, &search);
	for (unsigned i = 0; i < search.runs; i++)
		look_at(search.directories[i], search.roots[i]);
	os_unmap(search.directories, RUNS_MAX * SPOOL_PATH_MAX);
}
