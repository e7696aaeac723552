/* SPDX-License-Identifier: Apache-2.0 */
/* line.csv and stack.csv: the code lines and call stacks at which interpreters use CPU time and memory.
 *
 * A program with an interpreter's name is examined within 50 ms of its start. Between ticks, it is found by its new row
 * in start.csv, or, if it is a fork of an interpreter, among the pids that were assigned last. Otherwise the next tick
 * finds it. Other programs may embed an interpreter (uwsgi, PyInstaller's output). They are examined after 1 s and 10 s
 * of CPU time, so that short-lived programs cost nothing.
 *
 * Each interpreter is then sampled several times per second (RTRACK_LINES). In its first seconds, it is sampled twice
 * as often, because much of a short job would otherwise be before its first or after its last sample. CPU time and
 * memory growth since the last sample are attributed to the call stack of the new sample. If an interpreter has used no
 * CPU time since the last sample, its stack is unchanged and is not read again. All samples together may use 0.3 % of
 * one CPU; if there are many interpreters, they take turns.
 *
 * A tick writes one row for each stack that was sampled since the last row. Rows are also written when a process has
 * more stacks than fit into its sums. If the job has set a mark, rows are written at the next sample, so that no row
 * belongs to two parts of the job. While a process is idle, it gets one row per minute. */
#include "os/peek.h"
#include "sampler/lines/python.h"
#include "sampler/lines/r.h"
#include "sampler/sampler.h"
#include "sampler/stacks.h"
#include "sampler/state.h"

/* The CPU time budget is the elapsed time divided by this number. It is less than 0.3 %, because some costs are not
 * measured. */
#define GRANT_PART 350
#define LEFT_MAX_NS 5000000 /* maximum of the unused budget */
#define WAKE_NS 30000       /* assumed CPU time of waking up, without reading */
#define SAMPLE_NS 100000    /* smallest budget with which sampler_lines is called */
#define IDLE_NS 60000000000 /* interval of rows while a process is idle */
#define WATCH_NS 50000000   /* time between two searches for new interpreters, if the budget permits */
#define YOUNG_NS 5000000000 /* time for which a new interpreter is sampled twice as often */
enum {
	INTERPRETERS_MAX = 64,
	FILE_MAX = 256,
	FUNCTION_MAX = 96,
	FRAMES_MAX = PYTHON_FRAMES_MAX, /* maximum number of frames of a reading */
	LINES_KEPT = 4,                 /* number of stacks of a process that have sums of their own */
	LINE_OTHER = LINES_KEPT,
	LINE_UNKNOWN, /* no line could be read */
	LINE_BEFORE,  /* before the first sample of the process */
	LINE_AFTER,   /* after the last sample of the process */
	LINES,
	/* Maximum number of examinations per process, because an interpreter may still be loading. */
	LOOKS_MAX = 3,
	FAILURES_MAX = 32, /* consecutive failures after which a process is no longer sampled */
	FORKS_MAX = 512,   /* maximum number of new pids that are checked in a search for forks */
	TRIES = 3,         /* maximum attempts per sample, because the stack may change while it is read */
	MOVED_PART = 100,  /* a process that used less CPU time than the sampling period divided by this is idle */
	WATCHED_MAX = 16   /* maximum number of threads whose CPU time is stored */
};

/* Sums of the samples of one stack since the last row. */
struct line {
	uint64_t stack; /* id, or STACK_NONE if the stack has no row in stack.csv */
	char file[FILE_MAX];
	char function[FUNCTION_MAX];
	int32_t number;
	uint32_t samples;
	uint32_t cut;
	uint64_t cpu_ns;
	int64_t elapsed_ns;
	uint64_t memory_kib; /* largest memory at this line */
	int64_t growth_kib;
};

struct interpreter {
	struct process_id id; /* pid 0 if the slot is free */
	uint64_t image;
	struct python python; /* `runtime` is 0 if the interpreter is R */
	struct r r;
	struct r_script script;
	int failures;
	bool named;      /* the executable has an interpreter's name; false for a fork, which may soon call exec */
	bool line_known; /* at least one line of this interpreter was read */
	int at;          /* index in `lines` of the last sample's line; negative if there is none yet */
	uint64_t cpu_ns; /* part of the process's CPU time that is already attributed to lines */
	uint64_t memory_kib;
	int64_t boot_ns;  /* time of the last sample */
	int64_t begun_ns; /* start of the time that `lines` covers */
	int64_t found_ns; /* time at which the interpreter was found */
	struct watched {
		uint64_t native;
		uint64_t cpu_ns;
	} watched[WATCHED_MAX];
	struct line lines[LINES];
};

struct lines {
	union {
		struct python_room python;
		struct r_room r;
	} room;
	struct interpreter interpreters[INTERPRETERS_MAX];
	size_t top;         /* all interpreters are below this index */
	size_t turn;        /* index of the next interpreter to sample */
	int64_t mark_bytes; /* size of mark.csv at the last check, or 0 */
	struct stacks stacks;
	struct packages packages;
};

/* -- finding interpreters -------------------------------------------------------------------------- */

