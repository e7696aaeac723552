/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of sampler/lines.c: which processes are read, and their rows in line.csv. The readers are simulated: the test
 * sets the line of a process and the cost of a reading. */
#include "sampler/sampler.h"

#include "os/clock.h"
#include "sampler/lines/python.h"
#include "sampler/lines/r.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

/* -- processes and readers -- */

enum { PIDS = 1000, THREADS = 3, MIB = 1024 };

static struct {
	bool python, r;
	enum place_result result;
	const char *file, *function;
	int line;
	size_t threads;
	bool numbered; /* threads have numbers from 1 on; the main thread is the last one */
	uint64_t thread_ns[THREADS + 1];
	size_t thread; /* the last thread that was read */
	uint64_t anonymous_kib;
	int finds, reads;
} sites[PIDS];

static uint64_t cost_ns; /* cost of a reading */

/* The simulated stack of every process: its place, and `depth` - 1 calls of the user's function f outside it. */
static size_t depth = 1;
static struct place last;

static bool frame_of(size_t index, struct place_frame *frame)
{
	*frame = (struct place_frame){.file = last.file, .function = last.function, .line = last.line, .own = true};
	if (index > 0)
		*frame = (struct place_frame){
			.file = TEXT("/home/ada/job.py"), .function = TEXT("f"), .line = (int)index, .own = index % 2};
	return index < last.frames;
}

bool python_frame(const struct python *python, struct python_room *room, size_t index, struct place_frame *frame)
{
	(void)python, (void)room;
	return frame_of(index, frame);
}

bool r_frame(const struct r_script *script, const struct r_room *room, size_t index, struct place_frame *frame)
{
	(void)script, (void)room;
	return frame_of(index, frame);
}

int python_find(struct python *python, int pid, struct python_room *room)
{
	(void)room;
	sites[pid].finds++;
	*python = (struct python){.pid = pid, .runtime = sites[pid].python};
	return sites[pid].python ? 0 : -1;
}

int r_find(struct r *r, int pid, struct r_room *room)
{
	(void)room;
	sites[pid].finds++;
	*r = (struct r){.pid = pid, .context = sites[pid].r};
	return sites[pid].r ? 0 : -1;
}

void r_script_open(struct r_script *script, int pid)
{
	(void)pid;
	script->path[0] = '\0';
}

void r_script_close(struct r_script *script)
{
	(void)script;
}

size_t python_threads(const struct python *python, struct python_thread threads[PYTHON_THREADS_MAX])
{
	size_t count = sites[python->pid].threads;

	for (size_t i = 0; i < count; i++)
		threads[i] = (struct python_thread){.at = i + 1, .native = sites[python->pid].numbered ? i + 1 : 0};
	return count;
}

static enum place_result place_of(int pid, struct place *place)
{
	sites[pid].reads++;
	fake_tracker[COUNTER_USER_NS] += cost_ns;
	*place = (struct place){.file = text_of(sites[pid].file),
		.line = sites[pid].line,
		.function = text_of(sites[pid].function),
		.frames = depth,
		.depth = depth};
	last = *place;
	return sites[pid].result;
}

enum place_result python_read(
	const struct python *python, const struct python_thread *thread, struct python_room *room, struct place *place)
{
	(void)room;
	sites[python->pid].thread = thread->at;
	return place_of(python->pid, place);
}

enum place_result r_read(const struct r *r, struct r_script *script, struct r_room *room, struct place *place)
{
	(void)script, (void)room;
	return place_of(r->pid, place);
}

uint64_t process_anonymous_kib(int pid)
{
	return sites[pid].anonymous_kib;
}

uint64_t peek_thread_cpu_ns(int pid, uint64_t thread)
{
	return thread == (uint64_t)pid ? sites[pid].thread_ns[0] : sites[pid].thread_ns[thread];
}

/* -- actions -- */

