/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and merges the process records of a run. */
#define _GNU_SOURCE
#include "report/spool/processes.h"

#include "core/needed.h"
#include "core/number.h"
#include "report/say/array.h"
#include "report/say/bounds.h"
#include "report/say/message.h"
#include "report/spool/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A process of which nothing is known. The fields that are not listed are 0, NULL or false. */
static const struct process unknown_process = {
	.end_time = UNKNOWN,
	.seen_time = UNKNOWN,
	.let_go_time = UNKNOWN,
	.gpu_seconds = UNKNOWN,
	.gpu_usage = UNKNOWN,
	.peak_vram_mib = UNKNOWN,
	.sampled_memory_mib = UNKNOWN,
	.sampled_file_mib = UNKNOWN,
	.sampled_hugetlb_mib = UNKNOWN,
	.last = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN},
	.sampled = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN},
	.inherited_peak_mib = UNKNOWN,
	.earlier_peak_mib = UNKNOWN,
	.exec_peak_mib = UNKNOWN,
	.exec_time = UNKNOWN,
	.found_peak_mib = UNKNOWN,
	.image_tracker = UNKNOWN,
	.children_peak_mib = UNKNOWN,
	.peak_mib = UNKNOWN,
	.own_mib = UNKNOWN,
	.missing_seconds = UNKNOWN,
	.children_user_seconds = UNKNOWN,
	.children_system_seconds = UNKNOWN,
	.children_left = UNKNOWN,
	.children_ignored = UNKNOWN,
	.minor_faults = UNKNOWN,
	.children_minor_faults = UNKNOWN,
	.private_mib = UNKNOWN,
	.address_space_limit_mib = UNKNOWN,
	.address_space_mib = UNKNOWN,
	.data_limit_mib = UNKNOWN,
	.cpu_limit_seconds = UNKNOWN,
	.energy_wh = UNKNOWN,
	.shared_mib = UNKNOWN,
	.shared_size_mib = UNKNOWN,
	.exit_code = UNKNOWN,
	.exit_signal = UNKNOWN,
};

static size_t slot_of(const struct processes *processes, struct process_id id)
{
	uint64_t hash = ((uint64_t)id.pid * UINT64_C(0x9e3779b97f4a7c15)) ^ (id.start * UINT64_C(0xc2b2ae3d27d4eb4f));
	size_t mask = processes->slot_count - 1;
	size_t slot = (size_t)(hash >> 20) & mask;

	for (uint32_t position; (position = processes->slots[slot]) != 0; slot = (slot + 1) & mask) {
		const struct process *process = &processes->items[position - 1];
		if (process_is(process->id, id))
			break;
	}
	return slot;
}

static void grow(struct processes *processes)
{
	processes->capacity = processes->capacity == 0 ? 64 : processes->capacity * 2;
	processes->items = xreallocarray(processes->items, processes->capacity, sizeof *processes->items);
	free(processes->slots);
	processes->slot_count = processes->capacity * 2;
	processes->slots = xcalloc(processes->slot_count, sizeof *processes->slots);
	for (size_t i = 0; i < processes->count; i++)
		processes->slots[slot_of(processes, processes->items[i].id)] = (uint32_t)i + 1;
}

/* Returns the pid in a cell, or 0 if the cell has no valid pid. */
static int pid_in(struct reader *reader, int column)
{
	double pid = reader_number(reader, column);

	return pid > 0 && pid < 0x1p31 ? (int)pid : 0;
}

struct process *processes_make(struct processes *processes, struct process_id id, double ppid, double time)
{
	if (processes->count == processes->capacity)
		grow(processes);
	size_t slot = slot_of(processes, id);
	if (processes->slots[slot] != 0)
		return &processes->items[processes->slots[slot] - 1];
	struct process *process = &processes->items[processes->count++];
	*process = unknown_process;
	process->id = id;
	process->ppid = ppid;
	process->last_ppid = ppid > 0 && ppid < 0x1p31 ? (int)ppid : 0;
	process->start_time = time;
	processes->slots[slot] = (uint32_t)processes->count;
	return process;
}

/* Returns whether one more process would need much more memory than the size of the tables. A process takes about
 * 1,000 bytes of memory. The rows that rtrack writes for a process in start.csv and exit.csv have more than 150 bytes.
 */