/* A program that may be an interpreter. */
struct program {
	struct process_id id;
	uint64_t image;         /* image number (process_reading) */
	enum language language; /* interpreter, according to the name of the program */
	uint64_t cpu_ns;        /* CPU time before an exec, which line.csv already contains */
};

/* Returns which interpreter an executable is, according to its name, such as "python3.11" or "R". The name of a script
 * is not considered. */
static enum language language_named(struct text exe)
{
	struct text name = text_basename(exe);
	return text_starts(name, "python") ? LANGUAGE_PYTHON : text_is(name, "R") ? LANGUAGE_R : LANGUAGE_UNKNOWN;
}

static enum language language_of(int pid)
{
	char path[SPOOL_PATH_MAX], unused[1];
	struct buffer exe = BUFFER(path), command = buffer_over(unused, 0);

	process_describe(pid, &exe, &command);
	return language_named((struct text){path, exe.length});
}

/* Finds an interpreter that was forked from the same program. All addresses are the same in both. */
static const struct interpreter *find_relative(const struct lines *lines, uint64_t image)
{
	for (size_t i = 0; image != 0 && i < lines->top; i++)
		if (lines->interpreters[i].id.pid != 0 && lines->interpreters[i].image == image)
			return &lines->interpreters[i];
	return NULL;
}

static struct interpreter *find_interpreter(struct lines *lines, struct process_id id)
{
	for (size_t i = 0; lines && i < lines->top; i++)
		if (process_is(lines->interpreters[i].id, id))
			return &lines->interpreters[i];
	return NULL;
}

/* Finds the addresses that the readers need in a process. R that has loaded Python (reticulate) is read as R. */
static bool find_readers(
	struct lines *lines, const struct program *program, struct text own, struct python *python, struct r *r)
{
	const struct interpreter *relative = find_relative(lines, program->image);
	int pid = program->id.pid;

	if (relative) {
		*python = relative->python;
		*r = relative->r;
	} else if ((program->language == LANGUAGE_R || python_find(python, pid, &lines->room.python) != 0) &&
		   r_find(r, pid, &lines->room.r) != 0) {
		return false;
	}
	python->pid = r->pid = pid;
	python->own = own;
	python->packages = &lines->packages;
	return true;
}

/* Excludes the usage of an interpreter before this sampler started. If the previous sampler has sampled the
 * interpreter, its rows contain that usage. */
static void take_over(struct interpreter *interpreter)
{
	if (interpreter->cpu_ns == 0)
		interpreter->cpu_ns = process_cpu_ns(interpreter->id.pid);
	interpreter->memory_kib = process_anonymous_kib(interpreter->id.pid);
}

static void add(struct sampler *sampler, const struct program *program)
{
	struct lines *lines = sampler->lines.state ? sampler->lines.state : os_map_apart(sizeof *lines);
	struct python python = {.pid = 0};
	struct r r = {.pid = 0};
	size_t place = 0;

	sampler->lines.state = lines;
	if (!lines || !find_readers(lines, program, text_of(sampler->passed.given.own), &python, &r))
		return;
	while (place < lines->top && lines->interpreters[place].id.pid != 0)
		place++;
	if (place == INTERPRETERS_MAX)
		return;
	lines->top = place == lines->top ? place + 1 : lines->top;
	struct interpreter *new = &lines->interpreters[place];
	__builtin_memset(new, 0, sizeof *new);
	new->id = program->id;
	new->image = program->image;
	new->named = program->language != LANGUAGE_UNKNOWN;
	new->python = python;
	new->r = r;
	if (new->python.runtime == 0)
		r_script_open(&new->script, program->id.pid);
	new->at = -1;
	new->boot_ns = new->begun_ns = new->found_ns = os_since_boot_ns();
	new->cpu_ns = program->cpu_ns;
	if (new->cpu_ns == 0 && sampler_is_root(sampler, program->id))
		new->cpu_ns = sampler->baseline_ns;
	if (sampler->place == SAMPLER_IN_KEEPER && process_started_ns(program->id.start) < sampler->lines.opened_ns)
		take_over(new);
}

/* Returns whether a process should be examined for an interpreter now. */
static bool is_due(const struct member *member)
{
	static const uint64_t used_ns[LOOKS_MAX] = {0, NS_PER_SECOND, 10 * (uint64_t)NS_PER_SECOND};
	const struct member_lines *lines = &member->lines;

	if (!member->used || member->ended || member->look.off || !member->look.fresh || member->look.unknown ||
		member->reading.state == 'Z')
		return false;
	if (lines->looks == 0 || lines->image != member->reading.image)
		return true;
	return lines->looks < LOOKS_MAX &&
	       (lines->language != LANGUAGE_UNKNOWN || figures_cpu_ns(member->own) >= used_ns[lines->looks]);
}

static void examine(struct sampler *sampler, struct member *member)
{
	struct member_lines *lines = &member->lines;
	bool found = find_interpreter(sampler->lines.state, member->id) != NULL; /* found between two ticks */

	if (lines->looks == 0 || lines->image != member->reading.image) {
		lines->image = member->reading.image;
		lines->language = found ? LANGUAGE_UNKNOWN : language_of(member->id.pid);
		lines->looks = 0;
	}
	lines->looks++;
	if (!found && (lines->looks > 1 || lines->language != LANGUAGE_UNKNOWN))
		add(sampler, &(struct program){member->id, member->reading.image, lines->language, lines->cpu_ns});
	if (found || find_interpreter(sampler->lines.state, member->id))
		lines->looks = LOOKS_MAX;
}