/* The process becomes a new program without memory, at the first line of a file. */
static void becomes(int pid, const char *exe)
{
	static uint64_t images;

	memset(&sites[pid], 0, sizeof sites[pid]);
	sites[pid].file = "/home/ada/job.py";
	sites[pid].function = "f";
	sites[pid].line = 1;
	sites[pid].threads = 1;
	sites[pid].python = strstr(exe, "python") != NULL;
	sites[pid].r = strcmp(exe, "/usr/lib/R/bin/exec/R") == 0;
	fake_process(pid)->exe = exe;
	fake_process(pid)->image = ++images;
}

static struct sampler *begin(const char *exe, const char *setting)
{
	fake_reset();
	cost_ns = 0;
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, setting);
	becomes(FAKE_ROOT, exe);
	fake_says_start(FAKE_ROOT);
	return sampler;
}

static void works(int pid, uint64_t ms)
{
	fake_process(pid)->used[COUNTER_USER_NS] += ms * FAKE_MS;
}

/* The process spends `ms` at a line. */
static void at(struct sampler *sampler, int pid, int line, uint64_t ms)
{
	sites[pid].line = line;
	works(pid, ms);
	fake_pass(FAKE_SECOND / 10);
	if (os_since_boot_ns() >= sampler_lines_ns(sampler))
		sampler_lines(sampler);
}

static void ends(struct sampler *sampler)
{
	fake_says_exit(FAKE_ROOT, 0);
	fake_exit(FAKE_ROOT, 0);
	fake_launcher_reaps(sampler, FAKE_ROOT);
	(void)sampler_finish(sampler, 0, 0, false);
}

static double sum_of(int pid, int column)
{
	double sum = 0;
	int rows = fake_rows(TABLE_line);

	for (int row = 0; row < rows; row++)
		if (fake_cell(TABLE_line, row, LINE_pid) == pid) {
			double value = fake_cell(TABLE_line, row, column);
			sum += value == value ? value : 0;
		}
	return sum;
}

/* Returns the sum of a column over the rows of a line. If rows have no line, sums over the rows of a function. */
static double of_line(int line, const char *function, int column)
{
	double sum = 0;
	int rows = fake_rows(TABLE_line);

	for (int row = 0; row < rows; row++) {
		double seen = fake_cell(TABLE_line, row, LINE_line), value = fake_cell(TABLE_line, row, column);
		if (line > 0 ? seen == line : strcmp(fake_text(TABLE_line, row, LINE_function), function) == 0)
			sum += value == value ? value : 0;
	}
	return sum;
}

static double milli(double value)
{
	return round(value * 1000);
}

/* -- tests -- */

static void check_sums(void)
{
	struct sampler *sampler = begin("/usr/bin/python3.11", NULL);

	works(FAKE_ROOT, 250);
	sampler_tick(sampler);
	sites[FAKE_ROOT].anonymous_kib = 30 * MIB;
	at(sampler, FAKE_ROOT, 5, 50);
	sites[FAKE_ROOT].anonymous_kib = 430 * MIB;
	at(sampler, FAKE_ROOT, 6, 90);
	at(sampler, FAKE_ROOT, 7, 80);
	sites[FAKE_ROOT].anonymous_kib = 180 * MIB;
	at(sampler, FAKE_ROOT, 7, 70);
	at(sampler, FAKE_ROOT, 8, 0);
	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 6, 60);
	works(FAKE_ROOT, 33);
	ends(sampler);
	is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 633, "rows of a process sum to its CPU time");
	is_number(milli(of_line(6, NULL, LINE_cpu_seconds)), 150,
		"CPU time before a sample belongs to the line of the sample");
	is_number(milli(of_line(7, NULL, LINE_cpu_seconds)), 150, "CPU time of several samples is added");
	is_number(milli(of_line(0, "before the first sample", LINE_cpu_seconds)), 300,
		"CPU time before the first sample belongs to no line");
	is_number(milli(of_line(0, "after the last sample", LINE_cpu_seconds)), 33,
		"CPU time after the last sample belongs to no line");
	is_number(of_line(8, NULL, LINE_samples), 0, "a process that has not run is not read");
	is_number(milli(of_line(7, NULL, LINE_seconds)), 300, "a process that has not run stays at its line");
	is_number(of_line(6, NULL, LINE_memory_growth_mib), 400, "a line has the memory that grew");
	is_number(of_line(7, NULL, LINE_memory_growth_mib), -250, "a line has the memory that it freed");
	is_number(sum_of(FAKE_ROOT, LINE_memory_growth_mib), 180, "rows sum to the memory of a process");
	is_number(of_line(6, NULL, LINE_samples), 2, "each reading is a sample");
	is_text(fake_text(TABLE_line, 0, LINE_language), "python", "the language");
}