static bool is_too_many(const struct processes *processes, struct process_id id)
{
	enum { PROCESS_BYTES_MIN = 120 };

	return processes->count >= BOUND_PROCESSES && processes->record_bytes / PROCESS_BYTES_MIN <= processes->count &&
	       processes->slots[slot_of(processes, id)] == 0;
}

/* Returns the process of a row, and adds it if it is new. Returns NULL if the pid or the start_ticks in the row are not
 * valid, or if there are too many processes. */
static struct process *find(
	struct processes *processes, struct reader *reader, int pid_column, int ticks_column, int ppid_column)
{
	double pid = reader_number(reader, pid_column);
	double ticks = reader_number(reader, ticks_column);
	double time = reader_number(reader, 0);

	if (!(pid >= 0 && pid < 0x1p31) || !(ticks >= 0 && ticks < 0x1p53))
		return NULL;
	struct process_id id = {(int)pid, (uint64_t)ticks};
	if (is_too_many(processes, id)) {
		message_print_once("'%s' cannot be read whole: %s", reader->path, BOUND_MESSAGE(PROCESSES));
		processes->lacks_some = true;
		return NULL;
	}
	struct process *found = processes_make(processes, id, reader_number(reader, ppid_column), time);
	if (time < found->start_time)
		found->start_time = time;
	return found;
}

static void keep(char **place, struct text text)
{
	if (text.length == 0 ||
		(*place && strlen(*place) == text.length && memcmp(*place, text.data, text.length) == 0))
		return;
	free(*place);
	*place = xstrndup(text.data, text.length);
}

static void take_exec_peak(struct process *process, double time, double peak_mib)
{
	if (!number_known(peak_mib) || !(time > known_first(process->exec_time, 0)))
		return;
	process->exec_time = time;
	process->exec_peak_mib = peak_mib;
}

static void take_earlier_peak(struct process *process, double peak_mib)
{
	if (!number_known(peak_mib))
		return;
	if (!number_known(process->inherited_peak_mib))
		process->inherited_peak_mib = peak_mib;
	else if (peak_mib > process->inherited_peak_mib)
		process->earlier_peak_mib = known_larger(process->earlier_peak_mib, peak_mib);
	process->found_peak_mib = known_larger(process->found_peak_mib, peak_mib);
}

static void take_start(void *context, struct reader *reader)
{
	struct process *process = find(context, reader, START_pid, START_start_ticks, START_ppid);

	if (!process)
		return;
	double earlier_mib = reader_number(reader, START_earlier_peak_mib);
	if (number_known(process->found_peak_mib))
		take_exec_peak(process, reader_number(reader, START_timestamp), earlier_mib);
	take_earlier_peak(process, earlier_mib);
	keep(&process->exe, reader_text(reader, START_exe));
	keep(&process->command, reader_text(reader, START_command));
}

static enum exit_source source_of(struct text text)
{
	if (text_is(text, "self"))
		return SOURCE_SELF;
	return text_is(text, "launcher") ? SOURCE_LAUNCHER : SOURCE_SAMPLER;
}

/* Stores the shared object of a row if it is larger than in all earlier rows. */
static void take_shared(struct process *process, struct reader *reader, int mib)
{
	if (!(reader_number(reader, mib) > known_first(process->shared_mib, 0)))
		return;
	process->shared_mib = reader_number(reader, mib);
	process->shared_size_mib = reader_number(reader, mib + 1);
	keep(&process->shared_object, reader_text(reader, mib + 2));
}

/* Returns whether the record of a process that was read before is kept, and its exit row in an inner run ignored. A
 * record that the process wrote itself is better than a record of a sampler, and a final record is better than one that
 * is not final. */
static bool keeps_record(const struct processes *processes, const struct process *process, struct reader *reader)
{
	bool is_final = reader_number(reader, EXIT_exact) == 1;

	return processes->is_adding && process->exact && (process->source == SOURCE_SELF || !is_final);
}