/* -- rows ------------------------------------------------------------------------------------------ */

/* Return the end of a long path, and the beginning of a long name. */
static struct text path_part(struct text path)
{
	size_t left_out = path.length < FILE_MAX ? 0 : path.length - (FILE_MAX - 1);
	return (struct text){path.data + left_out, path.length - left_out};
}

static struct text name_part(struct text name)
{
	return (struct text){name.data, name.length < FUNCTION_MAX ? name.length : FUNCTION_MAX - 1};
}

static struct text language_name(const struct interpreter *interpreter)
{
	return interpreter->python.runtime == 0 ? TEXT("r") : TEXT("python");
}

/* Returns the time of a row that is written between two ticks. `boot_ns`: time since boot. */
static int64_t row_time_ns(const struct sampler *sampler, int64_t boot_ns)
{
	const struct run_clock *clock = &sampler->passed.clock;
	return clock->last_ns + (boot_ns > clock->last_boot_ns ? boot_ns - clock->last_boot_ns : 0);
}

/* Appends rows to line.csv or stack.csv, and first creates the file with a header if necessary. When the run's files
 * reach their size limit, rows of these files are the first to be dropped. */
static void lines_flush(struct sampler *sampler, enum table_id table, struct buffer *rows)
{
	char header[512];
	struct buffer out = BUFFER(header);
	uint64_t others = sampler->passed.series.member_bytes + sampler->passed.offsets.start_offset +
			  sampler->passed.offsets.exit_offset;
	const char *file = tables[table].file;

	if (rows->length > 0 && others < sampler->passed.given.limit_bytes) {
		row_write_header(&out, &tables[table]);
		(void)os_create(sampler->files.at, file, (struct text){header, out.length});
		int64_t before_ns = os_since_boot_ns();
		(void)os_append(sampler->files.at, file, (struct text){rows->data, rows->length},
			sampler->passed.given.limit_bytes - others);
		backoff_judge(sampler, before_ns);
	}
	rows->length = 0;
}

static void write_line(
	struct sampler *sampler, struct buffer *rows, const struct interpreter *interpreter, int index, int64_t now_ns)
{
	static const char *const reasons[LINES] = {[LINE_OTHER] = "other",
		[LINE_UNKNOWN] = "unknown",
		[LINE_BEFORE] = "before the first sample",
		[LINE_AFTER] = "after the last sample"};
	const struct line *line = &interpreter->lines[index];
	struct cell cells[LINE_COLUMNS];
	const char *function = reasons[index] ? reasons[index] : line->function;

	if (rows->capacity - rows->length < SPOOL_ROW_MAX)
		lines_flush(sampler, TABLE_line, rows);
	row_begin(cells, &tables[TABLE_line]);
	cells[LINE_timestamp].number = (double)now_ns / NS_PER_SECOND;
	cells[LINE_pid].number = interpreter->id.pid;
	cells[LINE_seconds].number = (double)line->elapsed_ns / NS_PER_SECOND;
	cells[LINE_language].text = language_name(interpreter);
	cells[LINE_file].text = text_of(line->file);
	if (line->number > 0)
		cells[LINE_line].number = line->number;
	cells[LINE_function].text = text_of(function);
	cells[LINE_samples].number = line->samples;
	cells[LINE_samples_cut].number = line->cut;
	cells[LINE_cpu_seconds].number = (double)line->cpu_ns / NS_PER_SECOND;
	if (line->samples > 0) {
		cells[LINE_memory_mib].number = (double)line->memory_kib / KIB_PER_MIB;
		cells[LINE_memory_growth_mib].number = (double)line->growth_kib / KIB_PER_MIB;
	}
	if (line->stack != STACK_NONE)
		cells[LINE_stack].number = (double)line->stack;
	row_write(rows, &tables[TABLE_line], cells);
}

static bool has_figures(const struct line *line)
{
	return line->samples > 0 || line->elapsed_ns > 0 || line->cpu_ns > 0;
}

/* Writes the rows of an interpreter, one for each stack. The row of the current stack is written last, because `watch`
 * shows the last row. Sampling then continues with the current stack. */
static void write_lines(struct sampler *sampler, struct buffer *rows, struct interpreter *interpreter, int64_t now_ns)
{
	struct line last = {.number = 0};
	bool kept = interpreter->at >= 0 && interpreter->at < LINES_KEPT;

	for (int i = 0; i < LINES; i++)
		if (i != interpreter->at && has_figures(&interpreter->lines[i]))
			write_line(sampler, rows, interpreter, i, now_ns);
	if (interpreter->at >= 0 && has_figures(&interpreter->lines[interpreter->at]))
		write_line(sampler, rows, interpreter, interpreter->at, now_ns);
	if (kept) {
		struct line *line = &interpreter->lines[interpreter->at];
		__builtin_memcpy(last.file, line->file, sizeof last.file);
		__builtin_memcpy(last.function, line->function, sizeof last.function);
		last.number = line->number;
		last.stack = line->stack;
		interpreter->at = 0;
	}
	__builtin_memset(interpreter->lines, 0, sizeof interpreter->lines);
	interpreter->lines[0] = last;
	interpreter->begun_ns = os_since_boot_ns();
}