static void check_kept(void)
{
	struct sampler *sampler = begin("/usr/lib/R/bin/exec/R", NULL);

	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	for (int line = 1; line <= 7; line++)
		at(sampler, FAKE_ROOT, line, 10);
	sampler_tick(sampler);
	for (int line = 1; line <= 7; line++)
		is_number(milli(of_line(line, NULL, LINE_cpu_seconds)), 10, "each line of a tick has its CPU time");
	is_text(fake_text(TABLE_line, 0, LINE_language), "r", "the language is R");
	at(sampler, FAKE_ROOT, 7, 10);
	ends(sampler);
	is_number(milli(of_line(7, NULL, LINE_cpu_seconds)), 20, "the next tick has a row of the same line");
	is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 90, "rows sum to the CPU time");
}

static void check_spans(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);
	int rows = 0;

	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 3, 90);
	at(sampler, FAKE_ROOT, 3, 90);
	sampler_tick(sampler);
	rows = fake_rows(TABLE_line);
	for (int i = 1; i <= 30; i++) {
		at(sampler, FAKE_ROOT, 3, 90);
		if (i % 10 == 0)
			sampler_tick(sampler);
	}
	is_number(fake_rows(TABLE_line), rows + 3, "a process that stays on one line has a row in each tick");
	rows = fake_rows(TABLE_line);
	for (int i = 1; i <= 550; i++) {
		at(sampler, FAKE_ROOT, 3, 0);
		if (i % 10 == 0)
			sampler_tick(sampler);
	}
	is_number(fake_rows(TABLE_line), rows, "an idle process has no row in each tick");
	at(sampler, FAKE_ROOT, 3, 90);
	is_number(fake_rows(TABLE_line), rows + 1, "the row of the idle time ends where the process goes on");
	is_number(fake_cell(TABLE_line, FAKE_LAST, LINE_cpu_seconds), 0, "the row of the idle time has no CPU time");
	for (int i = 1; i <= 620; i++) {
		at(sampler, FAKE_ROOT, 3, 0);
		if (i % 10 == 0)
			sampler_tick(sampler);
	}
	is_number(fake_rows(TABLE_line), rows + 3, "an idle process has a row in each minute");
	ends(sampler);
	is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 33 * 90, "no CPU time is left out");
	is_number(milli(sum_of(FAKE_ROOT, LINE_seconds)), 120300, "no time is left out");
}

static void check_function(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);
	static const char *const found[] = {"f", "sort", "sort", "g", "sort"};

	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	for (size_t i = 0; i < ARRAY_LENGTH(found); i++) {
		sites[FAKE_ROOT].function = found[i];
		at(sampler, FAKE_ROOT, 2, 10);
	}
	ends(sampler);
	is_number(of_line(0, "sort", LINE_samples), 3, "each function of a line has its own samples");
	is_number(of_line(0, "g", LINE_samples), 1, "a function does not have the samples of another function");
}

static void check_marks(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 3, 90);
	at(sampler, FAKE_ROOT, 3, 90);
	fake_write(FAKE_RUN "/mark.csv", "\"timestamp\",\"pid\",\"label\"\n");
	at(sampler, FAKE_ROOT, 4, 80);
	is_number(fake_rows(TABLE_line), 2, "a mark closes the rows of the samples before it");
	is_number(of_line(4, NULL, LINE_samples), 0, "the sample after the mark is in another row");
	ends(sampler);
	is_number(milli(of_line(4, NULL, LINE_cpu_seconds)), 80, "the row of that sample is written at the next tick");
}