static void take_exit(void *context, struct reader *reader)
{
	struct process *process = find(context, reader, EXIT_pid, EXIT_start_ticks, EXIT_ppid);

	if (!process || keeps_record(context, process, reader))
		return;
	if (reader_is_of_image(reader)) {
		process->earlier_peak_mib =
			known_larger(process->earlier_peak_mib, reader_number(reader, EXIT_peak_rss_mib));
		take_exec_peak(
			process, reader_number(reader, EXIT_timestamp), reader_number(reader, EXIT_peak_rss_mib));
		process->image_tracker = known_larger(process->image_tracker, reader_number(reader, EXIT_missing_cpu));
		process->image_ignored |= reader_number(reader, EXIT_children_ignored) == 1;
		return;
	}
	process->end_time = reader_number(reader, EXIT_timestamp);
	process->last = (struct process_figures){
		.user_seconds = reader_number(reader, EXIT_utime),
		.system_seconds = reader_number(reader, EXIT_stime),
		.read_bytes = reader_number(reader, EXIT_disk_read_bytes),
		.write_bytes = reader_number(reader, EXIT_disk_write_bytes),
		/* Keep the larger peak, because it may be the peak of an earlier program of this process. */
		.peak_memory_mib =
			known_larger(process->last.peak_memory_mib, reader_number(reader, EXIT_peak_rss_mib)),
	};
	process->exit_code = reader_number(reader, EXIT_exit_code);
	process->exit_signal = reader_number(reader, EXIT_exit_signal);
	process->exact = reader_number(reader, EXIT_exact) == 1;
	process->children_peak_mib =
		known_larger(process->children_peak_mib, reader_number(reader, EXIT_children_peak_mib));
	process->source = source_of(reader_text(reader, EXIT_source));
	double exact_peak = reader_number(reader, EXIT_exact_peak);
	process->of_old = !number_known(exact_peak);
	process->exact_peak = known_first(exact_peak, process->exact) == 1;
	process->last_ppid = pid_in(reader, EXIT_ppid);
	process->children_user_seconds = reader_number(reader, EXIT_children_utime);
	process->children_system_seconds = reader_number(reader, EXIT_children_stime);
	process->children_left = reader_number(reader, EXIT_children_left);
	process->children_ignored = process->image_ignored ? 1 : reader_number(reader, EXIT_children_ignored);
	process->minor_faults = reader_number(reader, EXIT_minor_faults);
	process->children_minor_faults = reader_number(reader, EXIT_children_minor_faults);
	process->private_mib = reader_number(reader, EXIT_private_mib);
	process->address_space_limit_mib = reader_number(reader, EXIT_address_space_limit_mib);
	process->address_space_mib = reader_number(reader, EXIT_address_space_mib);
	process->data_limit_mib = reader_number(reader, EXIT_data_limit_mib);
	process->cpu_limit_seconds = reader_number(reader, EXIT_cpu_limit);
	process->energy_wh = reader_number(reader, EXIT_energy_wh);
	process->missing_seconds = process->exact ? UNKNOWN : reader_number(reader, EXIT_missing_cpu);
	process->goes_on = process->source == SOURCE_SELF && !process->exact && !process->of_old &&
			   !number_known(process->missing_seconds);
	take_shared(process, reader, EXIT_shared_mib);
}

/* Returns the size of a table up to its first hole, because the rest of a sparse file takes no disk space. */
static size_t size_of(const struct files *files, enum table_id table)
{
	int file = files_get(files, tables[table].file);
	off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_HOLE);

	if (file >= 0)
		close(file);
	return size > 0 ? (size_t)size : 0;
}

static void read_tables(struct processes *processes, const struct files *files)
{
	processes->record_bytes += size_of(files, TABLE_start) + size_of(files, TABLE_exit);
	reader_all(files, TABLE_start, take_start, processes);
	reader_all(files, TABLE_exit, take_exit, processes);
}

void processes_load(struct processes *processes, const struct files *files)
{
	*processes = (struct processes){0};
	read_tables(processes, files);
	processes_find_parents(processes);
	processes_count_unseen(processes);
}

void processes_add(struct processes *processes, const struct files *files)
{
	processes->is_adding = true;
	read_tables(processes, files);
	processes->is_adding = false;
}