/* -- one sample ------------------------------------------------------------------------------------ */

/* Returns the CPU time of a process, without the sampling thread in it. */
static uint64_t cpu_of(const struct sampler *sampler, const struct interpreter *interpreter)
{
	uint64_t cpu_ns = process_cpu_ns(interpreter->id.pid);
	bool ours = sampler->place == SAMPLER_IN_ROOT && sampler_is_root(sampler, interpreter->id);

	return figures_above(cpu_ns, ours ? (uint64_t)thread_used_ns() : 0);
}

/* Returns the CPU time that a thread has used since it was last sampled. */
static uint64_t thread_grown(struct interpreter *interpreter, uint64_t native)
{
	struct watched *watched = NULL;

	for (size_t i = 0; i < WATCHED_MAX && !watched; i++)
		if (interpreter->watched[i].native == native || interpreter->watched[i].native == 0)
			watched = &interpreter->watched[i];
	if (!watched)
		return 0;
	uint64_t now_ns = peek_thread_cpu_ns(interpreter->id.pid, native);
	uint64_t grown_ns = watched->native == native ? figures_above(now_ns, watched->cpu_ns) : 0;
	*watched = (struct watched){native, now_ns};
	return grown_ns;
}

/* Returns the index of the thread that has used the most CPU time. If thread ids are unknown, returns the index of the
 * main thread if it has used at least half of the process's time, and otherwise `count`. */
static size_t busiest_thread(
	struct interpreter *interpreter, const struct python_thread *threads, size_t count, uint64_t used_ns)
{
	size_t chosen = count - 1;
	uint64_t most_ns = 0;

	if (count == 1)
		return 0;
	if (threads[0].native == 0)
		return thread_grown(interpreter, (uint64_t)interpreter->id.pid) >= used_ns / 2 ? chosen : count;
	for (size_t i = count; i > 0; i--) {
		uint64_t grown_ns = thread_grown(interpreter, threads[i - 1].native);
		if (grown_ns > most_ns) {
			most_ns = grown_ns;
			chosen = i - 1;
		}
	}
	return chosen;
}

/* Reads the line of a Python thread, or of R, which has one thread. */
static enum place_result read_once(
	struct lines *lines, struct interpreter *interpreter, const struct python_thread *thread, struct place *place)
{
	if (interpreter->python.runtime == 0)
		return r_read(&interpreter->r, &interpreter->script, &lines->room.r, place);
	return python_read(&interpreter->python, thread, &lines->room.python, place);
}

static enum place_result read_place(
	struct lines *lines, struct interpreter *interpreter, uint64_t used_ns, struct place *place)
{
	struct python_thread threads[PYTHON_THREADS_MAX];
	enum place_result result = PLACE_REFUSED;
	size_t chosen = 0;

	if (interpreter->python.runtime != 0) {
		size_t count = python_threads(&interpreter->python, threads);
		chosen = count > 0 ? busiest_thread(interpreter, threads, count, used_ns) : 0;
		if (count == 0 || chosen == count)
			return count == 0 ? PLACE_REFUSED : PLACE_IDLE;
	}
	for (int i = 0; i < TRIES; i++) {
		result = read_once(lines, interpreter, &threads[chosen], place);
		if (result != PLACE_CHANGED)
			break;
	}
	return result;
}

/* Returns the index of a stack's sums in `lines`, and begins new sums for a new stack. Returns LINE_OTHER if there is
 * no room for the stack. */
static int sums_index(struct interpreter *interpreter, const struct place *place, uint64_t stack)
{
	for (int i = 0; i < LINES_KEPT; i++) {
		struct line *line = &interpreter->lines[i];
		if (line->file[0] == '\0') {
			struct buffer file = BUFFER(line->file), function = BUFFER(line->function);
			buffer_text(&file, path_part(place->file));
			buffer_text(&function, name_part(place->function));
			(void)buffer_terminate(&file);
			(void)buffer_terminate(&function);
			line->number = place->line;
			line->stack = stack;
			return i;
		}
		if (line->stack == stack && line->number == place->line &&
			text_equal(text_of(line->file), path_part(place->file)) &&
			text_equal(text_of(line->function), name_part(place->function)))
			return i;
	}
	return LINE_OTHER;
}

/* -- stacks ---------------------------------------------------------------------------------------- */

static bool read_frame(
	struct lines *lines, const struct interpreter *interpreter, size_t index, struct place_frame *frame)
{
	if (interpreter->python.runtime == 0)
		return r_frame(&interpreter->script, &lines->room.r, index, frame);
	return python_frame(&interpreter->python, &lines->room.python, index, frame);
}