/* Returns the number of rows of stack.csv that have this function. */
static int frames_of(const char *function)
{
	int count = 0;
	for (int row = 0; row < fake_rows(TABLE_stack); row++)
		count += strcmp(fake_text(TABLE_stack, row, STACK_function), function) == 0;
	return count;
}

static void check_stacks(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sampler_tick(sampler);
	depth = 3;
	at(sampler, FAKE_ROOT, 1, 10);
	at(sampler, FAKE_ROOT, 7, 10);
	at(sampler, FAKE_ROOT, 8, 10);
	at(sampler, FAKE_ROOT, 7, 10);
	is_number(fake_rows(TABLE_stack), 9, "a stack has a row for each frame, and is written once");
	is_number(fake_cell(TABLE_stack, 3, STACK_depth), 0, "the outermost frame is the first");
	is_number(fake_cell(TABLE_stack, 3, STACK_line), 2, "with its line");
	is_number(fake_cell(TABLE_stack, 5, STACK_line), 7, "the innermost frame is the last");
	is_number(fake_cell(TABLE_stack, 4, STACK_own), 1, "a frame of the user");
	is_number(fake_cell(TABLE_stack, 3, STACK_own), 0, "a frame of a library");
	double stack = fake_cell(TABLE_stack, 3, STACK_stack);
	sampler_tick(sampler);
	double seen = 0;
	for (int row = 0; row < fake_rows(TABLE_line); row++)
		if (fake_cell(TABLE_line, row, LINE_stack) == stack)
			seen += fake_cell(TABLE_line, row, LINE_samples);
	is_number(seen, 2, "line.csv names the stack of its samples");
	int rows = fake_rows(TABLE_stack);
	depth = 100;
	at(sampler, FAKE_ROOT, 9, 10);
	is_number(fake_rows(TABLE_stack) - rows, 64, "a deep stack has 64 rows");
	is_text(fake_text(TABLE_stack, rows, STACK_function), "cut",
		"the first row of a deep stack replaces the omitted frames");
	depth = 1;
	ends(sampler);
}

static void check_many_stacks(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sampler_tick(sampler);
	for (int line = 1; line <= 4200; line++) {
		at(sampler, FAKE_ROOT, line, 10);
		if (line % 10 == 0)
			sampler_tick(sampler);
	}
	is_number(fake_rows(TABLE_stack), 4096, "a run has 4,096 stacks");
	is_number(frames_of("other"), 1, "the last stack stands for all others");
	is_number(of_line(4200, NULL, LINE_stack), 1, "a stack beyond the maximum still has its line in line.csv");
	ends(sampler);
}