void processes_count_unseen(struct processes *processes)
{
	processes->unseen = 0;
	for (size_t i = 0; i < processes->count; i++)
		processes->unseen += !processes->items[i].exact;
}

struct process *processes_get(const struct processes *processes, struct process_id id)
{
	uint32_t position = processes->count > 0 ? processes->slots[slot_of(processes, id)] : 0;

	return position > 0 ? &processes->items[position - 1] : NULL;
}

/* A program that used more CPU seconds than this before it loaded the library did not load it at its start. The dynamic
 * loader alone never needs so much. */
#define LATE_SECONDS 0.05

void process_leave_before(const struct process *process, double *user_seconds, double *system_seconds)
{
	double before = process->before_user_seconds + process->before_system_seconds;
	double rest = fmax(*user_seconds + *system_seconds - before, 0);
	double user = fmax(*user_seconds - process->before_user_seconds, 0);
	double system = fmax(*system_seconds - process->before_system_seconds, 0);

	if (!(before > 0))
		return;
	/* If one of them is unknown, it is unknown how much of the other was used before the run. */
	if (!number_known(*user_seconds + *system_seconds)) {
		*user_seconds = *system_seconds = UNKNOWN;
		return;
	}
	/* Only the sum of user and system time is exact, because the kernel estimates their ratio anew at each reading.
	 * Scale both to match the sum. */
	double part = user + system > 0 ? rest / (user + system) : 0;
	*user_seconds = user * part;
	*system_seconds = system * part;
}

/* Returns the CPU time that the exit row of a process has for the process and its reaped children. Returns UNKNOWN if
 * there is no such row, or if only one of user and system time is known. */
static double recorded_cpu_seconds(const struct process *process)
{
	double user = process->last.user_seconds, system = process->last.system_seconds;
	double children = process->children_user_seconds + process->children_system_seconds;

	if (!number_known(process->end_time))
		return UNKNOWN;
	return (number_known(user) || number_known(system) ? user + system : 0) + known_first(children, 0);
}

/* Returns whether the CPU time that the root's reaped children used includes a process, but the CPU time of no other
 * process's children does. The process is then a child of the root, or a descendant whose other ancestors did not
 * record the CPU time of their children. */
static bool is_only_in_account_of(const struct process *root, const struct process *process)
{
	enum { GENERATIONS_MAX = 64 };
	const struct process *parent = process_last_parent(process);

	for (int generation = 0; parent && parent != root && generation < GENERATIONS_MAX; generation++) {
		if (number_known(parent->children_user_seconds + parent->children_system_seconds))
			return false;
		parent = process_last_parent(parent);
	}
	return parent == root;
}

/* Returns the CPU time of children that the root reaped before it became the job. It is the CPU time of all children
 * that the root reaped, minus the CPU time of its descendants in the run. UNKNOWN if one of these is unknown. */
static double earlier_children(const struct processes *processes, const struct process *root)
{
	double seconds = root->children_user_seconds + root->children_system_seconds;

	for (size_t i = 0; i < processes->count && number_known(seconds); i++) {
		const struct process *child = &processes->items[i];
		if (is_only_in_account_of(root, child))
			seconds -= recorded_cpu_seconds(child);
	}
	return number_known(seconds) ? fmax(seconds, 0) : UNKNOWN;
}

/* Divides the CPU time from before the run between the root and the children that it had reaped by then. If the CPU
 * time of these children is unknown, all of it is attributed to the root. This is right for most programs that load the
 * library late. */
static void divide_before(const struct processes *processes, struct process *root, double user, double system)
{
	double before = user + system;
	double own = fmax(before - known_first(earlier_children(processes, root), 0), 0);
	double part = before > 0 ? own / before : 0;

	root->before_user_seconds = user * part;
	root->before_system_seconds = system * part;
	root->before_children_user_seconds = user - root->before_user_seconds;
	root->before_children_system_seconds = system - root->before_system_seconds;
}