static void write_frame(struct sampler *sampler, struct buffer *rows, const struct interpreter *interpreter,
	uint64_t stack, int depth, const struct place_frame *frame)
{
	struct cell cells[STACK_COLUMNS];

	if (rows->capacity - rows->length < SPOOL_ROW_MAX)
		lines_flush(sampler, TABLE_stack, rows);
	row_begin(cells, &tables[TABLE_stack]);
	cells[STACK_timestamp].number = (double)row_time_ns(sampler, os_since_boot_ns()) / NS_PER_SECOND;
	cells[STACK_stack].number = (double)stack;
	cells[STACK_depth].number = depth;
	cells[STACK_language].text = language_name(interpreter);
	cells[STACK_file].text = path_part(frame->file);
	if (frame->line > 0)
		cells[STACK_line].number = frame->line;
	cells[STACK_function].text = name_part(frame->function);
	cells[STACK_own].number = frame->own;
	row_write(rows, &tables[TABLE_stack], cells);
}

/* Writes the rows of a stack, outermost frame first. */
static void write_stack(struct sampler *sampler, const struct interpreter *interpreter, uint64_t stack,
	const bool kept[FRAMES_MAX], size_t frames, bool cut)
{
	struct buffer rows = BUFFER(sampler->rows);
	struct place_frame frame = {.function = stack == STACK_OTHER ? TEXT("other") : TEXT("cut")};
	int depth = 0;

	if (cut || stack == STACK_OTHER)
		write_frame(sampler, &rows, interpreter, stack, depth++, &frame);
	for (size_t i = frames; i > 0 && stack != STACK_OTHER; i--)
		if (kept[i - 1] && read_frame(sampler->lines.state, interpreter, i - 1, &frame))
			write_frame(sampler, &rows, interpreter, stack, depth++, &frame);
	lines_flush(sampler, TABLE_stack, &rows);
}

/* Sets kept[i] for each frame of a deep stack that stack.csv will contain. Returns whether frames were left out. */
static bool choose_frames(
	struct lines *lines, const struct interpreter *interpreter, size_t frames, bool kept[FRAMES_MAX])
{
	bool own[FRAMES_MAX], chosen[FRAMES_MAX];
	struct place_frame frame;
	size_t count = 0;

	for (size_t i = 0; i < frames; i++) {
		kept[i] = read_frame(lines, interpreter, i, &frame);
		own[count] = kept[i] && frame.own;
		count += kept[i];
	}
	bool cut = stack_choose(own, chosen, count);
	count = 0;
	for (size_t i = 0; i < frames; i++)
		kept[i] = kept[i] && chosen[count++];
	return cut;
}

/* Returns the id of the stack that was read last, and writes its rows if it is new. During a pause after slow writes,
 * no rows are written, and the result is STACK_NONE. */
static uint64_t find_stack(struct sampler *sampler, const struct interpreter *interpreter, const struct place *place)
{
	struct lines *lines = sampler->lines.state;
	struct place_frame frame = {.function = TEXT("cut")};
	bool kept[FRAMES_MAX], cut = place->deeper, is_new;
	uint64_t hash = STACK_NONE;

	if (backoff_is_on(sampler))
		return STACK_NONE;
	__builtin_memset(kept, true, sizeof kept);
	if (place->frames > STACK_FRAMES_MAX)
		cut |= choose_frames(lines, interpreter, place->frames, kept);
	if (cut)
		hash = stack_hash(hash, &frame);
	for (size_t i = place->frames; i > 0; i--)
		if (kept[i - 1] && read_frame(lines, interpreter, i - 1, &frame))
			hash = stack_hash(hash, &frame);
	uint64_t stack = stacks_add(&lines->stacks, hash, &is_new);
	if (is_new)
		write_stack(sampler, interpreter, stack, kept, place->frames, cut);
	return stack;
}

/* -- one sample: the process ------------------------------------------------------------------------ */

/* Writes the rows of an interpreter between two ticks. Their time is the time of its last sample. */
static void close_rows(struct sampler *sampler, struct interpreter *interpreter)
{
	struct buffer rows = BUFFER(sampler->rows);

	if (!interpreter->line_known || backoff_is_on(sampler))
		return;
	write_lines(sampler, &rows, interpreter, row_time_ns(sampler, interpreter->boot_ns));
	lines_flush(sampler, TABLE_line, &rows);
}

/* Returns the index of the sums for the stack that was read last. If there is no room for new sums, first writes the
 * rows of the interpreter, which makes room. */
static int find_sums(struct sampler *sampler, struct interpreter *interpreter, const struct place *place)
{
	uint64_t stack = find_stack(sampler, interpreter, place);
	int index = sums_index(interpreter, place, stack);

	if (index != LINE_OTHER)
		return index;
	close_rows(sampler, interpreter);
	return sums_index(interpreter, place, stack);
}