static void check_others(void)
{
	struct sampler *sampler = begin("/usr/bin/awk", NULL);

	works(FAKE_ROOT, 900);
	for (int i = 0; i < 110; i++) {
		fake_tick(sampler);
		if (os_since_boot_ns() >= sampler_lines_ns(sampler))
			sampler_lines(sampler);
	}
	is_number(sites[FAKE_ROOT].finds, 0, "a program of another name is not inspected");
	is_number((double)sampler_lines_ns(sampler), (double)INT64_MAX,
		"a program of another name does not wake the sampler after 100 s");
	works(FAKE_ROOT, 200);
	fake_tick(sampler);
	is_number(sites[FAKE_ROOT].finds, 2, "a program of another name is inspected after a second of CPU time");
	for (int i = 0; i < 30; i++)
		fake_tick(sampler);
	is_number(sites[FAKE_ROOT].finds, 2, "a program is inspected once after a second of CPU time");
	works(FAKE_ROOT, 9000);
	sites[FAKE_ROOT].python = true;
	fake_tick(sampler);
	is_number(sites[FAKE_ROOT].finds, 3, "a program is inspected again after ten seconds of CPU time");
	at(sampler, FAKE_ROOT, 4, 10);
	at(sampler, FAKE_ROOT, 5, 10);
	ends(sampler);
	is_number(of_line(5, NULL, LINE_samples), 1, "an interpreter found then has lines");
	is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 10120,
		"rows of an interpreter that was found later have all of its CPU time");

	sampler = begin("/usr/bin/python3", NULL);
	sites[FAKE_ROOT].python = false;
	for (int i = 0; i < 30; i++)
		fake_tick(sampler);
	is_number(sites[FAKE_ROOT].finds, 6, "an unknown version is inspected at its first three ticks");
	ends(sampler);
	is_number(fake_rows(TABLE_line), -1, "an unknown version has no rows");

	sampler = begin("/usr/lib/R/bin/exec/R", NULL);
	sites[FAKE_ROOT].python = true;
	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	ends(sampler);
	is_text(fake_text(TABLE_line, 0, LINE_language), "r", "R that has loaded Python counts as R");

	sampler = begin("/usr/bin/python3", "RTRACK_LINES=off");
	works(FAKE_ROOT, 2000);
	fake_tick(sampler);
	is_number(sites[FAKE_ROOT].finds, 0, "with RTRACK_LINES=off no program is inspected");
	ends(sampler);
}

static void check_fork(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sampler_tick(sampler);
	int pid = fake_fork(FAKE_ROOT)->id.pid;
	becomes(pid, "/usr/bin/python3");
	fake_process(pid)->image = fake_process(FAKE_ROOT)->image;
	fake_says_start(pid);
	fake_tick(sampler);
	is_number(sites[pid].finds, 0, "a fork uses its parent's interpreter");
	at(sampler, pid, 9, 10);
	at(sampler, pid, 9, 20);
	sampler_tick(sampler);
	is_number(milli(sum_of(pid, LINE_cpu_seconds)), 30, "a fork has its own rows");
	is_number(sites[FAKE_ROOT].reads, 0, "a parent that has not run is not read");
	fake_says_exit(pid, 0);
	fake_end(pid, 0);
	ends(sampler);
}

/* Interpreters that start between two ticks. */
static void check_started(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	fake_clocks = true;
	at(sampler, FAKE_ROOT, 1, 30);
	is_number(sites[FAKE_ROOT].reads, 1, "an interpreter is sampled before the first tick");
	int fork = fake_fork(FAKE_ROOT)->id.pid;
	becomes(fork, "/usr/bin/python3");
	fake_process(fork)->image = fake_process(FAKE_ROOT)->image;
	at(sampler, fork, 5, 40);
	is_number(sites[fork].reads, 1, "a fork of an interpreter is sampled before the next tick");
	int spawned = fake_fork(FAKE_ROOT)->id.pid;
	becomes(spawned, "/usr/bin/python3");
	fake_says_start(spawned);
	at(sampler, spawned, 6, 20);
	is_number(
		sites[spawned].reads, 1, "an interpreter that another one has started is sampled before the next tick");
	at(sampler, spawned, 6, 20);
	sampler_tick(sampler);
	is_number(sites[fork].finds + sites[spawned].finds, 1, "the tick does not inspect them again");
	at(sampler, FAKE_ROOT, 2, 10);
	works(fork, 7);
	int brief = fake_fork(FAKE_ROOT)->id.pid;
	becomes(brief, "/usr/bin/python3");
	fake_says_start(brief);
	fake_pass(FAKE_SECOND / 10);
	sampler_lines(sampler);
	works(brief, 3);
	for (int pid = fork; pid <= brief; pid++) {
		fake_says_exit(pid, 0);
		fake_end(pid, 0);
	}
	fake_tick(sampler);
	ends(sampler);
	is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 40, "rows of the first process sum to its CPU time");
	is_number(milli(sum_of(fork, LINE_cpu_seconds)), 47, "rows of a fork sum to its CPU time");
	is_number(milli(sum_of(spawned, LINE_cpu_seconds)), 40, "rows of the other interpreter sum to its CPU time");
	is_number(milli(sum_of(brief, LINE_cpu_seconds)), 3,
		"a process that ends before its first sample has a row with its CPU time");
	is_text(fake_text(TABLE_line, FAKE_LAST, LINE_language), "python", "with its language");
}