bool processes_begin_root(struct processes *processes, double pid, double user_seconds, double system_seconds)
{
	double user = known_first(user_seconds, 0), system = known_first(system_seconds, 0);
	struct process *root = NULL;

	for (size_t i = 0; i < processes->count && !root; i++)
		if ((double)processes->items[i].id.pid == pid)
			root = &processes->items[i];
	if (!root)
		return false;
	divide_before(processes, root, user, system);
	process_leave_before(root, &root->last.user_seconds, &root->last.system_seconds);
	/* Discard these figures, because they include children from before the run. */
	if (root->before_children_user_seconds + root->before_children_system_seconds > 0)
		root->children_peak_mib = root->children_minor_faults = UNKNOWN;
	/* If the peak is the same as at the program's start, the root reached it before that. */
	root->peak_is_before =
		user + system > LATE_SECONDS && fabs(root->last.peak_memory_mib - root->found_peak_mib) < 0.002;
	if (root->peak_is_before) {
		root->last.peak_memory_mib = UNKNOWN;
		root->exact_peak = false;
	}
	return root->peak_is_before;
}

void processes_free(struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		free(processes->items[i].exe);
		free(processes->items[i].command);
		free(processes->items[i].shared_object);
	}
	free(processes->items);
	free(processes->slots);
	*processes = (struct processes){0};
}

/* -- member.csv ------------------------------------------------------------------------------------ */

/* Processes sorted to find the process of a row in member.csv. Such a row has only a pid, and belongs to the latest
 * process with that pid that began before the row was written. */
struct lives {
	struct process **items; /* sorted by pid, then by start */
	size_t count;
};

static int by_pid_then_start(const void *a, const void *b)
{
	const struct process *x = *(struct process *const *)a;
	const struct process *y = *(struct process *const *)b;
	return x->id.pid != y->id.pid ? ORDER(x->id.pid, y->id.pid) : ORDER(x->start_time, y->start_time);
}

static struct process *find_life(const struct lives *lives, double pid, double time)
{
	size_t low = 0;
	/* items before `low` are at or before (pid, time); items from `high` on are after it */
	size_t high = lives->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct process *process = lives->items[middle];
		if ((double)process->id.pid < pid || ((double)process->id.pid == pid && process->start_time <= time))
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && (double)lives->items[low - 1]->id.pid == pid)
		return lives->items[low - 1];
	return low < lives->count && (double)lives->items[low]->id.pid == pid ? lives->items[low] : NULL;
}

struct members {
	struct lives lives;
	take_member_row *take;
	void *context;
	bool quiet;
};

static void take_member(void *context, struct reader *reader)
{
	const struct members *members = context;
	struct process *process =
		find_life(&members->lives, reader_number(reader, MEMBER_pid), reader_number(reader, MEMBER_timestamp));

	reader->quiet = members->quiet;
	if (process)
		members->take(members->context, process, reader);
}

void processes_each_member(
	const struct processes *processes, const struct files *files, take_member_row *take, void *context)
{
	if (processes->count == 0)
		return;
	struct members members = {.take = take, .context = context, .quiet = processes->members_read};
	members.lives = (struct lives){xcalloc(processes->count, sizeof(struct process *)), processes->count};
	for (size_t i = 0; i < processes->count; i++)
		members.lives.items[i] = &processes->items[i];
	array_sort_pointers(members.lives.items, members.lives.count, by_pid_then_start);
	reader_all(files, TABLE_member, take_member, &members);
	free(members.lives.items);
}

/* Records the time at which the process freed more than half of its peak memory. If the process allocates the memory
 * again, clears that time. */
static void note_let_go(struct process *process, double time, double mib)
{
	double most = process->sampled.peak_memory_mib;

	if (mib >= most / 2)
		process->let_go_time = UNKNOWN;
	else if (mib < most / 2)
		process->let_go_time = known_first(process->let_go_time, time);
}