static void take_sample(struct sampler *sampler, struct interpreter *interpreter)
{
	struct lines *lines = sampler->lines.state;
	struct place place = {.line = 0};
	uint64_t cpu_ns = cpu_of(sampler, interpreter);
	int64_t now_ns = os_since_boot_ns(), elapsed_ns = now_ns - interpreter->boot_ns;
	uint64_t used_ns = figures_above(cpu_ns, interpreter->cpu_ns);

	if (used_ns < (uint64_t)(sampler->lines.period_ns / MOVED_PART)) {
		if (interpreter->at >= 0)
			interpreter->lines[interpreter->at].elapsed_ns += elapsed_ns;
		interpreter->boot_ns = now_ns;
		return;
	}
	/* No row spans more than one tick, unless the process is idle. */
	if (interpreter->begun_ns < sampler->passed.clock.last_boot_ns && interpreter->line_known)
		close_rows(sampler, interpreter);
	enum place_result result = read_place(lines, interpreter, used_ns, &place);
	uint64_t memory_kib = process_anonymous_kib(interpreter->id.pid);
	interpreter->failures = result == PLACE_STRANGE || result == PLACE_REFUSED ? interpreter->failures + 1 : 0;
	bool first = interpreter->at < 0;
	interpreter->at = result == PLACE_READ && place.file.length > 0 ? find_sums(sampler, interpreter, &place)
									: (int)LINE_UNKNOWN;
	/* Usage before the first sample is attributed to no line: the process has started and imported modules. */
	struct line *line = &interpreter->lines[first ? (int)LINE_BEFORE : interpreter->at];
	line->samples++;
	line->cut += place.cut;
	line->cpu_ns += used_ns;
	line->elapsed_ns += elapsed_ns;
	line->memory_kib = figures_larger(line->memory_kib, memory_kib);
	line->growth_kib += (int64_t)memory_kib - (int64_t)interpreter->memory_kib;
	interpreter->line_known |= interpreter->at < LINES_KEPT;
	interpreter->cpu_ns += used_ns;
	interpreter->memory_kib = memory_kib;
	interpreter->boot_ns = now_ns;
}

/* Returns true if a process has been idle since its last row and has had a row within the last minute. */
static bool is_idle(const struct interpreter *interpreter)
{
	for (int i = 0; i < LINES; i++)
		if (interpreter->lines[i].samples > 0 || interpreter->lines[i].cpu_ns > 0)
			return false;
	return os_since_boot_ns() - interpreter->begun_ns < IDLE_NS;
}

/* Writes the last rows of an interpreter. Called at the end of its process or of the run, and after an exec. CPU time
 * after the last sample is attributed to no line. After an exec, the rows of the next program contain it instead. */
static void end(struct sampler *sampler, struct buffer *rows, struct interpreter *interpreter, struct member *member,
	int64_t now_ns, bool last)
{
	uint64_t rest_ns = member ? figures_above(figures_cpu_ns(member->own), interpreter->cpu_ns) : 0;
	bool ended = member && (member->ended || last), sampled = interpreter->at >= 0;

	if (ended) {
		interpreter->lines[sampled ? LINE_AFTER : LINE_BEFORE].cpu_ns += rest_ns;
		interpreter->cpu_ns += rest_ns;
	}
	/* A process that could not be read has no rows, but one that ended before its first sample has one. */
	if (interpreter->line_known || (ended && !sampled && interpreter->named))
		write_lines(sampler, rows, interpreter, now_ns);
	/* If no row was written, the rows of the next program contain the CPU time of the samples. */
	for (int i = 0; i < LINES; i++)
		interpreter->cpu_ns -= interpreter->lines[i].cpu_ns;
	if (member)
		member->lines.cpu_ns = interpreter->cpu_ns;
	r_script_close(&interpreter->script);
	interpreter->id.pid = 0;
}

/* -- processes that have started since the last tick ----------------------------------------------- */

/* Adds the CPU time for which samples may be taken since the last call to the budget. */
static void grant(struct sampler *sampler)
{
	struct lines_state *state = &sampler->lines;
	int64_t now_ns = os_since_boot_ns(), left_ns = state->left_ns + (now_ns - state->granted_ns) / GRANT_PART;

	state->left_ns = left_ns < LEFT_MAX_NS ? left_ns : LEFT_MAX_NS;
	state->granted_ns = now_ns;
}

/* Returns whether the budget is not used up. `before_ns`: CPU time of the thread when it began to use the budget. */
static bool has_budget(const struct sampler *sampler, int64_t before_ns)
{
	return sampler->lines.left_ns - (thread_used_ns() - before_ns) >= 0;
}

/* Adds a new interpreter. If the process has executed another interpreter before, writes the rows of that one. */
static void add_started(struct sampler *sampler, struct process_id id, enum language language)
{
	struct process_reading reading;
	struct buffer rows = BUFFER(sampler->rows);
	struct interpreter *before = find_interpreter(sampler->lines.state, id);
	int index = ledger_find(&sampler->ledger, id);
	struct member *member = index != MEMBER_NONE ? &sampler->ledger.members[index] : NULL;

	if (process_read(id.pid, false, &reading) != 0 || !process_is(reading.id, id) || reading.state == 'Z' ||
		(before && before->image == reading.image))
		return;
	struct program program = {id, reading.image, language, member ? member->lines.cpu_ns : 0};
	if (before) {
		end(sampler, &rows, before, member, row_time_ns(sampler, before->boot_ns), false);
		program.cpu_ns = before->cpu_ns;
		lines_flush(sampler, TABLE_line, &rows);
	}
	add(sampler, &program);
}