static void check_exec(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	at(sampler, FAKE_ROOT, 2, 300);
	works(FAKE_ROOT, 50);
	becomes(FAKE_ROOT, "/usr/lib/R/bin/exec/R");
	sites[FAKE_ROOT].anonymous_kib = 7 * MIB;
	fake_tick(sampler);
	is_number(
		milli(of_line(2, NULL, LINE_cpu_seconds)), 300, "at an exec, the lines of the old program are written");
	at(sampler, FAKE_ROOT, 1, 10);
	at(sampler, FAKE_ROOT, 2, 40);
	ends(sampler);
	is_text(fake_text(TABLE_line, FAKE_LAST, LINE_language), "r", "lines of the new program follow");
	is_number(milli(of_line(2, NULL, LINE_cpu_seconds)), 340, "lines of the new program have their CPU time");
	is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 410, "all rows sum to the CPU time of the process");

	sampler = begin("/usr/bin/python3", NULL);
	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	becomes(FAKE_ROOT, "/usr/bin/true");
	fake_tick(sampler);
	int reads = sites[FAKE_ROOT].reads;
	at(sampler, FAKE_ROOT, 1, 100);
	is_number(sites[FAKE_ROOT].reads, reads, "a new program that is not an interpreter is not read");
	ends(sampler);

	/* A tick finds the new program, or a new start row finds it between two ticks. */
	for (int registers = 0; registers < 2; registers++) {
		sampler = begin("/usr/bin/python3", NULL);
		sampler_tick(sampler);
		sites[FAKE_ROOT].result = PLACE_CHANGED;
		at(sampler, FAKE_ROOT, 1, 60);
		at(sampler, FAKE_ROOT, 1, 30);
		becomes(FAKE_ROOT, "/usr/lib/R/bin/exec/R");
		if (registers)
			fake_says_start(FAKE_ROOT);
		else
			fake_tick(sampler);
		at(sampler, FAKE_ROOT, 3, 10);
		at(sampler, FAKE_ROOT, 3, 40);
		ends(sampler);
		is_number(milli(of_line(0, "before the first sample", LINE_cpu_seconds)), 100,
			"after an exec, the first row contains the time of an old program whose lines were never read");
		is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 140, "and all rows sum to the CPU time");
	}
}

static void check_failures(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sites[FAKE_ROOT].result = PLACE_STRANGE;
	for (int i = 0; i < 1000; i++) {
		if (i % 10 == 0)
			sampler_tick(sampler);
		at(sampler, FAKE_ROOT, 1, 10);
	}
	is_number(sites[FAKE_ROOT].reads, 32, "an interpreter that repeatedly cannot be read is left alone");
	ends(sampler);
	is_number(fake_rows(TABLE_line), -1, "an interpreter that cannot be read has no rows");

	sampler = begin("/usr/bin/python3", NULL);
	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	at(sampler, FAKE_ROOT, 1, 10);
	sites[FAKE_ROOT].result = PLACE_CHANGED;
	at(sampler, FAKE_ROOT, 1, 20);
	is_number(sites[FAKE_ROOT].reads, 5, "a stack that changes is read three times");
	ends(sampler);
	is_number(milli(of_line(0, "unknown", LINE_cpu_seconds)), 20,
		"the CPU time of a stack that changes belongs to the unknown line");
}