static void add_sample(void *context, const struct process *found, struct reader *reader)
{
	struct processes *processes = context;
	struct process *process = &processes->items[found - processes->items];
	/* A row is written only if a figure has changed. Therefore, the GPU usage in the previous row applies until
	 * this row. */
	double now = reader_number(reader, MEMBER_gpu_usage);
	double before = number_known(process->seen_time) ? process->gpu_usage : now;
	double since = known_first(process->seen_time, process->start_time);

	known_add(&process->gpu_seconds,
		known_first(before, now) * fmax(reader_number(reader, MEMBER_timestamp) - since, 0));
	process->gpu_usage = now;
	process->peak_vram_mib = known_larger(process->peak_vram_mib, reader_number(reader, MEMBER_gpu_vram_mib));
	process->seen_time = known_larger(process->seen_time, reader_number(reader, MEMBER_timestamp));
	double user = reader_number(reader, MEMBER_utime), system = reader_number(reader, MEMBER_stime);
	if (!number_known(process->sampled.user_seconds))
		process_leave_before(process, &user, &system);
	known_add(&process->sampled.user_seconds, user);
	known_add(&process->sampled.system_seconds, system);
	known_add(&process->sampled.read_bytes, reader_number(reader, MEMBER_disk_read_bytes));
	known_add(&process->sampled.write_bytes, reader_number(reader, MEMBER_disk_write_bytes));
	note_let_go(process, reader_number(reader, MEMBER_timestamp), reader_number(reader, MEMBER_rss_mib));
	double rss_mib = reader_number(reader, MEMBER_rss_mib);
	if (rss_mib >= known_first(process->sampled.peak_memory_mib, 0)) {
		process->sampled_memory_mib = reader_number(reader, MEMBER_memory_mib);
		process->sampled_file_mib = needed_droppable_mib(
			reader_number(reader, MEMBER_memory_file_mib), reader_number(reader, MEMBER_locked_mib));
	}
	process->sampled.peak_memory_mib = known_larger(process->sampled.peak_memory_mib, rss_mib);
	process->sampled_hugetlb_mib =
		known_larger(process->sampled_hugetlb_mib, reader_number(reader, MEMBER_hugetlb_mib));
	take_shared(process, reader, MEMBER_shared_mib);
}

/* Adds the GPU time between the last row and the end of the process. No row was written in that time, because the GPU
 * usage did not change. */
static void add_gpu_to_end(struct process *process)
{
	double rest = process->end_time - process->seen_time;

	if (process->gpu_usage > 0 && rest > 0)
		known_add(&process->gpu_seconds, process->gpu_usage * rest);
}

void processes_add_members(struct processes *processes, const struct files *files)
{
	if (processes->samples_added)
		return;
	processes->samples_added = true;
	processes_each_member(processes, files, add_sample, processes);
	processes->members_read = true;
	for (size_t i = 0; i < processes->count; i++)
		add_gpu_to_end(&processes->items[i]);
}

bool processes_lack_figures(const struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		if (!number_known(processes->items[i].last.user_seconds) ||
			!number_known(processes->items[i].last.peak_memory_mib))
			return true;
	return false;
}

bool processes_any_limited(const struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->items[i].address_space_limit_mib > 0 || processes->items[i].data_limit_mib > 0)
			return true;
	return false;
}

struct process_figures process_best_usage(const struct process *process)
{
	const struct process_figures *last = &process->last;
	const struct process_figures *sampled = &process->sampled;
	return (struct process_figures){
		known_first(last->user_seconds, sampled->user_seconds),
		known_first(last->system_seconds, sampled->system_seconds),
		known_first(last->read_bytes, sampled->read_bytes),
		known_first(last->write_bytes, sampled->write_bytes),
		known_first(
			process->peak_mib, known_larger(known_first(last->peak_memory_mib, sampled->peak_memory_mib),
						   process->earlier_peak_mib)),
	};
}

double process_cpu_seconds(const struct process *process)
{
	return known_first(process->last.user_seconds, 0) + known_first(process->last.system_seconds, 0);
}

int process_order(const struct process *a, const struct process *b)
{
	int order = ORDER(a->start_time, b->start_time);

	if (order == 0)
		order = ORDER(a->id.pid, b->id.pid);
	return order != 0 ? order : ORDER(a, b);
}

double process_status(const struct process *process)
{
	return process->exit_signal > 0 ? 128 + process->exit_signal : process->exit_code;
}

bool processes_is_root(const struct process *process, const struct run *run)
{
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");
	return (double)process->id.pid == json_double(run->json, "pid") &&
	       (double)process->id.start == json_double(tracker, "start_ticks");
}

struct process *processes_root(const struct processes *processes, const struct run *run)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes_is_root(&processes->items[i], run))
			return &processes->items[i];
	return NULL;
}