/* Interpreters in new rows of start.csv. The next tick finds those that exceed the array. */
struct started {
	size_t count;
	struct {
		struct process_id id;
		enum language language;
	} items[32];
};

static void on_start_row(void *context, const struct cell *cells)
{
	struct started *started = context;
	struct process_id id = process_id_of(cells[START_pid].number, cells[START_start_ticks].number);
	enum language language = language_named(cells[START_exe].text);

	if (id.pid <= 0 || language == LANGUAGE_UNKNOWN || started->count == ARRAY_LENGTH(started->items))
		return;
	started->items[started->count].id = id;
	started->items[started->count++].language = language;
}

/* Adds the interpreters that have registered themselves in start.csv. */
static void find_started(struct sampler *sampler, int64_t before_ns)
{
	struct started started = {.count = 0};
	uint64_t *offset = &sampler->lines.start_offset, known = sampler->passed.offsets.start_offset;

	*offset = figures_larger(*offset, known);
	tail_read(sampler->files.start, offset, &tables[TABLE_start], sampler->scratch, SAMPLER_SCRATCH_MAX,
		on_start_row, &started);
	for (size_t i = 0; i < started.count && has_budget(sampler, before_ns); i++)
		add_started(sampler, started.items[i].id, started.items[i].language);
}

/* Returns whether a process is a fork of an interpreter of the run. A thread has no CPU clock of a process. */
static bool is_fork(const struct sampler *sampler, const struct process_reading *reading)
{
	const struct lines *lines = sampler->lines.state;
	bool child = ledger_find_alive(&sampler->ledger, reading->ppid) != MEMBER_NONE;

	for (size_t i = 0; i < lines->top && !child; i++)
		child = lines->interpreters[i].id.pid == reading->ppid;
	return child && reading->cpu_ns != 0 && find_relative(lines, reading->image) &&
	       !search_is_tracker(sampler, reading->id.pid);
}

/* Adds forks of interpreters, which do not register themselves. Reads the processes that were started on this machine
 * since the last search, but at most the latest FORKS_MAX. The next tick finds other forks. Half of the budget is kept
 * for samples. If the other half is used up, the next search continues where this one stopped. */
static void find_forks(struct sampler *sampler, int64_t before_ns)
{
	struct process_tally now;
	struct process_reading reading;
	/* At the first search, processes since the root are new. */
	uint64_t root = (uint64_t)sampler->passed.root.id.pid;
	uint64_t last = sampler->lines.last_pid != 0 ? sampler->lines.last_pid : root;

	if (!sampler->lines.state || process_tally_read(sampler->search.tally_file, &now) != 0)
		return;
	last = last < now.last_pid ? last : now.last_pid; /* pids may have wrapped around */
	if (now.last_pid > last + FORKS_MAX)
		last = now.last_pid - FORKS_MAX;
	before_ns -= LEFT_MAX_NS / 2;
	for (; last < now.last_pid && has_budget(sampler, before_ns); last++)
		if (process_read((int)last + 1, false, &reading) == 0 && is_fork(sampler, &reading))
			add_started(sampler, reading.id, LANGUAGE_UNKNOWN);
	sampler->lines.last_pid = last;
}

/* -- interface to the sampler ---------------------------------------------------------------------- */

void lines_open(struct sampler *sampler, const struct settings *settings)
{
	double rate = settings->number[SETTING_ID_LINES];

	sampler->lines.left_ns = LEFT_MAX_NS;
	sampler->lines.opened_ns = sampler->lines.granted_ns = os_since_boot_ns();
	sampler->lines.period_ns = rate > 0 ? (int64_t)(NS_PER_SECOND / rate) : 0;
	sampler->lines.next_ns = rate > 0 ? sampler->lines.opened_ns + WATCH_NS : INT64_MAX;
}

void lines_release(struct sampler *sampler)
{
	struct lines *lines = sampler->lines.state;

	for (size_t i = 0; lines && i < lines->top; i++)
		r_script_close(&lines->interpreters[i].script);
	os_unmap(lines, lines ? sizeof *lines : 0);
	sampler->lines.state = NULL;
}

static bool has_interpreters(const struct lines *lines)
{
	for (size_t i = 0; lines && i < lines->top; i++)
		if (lines->interpreters[i].id.pid != 0)
			return true;
	return false;
}