static void check_threads(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sites[FAKE_ROOT].threads = THREADS;
	sites[FAKE_ROOT].numbered = true;
	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	sites[FAKE_ROOT].thread_ns[2] += 10 * FAKE_MS;
	sites[FAKE_ROOT].thread_ns[3] += 2 * FAKE_MS;
	at(sampler, FAKE_ROOT, 1, 12);
	is_number((double)sites[FAKE_ROOT].thread, 2, "the thread with the most CPU time is read");
	sites[FAKE_ROOT].numbered = false;
	sites[FAKE_ROOT].thread = 0;
	sites[FAKE_ROOT].thread_ns[0] += 1 * FAKE_MS;
	at(sampler, FAKE_ROOT, 1, 12);
	is_number((double)sites[FAKE_ROOT].thread, 0,
		"without thread numbers, none is read if the main thread used less than half");
	sites[FAKE_ROOT].thread_ns[0] += 12 * FAKE_MS;
	at(sampler, FAKE_ROOT, 1, 12);
	is_number((double)sites[FAKE_ROOT].thread, THREADS,
		"without thread numbers, the main thread is read if it used more");
	ends(sampler);
}

/* The root's own sampler ends before the root does. */
static void check_last(void)
{
	struct sampler *sampler = begin("/usr/bin/python3", NULL);

	sampler_tick(sampler);
	at(sampler, FAKE_ROOT, 1, 10);
	at(sampler, FAKE_ROOT, 1, 10);
	works(FAKE_ROOT, 70);
	fake_pass(FAKE_SECOND / 10);
	(void)sampler_finish(sampler, 0, 0, false);
	is_number(milli(sum_of(FAKE_ROOT, LINE_cpu_seconds)), 90,
		"rows of a process that lives until the run's end sum to its CPU time");
}

/* Many busy interpreters are expensive to read. */
static void check_budget(void)
{
	enum { WORKERS = 31, SECONDS = 40 };
	struct sampler *sampler = begin("/usr/bin/python3", NULL);
	int least = INT32_MAX, most = 0, reads = 0;

	for (int i = 0; i < WORKERS; i++) {
		int pid = fake_fork(FAKE_ROOT)->id.pid;
		becomes(pid, "/usr/bin/python3");
		fake_says_start(pid);
	}
	sampler_tick(sampler);
	cost_ns = FAKE_MS;
	uint64_t before_ns = fake_tracker[COUNTER_USER_NS];
	for (int i = 1; i <= 10 * SECONDS; i++) {
		for (int pid = FAKE_ROOT; pid <= FAKE_ROOT + WORKERS; pid++)
			works(pid, 90);
		at(sampler, FAKE_ROOT, 1, 0);
		if (i % 10 == 0)
			sampler_tick(sampler);
	}
	for (int pid = FAKE_ROOT; pid <= FAKE_ROOT + WORKERS; pid++) {
		least = sites[pid].reads < least ? sites[pid].reads : least;
		most = sites[pid].reads > most ? sites[pid].reads : most;
		reads += sites[pid].reads;
	}
	double used = (double)(fake_tracker[COUNTER_USER_NS] - before_ns) / (double)FAKE_SECOND;
	ok(used <= 0.003 * SECONDS + 0.006, "readings use at most 0.3 % of one CPU, plus savings");
	ok(reads >= 80, "readings use almost all of the allowed CPU time");
	ok(least > 0 && most - least <= 1, "interpreters take turns");
	for (int pid = FAKE_ROOT + 1; pid <= FAKE_ROOT + WORKERS; pid++) {
		fake_says_exit(pid, 0);
		fake_end(pid, 0);
	}
	ends(sampler);
	ok(milli(fake_sum(TABLE_line, LINE_cpu_seconds)) == (WORKERS + 1) * SECONDS * 900,
		"rows sum to the CPU time of all interpreters");
}

int main(void)
{
	check_sums();
	check_kept();
	check_spans();
	check_marks();
	check_stacks();
	check_many_stacks();
	check_function();
	check_others();
	check_fork();
	check_started();
	check_exec();
	check_failures();
	check_threads();
	check_last();
	check_budget();
	return done();
}