void lines_tick(struct sampler *sampler, int64_t now_ns, bool last)
{
	struct buffer rows = BUFFER(sampler->rows);
	struct lines *lines = sampler->lines.state;

	if (sampler->lines.period_ns == 0)
		return;
	int64_t before_ns = thread_used_ns();
	grant(sampler);
	for (size_t i = 0; lines && i < lines->top; i++) {
		struct interpreter *interpreter = &lines->interpreters[i];
		int index = interpreter->id.pid != 0 ? ledger_find(&sampler->ledger, interpreter->id) : MEMBER_NONE;
		struct member *member = index != MEMBER_NONE ? &sampler->ledger.members[index] : NULL;
		if (interpreter->id.pid == 0)
			continue;
		/* The image number of a process that was not read yet, or that is ending, is 0. */
		bool replaced = member && member->reading.image != 0 && member->reading.image != interpreter->image;
		if (!member || member->ended || last || replaced || interpreter->failures >= FAILURES_MAX) {
			end(sampler, &rows, interpreter, member, now_ns, last);
		} else if (interpreter->line_known && !is_idle(interpreter)) {
			write_lines(sampler, &rows, interpreter, now_ns);
			member->lines.cpu_ns = interpreter->cpu_ns;
		}
	}
	lines_flush(sampler, TABLE_line, &rows);
	for (size_t i = 0; i < sampler->ledger.top && !last; i++) {
		struct member *member = &sampler->ledger.members[i];
		if (!is_due(member))
			continue;
		if (!has_budget(sampler, before_ns))
			break;
		examine(sampler, member);
	}
	sampler->lines.left_ns -= thread_used_ns() - before_ns;
	if (sampler->lines.next_ns == INT64_MAX && has_interpreters(sampler->lines.state))
		sampler->lines.next_ns = os_since_boot_ns();
}

/* Writes the rows of all interpreters if the job has set a mark since the last call. */
static void close_at_mark(struct sampler *sampler)
{
	struct lines *lines = sampler->lines.state;
	int file = os_open(sampler->files.at, tables[TABLE_mark].file);
	int64_t bytes = file >= 0 ? os_size(file) : 0;

	os_close(file);
	if (bytes == lines->mark_bytes)
		return;
	lines->mark_bytes = bytes;
	for (size_t i = 0; i < lines->top; i++)
		if (lines->interpreters[i].id.pid != 0 && !is_idle(&lines->interpreters[i]))
			close_rows(sampler, &lines->interpreters[i]);
}

int64_t sampler_lines_ns(const struct sampler *sampler)
{
	return sampler->lines.next_ns;
}

/* Returns the time until the next call of sampler_lines. By then, the budget suffices for at least one sample. If less
 * than half of the budget is left, new interpreters are sampled once per period instead of twice. A run without
 * interpreters is searched less often as it gets older, and finally at ticks only: the result is then INT64_MAX. */
static int64_t pause_ns(const struct sampler *sampler, int64_t now_ns)
{
	const struct lines_state *state = &sampler->lines;
	int64_t part_ns = (now_ns - state->opened_ns) / 100, period_ns = state->period_ns;
	int64_t budget_ns = (SAMPLE_NS - state->left_ns) * GRANT_PART;

	if (has_interpreters(state->state)) {
		period_ns = period_ns < WATCH_NS || state->left_ns < LEFT_MAX_NS / 2 ? period_ns : WATCH_NS;
		return period_ns > budget_ns ? period_ns : budget_ns;
	}
	part_ns = part_ns > WATCH_NS ? part_ns : WATCH_NS;
	return part_ns < sampler->passed.clock.interval_ns ? part_ns : INT64_MAX;
}

/* Returns whether it is time to sample an interpreter. The first sample is taken at once. */
static bool is_sample_due(const struct sampler *sampler, const struct interpreter *interpreter, int64_t now_ns)
{
	int64_t period_ns = sampler->lines.period_ns;
	int64_t early_ns = (period_ns < WATCH_NS ? period_ns : WATCH_NS) / 2; /* samples need not be this punctual */

	if (interpreter->id.pid == 0 || interpreter->failures >= FAILURES_MAX)
		return false;
	if (now_ns - interpreter->found_ns < YOUNG_NS)
		period_ns /= 2;
	return interpreter->at < 0 || now_ns - interpreter->boot_ns >= period_ns - early_ns;
}

void sampler_lines(struct sampler *sampler)
{
	int64_t now_ns = os_since_boot_ns(), before_ns = thread_used_ns();

	grant(sampler);
	/* If the last search left no budget for a sample, interpreters are sampled before the next search. */
	if (!sampler->lines.starved && now_ns - sampler->lines.searched_ns > WATCH_NS / 2) {
		sampler->lines.searched_ns = now_ns;
		find_started(sampler, before_ns);
		find_forks(sampler, before_ns);
	}
	sampler->lines.starved = false;
	struct lines *lines = sampler->lines.state;
	if (lines)
		close_at_mark(sampler);
	for (size_t i = 0; lines && i < lines->top; i++) {
		struct interpreter *interpreter = &lines->interpreters[lines->turn % lines->top];
		if (!has_budget(sampler, before_ns - WAKE_NS)) {
			sampler->lines.starved = i == 0;
			break;
		}
		lines->turn = (lines->turn + 1) % lines->top;
		if (is_sample_due(sampler, interpreter, now_ns))
			take_sample(sampler, interpreter);
	}
	sampler->lines.left_ns -= WAKE_NS + thread_used_ns() - before_ns;
	/* If samples were missed, the next one follows a whole pause later. */
	int64_t rest_ns = pause_ns(sampler, now_ns), next_ns = sampler->lines.next_ns;
	next_ns = next_ns > now_ns - rest_ns ? next_ns : now_ns;
	sampler->lines.next_ns = rest_ns < INT64_MAX ? next_ns + rest_ns : INT64_MAX;
}
